/**
 * Draws random solutions of each puzzle (lib/exact-cover/random-solutions.ts). For that the puzzle is the exact cover of its
 * geometry with the givens preselected; the engine searches nothing.
 */
import { type DrawBelow, RandomSolutions } from '../../exact-cover/random-solutions.ts';
import { estimateTree } from '../../exact-cover/tree-estimate.ts';
import { workOf } from '../../exact-cover/work.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { type Engine, Stop } from '../../sudoku/engine.ts';
import { ENGINE_STOP } from '../../sudoku/engines/dlx/cover-kernel.ts';
import { givenOptions, sudokuCover } from '../../sudoku/sudoku-cover.ts';
import type { Clock } from '../ports.ts';
import type { RecordError } from '../results/record-error.ts';
import { adviceWork, drawLimitError, spentOption } from '../results/tree-advice.ts';
import { type EnumerationStep, searchRecords } from './enumerate-block.ts';
import { drawStatus, StatusCode } from './puzzle-status.ts';
import {
  type BlockAnswers,
  checkAnswer,
  OutOfTimeError,
  type PuzzleLimits,
  sliceNodes,
} from './solve-block.ts';

/**
 * Draws solutions of all records of a block, in order; `maxSolutions` of the limits is the number of draws for each. The
 * answers then have the numbers of all solutions.
 *
 * @param firstIndex index of the block's first record in the file, from 1
 * @throws OutOfTimeError at the deadline
 * @throws Error if an answer is not a solution
 */
export function drawBlock(
  engine: Engine,
  block: RecordBlock,
  limits: PuzzleLimits,
  clock: Clock,
  answers: BlockAnswers,
  below: DrawBelow,
  firstIndex: number,
): Iterable<EnumerationStep> {
  answers.largeCounts = undefined;
  return searchRecords(block, answers, (record) =>
    drawRecord(engine, block, record, limits, clock, answers, below, firstIndex),
  );
}

function* drawRecord(
  engine: Engine,
  block: RecordBlock,
  record: number,
  puzzleLimits: PuzzleLimits,
  clock: Clock,
  answers: BlockAnswers,
  below: DrawBelow,
  firstIndex: number,
): Generator<EnumerationStep, RecordError | undefined> {
  const { maxSolutions, maxNodes, maxMs, deadlineMs } = puzzleLimits;
  const limits = { maxSolutions, maxNodes, sliceNodes: sliceNodes(puzzleLimits), pauseAtSolution: true };
  const { geometry } = block;
  const cover = sudokuCover(geometry);
  const { problem, cellOf, digitOf } = cover;
  const givens = givenOptions(cover, block.cells, record);
  const search = new RandomSolutions(problem, below, givens);
  const cells = answers.cells.subarray(record * geometry.cellCount, (record + 1) * geometry.cellCount);
  cells.fill(0);
  let stop: Stop = Stop.paused;
  let solveMs = 0;
  while (stop === Stop.paused && solveMs <= maxMs) {
    const startMs = clock.monotonicMs();
    if (startMs > deadlineMs) throw new OutOfTimeError();
    const before = search.solutions;
    stop = ENGINE_STOP[search.run(limits)];
    solveMs += clock.monotonicMs() - startMs;
    if (search.solutions === before) {
      yield { kind: 'slice', record };
      continue;
    }
    for (const option of search.selected.subarray(0, search.selectedCount)) {
      cells[cellOf[option]!] = digitOf[option]!;
    }
    checkAnswer(engine, block, record, answers);
    answers.status[record] = drawStatus(search.total, maxSolutions, maxSolutions);
    yield { kind: 'solution', record, ordinal: search.solutions };
  }
  answers.searchBytes[record] = search.bytes + search.memoBytes;
  const { total, solutions: drawn, nodes } = search;
  if (typeof total === 'bigint') {
    answers.largeCounts ??= new Map();
    answers.largeCounts.set(record, total);
  }
  answers.solutions[record] = Number(total ?? 0);
  answers.nodes[record] = nodes;
  answers.guesses[record] = search.guesses;
  answers.stop[record] = total === undefined ? Stop.nodeLimit : Stop.exhausted;
  answers.solveUs[record] = solveMs * 1000;
  answers.status[record] = drawStatus(total, drawn, maxSolutions);
  if (answers.status[record] !== StatusCode.limit) return undefined;
  const work = adviceWork(workOf(nodes, search.updates), problem.items.length, firstIndex + record);
  const tree = total === undefined ? estimateTree(problem, work, undefined, givens) : undefined;
  return drawLimitError(total, drawn, maxSolutions, nodes, tree, spentOption(nodes, puzzleLimits));
}
