/** Measures the cost of a file on a sample of the puzzles in its first MiB. */
import { openReader, type PuzzleDetection } from '../../formats/formats.ts';
import type { FormatHints } from '../../formats/reader.ts';
import { RecordBlock } from '../../formats/records/record-block.ts';
import { givensClash } from '../../sudoku/checks/givens.ts';
import { createAnswers, type Engine, Stop } from '../../sudoku/engine.ts';
import type { SolveOptions } from '../options.ts';
import type { Clock } from '../ports.ts';

/** A sample stops after this many puzzles, or after this time. */
const SAMPLE_PUZZLES = 1000;
const SAMPLE_MS = 1000;
/** A sample that takes less time is solved again, up to `MAX_PASSES` times in total. */
const CHEAP_US = 200_000;
const MAX_PASSES = 4;
/** Nodes between two readings of the clock. */
const SLICE_NODES = 20_000;
/** Microseconds of one vCPU for reading, checking, writing and counting a puzzle. */
const OVERHEAD_US = 3;

export interface CostSample {
  /** Puzzles solved, and the time for them in microseconds of one vCPU. */
  readonly puzzles: number;
  readonly solveUs: number;
  /** Average bytes of the file for each puzzle. */
  readonly bytesPerPuzzle: number;
  /** Microseconds of one vCPU for a byte of the file, including reading and writing. */
  readonly usPerByte: number;
}

/**
 * Solves a sample of the puzzles in a file's first bytes, spread evenly over them.
 *
 * @param head the first bytes
 * @param complete whether `head` is the whole file
 */
export function sampleCost(
  head: Uint8Array,
  complete: boolean,
  detection: PuzzleDetection,
  hints: FormatHints,
  options: SolveOptions,
  engine: Engine,
  clock: Clock,
): CostSample {
  const blocks: RecordBlock[] = [];
  const reader = openReader(detection, hints, { acquire: (layout) => new RecordBlock(layout, 256) });
  blocks.push(...reader.push(head), ...(complete ? reader.end() : reader.flush()));
  const places = blocks.flatMap((block) =>
    Array.from({ length: block.count }, (_, index) => ({ block, index })).filter(({ index }) =>
      block.isReadable(index),
    ),
  );
  const step = Math.max(1, Math.ceil(places.length / SAMPLE_PUZZLES));
  // In an order that covers all of `head` even if the time runs out early.
  const sampled = spread(Math.ceil(places.length / step)).map((k) => places[k * step]!);
  let { puzzles, solveUs } = solvePass(sampled, options, engine, clock);
  // Code is slow until it is compiled: a cheap sample is measured again, and the fastest pass counts.
  for (let pass = 1; pass < MAX_PASSES && solveUs < CHEAP_US && puzzles > 0; pass++) {
    const again = solvePass(sampled, options, engine, clock);
    if (again.solveUs < solveUs) ({ puzzles, solveUs } = again);
  }
  const bytesPerPuzzle = places.length === 0 ? head.length : head.length / places.length;
  const usPerPuzzle = (puzzles === 0 ? 0 : solveUs / puzzles) + OVERHEAD_US;
  return { puzzles, solveUs, bytesPerPuzzle, usPerByte: usPerPuzzle / bytesPerPuzzle };
}

/** Solves puzzles one by one, until all are solved or the time runs out. */
function solvePass(
  places: readonly { readonly block: RecordBlock; readonly index: number }[],
  options: SolveOptions,
  engine: Engine,
  clock: Clock,
): { puzzles: number; solveUs: number } {
  let puzzles = 0;
  let solveUs = 0;
  for (const { block, index } of places) {
    solveUs += solveTimeUs(block, index, options, engine, clock);
    puzzles++;
    if (solveUs > SAMPLE_MS * 1000) break;
  }
  return { puzzles, solveUs };
}

/** Microseconds for one puzzle; stops after the time of the whole sample. */
function solveTimeUs(
  block: RecordBlock,
  index: number,
  options: SolveOptions,
  engine: Engine,
  clock: Clock,
): number {
  const { geometry } = block;
  if (engine.refuses(geometry) !== undefined) return 0;
  if (givensClash(geometry, block.cells, index * geometry.cellCount)) return 0;
  const limits = {
    maxSolutions: options.solutions,
    maxNodes: options.maxNodes,
    sliceNodes: SLICE_NODES,
    pauseAtSolution: false,
  };
  const { cellCount } = geometry;
  const cells = block.cells.subarray(index * cellCount, (index + 1) * cellCount);
  const answers = createAnswers(1, cellCount);
  const startMs = clock.monotonicMs();
  engine.solve({ geometry, cells }, 0, 1, limits, answers);
  while (answers.stop[0] === Stop.paused && clock.monotonicMs() - startMs < SAMPLE_MS) {
    engine.resume(limits, answers);
  }
  return (clock.monotonicMs() - startMs) * 1000;
}

/** A permutation of 0 to count - 1 (bit reversal): every beginning of it is spread over the whole range. */
function spread(count: number): number[] {
  const bits = Math.max(1, Math.ceil(Math.log2(count)));
  const order: number[] = [];
  for (let k = 0; k < 2 ** bits; k++) {
    let reversed = 0;
    for (let bit = 0; bit < bits; bit++) if (k & (1 << bit)) reversed |= 1 << (bits - 1 - bit);
    if (reversed < count) order.push(reversed);
  }
  return order;
}
