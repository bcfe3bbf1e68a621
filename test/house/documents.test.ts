import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkRedirectUri } from '../../src/oauth/redirect-uris.ts';
import { SETTING_NAMES } from '../../src/config.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** What a document says about the project must be so. */
describe('docs/oauth-rules.md', () => {
  const cells = read('docs/oauth-rules.md')
    .split('\n')
    .filter((line) => line.startsWith('|') && line.includes('`test/'))
    .flatMap(
      (line) =>
        line
          .split('|')
          .at(-2)
          ?.split(/;(?= `)/) ?? [],
    );

  it.each(cells.map((cell) => cell.trim()))('%s', (cell) => {
    const files = [...cell.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file);
    const titles = [...cell.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true);
    for (const title of titles) expect(read(files[0] ?? '')).toContain(title);
  });
});

describe('README', () => {
  const readme = read('README.md');

  it('names every setting', () => {
    expect(SETTING_NAMES.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });

  it('names files that are there', () => {
    const linked = [...readme.matchAll(/\]\((?!http)([^)#]+)\)/g)].map(([, path = '']) => path);
    const tests = [...readme.matchAll(/`((?:test|bench|src|docs)\/[\w./-]+)`/g)].map(([, path = '']) => path);
    expect([...linked, ...tests].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('approves redirect URIs that can be approved', () => {
    const approved = [...readme.matchAll(/npm run clients -- approve ([^\s`]+)/g)].map(([, uri = '']) => uri);
    const uris = approved.filter((uri) => uri.includes(':'));
    expect(uris.length).toBeGreaterThan(4);
    for (const uri of uris) expect(checkRedirectUri(uri), uri).toHaveProperty('kind');
  });

  it('has set-ups for clients that are JSON and name the MCP endpoint', () => {
    const blocks = [...readme.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => json);
    const setUps = blocks.filter((json) => json.includes('/mcp'));
    expect(setUps.length).toBeGreaterThan(1);
    for (const json of setUps)
      expect(JSON.stringify(JSON.parse(json))).toContain('http://localhost:3000/mcp');
  });
});
