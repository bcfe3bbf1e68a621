import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestService } from '../support/service.ts';
import { SAMPLE_TIMEOUT_MS, startSampleService } from './sample-service.ts';

/** What an assistant takes from an answer, whichever half of it its client lets through. */
interface Reading {
  ids: string[];
  total: number | null;
  cursor: string | undefined;
}

interface Row {
  /** Screen ids, by flow. */
  cells: (string | null)[];
}

interface Reader {
  screens(result: CallToolResult): Reading;
  flows(result: CallToolResult): Reading;
  rows(result: CallToolResult): Row[];
  colors(result: CallToolResult): string[];
  flowOf(result: CallToolResult): { id: string; step: number; steps: number };
  count(result: CallToolResult, list: string, value: string): number | undefined;
}

interface Listed {
  id: string;
}

const structuredReader: Reader = {
  screens: (result) => listed(result, 'screens'),
  flows: (result) => listed(result, 'flows'),
  rows(result) {
    const { rows } = result.structuredContent as { rows: { steps: ({ screenId: string } | null)[] }[] };
    return rows.map(({ steps }) => ({ cells: steps.map((step) => step?.screenId ?? null) }));
  },
  colors: (result) => (result.structuredContent as { dominantColors: string[] }).dominantColors,
  flowOf(result) {
    const { flows } = result.structuredContent as { flows: { id: string; step: number; steps: number }[] };
    return flows[0]!;
  },
  count(result, list, value) {
    const lists = result.structuredContent as Record<string, { values: { value: string; count: number }[] }>;
    return lists[list]?.values.find((counted) => counted.value === value)?.count;
  },
};

function listed({ structuredContent }: CallToolResult, of: 'screens' | 'flows'): Reading {
  const content = structuredContent as Record<string, unknown>;
  return {
    ids: (content[of] as Listed[]).map(({ id }) => id),
    total: (content['total'] as number | null | undefined) ?? null,
    cursor: (content['nextCursor'] as string | null | undefined) ?? undefined,
  };
}

const HEADS: Record<string, string> = { patterns: 'Patterns', apps: 'Apps', flowTypes: 'Flow types' };

const textReader: Reader = {
  screens: (result) => readLines(textOf(result)),
  flows: (result) => readLines(textOf(result)),
  rows(result) {
    const lines = textOf(result).matchAll(/^\d+\. [^:]+: (.+)$/gm);
    return [...lines].map(([, cells = '']) => ({
      cells: cells.split(' | ').map((cell) => (cell.endsWith(' –') ? null : cell.replace(/^[A-D]\d+ /, ''))),
    }));
  },
  colors: (result) => /colours ((?:#[0-9A-F]{6} ?)+)/.exec(textOf(result))?.[1]?.trim().split(' ') ?? [],
  flowOf(result) {
    const [, step, steps, id = ''] = /^Step (\d+) of (\d+) in flow (\S+)/m.exec(textOf(result)) ?? [];
    return { id, step: Number(step), steps: Number(steps) };
  },
  count(result, list, value) {
    const line = new RegExp(`^${HEADS[list]}.*?[ ,:]${value}(?: \\([^)]*\\))? (\\d+)`, 'm').exec(
      textOf(result),
    );
    return line === null ? undefined : Number(line[1]);
  },
};

function textOf({ content }: CallToolResult): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function readLines(text: string): Reading {
  const total = /^\d+ of (\d+) /m.exec(text)?.[1];
  const none = /^No (screen|flow) /m.test(text);
  return {
    ids: [...text.matchAll(/^\d+\. (\S+) · /gm)].map(([, id = '']) => id),
    total: none ? 0 : total === undefined ? null : Number(total),
    cursor: /^More with cursor (\S+)$/m.exec(text)?.[1],
  };
}

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startSampleService();
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const headers = { authorization: `Bearer ${await service.token({ resource: 'mcp' })}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }),
  );
}, SAMPLE_TIMEOUT_MS);
afterAll(async () => {
  await client.close();
  await service.close();
});

async function call(name: string, args: Record<string, unknown>): Promise<CallToolResult> {
  const result = await client.callTool({ name, arguments: args });
  expect(result.isError, textOf(result)).toBeFalsy();
  return result;
}

/** Ids in the order that the numbers on the pictures have. */
async function look(args: Record<string, unknown>): Promise<{ ids: string[]; pictures: number }> {
  const result = await call('view_screens', args);
  return {
    ids: readLines(textOf(result)).ids,
    pictures: result.content.filter((block) => block.type === 'image').length,
  };
}

describe.each([
  ['structured content', structuredReader],
  ['text', textReader],
])('an assistant whose client shows it only %s', (_half, read) => {
  const search = async (args: Record<string, unknown>) => read.screens(await call('search_screens', args));
  const flows = async (args: Record<string, unknown>) => read.flows(await call('search_flows', args));

  it('“Show me iOS paywalls with a yearly price.”', async () => {
    const { ids } = await search({
      query: 'paywall with a yearly price',
      platform: 'ios',
      pattern: ['paywall'],
    });
    expect(ids.toSorted()).toEqual(['pacelark-paywall', 'pennywren-paywall']);
  });

  it('“I want to see five paywalls side by side.”', async () => {
    const { ids, total } = await search({ pattern: ['paywall'], limit: 5 });
    expect(total).toBe(5);
    expect(ids.toSorted()).toEqual([
      'gabfrog-paywall',
      'humdrift-premium',
      'pacelark-paywall',
      'pennywren-paywall',
      'verdling-paywall',
    ]);
    expect(await look({ ids })).toEqual({ ids, pictures: 1 });
  });

  it('“Walk me through Pacelark’s onboarding.”', async () => {
    const { ids, total } = await flows({ appId: 'pacelark', type: 'onboarding' });
    expect({ ids, total }).toEqual({ ids: ['pacelark-onboarding'], total: 1 });
    const steps = read.screens(await call('get_flow', { id: ids[0] })).ids;
    expect(steps).toEqual([
      'pacelark-welcome',
      'pacelark-goal',
      'pacelark-schedule',
      'pacelark-health-access',
      'pacelark-notifications-access',
      'pacelark-paywall',
      'pacelark-today',
    ]);
    expect(await look({ flowId: ids[0] })).toEqual({ ids: steps, pictures: 1 });
  });

  it('“Does any Android app here have a login wall?” No, and the answer can be trusted.', async () => {
    expect(await search({ pattern: ['login wall'], platform: 'ANDROID' })).toEqual({
      ids: [],
      total: 0,
      cursor: undefined,
    });
    const anywhere = await search({ pattern: ['login-wall'] });
    expect(anywhere.ids).toEqual(
      expect.arrayContaining(['keycloak-admin-sign-in', 'keycloak-member-sign-in']),
    );
  });

  it('“How do they tell someone that the password is wrong?”', async () => {
    const { ids } = await search({ query: 'sign in failed, wrong password', pattern: ['error'] });
    expect(ids[0]).toMatch(/-sign-in-failed$/);
    expect(ids).toEqual(expect.arrayContaining(['django-oscar-sign-in-failed', 'node-red-sign-in-failed']));
  });

  it('“Compare how Pennywren and Verdling let people cancel.”', async () => {
    const { ids } = await flows({ type: 'Subscription Cancellation' });
    expect(ids.toSorted()).toEqual(['pennywren-cancel', 'verdling-cancel']);
    const flowIds = ids.toSorted();
    expect(read.rows(await call('compare_flows', { flowIds }))).toEqual([
      { cells: ['pennywren-subscription', 'verdling-subscription'] },
      { cells: ['pennywren-cancel-reason', 'verdling-survey'] },
      { cells: ['pennywren-cancel-offer', 'verdling-cancelled'] },
      { cells: ['pennywren-cancelled', null] },
    ]);
  });

  it('“How many empty states are there on iOS, and how many on Android?”', async () => {
    expect((await search({ pattern: ['empty-state'], platform: 'IOS', limit: 1 })).total).toBe(1);
    expect((await search({ pattern: ['empty-state'], platform: 'ANDROID', limit: 1 })).total).toBe(7);
  });

  it('“How do iOS apps ask to send notifications?”', async () => {
    const { ids } = await search({ query: 'allow notifications', platform: 'IOS', pattern: ['permission'] });
    expect(ids.slice(0, 2).toSorted()).toEqual(['kettleday-notifications', 'pacelark-notifications-access']);
  });

  it('“Which other phone screens use the green of Pacelark’s welcome?”', async () => {
    const colors = read.colors(await call('get_screen', { id: 'pacelark-welcome' }));
    expect(colors[1]).toMatch(/^#[0-9A-F]{6}$/);
    const { ids } = await search({
      colors: [colors[1]],
      colorTolerance: 5,
      platform: 'IOS',
      excludeIds: ['pacelark-welcome'],
    });
    expect(ids.length).toBeGreaterThan(3);
    expect(ids.every((id) => id.startsWith('pacelark-'))).toBe(true);
  });

  it('“More like Pennywren’s paywall, from other apps.”', async () => {
    const result = await call('find_similar_screens', {
      screenId: 'pennywren-paywall',
      by: 'meaning',
      maxPerApp: 1,
    });
    const others = read.screens(result).ids.filter((id) => !id.startsWith('pennywren-'));
    expect(others.slice(0, 4).toSorted()).toEqual([
      'gabfrog-paywall',
      'humdrift-premium',
      'pacelark-paywall',
      'verdling-paywall',
    ]);
  });

  it('“Here is a screenshot. What in the library is laid out like it?”', async () => {
    const file = join(import.meta.dirname, '../../sample/images/pacelark/02-goal.webp');
    const picture = await sharp(await readFile(file))
      .resize(360)
      .jpeg({ quality: 60 })
      .toBuffer();
    const image = `data:image/jpeg;base64,${picture.toString('base64')}`;
    const { ids } = read.screens(await call('find_similar_screens', { image, limit: 3 }));
    expect(ids[0]).toBe('pacelark-goal');
  });

  it('“What comes after the declined card in Eavely?”', async () => {
    const flow = read.flowOf(await call('get_screen', { id: 'eavely-card-error' }));
    expect(flow).toMatchObject({ id: 'eavely-booking', step: 3, steps: 4 });
    const rest = await call('get_flow', { id: flow.id, fromStep: flow.step + 1 });
    expect(read.screens(rest).ids).toEqual(['eavely-confirmation']);
  });

  it('“Which phone screens say ‘try again’ word for word?”', async () => {
    const said = { query: '"try again"', mode: 'text' };
    const android = await search({ ...said, platform: 'ANDROID' });
    expect(android.ids.toSorted()).toEqual([
      'gabfrog-offline',
      'ladlebee-payment-declined',
      'verdling-offline',
    ]);
    expect(android.total).toBe(3);
    expect((await search({ ...said, platform: 'IOS' })).ids).toEqual(['eavely-card-error']);
  });

  it('“How do apps ask why people leave?”', async () => {
    const { ids, total } = await search({ pattern: ['cancellation-survey'] });
    expect(ids.toSorted()).toEqual(['pennywren-cancel-reason', 'verdling-survey']);
    expect(total).toBe(2);
  });

  it('“What does Oscar’s checkout have that Ladlebee’s has not?”', async () => {
    const flowIds = ['ladlebee-checkout', 'django-oscar-guest-checkout'];
    const cells = read.rows(await call('compare_flows', { flowIds })).map((row) => row.cells);
    expect(cells).toContainEqual(['ladlebee-checkout', 'django-oscar-payment']);
    expect(cells).toContainEqual(['ladlebee-tracking', 'django-oscar-order-confirmation']);
    expect(cells).toContainEqual([null, 'django-oscar-checkout-email']);
  });

  it('“List every iOS permission screen.” Page by page, none twice, none missing.', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await search({
        pattern: ['permission'],
        platform: 'IOS',
        limit: 2,
        ...(cursor && { cursor }),
      });
      expect(page.total).toBe(4);
      seen.push(...page.ids);
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual([
      'eavely-location-permission',
      'kettleday-notifications',
      'pacelark-health-access',
      'pacelark-notifications-access',
    ]);
  });

  it('“How many screens of Pennywren do you have, and how many paywalls in all?”', async () => {
    const result = await call('list_filters', {});
    expect(read.count(result, 'apps', 'pennywren')).toBe(13);
    expect(read.count(result, 'flowTypes', 'paywall')).toBe(4);
    const pattern = await call('list_filters', { of: ['patterns'], contains: 'paywall' });
    expect(read.count(pattern, 'patterns', 'paywall')).toBe(5);
  });

  it('“Anything with a virtual reality headset?” Nothing, and what to try instead.', async () => {
    const result = await call('search_screens', { query: 'virtual reality headset', mode: 'text' });
    expect(read.screens(result)).toMatchObject({ ids: [], total: 0 });
    expect(textOf(result)).toContain('fewer words');
    expect(result.structuredContent).toMatchObject({ hint: expect.stringContaining('fewer words') });
  });

  it('“How do people order food?”', async () => {
    expect((await flows({ query: 'ordering food' })).ids[0]).toBe('ladlebee-checkout');
  });

  it('“Read me the small print of Pennywren’s paywall.”', async () => {
    const view = await look({ ids: ['pennywren-paywall'], layout: 'separate', size: 'large' });
    expect(view).toEqual({ ids: ['pennywren-paywall'], pictures: 1 });
  });
});
