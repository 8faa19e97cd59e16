import { defineConfig } from 'vitest/config';

/** Tests of the packed file: `npm run test:package`. They install packages, so they are not part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/package/**/*.test.ts'],
    globalSetup: ['./test/package/global-setup.ts'],
    pool: 'forks',
    // Each file starts processes that use all cores.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});
