import { defineConfig } from 'vitest/config';

// Clients in languages that npm does not provide: pip install -r test/clients/python/requirements.txt
export default defineConfig({
  test: {
    include: ['test/clients/python/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
