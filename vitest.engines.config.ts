import { defineConfig } from 'vitest/config';

/** Tests of engines that npm alone does not provide: they start real servers, which must be installed first. */
export const EXTERNAL_ENGINE_TESTS = ['test/engines/{elasticsearch,everything-outside,postgres,s3}*.test.ts'];

// Servers, processes and pictures, on machines that may be busy.
const patience = { testTimeout: 120_000, hookTimeout: 300_000 };

export default defineConfig({
  test: {
    fileParallelism: false,
    projects: [
      // Each file starts servers of its own.
      { test: { name: 'engines', include: ['test/engines/{postgres,s3}*.test.ts'], ...patience } },
      {
        test: {
          name: 'elasticsearch',
          include: ['test/engines/elasticsearch*.test.ts'],
          globalSetup: 'test/support/elasticsearch.ts',
          ...patience,
        },
      },
      // What users of both doors rely on, once more with nothing embedded.
      {
        test: {
          name: 'doors',
          include: [
            'test/{http,mcp}/**/*.test.ts',
            'test/oauth/{races,revocation,token}.test.ts',
            'test/engines/everything-outside.test.ts',
          ],
          // With a bucket, signed addresses are the storage's own: test/contract/image-store.ts.
          exclude: ['test/http/signed-address.test.ts'],
          globalSetup: 'test/support/engine-servers.ts',
          ...patience,
        },
      },
    ],
  },
});
