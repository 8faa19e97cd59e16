/** Searches of puzzles that are split: the same answers with other threads and without. */
import { afterAll, describe, expect, it } from 'vitest';
import { createBlockAnswers, markUnreadable } from '../../lib/batch/solving/block-answers.ts';
import { puzzleCount } from '../../lib/batch/solving/count-puzzle.ts';
import { type PuzzleLimits, puzzleLimits } from '../../lib/batch/solving/drive.ts';
import { Elsewhere } from '../../lib/batch/solving/elsewhere.ts';
import { EngineSearch, PuzzleSearch, searchPuzzle } from '../../lib/batch/solving/puzzle-search.ts';
import { RangeSolver, SPLIT } from '../../lib/batch/solving/range-solver.ts';
import { searchBytes } from '../../lib/exact-cover/search-memory.ts';
import { SPLIT_RULE, SplitSearch } from '../../lib/exact-cover/split/split-search.ts';
import type { RecordBlock } from '../../lib/formats/records/record-block.ts';
import { systemClock } from '../../lib/node/system.ts';
import { CoverKernel } from '../../lib/sudoku/engines/dlx/cover-kernel.ts';
import { KernelEngine } from '../../lib/sudoku/engines/kernel-engine.ts';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import { sudokuCover } from '../../lib/sudoku/sudoku-cover.ts';
import { type SearchThreads, searchThreads } from './threads.ts';

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

/** Searches a puzzle of a block, with its subproblems on these threads if there are any, and waits where it has to. */
async function search(
  block: RecordBlock,
  index: number,
  limits: PuzzleLimits,
  kind: 'each' | 'count' | 'few',
  threads?: SearchThreads,
  answers = createBlockAnswers(block.count, block.geometry.cellCount),
) {
  const engine = createEngine();
  const place = { engine, puzzles: block, index, answers };
  const elsewhere = new Elsewhere(threads, { ...limits, each: kind !== 'count' });
  const plain = new EngineSearch(place, elsewhere.openAnswers);
  const searched = kind === 'count' ? puzzleCount(place, plain) : new PuzzleSearch(place, plain);
  const found: string[] = [];
  let waits = 0;
  const options = { clock: systemClock, each: kind === 'each', elsewhere };
  for (const step of searchPuzzle(searched, index, limits, answers, options)) {
    if (step === 'solution') found.push(answers.cells.join(''));
    if (!(step instanceof Promise)) continue;
    waits++;
    await step;
    const { done, all } = elsewhere.subproblems!;
    expect(done).toBeLessThanOrEqual(all);
  }
  return { found, waits, answers };
}

describe('a puzzle whose search is split', () => {
  const threads = searchThreads(2);
  afterAll(() => threads.close());

  it.each([
    ['finds', false],
    ['counts', true],
  ])('%s its solutions with other threads as without', async (_name, countOnly) => {
    const block = blockOf(WIDE);
    const limits = puzzleLimits({ solutions: 500, maxNodes: 100_000 } as never, {});
    const run = async (solver?: SearchThreads) => {
      const { answers, ...found } = await search(block, 0, limits, countOnly ? 'count' : 'each', solver);
      const { solutions, nodes, guesses, status } = answers;
      return { ...found, solutions, nodes, guesses, status };
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
      const solver = new RangeSolver(createEngine(), systemClock, { splits });
      for (const _ of solver.solve({ puzzles: block, from: 0, to: block.count, limits, answers }));
      return answers;
    };
    const alone = solve(false);
    const together = solve(true);
    expect([...together.status]).toContain(SPLIT);
    for (const [index, status] of together.status.entries()) {
      if (status === SPLIT) await search(block, index, limits, 'few', threads, together);
    }
    const { solutions, nodes, guesses, status, cells } = alone;
    expect(together).toMatchObject({ solutions, nodes, guesses, status, cells });
    // Both threads have links of their own.
    const { problem } = sudokuCover(block.geometry);
    expect(Math.max(...together.searchBytes)).toBeGreaterThan(
      Math.max(...alone.searchBytes) + 2 * searchBytes(problem),
    );
  });
});
