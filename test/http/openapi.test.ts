import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  downloadSchema,
  flowWithScreensSchema,
  pageSchema,
  problemSchema,
  screenSchema,
} from '../../src/http/schemas.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

async function readDocument(): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.url}/api/v1/openapi.json`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  return (await response.json()) as Record<string, unknown>;
}

test('the document is valid OpenAPI 3.1 and has the five operations', async () => {
  const document = await readDocument();
  const result = await new Validator().validate(structuredClone(document));
  expect(result).toMatchObject({ valid: true });
  expect(document['openapi']).toMatch(/^3\.1\./);
  expect(document['servers']).toEqual([{ url: `${service.url}/api/v1` }]);
  expect(Object.keys(document['paths'] as object).toSorted()).toEqual([
    '/flows',
    '/flows/{id}',
    '/screens',
    '/screens/{id}',
    '/screens/{id}/download',
  ]);
});

test('the contract does not change unseen', async () => {
  const { servers: _differsEachRun, ...document } = await readDocument();
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('openapi.snap');
});

test.each([
  ['/screens?limit=5', pageSchema('ScreenPage', screenSchema)],
  ['/screens/grid-00', screenSchema],
  ['/screens/grid-00/download', downloadSchema],
  ['/flows/flow-paywall', flowWithScreensSchema],
  ['/screens/nothing', problemSchema],
  ['/screens?limit=0', problemSchema],
])('the answer of %s is as documented', async (path, schema) => {
  const response = await service.get(path);
  // Strict: a member that is not documented is an error.
  expect(schema.strict().safeParse(await response.json())).toMatchObject({ success: true });
});
