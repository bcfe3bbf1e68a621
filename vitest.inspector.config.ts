import { defineConfig } from 'vitest/config';

/** The official MCP Inspector, which npm fetches into the folder for temporary files at the first run. */
export default defineConfig({
  test: {
    include: ['test/inspector/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
});
