/** Measures the cost of a file on a sample of the puzzles in its first MiB. */
import { openReader, type PuzzleDetection } from '../../formats/formats.ts';
import { RecordBlock } from '../../formats/records/record-block.ts';
import type { Engine } from '../../sudoku/engine.ts';
import type { RecordSource } from '../job/record-source.ts';
import type { SolveOptions } from '../options.ts';
import type { Clock } from '../ports.ts';
import { createBlockAnswers, markUnreadable } from '../solving/block-answers.ts';
import { puzzleLimits } from '../solving/drive.ts';
import { RangeSolver } from '../solving/range-solver.ts';
import { rateRecord } from '../solving/rate-record.ts';
import { refuseUnsupported } from '../solving/refuse-block.ts';

/** A sample has at most this many puzzles. */
const SAMPLE_PUZZLES = 1000;
/** A prime above that number: its multiples, divided by the size of a sample, give each remainder once, spread evenly. */
const STRIDE = 7919;
/** A sample stops after this time. */
const SAMPLE_MS = 1000;
/** A sample that takes less time is solved again, up to `MAX_PASSES` times in total. */
const CHEAP_US = 200_000;
const MAX_PASSES = 4;
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

/** A file whose head is read, and what would solve it. */
export interface SampledFile {
  readonly source: Pick<RecordSource, 'head' | 'hints' | 'isWhole'>;
  readonly detection: PuzzleDetection;
  readonly options: SolveOptions;
  readonly engine: Engine;
  readonly clock: Clock;
}

/** What a sample may take, if it only has to decide whether a file is large. */
interface SampleBudget {
  /** The part of the puzzles of the head that is solved, if they are more than a few. */
  readonly share: number;
  readonly maxMs: number;
  /** A sample that costs no more than this is not measured again. */
  readonly enoughUsPerByte: number;
}

const FULL_SAMPLE: SampleBudget = { share: 1, maxMs: SAMPLE_MS, enoughUsPerByte: 0 };
/** A smaller sample is too uncertain, and solving it takes little. */
const MIN_SHARED_PUZZLES = 24;

/** Solves a sample of the puzzles in the head of a file, spread evenly over it. */
export function sampleCost(file: SampledFile, budget = FULL_SAMPLE): CostSample {
  const { source, detection, options, engine, clock } = file;
  const { head, hints, isWhole } = source;
  const reader = openReader(detection, hints, {
    acquire: (layout) => new RecordBlock(layout, 256),
  });
  const blocks = [...reader.push(head), ...(isWhole ? reader.end() : reader.flush())];
  const places = blocks.flatMap((block) => {
    const answers = createBlockAnswers(block.count, block.geometry.cellCount);
    const indexes = Array.from({ length: block.count }, (_, index) => index);
    const readable = indexes.filter((index) => block.isReadable(index));
    refuseUnsupported(block, engine);
    markUnreadable(block, answers);
    return readable.map((index) => ({ block, answers, index }));
  });
  const wanted = Math.max(MIN_SHARED_PUZZLES, Math.ceil(places.length * budget.share));
  const step = Math.max(1, Math.ceil(places.length / Math.min(SAMPLE_PUZZLES, wanted)));
  // In an order that covers all of the head even if the time runs out early.
  const count = Math.ceil(places.length / step);
  const sampled = Array.from({ length: count }, (_, k) => places[((k * STRIDE) % count) * step]!);
  const bytesPerPuzzle = places.length === 0 ? head.length : head.length / places.length;
  const solver = new RangeSolver(engine, clock);
  const limits = { ...puzzleLimits(options, budget), rate: false };
  /** Solves puzzles one by one, until all are solved or the time runs out. */
  const pass = (): CostSample => {
    let puzzles = 0;
    let solveUs = 0;
    for (const { block, answers, index } of sampled) {
      for (const _ of solver.solve({ puzzles: block, from: index, to: index + 1, limits, answers }));
      solveUs += answers.solveUs[index]!;
      if (options.rate) {
        const startMs = clock.monotonicMs();
        rateRecord(block, index, answers);
        solveUs += (clock.monotonicMs() - startMs) * 1000;
      }
      puzzles++;
      if (solveUs > budget.maxMs * 1000) break;
    }
    const usPerPuzzle = (puzzles === 0 ? 0 : solveUs / puzzles) + OVERHEAD_US;
    return { puzzles, solveUs, bytesPerPuzzle, usPerByte: usPerPuzzle / bytesPerPuzzle };
  };
  let sample = pass();
  // Code is slow until it is compiled: a cheap sample is measured again, and the fastest pass counts.
  for (let passes = 1; passes < MAX_PASSES && sample.puzzles > 0; passes++) {
    if (sample.solveUs >= CHEAP_US || sample.usPerByte <= budget.enoughUsPerByte) break;
    const again = pass();
    if (again.solveUs < sample.solveUs) sample = again;
  }
  return sample;
}
