import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/support/closing-line.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // CommonJS packages look as they do in Node: `default` is `module.exports`, never unwrapped.
    deps: { interopDefault: false },
  },
});
