/**
 * Counts the solutions of each puzzle with its engine, and with memoised counting if the puzzle has many nodes
 * (lib/exact-cover/counting-search.ts). For that the puzzle is the exact cover of its geometry with the givens preselected.
 */
import { CountingSearch, type CountStart, type OrdinarySearch } from '../../exact-cover/counting-search.ts';
import { type RunLimits, SearchStop } from '../../exact-cover/dancing-links.ts';
import type { OpenAnswers } from '../../exact-cover/split/split-search.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { type Engine, Stop } from '../../sudoku/engine.ts';
import { ENGINE_STOP } from '../../sudoku/engines/dlx/cover-kernel.ts';
import { givenOptions, sudokuCover } from '../../sudoku/sudoku-cover.ts';
import type { Clock } from '../ports.ts';
import type { Elsewhere } from './elsewhere.ts';
import { type EnumerationStep, searchRecords } from './enumerate-block.ts';
import { statusCodeOf } from './puzzle-status.ts';
import {
  type BlockAnswers,
  checkAnswer,
  OutOfTimeError,
  type PuzzleLimits,
  sliceNodes,
} from './solve-block.ts';

/**
 * Counts the solutions of all records of a block; the steps are the ends of records, and waiting.
 *
 * @param elsewhere has parts of long searches searched by other threads; by default, they are searched here
 * @throws OutOfTimeError at the deadline
 * @throws Error if an engine's answer is not a solution
 */
export function countBlock(
  engine: Engine,
  block: RecordBlock,
  limits: PuzzleLimits,
  clock: Clock,
  answers: BlockAnswers,
  elsewhere?: Elsewhere,
): Iterable<EnumerationStep> {
  answers.largeCounts = undefined;
  return searchRecords(block, answers, (record) =>
    countRecord(engine, block, record, limits, clock, answers, elsewhere),
  );
}

function* countRecord(
  engine: Engine,
  block: RecordBlock,
  record: number,
  puzzleLimits: PuzzleLimits,
  clock: Clock,
  answers: BlockAnswers,
  elsewhere?: Elsewhere,
): Generator<EnumerationStep, undefined> {
  const { maxSolutions, maxNodes, maxMs, deadlineMs } = puzzleLimits;
  const limits = { maxSolutions, maxNodes, sliceNodes: sliceNodes(puzzleLimits), pauseAtSolution: true };
  const search = new EngineSearch(engine, block, record, answers, elsewhere?.openAnswers);
  const count = new CountingSearch(search, () => coverOf(block, record));
  engine.searchBytes = 0;
  let stop: Stop = Stop.paused;
  let solveMs = 0;
  while (stop === Stop.paused && solveMs <= maxMs) {
    const startMs = clock.monotonicMs();
    if (startMs > deadlineMs) throw new OutOfTimeError();
    // The engine keeps the first solution; the others are only counted.
    stop = ENGINE_STOP[count.run({ ...limits, pauseAtSolution: search.solutions === 0 })];
    if (stop === Stop.paused) {
      yield { kind: 'slice', record, until: engine.isWaiting ? elsewhere?.progress() : undefined };
    }
    solveMs += clock.monotonicMs() - startMs;
  }
  if (search.solutions > 0) checkAnswer(engine, block, record, answers);
  answers.searchBytes[record] = engine.searchBytes + count.memoBytes;
  const { solutions } = count;
  if (typeof solutions === 'bigint') {
    answers.largeCounts ??= new Map();
    answers.largeCounts.set(record, solutions);
  }
  answers.solutions[record] = Number(solutions);
  answers.nodes[record] = count.nodes;
  answers.guesses[record]! += count.guesses;
  answers.stop[record] = stop === Stop.paused ? Stop.nodeLimit : stop;
  answers.solveUs[record] = solveMs * 1000;
  answers.status[record] = statusCodeOf(answers.stop[record]!, solutions, maxSolutions);
}

/** The search of an engine for the solutions of one record. */
class EngineSearch implements OrdinarySearch {
  readonly #engine: Engine;
  readonly #block: RecordBlock;
  readonly #record: number;
  readonly #answers: BlockAnswers;
  readonly #openAnswers: OpenAnswers | undefined;
  #hasBegun = false;

  constructor(
    engine: Engine,
    block: RecordBlock,
    record: number,
    answers: BlockAnswers,
    openAnswers?: OpenAnswers,
  ) {
    this.#openAnswers = openAnswers;
    this.#engine = engine;
    this.#block = block;
    this.#record = record;
    this.#answers = answers;
  }

  get nodes(): number {
    return this.#hasBegun ? this.#answers.nodes[this.#record]! : 0;
  }

  get solutions(): number {
    return this.#hasBegun ? this.#answers.solutions[this.#record]! : 0;
  }

  run(runLimits: RunLimits): SearchStop {
    const limits = { ...runLimits, openAnswers: this.#openAnswers };
    if (this.#hasBegun) this.#engine.resume(limits, this.#answers);
    else this.#engine.solve(this.#block, this.#record, this.#record + 1, limits, this.#answers);
    this.#hasBegun = true;
    const stop = this.#answers.stop[this.#record];
    if (stop === Stop.exhausted) return SearchStop.exhausted;
    if (stop === Stop.solutionLimit) return SearchStop.solutionLimit;
    return stop === Stop.nodeLimit ? SearchStop.nodeLimit : SearchStop.slice;
  }
}

/** The exact-cover problem of a record's geometry, and the place in its search after the givens. */
function coverOf(block: RecordBlock, record: number): CountStart {
  const cover = sudokuCover(block.geometry);
  const { problem } = cover;
  const selected = givenOptions(cover, block.cells, record);
  const last = selected.pop();
  if (last === undefined) return { problem };
  return { problem, place: { solutions: 0, nodes: 0, branches: [{ selected, untried: [last] }] } };
}
