import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  errors: { parameter: string; detail: string }[];
}

async function refused(path: string): Promise<Problem> {
  const response = await service.get(path);
  expect(response.status, path).toBe(400);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  return (await response.json()) as Problem;
}

const nineColors = Array.from({ length: 9 }, () => 'colors=000000').join('&');

test.each(
  [
    ['foo=1', 'foo', 'foo is not a parameter here; the parameters are appId, pattern,'],
    ['foo=', 'foo', 'foo is not a parameter here'],
    ['type=paywall', 'type', 'is not a parameter here'],
    ['appId[]=a', 'appId[]', 'is not a parameter here'],
    ['access_token=x', 'access_token', 'is not a parameter here'],
    ['__proto__=x', '__proto__', 'is not a parameter here'],
    ['constructor=x', 'constructor', 'is not a parameter here'],
    ['appId=a&appId=b', 'appId', 'must be given once'],
    ['appId=&appId=b', 'appId', 'must be given once'],
    ['limit=5&limit=5', 'limit', 'must be given once'],
    [`appId=${'a'.repeat(201)}`, 'appId', 'at most 200 characters'],
    ['appId=a%00', 'appId', 'U+0000'],
    ['platform=windows', 'platform', 'must be one of IOS, ANDROID, WEB'],
    [Array.from({ length: 21 }, () => 'pattern=a').join('&'), 'pattern', 'at most 20 times'],
    [
      'colors=red',
      'colors',
      'colors has "red", which is not a colour; six hexadecimal digits such as 1A2B3C are.',
    ],
    ['colors=12345', 'colors', 'not a colour'],
    ['colors=1234567', 'colors', 'not a colour'],
    ['colors=000000,zzzzzz', 'colors', '"zzzzzz"'],
    [nineColors, 'colors', 'at most 8 colours'],
    ['colorTolerance=51', 'colorTolerance', 'must be a number from 0 to 50'],
    ['colorTolerance=-1', 'colorTolerance', 'must be a number from 0 to 50'],
    ['colorTolerance=ten', 'colorTolerance', 'must be a number from 0 to 50'],
    ['colorTolerance=0x10', 'colorTolerance', 'must be a number from 0 to 50'],
    [`q=${'a'.repeat(501)}`, 'q', 'at most 500 characters'],
    ['sort=oldest', 'sort', 'must be relevance or newest'],
    ['limit=0', 'limit', 'must be a whole number from 1 to 100'],
    ['limit=101', 'limit', 'must be a whole number from 1 to 100'],
    ['limit=1.5', 'limit', 'must be a whole number from 1 to 100'],
    ['limit=ten', 'limit', 'must be a whole number from 1 to 100'],
    ['limit=99999999999999999999', 'limit', 'must be a whole number from 1 to 100'],
    ['cursor=%21', 'cursor', 'nextCursor'],
    ['cursor=abc', 'cursor', 'nextCursor'],
    [`cursor=${'a'.repeat(2001)}`, 'cursor', 'at most 2000 characters'],
  ].map(([query = '', parameter, detail]) => ({ query, name: query.slice(0, 60), parameter, detail })),
)('/screens?$name', async ({ query, parameter, detail }) => {
  const problem = await refused(`/screens?${query}`);
  expect(problem).toMatchObject({
    type: `${service.url}/docs#invalid_argument`,
    title: 'Invalid argument',
    status: 400,
    code: 'invalid_argument',
  });
  expect(problem.errors.map((error) => error.parameter)).toEqual([parameter]);
  expect(problem.errors[0]?.detail).toContain(detail);
  expect(problem.detail).toBe(problem.errors[0]?.detail);
});

test('all faults are told at once', async () => {
  const problem = await refused(
    '/screens?foo=1&appId=a&appId=b&platform=x&colors=red,blue&colorTolerance=99&sort=up&limit=0&cursor=nonsense',
  );
  expect(problem.errors.map(({ parameter }) => parameter).toSorted()).toEqual(
    ['foo', 'appId', 'platform', 'colors', 'colors', 'colorTolerance', 'sort', 'limit', 'cursor'].toSorted(),
  );
});

test.each(['/screens/grid-00?x=1', '/screens/grid-00/download?x=1', '/flows/flow-paywall?x=1'])(
  '%s: there are no parameters',
  async (path) => {
    const problem = await refused(path);
    expect(problem.errors).toEqual([
      { parameter: 'x', detail: 'x is not a parameter here; there are none.' },
    ]);
  },
);

test('/flows names its own parameters', async () => {
  const problem = await refused('/flows?platform=x&pattern=y');
  expect(problem.errors.map(({ parameter }) => parameter).toSorted()).toEqual(['pattern', 'platform']);
});
