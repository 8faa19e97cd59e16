/** `dlx-batch generate`: puzzles from a seed, as many as asked for, in any output profile. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ByteBuffer } from '../formats/byte-buffer.ts';
import { alphabetProblem, OUTPUT_PROFILES, type OutputProfile } from '../formats/formats.ts';
import { PuzzleWriter, puzzleWriterProblem } from '../formats/puzzle-writer.ts';
import { systemClock } from '../node/system.ts';
import { NoFullGridError } from '../sudoku/full-grid.ts';
import { GivensNotReachedError } from '../sudoku/generate.ts';
import { hasUsualBox, parseBox } from '../sudoku/geometry.ts';
import { PuzzleSeries, type SeriesPuzzle, type SeriesRequest } from '../sudoku/puzzle-series.ts';
import { SYMMETRY_NAMES, type SymmetryName } from '../sudoku/symmetry.ts';
import { needsRegions, VARIANT_NAMES, type VariantName, variantProblem } from '../sudoku/variants.ts';
import { CommandError, EXIT_SOLVED } from './exit.ts';
import { ProgressLine } from './progress-line.ts';

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
  const output = flags.outputFile === undefined ? standardOutput() : await newFile(flags.outputFile);
  try {
    await writePuzzles(series, first, flags, output.write);
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
  first: SeriesPuzzle,
  { count, output, alphabet, any }: GenerateFlags,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const progress = new ProgressLine({ path: 'generate', bytes: count });
  const writer = new PuzzleWriter(output, alphabet);
  const out = new ByteBuffer(FLUSH_BYTES * 2);
  const startMs = systemClock.monotonicMs();
  let shownMs = startMs;
  writer.begin(out);
  try {
    for (let index = 1; index <= count; index++) {
      const { geometry, cells, solution } = index === 1 ? first : nextPuzzle(series, index);
      writer.write(out, { geometry, cells, solution: any === true ? undefined : solution });
      const nowMs = systemClock.monotonicMs();
      if (out.length >= FLUSH_BYTES || nowMs - shownMs > FLUSH_MS) {
        await write(out.take());
        shownMs = nowMs;
        progress.show({ puzzles: index, storedBytes: index, plainBytes: 0, elapsedMs: nowMs - startMs });
      }
    }
  } finally {
    progress.clear();
  }
  writer.end(out);
  await write(out.take());
}

/** Longest time that a finished puzzle waits to be written. */
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

function standardOutput() {
  const write = async (bytes: Uint8Array) => {
    if (!process.stdout.write(bytes)) await once(process.stdout, 'drain');
  };
  return { write, close: async () => {}, abort: async () => {} };
}

/** A file that is there as a whole or not at all: until its end it has another name. */
async function newFile(path: string) {
  if (await isFolder(path)) throw new CommandError(`${path} is a folder: give the name of a file`);
  const unfinished = `${path}.unfinished`;
  const stream = createWriteStream(unfinished);
  // Where it cannot be written, the next write or the close tells it.
  const ended = finished(stream);
  ended.catch(() => {});
  return {
    write: async (bytes: Uint8Array) => {
      if (!stream.write(bytes)) await Promise.race([once(stream, 'drain'), ended]);
    },
    close: async () => {
      stream.end();
      await ended;
      await rename(unfinished, path);
    },
    abort: async () => {
      stream.destroy();
      await rm(unfinished, { force: true });
    },
  };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
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
