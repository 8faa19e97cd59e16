/** The result files do not depend on the number of threads, or on WebAssembly. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PUZZLE_STATUSES } from '../../lib/batch/solving/puzzle-status.ts';
import { systemClock } from '../../lib/node/system.ts';
import { WorkerPool } from '../../lib/node/worker-pool.ts';
import { ENGINE_NAMES } from '../../lib/sudoku/engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { resultFiles } from '../support/run-job.ts';
import { sameFiles } from './same-files.ts';

describe('files of every format', () => {
  const files = sameFiles();
  let expected: Awaited<ReturnType<typeof resultFiles>>[];
  beforeAll(async () => {
    expected = [];
    for (const { text, options } of files) expected.push(await resultFiles(text, options));
  });

  it('have all kinds of results', () => {
    const records = expected.flatMap(({ records = '[]' }) => JSON.parse(records) as { status: string }[]);
    expect(new Set(records.map(({ status }) => status))).toEqual(new Set(PUZZLE_STATUSES));
  });

  it('give the same result files by one thread and by two', async () => {
    const pools = new Map(
      ENGINE_NAMES.map((name) => {
        const engine = createEngine(name);
        const solver = new WorkerPool(2, engine, systemClock);
        onTestFinished(() => solver.close());
        return [name, { engine, solver, clock: systemClock }];
      }),
    );
    for (const [at, { name, text, options }] of files.entries()) {
      const dependencies = pools.get((options.engine ?? 'dlx') as (typeof ENGINE_NAMES)[number]);
      expect(await resultFiles(text, options, { dependencies }), name).toEqual(expected[at]);
    }
  });

  it('give the same result files with and without WebAssembly', async () => {
    const thread = new Worker(new URL('plain-thread.mjs', import.meta.url), { env: process.env });
    const [results] = await once(thread, 'message');
    for (const [at, { name }] of files.entries()) {
      // WebAssembly has a memory of its own.
      const { maxBytes } = expected[at]!;
      expect({ ...results[at], maxBytes }, name).toEqual({ ...expected[at], maxBytes });
    }
  });
});
