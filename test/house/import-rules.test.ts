import { execFile as execFileCallback } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const execFile = promisify(execFileCallback);
const ROOT = join(import.meta.dirname, '../..');

/** A file that may not import what it does: one for every wall of the house. */
const FORBIDDEN: readonly [file: string, specifier: string][] = [
  ['src/domain/x.ts', '../ports/catalogue.ts'],
  ['src/domain/x.ts', 'node:fs'],
  ['src/domain/x.ts', 'zod'],
  ['src/domain/x.ts', '@koa/router'],
  ['src/ports/x.ts', '../library/ports.ts'],
  ['src/ports/x.ts', 'kysely'],
  ['src/library/x.ts', '../engines/sql/open.ts'],
  ['src/library/x.ts', '../http/query.ts'],
  ['src/library/x.ts', '../config.ts'],
  ['src/ingest/x.ts', '../library/ports.ts'],
  ['src/ingest/steps/x.ts', '../../engines/sql/open.ts'],
  ['src/accounts/x.ts', '../oauth/resources.ts'],
  ['src/engines/sql/x.ts', '../files/file-images.ts'],
  ['src/engines/sql/migrations/x.ts', '../../exact-vectors/index.ts'],
  ['src/engines/generations/x.ts', '../exact-vectors/index.ts'],
  ['src/engines/files/x.ts', '../../library/ports.ts'],
  ['src/engines/files/x.ts', '../../config.ts'],
  ['src/oauth/x.ts', '../http/query.ts'],
  ['src/oauth/x.ts', '../engines/sql/open.ts'],
  ['src/http/x.ts', '../mcp/tool.ts'],
  ['src/http/screens/x.ts', '../../engines/sql/open.ts'],
  ['src/http/x.ts', '../ports/catalogue.ts'],
  ['src/mcp/x.ts', '../http/query.ts'],
  ['src/mcp/tools/x.ts', '../../engines/sql/open.ts'],
  ['src/pages/x.ts', '../engines/sql/open.ts'],
  ['src/middleware/x.ts', '../http/query.ts'],
];

/** And what each room is for. */
const ALLOWED: readonly [file: string, specifier: string][] = [
  ['src/domain/y.ts', './errors.ts'],
  ['src/domain/y.ts', 'culori'],
  ['src/domain/y.ts', 'stemmer'],
  ['src/ports/y.ts', '../domain/errors.ts'],
  ['src/library/y.ts', '../ports/catalogue.ts'],
  ['src/engines/sql/y.ts', '../../ports/catalogue.ts'],
  ['src/engines/sql/y.ts', 'kysely'],
  ['src/engines/sql/migrations/y.ts', '../schema.ts'],
  ['src/http/y.ts', '../library/ports.ts'],
  ['src/mcp/tools/y.ts', '../../library/ports.ts'],
];

async function lintOf(folder: string): Promise<string> {
  const oxlint = join(ROOT, 'node_modules/.bin/oxlint');
  const { stdout } = await execFile(oxlint, ['--format', 'unix', '.'], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

describe('import rules', () => {
  let folder: string;
  let report: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-lint-'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, '.oxlintrc.json'), await readFile(join(ROOT, '.oxlintrc.json'), 'utf8'));
    for (const [index, [file, specifier]] of [...FORBIDDEN, ...ALLOWED].entries()) {
      const path = join(folder, file.replace(/(\w)\.ts$/, `$1${index}.ts`));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, `import { thing } from '${specifier}';\n\nexport const used = thing;\n`);
    }
    report = await lintOf(folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each(FORBIDDEN.map(([file, specifier], index) => ({ file, specifier, index })))(
    '$file may not import $specifier',
    ({ file, index }) => {
      const name = file.replace(/(\w)\.ts$/, `$1${index}.ts`);
      expect(report).toMatch(new RegExp(`${name}:.*no-restricted-imports`));
    },
  );

  it.each(ALLOWED.map(([file, specifier], index) => ({ file, specifier, index: index + FORBIDDEN.length })))(
    '$file may import $specifier',
    ({ file, index }) => {
      expect(report).not.toContain(file.replace(/(\w)\.ts$/, `$1${index}.ts`));
    },
  );
});
