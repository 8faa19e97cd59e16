/** The statistics of a job, and `stats.json`. */
import type { CoverRecord } from '../../formats/exact-cover/cover-record.ts';
import type { TableColumns } from '../../formats/formats.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { GRADES, type Grade } from '../../sudoku/rating/grades.ts';
import { RATINGS, type Rating } from '../../sudoku/rating/scale.ts';
import { thousandths } from '../quantities.ts';
import { type BlockAnswers, TOO_LARGE } from '../solving/block-answers.ts';
import { PUZZLE_STATUSES, type PuzzleStatus, StatusCode } from '../solving/puzzle-status.ts';
import type { RecordAnswer } from '../solving/record-search.ts';
import { addCounts, type Counts } from './counts.ts';
import { CoverSums, type CoverTotals } from './cover-totals.ts';
import {
  type DurationBar,
  DurationHistogram,
  type DurationSnapshot,
  type DurationSummary,
} from './duration-histogram.ts';
import { countGivens } from './givens.ts';
import { GridResult } from './grid-result.ts';
import type { JobRecord } from './job-record.ts';
import type { JobTotals, NoPuzzlesReason, PuzzleCounts } from './job-totals.ts';
import { MAX_PUZZLE_CHARACTERS, type RecordSample } from './record-sample.ts';

/** One of the slowest puzzles: by time, which differs from run to run. */
interface SlowPuzzle {
  /** The number of the puzzle in the file, from 1. */
  readonly index: number;
  /** The first line of the puzzle in the file, from 1. */
  readonly line: number;
  /** Microseconds of its search. */
  readonly solveUs: number;
  /** Nodes of its search tree. */
  readonly nodes: number;
}

/** One of the hardest puzzles: by guesses, then by nodes, which are the same in every run. */
interface HardPuzzle {
  /** The number of the puzzle in the file, from 1. */
  readonly index: number;
  /** The first line of the puzzle in the file, from 1. */
  readonly line: number;
  /** Options that its search tried while another one was left. */
  readonly guesses: number;
  /** Nodes of its search tree. */
  readonly nodes: number;
}

/** One of the hardest puzzles, with its record if it is small enough to be drawn. */
interface HardRecord extends HardPuzzle {
  record?: JobRecord;
}

/** Time of a job by phase, in milliseconds of its thread. */
export interface PhaseTimes {
  /** Milliseconds from the request for the first byte to the close of the last file. */
  wallMs: number;
  /** Milliseconds in which the job waited for bytes of the file, or unpacked them. */
  readMs: number;
  /** Milliseconds in which puzzles were found in the bytes. */
  parseMs: number;
  /** Milliseconds in which results were written. */
  writeMs: number;
}

/** The environment of the job, for `stats.json`. */
export interface RuntimeInfo {
  /** The version of Node. */
  readonly node: string;
  /** The architecture of the processor. */
  readonly arch: string;
  /** MiB of memory of the function, or of the machine. */
  readonly memoryMb: number;
  /** Whether the job was the first one of its function. */
  readonly coldStart: boolean;
  /** Whether WebAssembly has SIMD; without it, puzzles are solved in TypeScript. */
  readonly simd: boolean;
}

export interface EngineInfo {
  /** The engine: a name of `--engine`. */
  readonly name: string;
  /** The version of the engine: another one may have other node counts. */
  readonly version: number;
  /** Threads that solved. */
  readonly workers: number;
}

/** Puzzles with a number in a range, both ends included. */
export interface CountBar {
  /** The lowest number of the bar. */
  readonly from: number;
  /** The highest number of the bar. */
  readonly to: number;
  /** Puzzles with such a number. */
  readonly count: number;
}

/** `stats.json`; names of times include the unit. */
export interface JobStats extends JobTotals {
  readonly schema: 'dlx-batch/stats@1';
  /** Puzzles by size and variant, such as `9x9` or `16x16 x`. Unreadable puzzles have an empty size. */
  readonly bySize: Readonly<Record<string, PuzzleCounts>>;
  /** Times of this run, which differ from run to run. */
  readonly timing: PhaseTimes & {
    /** Milliseconds in the engine, over all puzzles and threads. */
    readonly solveMs: number;
    /** Puzzles in each second of the wall time. */
    readonly puzzlesPerSecond: number;
    /** Microseconds of one search; omitted if no engine solved a puzzle. */
    readonly solveUs?: DurationSummary;
    /** The times of the searches as a histogram. */
    readonly histogram: readonly DurationBar[];
  };
  /** Sums over the searches of all puzzles. */
  readonly search: {
    /** Nodes of all search trees. */
    readonly nodes: number;
    /** Options that were tried while another one was left. */
    readonly guesses: number;
    /** Puzzles that were solved without a guess: every cell was forced. */
    readonly withoutGuess: number;
    /** Puzzles by guesses: none, 1, 2 to 3, 4 to 7 and so on, up to the most. */
    readonly byGuesses?: readonly CountBar[];
    /**
     * Most bytes that the search of one puzzle or problem took: links or boards, frontier, learned clauses, memoised counts
     * and solutions that are kept or wait. Searches of its parts by other threads of the process are included. Not counted
     * are the puzzle itself, and what is freed at once, such as estimates and the smaller table of a cache that grows.
     *
     * The same in every run with one thread and the same WebAssembly support. A search that is split takes more with
     * several threads, and its waiting solutions depend on time.
     */
    readonly maxBytes: number;
  };
  /** How hard the puzzles are, with `--rate` only. */
  readonly ratings?: RatingTotals;
  /** Puzzles by givens, from the fewest to the most; without unreadable ones. Omitted if there are none, as for exact covers. */
  readonly byGivens?: readonly CountBar[];
  /** Sums over the problems, for exact-cover files only. */
  readonly exactCover?: CoverTotals;
  /** The random solutions that were requested. */
  readonly random?:
    | {
        /** Solutions drawn for each puzzle. */
        readonly count: number;
        /** The seed, with which the same solutions are drawn again. */
        readonly seed: number;
      }
    | undefined;
  /** Lines that are comments, or in a part that the format skips; omitted if there are none. */
  readonly commentLines?: number;
  /** The columns of a table, and what they are for. */
  readonly columns?: ColumnUses;
  /** Columns of a table that affect no result; omitted if there are none. */
  readonly unusedColumns?: readonly string[];
  /** The ten puzzles with the most guesses, then with the most nodes: the same in every run. */
  readonly hardest: readonly HardPuzzle[];
  /** The ten puzzles whose searches took longest. */
  readonly slowest: readonly SlowPuzzle[];
  /** The engine that solved. */
  readonly engine: EngineInfo;
  /** The machine that solved. */
  readonly runtime: RuntimeInfo;
  /** For jobs in several functions only. */
  readonly used?: UsedResources;
}

/** How hard the puzzles of a job are: those with exactly one solution. */
interface RatingTotals {
  /** Puzzles by grade. */
  readonly grades: Readonly<Record<Grade, number>>;
  /** Puzzles by their hardest technique, easiest first; techniques that no puzzle needs are omitted. */
  readonly techniques: readonly (Pick<Rating, 'rating' | 'isLowerBound' | 'technique'> & {
    /** Puzzles with that technique. */
    readonly puzzles: number;
  })[];
  /** Puzzles with too many digits for a rating; omitted if there are none. */
  readonly unrated?: number;
}

/** Resources that the solving functions of a large job used. */
export interface UsedResources {
  /** Ranges into which the file was cut. */
  readonly shards: number;
  /** Parts of shards: invocations that solved. */
  readonly pieces: number;
  /** Total duration of the functions in milliseconds. */
  readonly functionMs: number;
  /** Memory times duration, in GB-seconds. */
  readonly gbSeconds: number;
  /** Dollars for Lambda. */
  readonly lambdaDollars: number;
}

/** What is added over the records of a part of a job, and over parts: by name, or by number. */
interface JobCounts {
  /** By size, the number of records of each status. */
  readonly bySize: Record<string, Record<number, number>>;
  readonly search: { nodes: number; guesses: number; withoutGuess: number };
  /** Puzzles by guesses. Entry 0: without a guess; entry k: with 2^(k-1) guesses or more, below 2^k. */
  readonly guesses: Record<number, number>;
  readonly givens: Record<number, number>;
  /** Puzzles by the number of their rating, if they are rated. */
  ratings?: Record<number, number>;
  commentLines: number;
}

/** The statistics of a part of a job, as JSON data; for puzzles in cells only. */
export interface StatisticsSnapshot {
  readonly counts: JobCounts;
  readonly durations: DurationSnapshot;
  readonly hardest: readonly HardRecord[];
  readonly slowest: readonly SlowPuzzle[];
  readonly maxBytes: number;
}

/** The columns of a table that affect results, by their use. */
type ColumnUses = Omit<TableColumns, 'separator' | 'unused'>;

function columnStats(table: TableColumns | undefined): Pick<JobStats, 'columns' | 'unusedColumns'> {
  if (table === undefined) return {};
  const { separator: _, unused, ...columns } = table;
  return { columns, unusedColumns: unused.length > 0 ? unused : undefined };
}

/** Puzzles that are listed as the slowest, and as the hardest. */
const MAX_RANKED = 10;

export class JobStatistics {
  /** The columns of the file, if it is a table. */
  table: TableColumns | undefined;
  readonly #counts: JobCounts = {
    bySize: {},
    search: { nodes: 0, guesses: 0, withoutGuess: 0 },
    guesses: {},
    givens: {},
    commentLines: 0,
  };
  readonly #durations = new DurationHistogram();
  readonly #slowest: SlowPuzzle[] = [];
  readonly #hardest: HardRecord[] = [];
  #maxBytes = 0;
  #covers: CoverSums | undefined;

  /** @param isRated whether the puzzles are rated */
  constructor(isRated = false) {
    if (isRated) this.#counts.ratings = {};
  }

  /**
   * Counts all records of a solved block.
   *
   * @param firstIndex index of the block's first record in the file, from 1
   */
  addBlock(block: RecordBlock, answers: BlockAnswers, firstIndex: number): void {
    const { status, solveUs, nodes, guesses, searchBytes } = answers;
    const { givens, ratings } = this.#counts;
    const counts = this.#countsOf(sizeName(block));
    const unreadable = this.#countsOf(UNREADABLE_SIZE);
    const { cellCount } = block.geometry;
    let hasHard = false;
    for (let i = 0; i < block.count; i++) {
      const code = status[i]!;
      if (searchBytes[i]! > this.#maxBytes) this.#maxBytes = searchBytes[i]!;
      if (code === StatusCode.unreadable) count(unreadable, code);
      else {
        count(counts, code);
        count(givens, countGivens(block.cells, i * cellCount, cellCount));
      }
      if (ratings !== undefined) count(ratings, answers.rating[i]!);
      if (code === StatusCode.unreadable || code === StatusCode.invalid) continue;
      const isHard = this.#addSearch(firstIndex + i, block.line[i]!, solveUs[i]!, nodes[i]!, guesses[i]!);
      if (isHard) hasHard = true;
    }
    if (hasHard) this.#recordHard(block, answers, firstIndex);
  }

  /**
   * Counts an exact-cover problem.
   *
   * @param answer undefined for an unreadable problem
   */
  addCover(record: CoverRecord, answer: RecordAnswer | undefined, index: number): void {
    this.#covers ??= new CoverSums();
    this.#covers.add(record, answer, index);
    if (answer === undefined) {
      count(this.#countsOf(UNREADABLE_SIZE), StatusCode.unreadable);
      return;
    }
    count(this.#countsOf(COVER_SIZE), answer.status);
    this.#addSearch(index, record.line, answer.solveUs, answer.nodes, answer.guesses);
    this.#maxBytes = Math.max(this.#maxBytes, answer.searchBytes);
  }

  addComments(lines: number): void {
    this.#counts.commentLines += lines;
  }

  /** Search nodes of all records so far. */
  get nodes(): number {
    return this.#counts.search.nodes;
  }

  snapshot(): StatisticsSnapshot {
    return {
      counts: this.#counts,
      durations: this.#durations.snapshot(),
      hardest: this.#hardest,
      slowest: this.#slowest,
      maxBytes: this.#maxBytes,
    };
  }

  /** Adds the counts of a snapshot; call it in the order of the file. */
  merge({ counts, durations, hardest, slowest, maxBytes }: StatisticsSnapshot): void {
    addCounts(this.#counts as unknown as Counts, counts as unknown as Counts);
    this.#durations.merge(durations);
    for (const puzzle of hardest) rank(this.#hardest, puzzle, byHardness);
    for (const puzzle of slowest) rank(this.#slowest, puzzle, bySlowness);
    this.#maxBytes = Math.max(this.#maxBytes, maxBytes);
  }

  /** Records of the hardest puzzles that can be drawn, hardest first. */
  hardestRecords(): JobRecord[] {
    return this.#hardest.flatMap(({ record }) => record ?? []);
  }

  /** The content of `stats.json`. @param exceptions of the whole job */
  stats(
    times: PhaseTimes,
    engine: EngineInfo,
    runtime: RuntimeInfo,
    exceptions: Pick<RecordSample, 'total' | 'unexpected' | 'cut'>,
    noPuzzles: NoPuzzlesReason | undefined,
  ): JobStats {
    const { search, guesses, givens, ratings, commentLines } = this.#counts;
    const sizes = Object.entries(this.#counts.bySize).map(
      ([size, counts]) => [size, puzzleCounts(counts)] as const,
    );
    const puzzles = puzzleCounts({});
    for (const [, counts] of sizes) addCounts(puzzles, counts);
    const bySize = sizes.filter(([size, { total }]) => size !== UNREADABLE_SIZE && total > 0);
    return {
      schema: 'dlx-batch/stats@1',
      puzzles,
      exceptions: exceptions.total,
      unexpectedResults: exceptions.unexpected,
      cutResults: exceptions.cut > 0 ? exceptions.cut : undefined,
      noPuzzles: puzzles.total === 0 ? noPuzzles : undefined,
      bySize: Object.fromEntries(bySize),
      timing: {
        wallMs: thousandths(times.wallMs),
        readMs: thousandths(times.readMs),
        parseMs: thousandths(times.parseMs),
        solveMs: thousandths(this.#durations.sumUs / 1000),
        writeMs: thousandths(times.writeMs),
        puzzlesPerSecond: times.wallMs > 0 ? Math.round((puzzles.total / times.wallMs) * 1000) : 0,
        solveUs: this.#durations.summary(),
        histogram: this.#durations.bars(),
      },
      search: { ...search, maxBytes: this.#maxBytes, byGuesses: guessBars(guesses) },
      byGivens: givenBars(givens),
      ratings: ratings && ratingTotals(ratings),
      exactCover: this.#covers?.totals(),
      commentLines: commentLines || undefined,
      ...columnStats(this.table),
      hardest: this.#hardest.map(({ record: _, ...puzzle }) => puzzle),
      slowest: this.#slowest.map((puzzle) => ({ ...puzzle, solveUs: thousandths(puzzle.solveUs) })),
      engine,
      runtime,
    };
  }

  #countsOf(size: string): Record<number, number> {
    this.#counts.bySize[size] ??= {};
    return this.#counts.bySize[size];
  }

  /**
   * A hot path: it allocates only for a puzzle that is among the slowest or the hardest.
   *
   * @returns whether it is among the hardest
   */
  #addSearch(index: number, line: number, solveUs: number, nodes: number, guesses: number): boolean {
    const counts = this.#counts;
    this.#durations.add(solveUs);
    counts.search.nodes += nodes;
    counts.search.guesses += guesses;
    if (guesses === 0) counts.search.withoutGuess++;
    count(counts.guesses, guesses === 0 ? 0 : 1 + Math.floor(Math.log2(guesses)));
    const slow = this.#slowest[MAX_RANKED - 1];
    if (slow === undefined || solveUs > slow.solveUs) {
      rank(this.#slowest, { index, line, solveUs, nodes }, bySlowness);
    }
    const hard = this.#hardest[MAX_RANKED - 1];
    if (hard !== undefined && (guesses < hard.guesses || (guesses === hard.guesses && nodes <= hard.nodes)))
      return false;
    rank(this.#hardest, { index, line, guesses, nodes }, byHardness);
    return true;
  }

  /** Adds the records of a block's puzzles that are among the hardest; at its end, when most candidates are replaced. */
  #recordHard(block: RecordBlock, answers: BlockAnswers, firstIndex: number): void {
    if (block.geometry.cellCount > MAX_PUZZLE_CHARACTERS) return;
    for (const puzzle of this.#hardest) {
      if (puzzle.index < firstIndex) continue;
      const result = new GridResult(block, answers, puzzle.index - firstIndex, puzzle.index);
      const record = result.record(false);
      if (record.puzzle!.length <= MAX_PUZZLE_CHARACTERS) puzzle.record = record;
    }
  }
}

function bySlowness(a: SlowPuzzle, b: SlowPuzzle): number {
  return b.solveUs - a.solveUs;
}

function byHardness(a: HardPuzzle, b: HardPuzzle): number {
  return b.guesses - a.guesses || b.nodes - a.nodes;
}

/** Adds a puzzle to the first ones in some order; after those of the same rank, so call it in the order of the file. */
function rank<Puzzle>(first: Puzzle[], puzzle: Puzzle, order: (a: Puzzle, b: Puzzle) => number): void {
  first.push(puzzle);
  first.sort(order).splice(MAX_RANKED);
}

function count(counts: Record<number, number>, number: number): void {
  counts[number] = (counts[number] ?? 0) + 1;
}

/** @param counts puzzles by the number of their rating */
function ratingTotals(counts: Record<number, number>): RatingTotals {
  const grades = Object.fromEntries(GRADES.map((grade) => [grade, 0])) as Record<Grade, number>;
  const techniques = RATINGS.flatMap(({ rating, isLowerBound, technique, grade }, k) => {
    const puzzles = counts[k + 1] ?? 0;
    grades[grade] += puzzles;
    return puzzles === 0 ? [] : [{ rating, isLowerBound, technique, puzzles }];
  });
  return { grades, techniques, unrated: counts[TOO_LARGE] };
}

/** The bars up to the last one with a puzzle; none if no puzzle was searched. */
function guessBars(counts: Record<number, number>): CountBar[] {
  return Array.from({ length: 1 + Math.max(-1, ...numbersIn(counts)) }, (_, bar) => {
    const [from, to] = bar === 0 ? [0, 0] : [2 ** (bar - 1), 2 ** bar - 1];
    return { from, to, count: counts[bar] ?? 0 };
  });
}

/** A bar for each number from the fewest givens to the most; for each range of equal length, if they would be too many. */
function givenBars(counts: Record<number, number>): CountBar[] | undefined {
  const numbers = numbersIn(counts);
  if (numbers.length === 0) return undefined;
  const least = Math.min(...numbers);
  const most = Math.max(...numbers);
  const length = Math.ceil((most - least + 1) / MAX_GIVEN_BARS);
  const bars = Array.from({ length: Math.floor((most - least) / length) + 1 }, (_, bar) => {
    const from = least + bar * length;
    return { from, to: Math.min(most, from + length - 1), count: 0 };
  });
  for (const givens of numbers) bars[Math.floor((givens - least) / length)]!.count += counts[givens]!;
  return bars;
}

function numbersIn(counts: Record<number, number>): number[] {
  return Object.keys(counts).map(Number);
}

/** Bars of a histogram of givens: one for each number of the puzzles of an ordinary file. */
const MAX_GIVEN_BARS = 64;

/** Size of unreadable records. */
const UNREADABLE_SIZE = '';
/** Size of all exact-cover problems. */
const COVER_SIZE = 'exact cover';

function sizeName(block: RecordBlock): string {
  const { size, cellCount, variant } = block.geometry;
  const shape = `${size}x${size}`;
  return variant === 'standard' && cellCount === size * size ? shape : `${shape} ${variant}`;
}

/** @param counts by the code of a status */
function puzzleCounts(counts: Record<number, number>): { -readonly [Name in keyof PuzzleCounts]: number } {
  const byStatus = PUZZLE_STATUSES.map((status, code) => [status, counts[code] ?? 0] as const);
  const total = byStatus.reduce((sum, [, number]) => sum + number, 0);
  return { total, ...(Object.fromEntries(byStatus) as Record<PuzzleStatus, number>) };
}
