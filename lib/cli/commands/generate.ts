/** Writes puzzles generated from a seed, in any output profile. */
import { randomInt } from 'node:crypto';
import { counted, numberText } from '../../batch/quantities.ts';
import { type Paper, type WorksheetPuzzle, worksheetPage } from '../../batch/report/worksheet.ts';
import { ByteBuffer } from '../../formats/bytes/byte-buffer.ts';
import { alphabetProblem, type OutputProfile } from '../../formats/formats.ts';
import { puzzleWriter, puzzleWriterProblem } from '../../formats/writing/puzzle-writer.ts';
import { systemClock } from '../../node/system.ts';
import { NotGeneratedError } from '../../sudoku/generator/generate.ts';
import {
  PuzzleSeries,
  type SeriesPuzzle,
  type SeriesRequest,
  type WantedRating,
} from '../../sudoku/generator/puzzle-series.ts';
import type { SymmetryName } from '../../sudoku/generator/symmetry.ts';
import { hasUsualBox, parseBox } from '../../sudoku/geometry/geometry.ts';
import { needsRegions, type VariantName, variantProblem } from '../../sudoku/geometry/variants.ts';
import type { Grade } from '../../sudoku/rating/grades.ts';
import { ratePuzzle } from '../../sudoku/rating/rate.ts';
import { MAX_RATED_SIZE, RATINGS, type Rating } from '../../sudoku/rating/scale.ts';
import { CommandError, EXIT_SOLVED } from '../exit.ts';
import { readWholeNumber } from '../options.ts';
import { pause } from '../terminal/interrupt.ts';
import { print, printJson } from '../terminal/output.ts';
import { fileProgress, ProgressLine } from '../terminal/progress.ts';
import { writeTo } from '../terminal/standard-output.ts';

interface GenerateFlags {
  readonly count: string;
  readonly size?: string;
  readonly box?: string;
  readonly givens: string;
  readonly variant: VariantName;
  readonly symmetry: SymmetryName;
  readonly seed?: string;
  readonly grade?: Grade;
  readonly rating?: string;
  readonly output: OutputProfile;
  readonly alphabet?: string;
  readonly worksheet?: boolean;
  readonly perPage: string;
  readonly paper: Paper;
  readonly json?: boolean;
}

/** Time of a batch of puzzles, after which they are written. */
const BATCH_MS = 200;
const FIRST_BYTES = 64 * 1024;
const MAX_SIZE = 36;
const MAX_ON_WORKSHEET = 1000;

/** @returns the exit status */
export async function generate(flags: GenerateFlags): Promise<number> {
  const isWorksheet = flags.worksheet === true;
  const count = readWholeNumber('count', flags.count, 1, isWorksheet ? MAX_ON_WORKSHEET : 1e12);
  const request = seriesRequest(flags);
  const startMs = systemClock.monotonicMs();
  await (isWorksheet ? writeWorksheet : writePuzzles)(new PuzzleSeries(request), count, flags, request);
  const elapsedMs = systemClock.monotonicMs() - startMs;
  const puzzlesPerSecond = Math.round((count / Math.max(elapsedMs, 1)) * 1000);
  const { seed } = request;
  if (flags.json === true) printJson({ puzzles: count, seed, puzzlesPerSecond }, process.stderr);
  else if (flags.seed === undefined || isWorksheet) {
    print([`${counted(count, 'puzzle')}, ${numberText(puzzlesPerSecond)}/s, seed ${seed}`], process.stderr);
  }
  return EXIT_SOLVED;
}

/** Puzzles in batches of a moment. */
async function* generated(
  series: PuzzleSeries,
  count: number,
): AsyncGenerator<readonly SeriesPuzzle[], void, void> {
  const line = new ProgressLine();
  for (let done = 0; done < count; ) {
    const endMs = systemClock.monotonicMs() + BATCH_MS;
    const batch: SeriesPuzzle[] = [];
    do batch.push(await nextPuzzle(series, ++done));
    while (done < count && systemClock.monotonicMs() < endMs);
    yield batch;
    line.show(() => fileProgress({ path: 'generate', bytes: count }, { puzzles: done, storedBytes: done }));
  }
}

async function writePuzzles(
  series: PuzzleSeries,
  count: number,
  { output, alphabet }: GenerateFlags,
): Promise<void> {
  const writer = puzzleWriter(output, alphabet);
  const out = new ByteBuffer(FIRST_BYTES);
  writer.begin(out);
  for await (const batch of generated(series, count)) {
    for (const puzzle of batch) writer.write(out, puzzle);
    await writeTo(process.stdout, out.take());
  }
  writer.end(out);
  await writeTo(process.stdout, out.take());
}

/** The puzzles and an answer key as a page to print. */
async function writeWorksheet(
  series: PuzzleSeries,
  count: number,
  { alphabet, perPage, paper }: GenerateFlags,
  { seed }: SeriesRequest,
): Promise<void> {
  const writer = puzzleWriter('jsonl', alphabet);
  const puzzles: WorksheetPuzzle[] = [];
  for await (const batch of generated(series, count)) {
    for (const puzzle of batch) {
      const grade = puzzle.rating && `${puzzle.rating.grade} ${puzzle.rating.rating.toFixed(1)}`;
      const notes = [`${seed}-${puzzles.length + 1}`, ...(grade === undefined ? [] : [grade])];
      puzzles.push({ ...writer.record(puzzle), notes });
    }
  }
  await writeTo(process.stdout, worksheetPage({ puzzles, seed, perPage: Number(perPage), paper }));
}

/** Generates a puzzle; signals are handled meanwhile. @throws CommandError if there is none */
async function nextPuzzle(series: PuzzleSeries, index: number): Promise<SeriesPuzzle> {
  const steps = series.nextInSteps();
  try {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      const paused = pause();
      if (paused !== undefined) await paused;
    }
  } catch (error) {
    const known = error instanceof RangeError || error instanceof NotGeneratedError;
    throw known ? new CommandError(`puzzle ${index}: ${error.message}`) : error;
  }
}

/** @throws CommandError for an impossible request */
function seriesRequest(flags: GenerateFlags): SeriesRequest {
  const { variant, symmetry, output, alphabet } = flags;
  const isWorksheet = flags.worksheet === true;
  const box = flags.box === undefined ? undefined : readBox(flags.box);
  const givens = flags.givens === 'minimal' ? flags.givens : readWholeNumber('givens', flags.givens, 0, 9999);
  const usualSize = box === undefined ? 9 : box[0] * box[1];
  const size = flags.size === undefined ? usualSize : readWholeNumber('size', flags.size, 1, MAX_SIZE);
  const problem =
    (box !== undefined && box[0] * box[1] !== size
      ? `box ${box.join('x')} does not have ${size} cells: give a box of ${size} cells, or omit --size`
      : variantError(variant, size, box)) ??
    (isWorksheet && output !== 'same' ? '--worksheet is a page of its own: omit --output' : undefined) ??
    (alphabet === undefined ? undefined : alphabetProblem(alphabet, size)) ??
    puzzleWriterProblem(isWorksheet ? 'jsonl' : output, size, needsRegions(variant), alphabet);
  if (problem !== undefined) throw new CommandError(problem);
  const seed =
    flags.seed === undefined
      ? randomInt(2 ** 32)
      : readWholeNumber('seed', flags.seed, 0, Number.MAX_SAFE_INTEGER);
  const wanted = wantedRating(flags, size);
  return { size, box, variant, seed, givens, unique: true, symmetry, wanted };
}

/** Which ratings are wanted; undefined if any is. @throws CommandError if no puzzle can have such a rating */
function wantedRating({ grade, rating }: GenerateFlags, size: number): WantedRating | undefined {
  if (grade === undefined && rating === undefined) return undefined;
  if (size > MAX_RATED_SIZE) {
    throw new CommandError(
      `puzzles of ${size} digits have no rating: expected at most ${MAX_RATED_SIZE} digits`,
    );
  }
  const [least, greatest] = readRatings(rating);
  // A puzzle whose rating is a lower bound may be above any maximum.
  const accepts = (found: Rating) =>
    (grade ?? found.grade) === found.grade &&
    found.rating >= least &&
    found.rating <= greatest &&
    !(found.isLowerBound && Number.isFinite(greatest));
  if (RATINGS.some(accepts)) return { rate: ratePuzzle, accepts };
  const [lowest, highest] = [RATINGS[0]!, RATINGS.at(-1)!].map((each) => each.rating.toFixed(1));
  throw new CommandError(
    `no puzzle has such a rating: ratings are ${lowest} to ${highest}, and those of chains and searches have no maximum`,
  );
}

/** `2.6-4.4`, `2.6-` or `-4.4`. */
function readRatings(text = '-'): readonly [least: number, greatest: number] {
  const [, least, greatest] = /^(\d{1,2}(?:\.\d)?)?-(\d{1,2}(?:\.\d)?)?$/.exec(text) ?? [];
  const range = [Number(least ?? 0), Number(greatest ?? Number.POSITIVE_INFINITY)] as const;
  if ((text === '-' || (least ?? greatest) !== undefined) && range[0] <= range[1]) return range;
  throw new CommandError(
    `option "--rating" is "${text}": expected a range of ratings, such as 2.6-4.4 or 3.0-`,
  );
}

function readBox(text: string): readonly [rows: number, columns: number] {
  const box = parseBox(text);
  if (box !== undefined) return box;
  throw new CommandError(`option "--box" is "${text}": expected rows x columns, such as 2x3`);
}

function variantError(
  variant: VariantName,
  size: number,
  box: readonly [rows: number, columns: number] | undefined,
): string | undefined {
  if (variant === 'standard' && box === undefined && !hasUsualBox(size)) {
    return `size ${size} has no usual box shape: give one with --box, or --variant latin`;
  }
  const regions = needsRegions(variant) ? new Uint8Array(size * size) : undefined;
  const expected = variantProblem({ variant, size, box, regions });
  return expected === undefined
    ? undefined
    : `variant ${variant} does not allow ${size}x${size}: expected ${expected}`;
}
