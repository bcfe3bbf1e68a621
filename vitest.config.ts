import { defineConfig } from 'vitest/config';
import { EXTERNAL_ENGINE_TESTS } from './vitest.engines.config.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // These need a browser, another program or servers: vitest.browser.config.ts, vitest.inspector.config.ts, …
    exclude: ['test/browser/**', 'test/clients/python/**', 'test/inspector/**', ...EXTERNAL_ENGINE_TESTS],
    // Real engines, processes and pictures, on machines that may be busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
