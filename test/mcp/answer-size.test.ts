import type { ContentBlock } from '@modelcontextprotocol/client';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlowRecord, ScreenRecord } from '../../src/domain/screen.ts';
import { estimateTokens } from '../../src/mcp/answer-size.ts';
import { TOOLS } from '../../src/mcp/server.ts';
import { createRandom } from '../support/random.ts';
import { screenRecord } from '../support/screen-record.ts';
import { startTestService, type TestService } from '../support/service.ts';

const MAX_BASE64_CHARACTERS = 700_000;
const MAX_TOKENS = 25_000;
const CALLS_PER_TOOL = 10;

/** As long as a manifest allows, and longer than anything real. */
const longId = (stem: string, index: number) => `${stem}-${index}-`.padEnd(200, 'x9-');
const WORDS = ['paywall', 'Jahresabonnement', '設定', '🎉', 'éclair', 'a1b2c3d4', 'free', 'trial', 'жёлтый'];
const random = createRandom(7);
const prose = (characters: number) => {
  let text = '';
  while (text.length < characters) text += `${random.pick(WORDS)} `;
  return text.slice(0, characters).trim();
};
const PATTERNS = random.several(50, (index) => `pattern-${index}-`.padEnd(99, 'z'));

const SCREENS: ScreenRecord[] = random.several(60, (index) =>
  screenRecord(longId('screen', index), {
    appId: longId('app', index % 5),
    pattern: [...PATTERNS],
    caption: prose(20_000),
    imageKey: 'images/noise.webp',
    embeddingId: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    layout: Int8Array.from({ length: 576 }, () => random.below(127)),
    colors: random.several(16, () => ({
      hex: `#${random.below(0x1000000).toString(16).padStart(6, '0').toUpperCase()}`,
      share: 1 / 16,
    })),
  }),
);
const FLOWS: FlowRecord[] = random.several(20, (index) => ({
  id: longId('flow', index),
  appId: longId('app', index % 5),
  type: `type-${index}-`.padEnd(99, 'y'),
  name: prose(500),
  description: prose(20_000),
  screenIds: random.several(1000, () => random.pick(SCREENS).id),
  capturedAt: '2026-01-01T00:00:00.000Z',
}));

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ screens: [] });
  const { images, stores } = service.library;
  // Noise is what no format can shrink.
  const noise = Buffer.from(random.several(1600 * 1600 * 3, () => random.below(256)));
  const picture = await sharp(noise, { raw: { width: 1600, height: 1600, channels: 3 } })
    .webp()
    .toBuffer();
  await images.put('images/noise.webp', picture, 'image/webp');
  await stores.catalogue.save({
    apps: random.several(5, (index) => ({ id: longId('app', index), name: prose(500) })),
    screens: SCREENS,
    flows: FLOWS,
  });
  await service.addScreens([]);
}, 120_000);
afterAll(() => service.close());

async function sizeOf(name: string, args: Record<string, unknown>) {
  const tool = TOOLS.find((known) => known.name === name)!;
  const context = { library: service.library.library, waiting: {} };
  const result = await tool.call(tool.input.parse(args), context);
  const blocks: ContentBlock[] = result.content;
  const base64 = blocks.reduce((sum, block) => sum + (block.type === 'image' ? block.data.length : 0), 0);
  const words = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const structured = JSON.stringify(result.structuredContent ?? {});
  return { base64, tokens: estimateTokens(words) + estimateTokens(structured), result };
}

/** Arguments as a model might choose them, the greedy ones often. */
const GENERATORS: Record<string, () => Record<string, unknown>> = {
  search_screens: () => ({
    ...(random.chance(0.5) && { query: prose(40), mode: random.pick(['hybrid', 'semantic', 'text']) }),
    ...(random.chance(0.3) && { pattern: random.several(20, () => random.pick(PATTERNS)) }),
    ...(random.chance(0.3) && { excludeIds: random.several(200, () => random.pick(SCREENS).id) }),
    ...(random.chance(0.3) && { maxPerApp: 1 + random.below(50) }),
    limit: random.pick([1, 10, 50, 50]),
    detail: random.pick(['compact', 'full', 'full']),
  }),
  find_similar_screens: () => ({
    screenId: random.pick(SCREENS).id,
    by: random.pick(['layout', 'meaning']),
    limit: random.pick([1, 10, 50, 50]),
    detail: random.pick(['compact', 'full', 'full']),
  }),
  get_screen: () => ({ id: random.pick(SCREENS).id }),
  search_flows: () => ({
    ...(random.chance(0.5) && { query: prose(40) }),
    ...(random.chance(0.2) && { type: 'no such type' }),
    limit: random.pick([1, 10, 50]),
  }),
  get_flow: () => ({
    id: random.pick(FLOWS).id,
    fromStep: 1 + random.below(1000),
    detail: random.pick(['compact', 'full']),
  }),
  compare_flows: () => ({ flowIds: random.several(2 + random.below(3), (index) => FLOWS[index]!.id) }),
  list_filters: () => ({ limit: random.pick([1, 50, 300]), ...(random.chance(0.3) && { contains: 'p' }) }),
};

describe('no answer is cut by a client', () => {
  it.each(Object.keys(GENERATORS))('%s keeps to 25,000 tokens whatever is asked', async (name) => {
    for (let call = 0; call < CALLS_PER_TOOL; call += 1) {
      const args = GENERATORS[name]!();
      const { tokens } = await sizeOf(name, args);
      expect(tokens, JSON.stringify(args).slice(0, 300)).toBeLessThan(MAX_TOKENS);
    }
  });

  it('leads on to what did not fit', async () => {
    const { result } = await sizeOf('search_screens', { limit: 50, detail: 'full' });
    const { screens, nextCursor } = result.structuredContent as { screens: unknown[]; nextCursor: string };
    expect(screens.length).toBeLessThan(50);
    const next = await sizeOf('search_screens', { limit: 50, detail: 'full', cursor: nextCursor });
    const further = next.result.structuredContent as { screens: { id: string }[] };
    expect(further.screens[0]?.id).toBe(SCREENS.map(({ id }) => id).toSorted()[screens.length]);
  });

  it.each(['sheet', 'separate'].flatMap((layout) => ['small', 'large'].map((size) => ({ layout, size }))))(
    'view_screens %j keeps to 700 KB of base64',
    { timeout: 120_000 },
    async (args) => {
      const ids = SCREENS.slice(0, 8).map(({ id }) => id);
      for (const subject of [{ ids }, { ids: ids.slice(0, 1) }]) {
        const { base64, tokens } = await sizeOf('view_screens', { ...subject, ...args });
        expect(base64).toBeGreaterThan(0);
        expect(base64).toBeLessThan(MAX_BASE64_CHARACTERS);
        expect(tokens).toBeLessThan(MAX_TOKENS);
      }
    },
  );

  it('covers every tool', () => {
    expect([...Object.keys(GENERATORS), 'view_screens'].toSorted()).toEqual(
      TOOLS.map((tool) => tool.name).toSorted(),
    );
  });
});
