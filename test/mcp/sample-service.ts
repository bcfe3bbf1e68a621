import { join } from 'node:path';
import { createIngest } from '../../src/ingest/ingest.ts';
import { startTestService, type TestService } from '../support/service.ts';

const SAMPLE_DIR = join(import.meta.dirname, '../../sample');

/** Every picture is decoded and measured: about a minute on a slow machine. */
export const SAMPLE_TIMEOUT_MS = 300_000;

/** The whole sample, taken in as at the first start, behind the real endpoint. */
export async function startSampleService(settings: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService({ screens: [], settings });
  const { stores, images } = service.library;
  const { catalogue, journal } = stores;
  const report = await createIngest({ catalogue, journal, images, reader: undefined }).run(SAMPLE_DIR, {});
  if (report.rejects.length > 0) throw new Error(`The sample has faults: ${JSON.stringify(report.rejects)}`);
  await service.addScreens([]);
  return service;
}
