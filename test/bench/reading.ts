/**
 * The speed of reading puzzles in every format, and in untidy variants of files: megabytes of text a second, on one
 * thread. And the cost of reading and writing a line, as a share of solving it.
 *
 * The inputs are the cases of the catalogue of formats with `speed:`, of which the parts with several copies are repeated to
 * megabytes. A file has few different puzzles then, so branches are predicted better than in a file of users: the rates
 * compare two commits, and are an upper bound of what users see.
 *
 * Bytes arrive in pieces as from a file or S3, and are read into the blocks of a job. The detection of the format is
 * included. Each input is read in several passes; the minimum and the median rate are reported.
 */
import { BlockPool } from '../../lib/batch/solving/block-pool.ts';
import { median } from '../../lib/cli/bench/measure.ts';
import { ByteBuffer } from '../../lib/formats/bytes/byte-buffer.ts';
import type { CoverRecord } from '../../lib/formats/exact-cover/cover-record.ts';
import { detectFormat, openCoverReader, openReader, openWriter } from '../../lib/formats/formats.ts';
import { HEAD_BYTES } from '../../lib/formats/reader.ts';
import type { RecordBlock } from '../../lib/formats/records/record-block.ts';
import { createAnswers, type SearchLimits } from '../../lib/sudoku/engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { generatePuzzle } from '../../lib/sudoku/generator/generate.ts';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import { type CatalogueCase, catalogue } from '../formats/catalogue.ts';

/**
 * Promised minimum of the reading rate, in MB/s.
 *
 * - `puzzles`: well-formed text of any format.
 * - `rare`: well-formed text in layouts of few files, which have no fast path: spaces for blanks, walls, drawings with
 *   two-digit numbers.
 * - `inferred`: well-formed text whose separators or columns are inferred from the text.
 * - `damaged`: every other puzzle is damaged. Each is one record that reports what was found, what was expected and
 *   where, after every format was tried: about 3 us.
 * - `junk`: text with few or no puzzles.
 * - `scraps`: junk of a few bytes in each line. A line takes about 1 us for any length, since nearly every one could
 *   be a cell, a row or part of one, and only the following lines decide: a rule for the line alone would lose puzzles
 *   with a cell in each line, and rows with blank lines between. A megabyte still takes less than a second.
 */
export const MIN_RATE: Readonly<Record<string, number>> = {
  puzzles: 30,
  rare: 10,
  inferred: 5,
  damaged: 15,
  junk: 8,
  scraps: 1,
};

/** Minimum of bytes of each input. */
const INPUT_BYTES = 6_000_000;

/** Bytes of a piece, as from a file stream. */
const PIECE_BYTES = 64 * 1024;

export interface ReadingResult {
  readonly name: string;
  /** The key of `MIN_RATE`. */
  readonly kind: string;
  readonly bytes: number;
  /** Records read, and the number of puzzles among them. */
  readonly records: number;
  readonly puzzles: number;
  /** MB/s in each pass. */
  readonly rates: readonly number[];
}

type Counted = { -readonly [key in keyof ReadingResult]: ReadingResult[key] } & { rates: number[] };

/**
 * Reads a text to its end.
 *
 * @param take receives every block; the block is reused afterwards
 * @throws Error if the text contains no puzzle
 */
export function readAll(text: Uint8Array, take: (block: RecordBlock) => void): void {
  const detection = detectFormat(text.subarray(0, HEAD_BYTES), text.length <= HEAD_BYTES, {});
  if (detection.kind !== 'puzzles') throw new Error('the text contains no puzzle');
  const pool = new BlockPool(false);
  const reader = openReader(detection, {}, pool);
  const release = (block: RecordBlock) => {
    take(block);
    pool.release(block, 0);
  };
  for (let from = 0; from < text.length; from += PIECE_BYTES) {
    for (const block of reader.push(text.subarray(from, from + PIECE_BYTES))) release(block);
  }
  for (const block of reader.end()) release(block);
}

/**
 * Reads exact-cover problems to the end of a text.
 *
 * @param asked the format, if the user gives it
 * @returns the number of problems read
 * @throws Error if the text is not an exact-cover file
 */
export function readCovers(text: Uint8Array, asked?: string): number {
  const complete = text.length <= HEAD_BYTES;
  const detection = detectFormat(text.subarray(0, HEAD_BYTES), complete, { format: asked });
  if (detection.kind !== 'exact-cover') throw new Error('the text contains no exact-cover problem');
  const reader = openCoverReader(detection.format);
  let problems = 0;
  const count = (records: Iterable<CoverRecord>) => {
    for (const { cover } of records) if (cover !== undefined) problems++;
  };
  for (let from = 0; from < text.length; from += PIECE_BYTES) {
    count(reader.push(text.subarray(from, from + PIECE_BYTES)));
  }
  count(reader.end());
  return problems;
}

/** The cases of the catalogue that are measured. */
export function readingInputs(): CatalogueCase[] {
  return catalogue().filter(({ speed }) => speed !== undefined);
}

/** The text of a case, with more copies of its repeated parts: at least that many bytes. */
export function inputText({ parts }: CatalogueCase, bytes: number): Uint8Array {
  const isRepeated = ({ times }: { times: number }) => times > 1;
  const size = parts.filter(isRepeated).reduce((sum, { times, bytes }) => sum + times * bytes.length, 0);
  const rounds = Math.ceil(bytes / size);
  return Buffer.concat(
    parts.flatMap((part) => Array(isRepeated(part) ? part.times * rounds : 1).fill(part.bytes)),
  );
}

/**
 * Reads every input `passes` times.
 *
 * @param bytes minimum of bytes of each input
 */
export function measureReading(
  inputs: readonly CatalogueCase[],
  bytes: number,
  passes: number,
  onProgress: (text: string) => void,
): ReadingResult[] {
  const results = inputs.map(({ name, speed }): Counted => {
    return { name, kind: speed!, bytes: 0, records: 0, puzzles: 0, rates: [] };
  });
  for (const [index, input] of inputs.entries()) {
    const text = inputText(input, bytes);
    const read = isCover(input) ? () => readCovers(text, input.hints.format) : undefined;
    // The first pass is for the compiler and is not counted.
    for (let pass = 0; pass <= passes; pass++) {
      onProgress(`${input.name}: pass ${pass} of ${passes}`);
      timePass(text, results[index], pass > 0, read);
    }
  }
  return results;
}

/** Times one pass in processor time of this thread, which other load on the machine affects less. */
function timePass(text: Uint8Array, result: Counted, counts: boolean, readProblems?: () => number): void {
  result.bytes = text.length;
  result.records = 0;
  result.puzzles = 0;
  const start = process.threadCpuUsage();
  if (readProblems !== undefined) result.records = result.puzzles = readProblems();
  else {
    readAll(text, (block) => {
      result.records += block.count;
      result.puzzles += block.count;
      for (const notes of block.notes.values()) if (notes.error !== undefined) result.puzzles--;
    });
  }
  const { user, system } = process.threadCpuUsage(start);
  if (counts) result.rates.push(text.length / (user + system));
}

/** Whether a case has exact-cover problems. */
export function isCover({ records }: CatalogueCase): boolean {
  return records[0]?.startsWith('{"exact cover"') === true;
}

/** Returns the inputs whose median rate is below the promised minimum. */
export function tooSlow(results: readonly ReadingResult[]): ReadingResult[] {
  return results.filter(({ kind, rates }) => median(rates) < MIN_RATE[kind]);
}

/** Formats the results as a table in Markdown. */
export function readingTable(results: readonly ReadingResult[]): string {
  const rows = results.map(({ name, kind, records, puzzles, rates }) => [
    name,
    kind,
    records.toLocaleString('en-US'),
    puzzles.toLocaleString('en-US'),
    Math.min(...rates).toFixed(0),
    median(rates).toFixed(0),
  ]);
  const head = ['input', 'kind', 'records', 'puzzles', 'MB/s, min', 'median'];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, k) => (k < 2 ? cell.padEnd(widths[k]) : cell.padStart(widths[k]))).join(' | ')} |`;
  const ruler = `|${widths.map((width, k) => (k < 2 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), ruler, ...rows.map(line), ''].join('\n');
}

/** The time to read, write and solve a line, in microseconds of processor time: medians over the passes. */
export interface LineShare {
  readonly name: string;
  readonly parseUs: number;
  readonly writeUs: number;
  readonly solveUs: number;
  /** Median over the passes of (parse + write) / solve. */
  readonly share: number;
}

/** Promised maximum of the time to read and write a line, as a share of solving it. */
export const MAX_SHARE = 0.15;

const LIMITS: SearchLimits = {
  maxSolutions: 2,
  maxNodes: Number.POSITIVE_INFINITY,
  sliceNodes: Number.POSITIVE_INFINITY,
  pauseAtSolution: false,
};

/** Measures reading, solving with `dlx` and writing of lines, in passes over the same puzzles. */
export function measureLineShare(passes: number): LineShare[] {
  return [shareOf('minimal 9x9', 'minimal', passes), shareOf('9x9 with 36 givens', 36, passes)];
}

/** Different puzzles, and their repetitions in a pass: 10 MB, of which the survey of the head is a tenth. */
const SHARE_PUZZLES = 2000;
const SHARE_ROUNDS = 60;

function shareOf(name: string, givens: number | 'minimal', passes: number): LineShare {
  const geometry = standardGeometry(9);
  const generator = createEngine('bitboard');
  const lines = Array.from({ length: SHARE_PUZZLES }, (_, seed) => {
    const { cells } = generatePuzzle(geometry, { seed: seed + 1, givens }, generator);
    return `${cells.join('').replaceAll('0', '.')}\n`;
  });
  const text = new TextEncoder().encode(lines.join('').repeat(SHARE_ROUNDS));
  const count = SHARE_PUZZLES * SHARE_ROUNDS;
  const engine = createEngine('dlx');
  const answers = createAnswers(1024, geometry.cellCount);
  const out = new ByteBuffer();
  const writer = openWriter('line', { kind: 'empty' });
  const write = (block: RecordBlock) => {
    // As in a job: the whole block at once, if its writer supports it.
    const solved = { block, index: 0, cells: answers.cells, offset: 0 };
    if (writer.entries?.(out, solved, block.count, false) !== true) {
      throw new Error('the writer does not write whole blocks of lines');
    }
    out.length = 0;
  };
  const solve = (block: RecordBlock) => {
    engine.solve(block, 0, block.count, LIMITS, answers);
  };
  // The clock of a thread's processor time is too coarse for one block. So each pass reads three times, with different
  // work on the blocks, and the differences give the times.
  const times: Array<{ parse: number; write: number; solve: number }> = [];
  for (let pass = 0; pass <= passes; pass++) {
    const parse = threadMs(() => readAll(text, () => {}));
    const solved = threadMs(() => readAll(text, solve));
    const written = threadMs(() => readAll(text, write));
    if (pass > 0) times.push({ parse, write: written - parse, solve: solved - parse });
  }
  const microseconds = (pick: (time: (typeof times)[number]) => number) =>
    (median(times.map(pick)) * 1000) / count;
  return {
    name,
    parseUs: microseconds(({ parse }) => parse),
    writeUs: microseconds(({ write }) => write),
    solveUs: microseconds(({ solve }) => solve),
    share: median(times.map(({ parse, write, solve }) => (parse + write) / solve)),
  };
}

/** Returns the processor time that this thread takes for some work, in milliseconds. */
function threadMs(work: () => void): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** Formats the shares as lines of text. */
export function shareText(shares: readonly LineShare[]): string {
  return shares
    .map(({ name, parseUs, writeUs, solveUs, share }) => {
      const cost = `read ${parseUs.toFixed(2)} us + write ${writeUs.toFixed(2)} us`;
      return `${name}: ${cost} a line, ${(100 * share).toFixed(1)}% of solving it with dlx (${solveUs.toFixed(2)} us)\n`;
    })
    .join('');
}

/** Measures everything and writes it to standard output; the exit status is 1 if a rate or a share misses its limit. */
export function reportReading(passes: number, json: boolean, onProgress: (text: string) => void): void {
  const results = measureReading(readingInputs(), INPUT_BYTES, passes, onProgress);
  const shares = measureLineShare(passes);
  onProgress('');
  const slow = tooSlow(results);
  const costly = shares.filter(({ share }) => share > MAX_SHARE);
  if (slow.length + costly.length > 0) process.exitCode = 1;
  if (json) {
    process.stdout.write(`${JSON.stringify({ reading: results, lines: shares }, undefined, 2)}\n`);
    return;
  }
  process.stdout.write(`${readingTable(results)}\n${shareText(shares)}`);
  for (const { name, kind, rates } of slow) {
    process.stdout.write(`${name}: ${median(rates).toFixed(0)} MB/s, below ${MIN_RATE[kind]}\n`);
  }
  for (const { name, share } of costly) {
    process.stdout.write(`${name}: ${(100 * share).toFixed(0)}% of solving, above ${100 * MAX_SHARE}%\n`);
  }
}
