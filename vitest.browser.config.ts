import { defineConfig } from 'vitest/config';

/** The pages in a real browser: Debian's chromium, of the package of that name. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // One browser at a time is enough for a small machine.
    fileParallelism: false,
  },
});
