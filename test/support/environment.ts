/**
 * The environment of a process that a test starts: what programs need and these settings, nothing else. The test runner
 * itself sets BASE_URL, which would be taken for the setting.
 */
export function environmentWith(settings: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env;
  return { PATH, HOME, TMPDIR, SystemRoot, ...settings };
}
