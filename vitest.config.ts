import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // These need a browser: vitest.browser.config.ts.
    exclude: ['test/browser/**'],
    // Real engines, processes and pictures, on machines that may be busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
