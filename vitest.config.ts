import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Packages of this repository are tested from their sources; nothing has to be built first.
  resolve: { conditions: ['store-sales:source'] },
  ssr: { resolve: { conditions: ['store-sales:source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'e2e/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
  },
});
