import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Packages of this repository are tested from their sources; nothing has to be built first.
  resolve: { conditions: ['store-sales:source'] },
  ssr: { resolve: { conditions: ['store-sales:source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'e2e/**/*.test.ts'],
    globalSetup: 'packages/server/test/template-database.ts',
    // Whole processes are started and killed here, on machines that may be busy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
    // A worker loads the modules once for all its files, which halves the time of the suite.
    isolate: false,
  },
});
