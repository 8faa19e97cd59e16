/** Writes puzzles generated from a seed, in any output profile. */
import { randomInt } from 'node:crypto';
import type { FileWriter } from '../../batch/ports.ts';
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
import { createOutputFile, standardOutput } from '../files/output-file.ts';
import { readWholeNumber } from '../option-values.ts';
import { pause } from '../terminal/interrupt.ts';
import { print, printJson } from '../terminal/output.ts';
import { fileProgress, type Progress, ProgressLine } from '../terminal/progress.ts';

interface GenerateFlags {
  readonly count: string;
  readonly size?: string;
  readonly box?: string;
  readonly givens: string;
  readonly variant: VariantName;
  readonly symmetry: SymmetryName;
  readonly seed?: string;
  readonly any?: boolean;
  readonly grade?: Grade;
  readonly minRating?: string;
  readonly maxRating?: string;
  readonly output: OutputProfile;
  readonly alphabet?: string;
  readonly outputFile?: string;
  readonly worksheet?: string;
  readonly perPage: string;
  readonly paper: Paper;
  readonly json?: boolean;
}

/** Bytes of puzzles collected before each write. */
const FLUSH_BYTES = 64 * 1024;
const MAX_SIZE = 36;
const MAX_ON_WORKSHEET = 1000;

/** @returns the exit status */
export async function run(_: readonly string[], flags: GenerateFlags): Promise<number> {
  const count = readWholeNumber(
    'count',
    flags.count,
    1,
    flags.worksheet === undefined ? 1e12 : MAX_ON_WORKSHEET,
  );
  const request = seriesRequest(flags);
  const puzzles = await generated(new PuzzleSeries(request), count);
  const startMs = systemClock.monotonicMs();
  const { outputFile = flags.worksheet } = flags;
  const output = outputFile === undefined ? standardOutput() : await createOutputFile(outputFile);
  try {
    if (flags.worksheet === undefined) await writePuzzles(puzzles, count, flags, output);
    else await output.write(await worksheet(puzzles, count, request, flags));
    await output.close();
  } catch (error) {
    await output.abort();
    throw error;
  }
  const elapsedMs = systemClock.monotonicMs() - startMs;
  const puzzlesPerSecond = Math.round((count / Math.max(elapsedMs, 1)) * 1000);
  if (flags.json === true) {
    const summary = { puzzles: count, seed: request.seed, puzzlesPerSecond };
    printJson(summary, process.stderr);
  } else if (flags.seed === undefined || outputFile !== undefined) {
    print(
      [`${counted(count, 'puzzle')}, ${numberText(puzzlesPerSecond)}/s, seed ${request.seed}`],
      process.stderr,
    );
  }
  return EXIT_SOLVED;
}

/** Puzzles, of which the first one is generated before the file is opened: most impossible requests fail there. */
async function generated(series: PuzzleSeries, count: number): Promise<AsyncIterable<SeriesPuzzle>> {
  const first = await nextPuzzle(series, 1);
  async function* all() {
    yield first;
    for (let index = 2; index <= count; index++) yield await nextPuzzle(series, index);
  }
  return all();
}

async function writePuzzles(
  puzzles: AsyncIterable<SeriesPuzzle>,
  count: number,
  flags: GenerateFlags,
  output: FileWriter,
): Promise<void> {
  const line = new ProgressLine();
  const writer = puzzleWriter(flags.output, flags.alphabet);
  const out = new ByteBuffer(FLUSH_BYTES * 2);
  writer.begin(out);
  let written = 0;
  let flushedMs = systemClock.monotonicMs();
  for await (const { geometry, cells, solution } of puzzles) {
    writer.write(out, { geometry, cells, solution: flags.any === true ? undefined : solution });
    written++;
    if (out.length < FLUSH_BYTES && systemClock.monotonicMs() - flushedMs < FLUSH_MS) continue;
    await output.write(out.take());
    flushedMs = systemClock.monotonicMs();
    line.show(() => progressOf(written, count));
  }
  writer.end(out);
  await output.write(out.take());
}

/** The puzzles and an answer key as a page to print. */
async function worksheet(
  series: AsyncIterable<SeriesPuzzle>,
  count: number,
  { seed }: SeriesRequest,
  { alphabet, perPage, paper }: GenerateFlags,
): Promise<Uint8Array> {
  const writer = puzzleWriter('jsonl', alphabet);
  const puzzles: WorksheetPuzzle[] = [];
  const line = new ProgressLine();
  for await (const puzzle of series) {
    const { rating } = puzzle;
    const notes = [`${seed}-${puzzles.length + 1}`, rating && `${rating.grade} ${rating.rating.toFixed(1)}`];
    puzzles.push({ ...writer.record(puzzle), notes: notes.filter((note) => note !== undefined) });
    line.show(() => progressOf(puzzles.length, count));
  }
  const page = worksheetPage({ puzzles, seed, perPage: Number(perPage), paper });
  return new TextEncoder().encode(page);
}

function progressOf(puzzles: number, count: number): Progress {
  return fileProgress({ path: 'generate', bytes: count }, { puzzles, storedBytes: puzzles });
}

/** Maximum time before a generated puzzle is written. */
const FLUSH_MS = 200;

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
  const { variant, symmetry, any, output, alphabet } = flags;
  const box = flags.box === undefined ? undefined : readBox(flags.box);
  const givens = flags.givens === 'minimal' ? flags.givens : readWholeNumber('givens', flags.givens, 0, 9999);
  const usualSize = box === undefined ? 9 : box[0] * box[1];
  const size = flags.size === undefined ? usualSize : readWholeNumber('size', flags.size, 1, MAX_SIZE);
  const problem =
    box !== undefined && box[0] * box[1] !== size
      ? `box ${box.join('x')} does not have ${size} cells: give a box of ${size} cells, or omit --size`
      : variantError(variant, size, box);
  if (problem !== undefined) throw new CommandError(problem);
  if (any === true && givens === 'minimal') {
    throw new CommandError('--any needs --givens with a number: a minimal puzzle has exactly one solution');
  }
  const symbols = alphabet === undefined ? undefined : alphabetProblem(alphabet, size);
  const profile = flags.worksheet === undefined ? output : 'jsonl';
  const writing = symbols ?? puzzleWriterProblem(profile, size, needsRegions(variant), alphabet);
  if (writing !== undefined) throw new CommandError(writing);
  const seed =
    flags.seed === undefined
      ? randomInt(2 ** 32)
      : readWholeNumber('seed', flags.seed, 0, Number.MAX_SAFE_INTEGER);
  const wanted = wantedRating(flags, size);
  return { size, box, variant, seed, givens, unique: any !== true, symmetry, wanted };
}

/** Which ratings are wanted; undefined if any is. @throws CommandError if no puzzle can have such a rating */
function wantedRating(
  { grade, minRating, maxRating }: GenerateFlags,
  size: number,
): WantedRating | undefined {
  if (grade === undefined && minRating === undefined && maxRating === undefined) return undefined;
  if (size > MAX_RATED_SIZE) {
    throw new CommandError(
      `puzzles of ${size} digits have no rating: expected at most ${MAX_RATED_SIZE} digits`,
    );
  }
  const least = readRating('min-rating', minRating) ?? 0;
  const greatest = readRating('max-rating', maxRating) ?? Number.POSITIVE_INFINITY;
  if (least > greatest) {
    throw new CommandError(
      `option "--min-rating" is "${minRating}" and "--max-rating" is "${maxRating}": expected a minimum up to the maximum`,
    );
  }
  // A puzzle whose rating is a lower bound may be above any maximum.
  const accepts = (found: Rating) =>
    (grade ?? found.grade) === found.grade &&
    found.rating >= least &&
    found.rating <= greatest &&
    !(found.isLowerBound && maxRating !== undefined);
  if (RATINGS.some(accepts)) return { rate: ratePuzzle, accepts };
  const [lowest, highest] = [RATINGS[0]!, RATINGS.at(-1)!].map(({ rating }) => rating.toFixed(1));
  throw new CommandError(
    `no puzzle has such a rating: ratings are ${lowest} to ${highest}, and those of chains and searches have no maximum`,
  );
}

function readRating(name: string, text: string | undefined): number | undefined {
  if (text === undefined || /^\d{1,2}(\.\d)?$/.test(text))
    return text === undefined ? undefined : Number(text);
  throw new CommandError(`option "--${name}" is "${text}": expected a rating, such as 3.4`);
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
