/** `dlx-batch generate`: writes puzzles generated from a seed, in any output profile. */
import { randomInt } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { counted, numberText } from '../../batch/quantities.ts';
import { ByteBuffer } from '../../formats/bytes/byte-buffer.ts';
import { alphabetProblem, OUTPUT_PROFILES, type OutputProfile } from '../../formats/formats.ts';
import { PuzzleWriter, puzzleWriterProblem } from '../../formats/writing/puzzle-writer.ts';
import { systemClock } from '../../node/system.ts';
import { NoFullGridError } from '../../sudoku/generator/full-grid.ts';
import { GivensNotReachedError } from '../../sudoku/generator/generate.ts';
import { PuzzleSeries, type SeriesPuzzle, type SeriesRequest } from '../../sudoku/generator/puzzle-series.ts';
import { SYMMETRY_NAMES, type SymmetryName } from '../../sudoku/generator/symmetry.ts';
import { hasUsualBox, parseBox } from '../../sudoku/geometry/geometry.ts';
import {
  needsRegions,
  VARIANT_NAMES,
  type VariantName,
  variantProblem,
} from '../../sudoku/geometry/variants.ts';
import { CommandError, EXIT_SOLVED } from '../exit.ts';
import { type CommandOutput, createOutputFile, standardOutput } from '../files/output-file.ts';
import { blocking } from '../terminal/interrupt.ts';
import { print, printJson } from '../terminal/output.ts';
import { ProgressLine } from '../terminal/progress-line.ts';

interface GenerateFlags {
  readonly count: number;
  readonly size?: number;
  readonly box?: readonly [rows: number, columns: number];
  readonly givens: number | 'minimal';
  readonly variant: VariantName;
  readonly symmetry: SymmetryName;
  readonly seed?: number;
  readonly unique?: boolean;
  readonly any?: boolean;
  readonly output: OutputProfile;
  readonly alphabet?: string;
  readonly outputFile?: string;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  dlx-batch generate                                      one minimal 9x9
  dlx-batch generate --count 10000 --seed 1 -o puzzles.txt
  dlx-batch generate --size 16 --givens 120 --symmetry rotational
  dlx-batch generate --variant jigsaw --output jsonl | dlx-batch solve

The same options and seed give the same bytes on every machine. A minimal puzzle has one solution; without any one of
its givens (with a symmetry: any symmetric group of givens) it has more. Above 16x16, a given also stays if 1,000
search nodes do not prove that it can be removed.

An output file appears only when it is complete, and Ctrl-C leaves no partial file.

Exit status: 0 all puzzles written, 2 error.`;

/** Bytes of puzzles collected before each write. */
const FLUSH_BYTES = 64 * 1024;
const MAX_SIZE = 36;

export function registerGenerate(program: Command): void {
  program
    .command('generate')
    .description('generate puzzles of any size and variant from a seed')
    .option('--count <n>', 'number of puzzles', wholeNumber(1, 1e12), 1)
    .option('--size <n>', 'number of digits (default: 9, or the cells of the box)', wholeNumber(1, MAX_SIZE))
    .option('--box <rows x columns>', 'box shape, such as 2x3', parseBoxShape)
    .option('--givens <n|minimal>', 'givens of each puzzle', parseGivens, 'minimal')
    .addOption(
      new Option('--variant <name>', 'rules of the puzzles').choices(VARIANT_NAMES).default('standard'),
    )
    .addOption(
      new Option('--symmetry <name>', 'symmetry of the givens').choices(SYMMETRY_NAMES).default('none'),
    )
    .option(
      '--seed <n>',
      'seed, a whole number (default: random, reported at the end)',
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
    )
    .addOption(new Option('--unique', 'puzzles with exactly one solution (default)').conflicts('any'))
    .option('--any', 'puzzles with one or more solutions')
    .addOption(
      new Option('--output <profile>', 'layout of the puzzles; same writes one line each')
        .choices(OUTPUT_PROFILES)
        .default('same'),
    )
    .option('--alphabet <symbols>', 'symbols for the digits in order (default: 1-9; A-P and so on above 9)')
    .option('-o, --output-file <file>', 'output file (default: standard output)')
    .option('--json', 'write the summary as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: GenerateFlags) => {
      process.exitCode = await generate(flags);
    });
}

async function generate(flags: GenerateFlags): Promise<number> {
  const request = seriesRequest(flags);
  const series = new PuzzleSeries(request);
  // Generated before the file is opened: most impossible requests fail at the first puzzle.
  const first = await blocking(() => nextPuzzle(series, 1));
  const startMs = systemClock.monotonicMs();
  const output = flags.outputFile === undefined ? standardOutput() : await createOutputFile(flags.outputFile);
  try {
    await writePuzzles(series, first, flags, output);
    await output.close();
  } catch (error) {
    await output.abort();
    throw error;
  }
  const elapsedMs = systemClock.monotonicMs() - startMs;
  const puzzlesPerSecond = Math.round((flags.count / Math.max(elapsedMs, 1)) * 1000);
  const { count } = flags;
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
  { count, output, alphabet, any }: GenerateFlags,
  file: CommandOutput,
): Promise<void> {
  const progress = new ProgressLine({ path: 'generate', bytes: count });
  const writer = new PuzzleWriter(output, alphabet);
  const out = new ByteBuffer(FLUSH_BYTES * 2);
  const startMs = systemClock.monotonicMs();
  writer.begin(out);
  for (let written = 0; written < count; ) {
    const turnMs = systemClock.monotonicMs();
    await blocking(() => {
      do {
        const { geometry, cells, solution } = written === 0 ? first : nextPuzzle(series, written + 1);
        writer.write(out, { geometry, cells, solution: any === true ? undefined : solution });
        written++;
      } while (written < count && out.length < FLUSH_BYTES && systemClock.monotonicMs() - turnMs < FLUSH_MS);
    });
    await file.write(out.take());
    const elapsedMs = systemClock.monotonicMs() - startMs;
    progress.show({ puzzles: written, storedBytes: written, plainBytes: 0, elapsedMs });
  }
  writer.end(out);
  await file.write(out.take());
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
  const { box, givens, variant, symmetry, any, output, alphabet } = flags;
  const size = flags.size ?? (box === undefined ? 9 : box[0] * box[1]);
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
  const seed = flags.seed ?? randomInt(2 ** 32);
  return { size, box, variant, seed, givens, unique: any !== true, symmetry };
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

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d{1,16}$/.test(text) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`expected a whole number from ${min} to ${max}`);
  };
}

function parseGivens(text: string): number | 'minimal' {
  if (text === 'minimal') return text;
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected a whole number or minimal');
}

function parseBoxShape(text: string): readonly [rows: number, columns: number] {
  const box = parseBox(text);
  if (box === undefined) throw new InvalidArgumentError('expected rows x columns, such as 2x3');
  return box;
}
