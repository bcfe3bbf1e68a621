import { execFile } from 'node:child_process';
import { access, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { environmentWith } from '../support/environment.ts';

const PACKAGE = '@modelcontextprotocol/inspector';
const VERSION = '2.12.0';
const MAX_OUTPUT_BYTES = 16 * 2 ** 20;

/** What one run of the Inspector printed. */
export interface InspectorRun {
  code: number;
  /** The JSON on standard output; undefined when there is none. */
  output: { result?: Record<string, unknown> } | undefined;
  errors: string;
}

export interface Inspector {
  run(args: readonly string[]): Promise<InspectorRun>;
  /** Removes what the Inspector wrote; its program stays for the next time. */
  close(): Promise<void>;
}

/**
 * The official Inspector's command line. It is installed beside the repository, in the folder for temporary files: its
 * install script, which is left out, would download web clients that nothing here needs.
 */
export async function openInspector(): Promise<Inspector> {
  const program = await install();
  // It keeps catalogues and tokens in the home folder.
  const home = await mkdtemp(join(tmpdir(), 'vitrine-inspector-home-'));
  return {
    async run(args) {
      const { code, stdout, stderr } = await execute(
        process.execPath,
        [program, '--cli', '--format', 'json', '--stored-auth-only', ...args],
        environmentWith({ HOME: home }),
      );
      const output = stdout.trim() === '' ? undefined : (JSON.parse(stdout) as InspectorRun['output']);
      return { code, output, errors: stderr };
    },
    close: () => rm(home, { recursive: true }),
  };
}

/** @returns the path of its program */
async function install(): Promise<string> {
  const folder = join(tmpdir(), `vitrine-inspector-${VERSION}`);
  const program = 'node_modules/.bin/mcp-inspector';
  const installed = await access(join(folder, program)).then(
    () => true,
    () => false,
  );
  if (installed) return join(folder, program);
  // Under another name until it is whole, so that an interrupted install is not taken for one.
  const fresh = await mkdtemp(`${folder}-`);
  await writeFile(join(fresh, 'package.json'), '{"private": true}');
  const wanted = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${PACKAGE}@${VERSION}`];
  const { code, stderr } = await execute('npm', wanted, process.env, fresh);
  if (code !== 0) throw new Error(`npm could not install ${PACKAGE}: ${stderr}`);
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
  return join(folder, program);
}

async function execute(file: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd?: string) {
  const options = { env, maxBuffer: MAX_OUTPUT_BYTES, ...(cwd === undefined ? {} : { cwd }) };
  try {
    return { code: 0, ...(await promisify(execFile)(file, [...args], options)) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string };
    if (typeof code !== 'number') throw error;
    return { code, stdout, stderr };
  }
}
