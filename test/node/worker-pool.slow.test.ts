import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JobRecord } from '../../lib/batch/results/job-record.ts';
import { systemClock } from '../../lib/node/system.ts';
import { workerPool } from '../../lib/node/worker-pool.ts';
import type { Engine } from '../../lib/sudoku/engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { CLASHING, CUT_OFF, EASY, HARD, TWO_SOLUTIONS, UNSOLVABLE } from '../support/puzzles.ts';
import { runText, solveText } from '../support/run-job.ts';

/** A pool and its engine for one test. */
function pool(engineName: 'dlx' | 'backtrack') {
  const engine = createEngine(engineName);
  const { solver, close } = workerPool(2, engine, systemClock);
  onTestFinished(close);
  return { engine, solver, clock: systemClock };
}

describe('several threads', () => {
  it('give the same files as one thread', async () => {
    const lines = [EASY, HARD, TWO_SOLUTIONS, CUT_OFF, UNSOLVABLE, CLASHING, `\n${'.'.repeat(16)}\n`, EASY];
    const file = `${lines.join('\n')}\n`.repeat(20);
    const alone = await solveText(file, { engine: 'backtrack', 'max-nodes': '2000' });
    const together = await solveText(
      file,
      { engine: 'backtrack', 'max-nodes': '2000' },
      { dependencies: pool('backtrack') },
    );
    expect(together.solutions === alone.solutions).toBe(true);
    expect(together.files['exceptions.jsonl'] === alone.files['exceptions.jsonl']).toBe(true);
    expect(together.stats.search).toEqual(alone.stats.search);
    expect(together.stats.engine.workers).toBe(2);
  });

  it('share blocks of more records than a thread takes at a time, and miss none', async () => {
    const file = `${[EASY, HARD, TWO_SOLUTIONS, CUT_OFF, UNSOLVABLE, CLASHING, HARD].join('\n')}\n`.repeat(
      700,
    );
    const alone = await solveText(file, { engine: 'dlx' });
    const together = await solveText(file, { engine: 'dlx' }, { dependencies: pool('dlx') });
    expect(together.stats.puzzles).toEqual(alone.stats.puzzles);
    expect(together.solutions === alone.solutions).toBe(true);
    expect(together.files['exceptions.jsonl'] === alone.files['exceptions.jsonl']).toBe(true);
    expect(together.stats.search).toEqual(alone.stats.search);
  });

  it('give the same counts as one thread if a search is paused and resumed', async () => {
    // Some of these take a hundred thousand nodes, so the job's own thread pauses them many times.
    const file = `${[EASY, HARD, TWO_SOLUTIONS, HARD, UNSOLVABLE].join('\n')}\n`.repeat(4);
    const options = { engine: 'backtrack', records: 'true', 'max-nodes': '150000' };
    const untimed = ({ records }: { records: readonly JobRecord[] }) =>
      records.map(({ solveUs, ...record }) => ({ ...record, timed: solveUs !== undefined && solveUs > 0 }));
    const alone = await solveText(file, options);
    const together = await solveText(file, options, { dependencies: pool('backtrack') });
    expect(untimed(together)).toEqual(untimed(alone));
    expect(Math.max(...alone.records.map(({ nodes }) => nodes ?? 0))).toBeGreaterThan(10_000);
  });

  it('let the job run other work during a hard search', async () => {
    let turns = 0;
    let finished = false;
    const count = () => {
      turns++;
      if (!finished) setImmediate(count);
    };
    setImmediate(count);
    const options = { engine: 'backtrack', 'max-nodes': '400000', solutions: '2' };
    await solveText(`${'.'.repeat(625)}\n`, options, { dependencies: pool('backtrack') });
    finished = true;
    expect(turns).toBeGreaterThan(20);
  });

  it('fail the job with the error of a thread that found a wrong solution', async () => {
    const { engine } = pool('dlx');
    const wrong: Engine = {
      ...engine,
      name: 'dlx',
      version: 1,
      refuses: () => undefined,
      resume: () => {},
      solve(puzzles, from, to, limits, answers, watch) {
        engine.solve(puzzles, from, to, limits, answers, watch);
        answers.cells[from * 81] = (answers.cells[from * 81]! % 9) + 1;
      },
    };
    const { solver, close } = workerPool(2, wrong, systemClock);
    onTestFinished(close);
    await expect(
      runText(`${EASY}\n`.repeat(600), {}, { dependencies: { engine, solver, clock: systemClock } }),
    ).rejects.toThrow('engine dlx returned a wrong solution');
  });

  it('read the same clock, so that a deadline is the same for each', async () => {
    const code = "require('node:worker_threads').parentPort.postMessage(performance.now())";
    const before = systemClock.monotonicMs();
    const [there] = await once(new Worker(code, { eval: true }), 'message');
    expect(there).toBeGreaterThan(before);
    expect(there).toBeLessThan(systemClock.monotonicMs());
  });

  it("stop at the job's deadline during a puzzle", async () => {
    // Enough easy puzzles to start the threads, then one that takes forever.
    const file = `${`${HARD}\n`.repeat(1_000)}\n${'.'.repeat(625)}\n`;
    const outcome = await runText(
      file,
      { engine: 'backtrack', 'max-nodes': '999999999999999', solutions: '2' },
      { dependencies: pool('backtrack'), deadlineMs: systemClock.monotonicMs() + 1_500 },
    );
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'too_large' } });
  });
});
