import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { DEEP } from './test/support/depth.ts';
import LongestFirst from './test/support/longest-first.ts';

/** Folders whose tests run in threads of one process: they start nothing, listen nowhere and leave the environment as it is. */
const PURE = ['exact-cover', 'sudoku', 'formats', 'batch', 'golden', 'infra'];

// Threads and processes that tests start find the compiled sources here, as those of a user do: bin/compile-cache.mjs.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/dlx-batch');

const shared = {
  setupFiles: ['./test/support/setup.ts'],
  // Node loads the sources itself: nothing is transformed, hot loops import what they call without a detour, and CommonJS packages
  // look as they do for users.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // A test that asserts nothing fails: a loop that did not run, a callback that nobody called.
  expect: { requireAssertions: true, poll: { timeout: 200_000 } },
  // For what hangs: on a busy machine, a test of seconds takes minutes.
  testTimeout: DEEP ? 900_000 : 240_000,
  hookTimeout: 240_000,
};

export default defineConfig(({ mode }) => {
  const isFast = mode === 'fast';
  // `npm test`. A file that is named on the command line always runs.
  const slow = isFast ? ['test/**/*.{slow,nightly}.test.ts'] : [];
  return {
    test: {
      reporters: ['default', './test/support/closing-line.ts'],
      globalSetup: ['./test/support/global-setup.ts', ...(isFast ? ['./test/support/build-ahead.ts'] : [])],
      sequence: { sequencer: LongestFirst },
      // For the end of a worker on a busy machine.
      teardownTimeout: 240_000,
      projects: [
        {
          test: {
            ...shared,
            name: 'pure',
            include: PURE.map((folder) => `test/${folder}/**/*.test.ts`),
            exclude: slow,
            pool: 'threads',
            isolate: false,
            // These tests only compute. Each further thread loads and compiles the modules again: five threads on two cores
            // took a fifth more processor time than two.
            maxWorkers: Math.min(availableParallelism(), 8),
            sequence: { groupOrder: 0 },
          },
        },
        {
          test: {
            ...shared,
            name: 'system',
            include: ['test/**/*.test.ts'],
            // Tests of the package have a configuration of their own.
            exclude: [...slow, 'test/package/**', ...PURE.map((folder) => `test/${folder}/**`)],
            pool: 'forks',
            // A process runs several files, which load the AWS SDK once.
            isolate: false,
            // More than cores: several of these tests wait for clocks and processes. Each worker loads the modules again.
            maxWorkers: 3,
            // Projects with other numbers of workers run one after the other.
            sequence: { groupOrder: 1 },
          },
        },
      ],
    },
  };
});
