import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../lib/node/system.ts';
import { WorkerPool } from '../../lib/node/worker-pool.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { CLASHING, CUT_OFF, EASY, HARD, TWO_SOLUTIONS, UNSOLVABLE } from '../support/puzzles.ts';
import { runText, solveText } from '../support/run-job.ts';

/** A pool and its engine for one test. */
function pool(engineName: 'dlx' | 'backtrack') {
  const engine = createEngine(engineName);
  const solver = new WorkerPool(2, engine, systemClock);
  onTestFinished(() => solver.close());
  return { engine, solver, clock: systemClock };
}

describe('several threads', () => {
  it('give the files that one thread gives', async () => {
    const lines = [EASY, HARD, TWO_SOLUTIONS, CUT_OFF, UNSOLVABLE, CLASHING, `\n${'.'.repeat(16)}\n`, EASY];
    const file = `${lines.join('\n')}\n`.repeat(20);
    const alone = await solveText(file, { engine: 'backtrack', 'max-nodes': '2000' });
    const together = await solveText(
      file,
      { engine: 'backtrack', 'max-nodes': '2000' },
      { machinery: pool('backtrack') },
    );
    expect(together.solutions === alone.solutions).toBe(true);
    expect(together.files['exceptions.jsonl'] === alone.files['exceptions.jsonl']).toBe(true);
    expect(together.stats.search).toEqual(alone.stats.search);
    expect(together.stats.engine.workers).toBe(2);
  });

  it('read the same time, so that a deadline means the same to each', async () => {
    const code = "require('node:worker_threads').parentPort.postMessage(performance.now())";
    const before = systemClock.monotonicMs();
    const [there] = await once(new Worker(code, { eval: true }), 'message');
    expect(there).toBeGreaterThan(before);
    expect(there).toBeLessThan(systemClock.monotonicMs());
  });

  it("stop at the job's deadline in mid-puzzle", async () => {
    // Enough easy ones to have the threads started, then one that takes for ever.
    const file = `${`${HARD}\n`.repeat(1_000)}\n${'.'.repeat(625)}\n`;
    const outcome = await runText(
      file,
      { engine: 'backtrack', 'max-nodes': '999999999999999', solutions: '2' },
      { machinery: pool('backtrack'), deadlineMs: systemClock.monotonicMs() + 1_500 },
    );
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'too_large' } });
  });
});
