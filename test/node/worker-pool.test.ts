import { afterEach, describe, expect, it } from 'vitest';
import { BlockPool, InlineSolver } from '../../lib/batch/block-solver.ts';
import { OutOfTimeError, type PuzzleLimits } from '../../lib/batch/solve-block.ts';
import type { Layout } from '../../lib/formats/layout.ts';
import { workersForMemory } from '../../lib/node/solvers.ts';
import { systemClock } from '../../lib/node/system.ts';
import { WorkerPool } from '../../lib/node/worker-pool.ts';
import { ENGINE_NAMES, type EngineName } from '../../lib/sudoku/engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { generatePuzzle } from '../../lib/sudoku/generate.ts';
import { standardGeometry } from '../../lib/sudoku/geometry.ts';

const LIMITS: PuzzleLimits = {
  maxSolutions: 2,
  maxNodes: 5_000_000,
  maxMs: Number.POSITIVE_INFINITY,
  deadlineMs: Number.POSITIVE_INFINITY,
};

const layoutOf = (size: number): Layout => ({
  format: 'line',
  geometry: standardGeometry(size),
  alphabet: { name: '1-9', symbols: ['', ...'123456789'], singleCharacter: true },
  blank: '.',
});

const pools: WorkerPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

/** A pool whose own thread finds at once that workers are worth starting: each look at its clock is a second later. */
function eagerPool(workers: number, engine: EngineName = 'bitmask'): WorkerPool {
  let nowMs = 0;
  const clock = { ...systemClock, monotonicMs: () => (nowMs += 1000) };
  const pool = new WorkerPool(workers, createEngine(engine), clock);
  pools.push(pool);
  return pool;
}

/** A block of unique, clashing, empty and unreadable records in turn, in shared memory. */
function mixedBlock(blocks: BlockPool, layout: Layout, seed: number) {
  const { geometry } = layout;
  const block = blocks.acquire(layout);
  const engine = createEngine('bitmask');
  for (let i = 0; i < Math.min(block.capacity, 70); i++) {
    const cells = block.cells.subarray(i * geometry.cellCount, (i + 1) * geometry.cellCount);
    cells.fill(0);
    if (i % 7 === 5) block.notes.set(i, { error: { code: 'bad_length', message: '', line: i, column: 1 } });
    else if (i % 7 === 3) cells.fill(1, 0, 2);
    else if (i % 7 !== 1)
      cells.set(generatePuzzle(geometry, { seed: seed + i, givens: 'minimal' }, engine).cells);
    block.count++;
  }
  return block;
}

describe('the worker pool', () => {
  it('answers as one thread does, block by block, with sizes that change on the way', async () => {
    const blocks = new BlockPool(true);
    const pool = eagerPool(2);
    const inline = new InlineSolver(createEngine('bitmask'), systemClock);
    for (const [round, size] of [9, 4, 4, 9].entries()) {
      const block = mixedBlock(blocks, layoutOf(size), round * 100);
      const parallel = blocks.answersOf(block);
      await pool.solve(block, LIMITS, parallel);
      const found = structuredClone({ ...parallel, solveUs: [] });
      await inline.solve(block, LIMITS, parallel);
      expect(found).toEqual(structuredClone({ ...parallel, solveUs: [] }));
      blocks.release(block);
    }
  });

  it('solves several blocks that are handed over at once', async () => {
    const blocks = new BlockPool(true);
    const pool = eagerPool(2);
    const layout = layoutOf(9);
    const given = [1, 2, 3, 4, 5].map((k) => mixedBlock(blocks, layout, k * 1000));
    await Promise.all(given.map((block) => pool.solve(block, LIMITS, blocks.answersOf(block))));
    for (const block of given) {
      const { solutions } = blocks.answersOf(block);
      expect(Array.from(solutions.subarray(0, 7))).toEqual([1, 2, 1, 0, 1, 0, 1]);
    }
  });

  it.each(ENGINE_NAMES)('takes ordinary puzzles with engine %s in its workers too', async (name) => {
    const blocks = new BlockPool(true);
    const pool = eagerPool(2, name);
    const block = mixedBlock(blocks, layoutOf(9), 7);
    await pool.solve(block, LIMITS, blocks.answersOf(block));
    expect(Array.from(blocks.answersOf(block).solutions.subarray(63, 70))).toEqual([1, 2, 1, 0, 1, 0, 1]);
  });

  it('says so when the deadline comes', async () => {
    const blocks = new BlockPool(true);
    const pool = eagerPool(2);
    const warmUp = mixedBlock(blocks, layoutOf(9), 0);
    await pool.solve(warmUp, LIMITS, blocks.answersOf(warmUp));
    const block = mixedBlock(blocks, layoutOf(9), 0);
    const late = { ...LIMITS, deadlineMs: 0 };
    await expect(pool.solve(block, late, blocks.answersOf(block))).rejects.toThrow(OutOfTimeError);
  });

  it('passes on what goes wrong in a worker', async () => {
    const blocks = new BlockPool(true);
    const pool = eagerPool(2);
    const warmUp = mixedBlock(blocks, layoutOf(9), 0);
    await pool.solve(warmUp, LIMITS, blocks.answersOf(warmUp));
    const block = mixedBlock(blocks, layoutOf(9), 0);
    block.cells[0] = 200;
    await expect(pool.solve(block, LIMITS, blocks.answersOf(block))).rejects.toThrow(/200/);
  });
});

describe('the number of workers in a function', () => {
  it.each([
    { memoryMb: 128, workers: 1 },
    { memoryMb: 1769, workers: 1 },
    { memoryMb: 3008, workers: 2 },
    { memoryMb: 3538, workers: 2 },
    { memoryMb: 10_240, workers: 6 },
  ])('$memoryMb MB pay for $workers', ({ memoryMb, workers }) => {
    expect(workersForMemory(memoryMb)).toBe(workers);
  });
});
