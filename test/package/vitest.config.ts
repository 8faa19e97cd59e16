import { defineConfig } from 'vitest/config';

/** Tests of the packed file: `npm run test:package`. They install packages, so they are not part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/package/**/*.test.ts'],
    globalSetup: ['./test/package/global-setup.ts'],
    pool: 'forks',
    // Most tests wait for one process at a time.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});
