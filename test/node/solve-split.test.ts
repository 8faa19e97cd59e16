/** Searches of puzzles that are split: the same answers with other threads and without. */
import { afterAll, describe, expect, it } from 'vitest';
import { countBlock } from '../../lib/batch/solving/count-block.ts';
import { Elsewhere, type SplitProgress } from '../../lib/batch/solving/elsewhere.ts';
import { type EnumerationStep, enumerateBlock } from '../../lib/batch/solving/enumerate-block.ts';
import {
  type BlockAnswers,
  createBlockAnswers,
  markUnreadable,
  puzzleLimits,
  RangeSolver,
  SPLIT,
} from '../../lib/batch/solving/solve-block.ts';
import { searchBytes } from '../../lib/exact-cover/search-memory.ts';
import { SPLIT_RULE, SplitSearch } from '../../lib/exact-cover/split/split-search.ts';
import type { RecordBlock } from '../../lib/formats/records/record-block.ts';
import { SearchThreads } from '../../lib/node/search-threads.ts';
import { solveSplit } from '../../lib/node/solve-split.ts';
import { systemClock } from '../../lib/node/system.ts';
import { CoverKernel } from '../../lib/sudoku/engines/dlx/cover-kernel.ts';
import { KernelEngine } from '../../lib/sudoku/engines/kernel-engine.ts';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import { sudokuCover } from '../../lib/sudoku/sudoku-cover.ts';

/** A 6x6 whose second row begins with 4: it has thousands of solutions. */
const WIDE = [1, 2, 3, 4, 5, 6, 4];
/** The same with a row that cannot be completed, which takes a search to see. */
const NONE = [1, 2, 3, 0, 0, 0, 0, 0, 0, 4, 5, 0, 0, 0, 0, 0, 0, 6, 6];

const rule = { ...SPLIT_RULE, work: 1, nodes: 10, least: 16 };
const createEngine = () =>
  new KernelEngine('dlx', 5, (geometry) => {
    return new CoverKernel(geometry, (problem) => new SplitSearch(problem, 2, { rule }));
  });

function blockOf(...puzzles: readonly (readonly number[])[]): RecordBlock {
  const geometry = standardGeometry(6);
  const cells = new Uint8Array(puzzles.length * geometry.cellCount);
  for (const [k, givens] of puzzles.entries()) cells.set(givens, k * geometry.cellCount);
  return { geometry, cells, count: puzzles.length, notes: new Map() } as Partial<RecordBlock> as RecordBlock;
}

/** All that steps give, and the answers at their end; waits where they say so. */
async function outcomeOf(block: RecordBlock, steps: (answers: BlockAnswers) => Iterable<EnumerationStep>) {
  const answers = createBlockAnswers(block.count, block.geometry.cellCount);
  const found: string[] = [];
  let waits = 0;
  for (const step of steps(answers)) {
    if (step.kind === 'slice') {
      if (step.until !== undefined) waits++;
      await step.until;
    } else if (step.kind === 'solution') found.push(answers.cells.join(''));
  }
  const { solutions, nodes, guesses, status } = answers;
  return { found, waits, solutions, nodes, guesses, status };
}

describe('a puzzle whose search is split', () => {
  const threads = new SearchThreads(2);
  afterAll(() => threads.close());

  it.each([
    ['finds', false],
    ['counts', true],
  ])('%s its solutions with other threads as without', async (_name, countOnly) => {
    const block = blockOf(WIDE);
    const limits = puzzleLimits({ solutions: 500, maxNodes: 100_000 } as never, {});
    const run = (solver?: SearchThreads) => {
      const elsewhere = new Elsewhere(solver, { ...limits, each: !countOnly });
      return outcomeOf(block, (answers) =>
        countOnly
          ? countBlock(createEngine(), block, limits, systemClock, answers, elsewhere)
          : enumerateBlock(createEngine(), block, limits, systemClock, answers, 1_000, elsewhere),
      ).finally(() => elsewhere.close());
    };
    const here = await run();
    const { waits, ...elsewhere } = await run(threads);
    expect(waits).toBeGreaterThan(0);
    expect({ ...elsewhere, waits: 0 }).toEqual(here);
    expect(here.solutions[0]).toBe(500);
  });

  it('is left to all threads by the one that finds it', async () => {
    const block = blockOf(WIDE, NONE, [1]);
    const limits = puzzleLimits({ solutions: 2, maxNodes: 100_000 } as never, {});
    const solve = (splits: boolean) => {
      const answers = createBlockAnswers(block.count, block.geometry.cellCount);
      markUnreadable(block, answers);
      const solver = new RangeSolver(createEngine(), systemClock, undefined, splits);
      solver.begin({ puzzles: block, from: 0, to: block.count, limits, answers });
      expect(solver.run()).toBe(true);
      return answers;
    };
    const alone = solve(false);
    const together = solve(true);
    expect([...together.status]).toContain(SPLIT);
    const seen: SplitProgress[] = [];
    const onSearch = (search: SplitProgress) => seen.push(search);
    const dependencies = { engine: createEngine(), clock: systemClock, subproblems: threads, onSearch };
    for (const [index, status] of together.status.entries()) {
      if (status === SPLIT) await solveSplit(block, index, limits, together, dependencies);
    }
    const { solutions, nodes, guesses, status, cells } = alone;
    expect(together).toMatchObject({ solutions, nodes, guesses, status, cells });
    expect(seen.length).toBeGreaterThan(0);
    for (const { record, subproblems } of seen) {
      expect(block.count).toBeGreaterThan(record);
      expect(subproblems.all).toBeGreaterThan(1);
      expect(subproblems.done).toBeLessThanOrEqual(subproblems.all);
    }
    // Both threads have links of their own.
    const { problem } = sudokuCover(block.geometry);
    expect(Math.max(...together.searchBytes)).toBeGreaterThan(
      Math.max(...alone.searchBytes) + 2 * searchBytes(problem),
    );
  });
});
