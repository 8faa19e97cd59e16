/** Writes puzzles generated from a seed, in any output profile. */
import { randomInt } from 'node:crypto';
import { counted, numberText } from '../../batch/quantities.ts';
import { ByteBuffer } from '../../formats/bytes/byte-buffer.ts';
import { alphabetProblem, type OutputProfile } from '../../formats/formats.ts';
import { PuzzleWriter, puzzleWriterProblem } from '../../formats/writing/puzzle-writer.ts';
import { systemClock } from '../../node/system.ts';
import { NoFullGridError } from '../../sudoku/generator/full-grid.ts';
import { GivensNotReachedError } from '../../sudoku/generator/generate.ts';
import { PuzzleSeries, type SeriesPuzzle, type SeriesRequest } from '../../sudoku/generator/puzzle-series.ts';
import type { SymmetryName } from '../../sudoku/generator/symmetry.ts';
import { hasUsualBox, parseBox } from '../../sudoku/geometry/geometry.ts';
import { needsRegions, type VariantName, variantProblem } from '../../sudoku/geometry/variants.ts';
import { CommandError, EXIT_SOLVED } from '../exit.ts';
import { type CommandOutput, createOutputFile, standardOutput } from '../files/output-file.ts';
import { readWholeNumber } from '../options.ts';
import { blocking } from '../terminal/interrupt.ts';
import { print, printJson } from '../terminal/output.ts';
import { fileProgress, ProgressLine } from '../terminal/progress.ts';

interface GenerateFlags {
  readonly count: string;
  readonly size?: string;
  readonly box?: string;
  readonly givens: string;
  readonly variant: VariantName;
  readonly symmetry: SymmetryName;
  readonly seed?: string;
  readonly any?: boolean;
  readonly output: OutputProfile;
  readonly alphabet?: string;
  readonly outputFile?: string;
  readonly json?: boolean;
}

/** Bytes of puzzles collected before each write. */
const FLUSH_BYTES = 64 * 1024;
const MAX_SIZE = 36;

/** @returns the exit status */
export async function generate(flags: GenerateFlags): Promise<number> {
  const count = readWholeNumber('count', flags.count, 1, 1e12);
  const request = seriesRequest(flags);
  const series = new PuzzleSeries(request);
  // Generated before the file is opened: most impossible requests fail at the first puzzle.
  const first = await blocking(() => nextPuzzle(series, 1));
  const startMs = systemClock.monotonicMs();
  const output = flags.outputFile === undefined ? standardOutput() : await createOutputFile(flags.outputFile);
  try {
    await writePuzzles(series, first, count, flags, output);
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
  } else if (flags.seed === undefined || flags.outputFile !== undefined) {
    print(
      [`${counted(count, 'puzzle')}, ${numberText(puzzlesPerSecond)}/s, seed ${request.seed}`],
      process.stderr,
    );
  }
  return EXIT_SOLVED;
}

async function writePuzzles(
  series: PuzzleSeries,
  first: SeriesPuzzle,
  count: number,
  flags: GenerateFlags,
  output: CommandOutput,
): Promise<void> {
  const line = new ProgressLine();
  const writer = new PuzzleWriter(flags.output, flags.alphabet);
  const out = new ByteBuffer(FLUSH_BYTES * 2);
  writer.begin(out);
  for (let written = 0; written < count; ) {
    const turnMs = systemClock.monotonicMs();
    await blocking(() => {
      do {
        const { geometry, cells, solution } = written === 0 ? first : nextPuzzle(series, written + 1);
        writer.write(out, { geometry, cells, solution: flags.any === true ? undefined : solution });
        written++;
      } while (written < count && out.length < FLUSH_BYTES && systemClock.monotonicMs() - turnMs < FLUSH_MS);
    });
    await output.write(out.take());
    const [puzzles, file] = [written, { path: 'generate', bytes: count }];
    line.show(() => fileProgress(file, { puzzles, storedBytes: puzzles }));
  }
  writer.end(out);
  await output.write(out.take());
}

/** Maximum time before a generated puzzle is written. */
const FLUSH_MS = 200;

function nextPuzzle(series: PuzzleSeries, index: number): SeriesPuzzle {
  try {
    return series.next();
  } catch (error) {
    const known =
      error instanceof RangeError ||
      error instanceof GivensNotReachedError ||
      error instanceof NoFullGridError;
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
  const writing = symbols ?? puzzleWriterProblem(output, size, needsRegions(variant), alphabet);
  if (writing !== undefined) throw new CommandError(writing);
  const seed =
    flags.seed === undefined
      ? randomInt(2 ** 32)
      : readWholeNumber('seed', flags.seed, 0, Number.MAX_SAFE_INTEGER);
  return { size, box, variant, seed, givens, unique: any !== true, symmetry };
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
