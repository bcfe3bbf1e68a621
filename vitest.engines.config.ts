import { defineConfig } from 'vitest/config';

/** Tests of engines that npm alone does not provide: they start real servers, which must be installed first. */
export const EXTERNAL_ENGINE_TESTS = ['test/engines/{elasticsearch,postgres,s3}*.test.ts'];

export default defineConfig({
  test: {
    include: EXTERNAL_ENGINE_TESTS,
    // Each file starts servers of its own.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
