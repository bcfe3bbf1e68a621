import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { KINDS, partOf, readJudgedQueries } from '../../bench/eval/judged.ts';
import { readManifest } from '../../scripts/sample/manifest.ts';

describe('the judged queries', () => {
  const queries = readJudgedQueries();

  it('name screens of the sample only', () => {
    const known = new Set(readManifest().screens.map(({ id }) => id));
    const named = queries.flatMap(({ ask, grades }) => [
      ...grades.keys(),
      ...('like' in ask ? [ask.like] : []),
    ]);
    expect(named.filter((id) => !known.has(id))).toEqual([]);
  });

  it('have ids of their own, and ask nothing twice', () => {
    const asks = queries.map(({ ask }) => JSON.stringify(ask));
    expect(new Set(queries.map(({ id }) => id)).size).toBe(queries.length);
    expect(new Set(asks).size).toBe(queries.length);
  });

  it('have an exact answer, unless the kind is that they have none', () => {
    for (const { id, kind, grades } of queries) {
      const exact = [...grades.values()].filter((grade) => grade === 2).length;
      if (kind === 'no-answer') expect([id, grades.size]).toEqual([id, 0]);
      else expect([id, exact > 0]).toEqual([id, true]);
    }
  });

  it('keep look-alikes in the application of their screen, and look-across out of it', () => {
    const apps = new Map(readManifest().screens.map(({ id, appId }) => [id, appId]));
    for (const { ask, grades, kind } of queries) {
      if (!('like' in ask)) continue;
      for (const id of grades.keys()) {
        expect([kind, apps.get(id) === apps.get(ask.like)]).toEqual([kind, kind === 'look-alike']);
      }
    }
  });

  it('never count a screen as looking like itself', () => {
    for (const { ask, grades } of queries) {
      if ('like' in ask) expect(grades.has(ask.like)).toBe(false);
    }
  });

  it('are at least 25 of each kind, in two parts of about the same size', () => {
    for (const kind of KINDS) {
      const own = queries.filter((query) => query.kind === kind);
      expect([kind, own.length >= 25]).toEqual([kind, true]);
    }
    const report = queries.filter(({ part }) => part === 'report').length;
    expect(Math.abs(report / queries.length - 0.5)).toBeLessThan(0.05);
  });
});

describe('partOf', () => {
  it('goes by the id alone', () => {
    expect(partOf('literal-01')).toBe(partOf('literal-01'));
    expect(
      new Set(['literal-01', 'literal-02', 'literal-03', 'literal-04', 'literal-05'].map(partOf)).size,
    ).toBe(2);
  });
});

describe('readJudgedQueries', () => {
  let dir: string;
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const read = (line: Record<string, unknown>) => {
    dir = mkdtempSync(join(tmpdir(), 'vitrine-judged-'));
    for (const kind of KINDS) {
      const sound = { id: `${kind}-01`, query: kind, exact: ['a-b'] };
      writeFileSync(join(dir, `${kind}.jsonl`), `${JSON.stringify(kind === 'literal' ? line : sound)}\n`);
    }
    return () => readJudgedQueries(dir);
  };

  it.each([
    [
      'a screen graded twice',
      { id: 'literal-01', query: 'x', exact: ['a-b'], usable: ['a-b'] },
      /a-b is graded twice/,
    ],
    ['neither words nor a screen', { id: 'literal-01', exact: ['a-b'] }, /either a query or a screen/],
    ['an id of another kind', { id: 'look-01', query: 'x', exact: ['a-b'] }, /does not begin with its kind/],
    ['a colour that is none', { id: 'literal-01', query: 'x', colors: ['red'] }, /literal\.jsonl:1/],
  ])('refuses %s, naming the place', (_, line, message) => {
    expect(read(line)).toThrow(message);
  });

  it('refuses a file of another kind', () => {
    const reading = read({ id: 'literal-01', query: 'x', exact: ['a-b'] });
    writeFileSync(join(dir, 'rumour.jsonl'), '{}\n');
    expect(reading).toThrow('rumour.jsonl is no kind of query');
  });
});
