import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Flow } from '../../src/domain/screen.ts';
import type { Page } from '../../src/library/list-screens.ts';
import { FLOWS } from '../support/fixtures.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

async function list(query: string): Promise<Page<Flow>> {
  const response = await service.get(`/flows?${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Page<Flow>;
}

describe('/flows', () => {
  test.each([
    ['', ['flow-checkout', 'flow-paywall', 'flow-onboarding']],
    ['appId=birch', ['flow-checkout', 'flow-paywall']],
    ['type=onboarding', ['flow-onboarding']],
    ['type=Onboarding', ['flow-onboarding']],
    ['type=unheard-of', []],
    ['platform=android', ['flow-checkout', 'flow-onboarding']],
    ['platform=ios', ['flow-paywall', 'flow-onboarding']],
    ['appId=birch&type=checkout&platform=android', ['flow-checkout']],
    ['appId=&type=&platform=', ['flow-checkout', 'flow-paywall', 'flow-onboarding']],
  ])('?%s', async (query, expected) => {
    const page = await list(query);
    expect(page.data.map(({ id }) => id)).toEqual(expected);
    expect(page.total).toBe(expected.length);
    expect(page.data.every((flow) => !('screens' in flow))).toBe(true);
  });

  test('pages through, also where two flows share a moment', async () => {
    const first = await list('limit=1');
    const second = await list(`limit=1&cursor=${first.nextCursor}`);
    const third = await list(`limit=1&cursor=${second.nextCursor}`);
    expect([first, second, third].map((page) => page.data[0]?.id)).toEqual([
      'flow-checkout',
      'flow-paywall',
      'flow-onboarding',
    ]);
    expect(third.nextCursor).toBeNull();
  });

  test('takes no filter of screens', async () => {
    const response = await service.get('/flows?q=x');
    expect(response.status).toBe(400);
  });
});

describe('one flow', () => {
  test('comes with its screens in full and in its order, repeated ones included', async () => {
    const response = await service.get('/flows/flow-paywall');
    const { screens, ...flow } = (await response.json()) as Flow;
    expect(flow).toEqual(FLOWS.find(({ id }) => id === 'flow-paywall'));
    expect(screens?.map(({ id }) => id)).toEqual(flow.screenIds);
    expect(screens?.[0]).toEqual(await (await service.get('/screens/grid-01')).json());
  });

  test('is 404 when there is none', async () => {
    const response = await service.get('/flows/nothing');
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      code: 'not_found',
      detail: 'There is no flow with the id "nothing".',
    });
  });
});
