/** `dlx-batch generate`: puzzles from a seed, as many as asked for, in any output profile. */
import { randomInt } from 'node:crypto';
import { setImmediate as otherEvents } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
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

The same options and the same --seed give the same bytes on every machine. A minimal puzzle has one solution, and more
without any one of its givens (with a symmetry: without any group of them that go together). Beyond 16x16, a given
also stays where 1,000 search nodes do not prove that it can go.

A file is there when all of it is written. Ctrl-C leaves nothing of it; only where single puzzles take longer than a
second, FILE.unfinished stays, and is written anew the next time.

Exit status: 0 all puzzles are written, 2 they are not.`;

/** Longest wait between two writes, in puzzles' bytes. */
const FLUSH_BYTES = 64 * 1024;
const LARGEST_SIZE = 36;

/** Registers the command. */
export function registerGenerate(program: Command): void {
  program
    .command('generate')
    .description('puzzles of any size and variant, the same ones for the same seed')
    .option('--count <n>', 'how many puzzles', wholeNumber(1, 1e12), 1)
    .option(
      '--size <n>',
      'digits of a puzzle (default: 9, or what the box holds)',
      wholeNumber(1, LARGEST_SIZE),
    )
    .option('--box <rows x columns>', 'shape of a box, such as 2x3', boxShape)
    .option('--givens <n|minimal>', 'givens of each puzzle', givensOf, 'minimal')
    .addOption(new Option('--variant <name>', 'rules').choices(VARIANT_NAMES).default('standard'))
    .addOption(
      new Option('--symmetry <name>', 'of the places of the givens').choices(SYMMETRY_NAMES).default('none'),
    )
    .option(
      '--seed <n>',
      'a whole number (default: drawn, and told)',
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
    )
    .addOption(new Option('--unique', 'puzzles with exactly one solution (default)').conflicts('any'))
    .option('--any', 'puzzles with one solution or more')
    .addOption(
      new Option('--output <profile>', 'how puzzles are written; same is a line each')
        .choices(OUTPUT_PROFILES)
        .default('same'),
    )
    .option('--alphabet <symbols>', 'symbols of the digits in order (default: 1-9; A-P and so on beyond 9)')
    .option('-o, --output-file <file>', 'write to a file instead of standard output')
    .option('--json', 'the summary as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: GenerateFlags) => {
      process.exitCode = await generate(flags);
    });
}

async function generate(flags: GenerateFlags): Promise<number> {
  const request = seriesRequest(flags);
  const series = new PuzzleSeries(request);
  // Asked for before a file is touched: most requests that cannot be met fail at the first puzzle.
  const first = nextPuzzle(series, 1);
  const startMs = systemClock.monotonicMs();
  const output = flags.outputFile === undefined ? standardOutput() : await createOutputFile(flags.outputFile);
  try {
    await writePuzzles(series, first, flags, output);
  } catch (error) {
    await output.abort();
    throw error;
  }
  await output.close();
  const elapsedMs = systemClock.monotonicMs() - startMs;
  const puzzlesPerSecond = Math.round((flags.count / Math.max(elapsedMs, 1)) * 1000);
  const { count } = flags;
  if (flags.json === true) {
    const summary = { puzzles: count, seed: request.seed, puzzlesPerSecond };
    process.stderr.write(`${JSON.stringify(summary)}\n`);
  } else if (flags.seed === undefined || flags.outputFile !== undefined) {
    const puzzles = `${count.toLocaleString('en-US')} ${count === 1 ? 'puzzle' : 'puzzles'}`;
    process.stderr.write(`${puzzles}, ${puzzlesPerSecond.toLocaleString('en-US')}/s, seed ${request.seed}\n`);
  }
  return EXIT_SOLVED;
}

async function writePuzzles(
  series: PuzzleSeries,
  first: TimedPuzzle,
  { count, output, alphabet, any }: GenerateFlags,
  file: CommandOutput,
): Promise<void> {
  const progress = new ProgressLine({ path: 'generate', bytes: count });
  const writer = new PuzzleWriter(output, alphabet);
  const out = new ByteBuffer(FLUSH_BYTES * 2);
  const startMs = systemClock.monotonicMs();
  let shownMs = startMs;
  writer.begin(out);
  try {
    for (let index = 1; index <= count; index++) {
      const { geometry, cells, solution, tookMs } = index === 1 ? first : nextPuzzle(series, index);
      file.handleInterrupts(tookMs < SLOW_PUZZLE_MS);
      writer.write(out, { geometry, cells, solution: any === true ? undefined : solution });
      const nowMs = systemClock.monotonicMs();
      if (out.length >= FLUSH_BYTES || nowMs - shownMs > FLUSH_MS) {
        await file.write(out.take());
        await otherEvents();
        shownMs = nowMs;
        progress.show({ puzzles: index, storedBytes: index, plainBytes: 0, elapsedMs: nowMs - startMs });
      }
    }
  } finally {
    progress.clear();
  }
  writer.end(out);
  await file.write(out.take());
}

/** Longest time that a finished puzzle waits to be written. */
const FLUSH_MS = 200;

/**
 * No signal is heard while a puzzle is made. Where the last one took longer, Ctrl-C is left to the system, which stops
 * us at once: an unfinished file that stays is better than a command that cannot be stopped.
 */
const SLOW_PUZZLE_MS = 1000;

interface TimedPuzzle extends SeriesPuzzle {
  readonly tookMs: number;
}

function nextPuzzle(series: PuzzleSeries, index: number): TimedPuzzle {
  const startMs = systemClock.monotonicMs();
  try {
    const puzzle = series.next();
    return { ...puzzle, tookMs: systemClock.monotonicMs() - startMs };
  } catch (error) {
    const known =
      error instanceof RangeError ||
      error instanceof GivensNotReachedError ||
      error instanceof NoFullGridError;
    throw known ? new CommandError(`puzzle ${index}: ${error.message}`) : error;
  }
}

/** @throws CommandError for a request that no puzzle can meet */
function seriesRequest(flags: GenerateFlags): SeriesRequest {
  const { box, givens, variant, symmetry, any, output, alphabet } = flags;
  const size = flags.size ?? (box === undefined ? 9 : box[0] * box[1]);
  const problem =
    box !== undefined && box[0] * box[1] !== size
      ? `box ${box.join('x')} does not hold ${size} cells: give a box of ${size}, or no --size`
      : variantTrouble(variant, size, box);
  if (problem !== undefined) throw new CommandError(problem);
  if (any === true && givens === 'minimal') {
    throw new CommandError('option "--any" needs a number of givens: a minimal puzzle has one solution');
  }
  const symbols = alphabet === undefined ? undefined : alphabetProblem(alphabet, size);
  const writing = symbols ?? puzzleWriterProblem(output, size, needsRegions(variant), alphabet);
  if (writing !== undefined) throw new CommandError(writing);
  const seed = flags.seed ?? randomInt(2 ** 32);
  return { size, box, variant, seed, givens, unique: any !== true, symmetry };
}

function variantTrouble(
  variant: VariantName,
  size: number,
  box: readonly [rows: number, columns: number] | undefined,
): string | undefined {
  if (variant === 'standard' && box === undefined && !hasUsualBox(size)) {
    return `size ${size} has no usual box shape: give one with --box, or --variant latin`;
  }
  const regions = needsRegions(variant) ? new Uint8Array(size * size) : undefined;
  const expected = variantProblem({ variant, size, box, regions });
  return expected === undefined ? undefined : `no ${variant} of ${size}x${size}: expected ${expected}`;
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d{1,16}$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`expected a whole number from ${least} to ${most}`);
  };
}

function givensOf(text: string): number | 'minimal' {
  if (text === 'minimal') return text;
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected a whole number, or minimal');
}

function boxShape(text: string): readonly [rows: number, columns: number] {
  const box = parseBox(text);
  if (box === undefined) throw new InvalidArgumentError('expected rows x columns, such as 2x3');
  return box;
}
