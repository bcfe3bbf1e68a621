import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InvalidArgumentError } from '../../src/domain/errors.ts';
import { readManifest } from '../../src/ingest/manifest.ts';

const SCREEN = {
  file: 'images/start.png',
  id: 'bank-start',
  appId: 'bank',
  platform: 'IOS',
  pattern: ['onboarding'],
  capturedAt: '2026-03-01T09:30:00Z',
};
const FLOW = {
  id: 'bank-onboarding',
  appId: 'bank',
  type: 'onboarding',
  name: 'First steps',
  screenIds: ['bank-start'],
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-manifest-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, content: unknown): Promise<void> =>
  writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
const read = async (manifest: unknown) => {
  await write('manifest.json', manifest);
  return readManifest(folder);
};
const rejectsOf = async (screen: object) =>
  (await read({ screens: [SCREEN, { ...SCREEN, id: 'second', ...screen }] })).rejects;

describe('a manifest', () => {
  test('gives its apps, screens and flows in one spelling', async () => {
    const manifest = await read({
      apps: [{ id: 'bank', name: ' Bank ' }],
      screens: [
        {
          ...SCREEN,
          platform: 'ios',
          pattern: ['Empty State', 'empty_state', 'paywall'],
          capturedAt: '2026-03-01T10:30:00+01:00',
          captionText: '  Welcome ',
        },
      ],
      flows: [{ ...FLOW, type: 'Sign Up', capturedAt: '2026-03-02', description: '' }],
    });
    expect(manifest.rejects).toEqual([]);
    expect(manifest.apps).toEqual([{ id: 'bank', name: 'Bank' }]);
    expect(manifest.screens).toMatchObject([
      {
        id: 'bank-start',
        platform: 'IOS',
        pattern: ['empty-state', 'paywall'],
        capturedAt: '2026-03-01T09:30:00.000Z',
        captionText: 'Welcome',
      },
    ]);
    expect(manifest.flows).toMatchObject([{ type: 'sign-up', capturedAt: '2026-03-02T00:00:00.000Z' }]);
    expect(manifest.flows[0]?.description).toBeUndefined();
  });

  test('may leave out apps and flows, the capture time of a flow, and all patterns of a screen', async () => {
    const manifest = await read({ screens: [{ ...SCREEN, pattern: [] }], flows: [FLOW] });
    expect(manifest.rejects).toEqual([]);
    expect([manifest.apps, manifest.screens.length, manifest.flows.length]).toEqual([[], 1, 1]);
  });

  test('may begin with a byte order mark', async () => {
    expect((await read(`\uFEFF${JSON.stringify({ screens: [SCREEN] })}`)).screens).toHaveLength(1);
  });

  test.each([
    ['a platform that is none', { platform: 'WINDOWS' }, 'screens[1].platform', /WINDOWS.*IOS, ANDROID, WEB/],
    ['an unknown field', { colour: 'red' }, 'screens[1].colour', /fields are file, id, appId/],
    ['a missing field', { appId: undefined }, 'screens[1].appId', /is missing/],
    ['a field of another type', { pattern: 'paywall' }, 'screens[1].pattern', /list of words/],
    ['a word of another type', { pattern: ['paywall', 7] }, 'screens[1].pattern[1]', /must be text/],
    ['a pattern without letters', { pattern: ['--'] }, 'screens[1].pattern[0]', /letters or digits/],
    ['a time without a zone', { capturedAt: '2026-03-01T09:30:00' }, 'screens[1].capturedAt', /ISO 8601/],
    ['a day that does not exist', { capturedAt: '2026-02-30' }, 'screens[1].capturedAt', /ISO 8601/],
    ['an id that cannot stand in an address', { id: 'a/b' }, 'screens[1].id', /letters, digits/],
    ['an id that climbs', { id: '..' }, 'screens[1].id', /letters, digits/],
    ['an empty file name', { file: '' }, 'screens[1].file', /empty/],
    ['an id that is taken', { id: SCREEN.id }, 'screens[1].id', /already the id of screens\[0\]/],
  ])('rejects a screen with %s at its place, and takes the others', async (_, fault, place, reason) => {
    const rejects = await rejectsOf(fault);
    expect(rejects).toHaveLength(1);
    expect(rejects[0]).toMatchObject({
      place,
      reason: expect.stringMatching(reason) as string,
    });
    expect((await readManifest(folder)).screens.map(({ id }) => id)).toEqual([SCREEN.id]);
  });

  test('names every fault of a record, and counts the record once', async () => {
    const manifest = await read({
      screens: [{ ...SCREEN, platform: 'x', capturedAt: 'y' }, 'text'],
      flows: [{ ...FLOW, screenIds: [] }],
    });
    expect(manifest.rejects.map(({ place }) => place)).toEqual([
      'screens[0].platform',
      'screens[0].capturedAt',
      'screens[1]',
      'flows[0].screenIds',
    ]);
    expect(manifest.rejected).toEqual({ screens: 2, flows: 1 });
  });

  test('rejects parts of the whole that it does not know, and lists that are none', async () => {
    const manifest = await read({ screens: [SCREEN], flows: {}, pictures: [] });
    expect(manifest.rejects.map(({ place, reason }) => `${place} ${reason}`)).toEqual([
      'flows must be a list',
      'pictures is not a field here; the fields are apps, screens, flows',
    ]);
    expect(manifest.screens).toHaveLength(1);
  });

  test('in lines gives its places by line', async () => {
    const lines = [
      JSON.stringify(SCREEN),
      '',
      '{broken',
      JSON.stringify({ ...SCREEN, id: 'second', platform: 'x' }),
    ];
    await write('screens.jsonl', lines.join('\n'));
    await write('flows.jsonl', `${JSON.stringify(FLOW)}\n`);
    await write('apps.jsonl', JSON.stringify({ id: 'bank', name: 'Bank' }));
    const manifest = await readManifest(folder);
    expect([manifest.apps.length, manifest.screens.length, manifest.flows.length]).toEqual([1, 1, 1]);
    expect(manifest.rejects.map(({ place }) => place)).toEqual([
      'screens.jsonl:3',
      'screens.jsonl:4 platform',
    ]);
  });

  test.each([
    ['there is none', {}, /neither manifest\.json nor screens\.jsonl/],
    ['there are two', { 'manifest.json': '{}', 'screens.jsonl': '' }, /both/],
    ['it is not JSON', { 'manifest.json': '{"screens": [' }, /not JSON/],
    ['it is a list', { 'manifest.json': '[]' }, /object with the lists/],
  ])('cannot be used when %s', async (_, files, message) => {
    for (const [name, content] of Object.entries(files)) await write(name, content);
    await expect(readManifest(folder)).rejects.toThrow(message);
    await expect(readManifest(folder)).rejects.toBeInstanceOf(InvalidArgumentError);
  });

  test('cannot be used when the folder is not there', async () => {
    await expect(readManifest(join(folder, 'none'))).rejects.toBeInstanceOf(InvalidArgumentError);
  });
});
