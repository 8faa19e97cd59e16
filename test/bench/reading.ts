/**
 * How fast puzzles are read: every format, and the untidy ways in which files are written; megabytes of text a second,
 * on one thread. And what a line costs to read and to write, as a share of solving it.
 *
 * Bytes come in pieces as a file or S3 gives them, and go into the blocks that a job uses. The detection of the
 * head is counted in. Each input is read in several passes; the least and the median rate are given.
 */
import { BlockPool } from '../../lib/batch/solving/block-pool.ts';
import { median } from '../../lib/cli/bench/measure.ts';
import { ByteBuffer } from '../../lib/formats/bytes/byte-buffer.ts';
import { COVER_FORMAT_NAMES, type CoverRecord } from '../../lib/formats/exact-cover/cover-record.ts';
import { detectFormat, openCoverReader, openReader, openWriter } from '../../lib/formats/formats.ts';
import { HEAD_BYTES } from '../../lib/formats/reader.ts';
import type { RecordBlock } from '../../lib/formats/records/record-block.ts';
import { createAnswers, type SearchLimits } from '../../lib/sudoku/engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { generatePuzzle } from '../../lib/sudoku/generator/generate.ts';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import { LEAST_RATE, type ReadingInput, readingInputs, textOf } from './reading-inputs.ts';

/** Bytes of text of each input, at least. */
const INPUT_BYTES = 6_000_000;

/** Bytes of a piece: what a file stream gives. */
const PIECE_BYTES = 64 * 1024;

export interface ReadingResult {
  readonly name: string;
  readonly format: string;
  readonly kind: ReadingInput['kind'];
  readonly bytes: number;
  /** Records read, and how many of them are puzzles. */
  readonly records: number;
  readonly puzzles: number;
  /** MB/s in each pass. */
  readonly rates: readonly number[];
}

type Counted = { -readonly [key in keyof ReadingResult]: ReadingResult[key] } & { rates: number[] };

/**
 * Reads a text to its end.
 *
 * @param take is given every block; it is used again afterwards
 * @throws Error where the text holds no puzzle
 */
export function readAll(text: Uint8Array, take: (block: RecordBlock) => void): void {
  const detection = detectFormat(text.subarray(0, HEAD_BYTES), text.length <= HEAD_BYTES, {});
  if (detection.kind !== 'puzzles') throw new Error('the text holds no puzzle');
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
 * The same for exact-cover problems.
 *
 * @param asked the format, where the user says it
 * @returns how many problems were read
 * @throws Error where the text is no exact-cover file
 */
export function readCovers(text: Uint8Array, asked?: string): number {
  const complete = text.length <= HEAD_BYTES;
  const detection = detectFormat(text.subarray(0, HEAD_BYTES), complete, { format: asked });
  if (detection.kind !== 'exact-cover') throw new Error('the text holds no exact-cover problem');
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

/**
 * Reads every input `passes` times.
 *
 * @param bytes of text of each, at least
 */
export function measureReading(
  inputs: readonly ReadingInput[],
  bytes: number,
  passes: number,
  onProgress: (text: string) => void,
): ReadingResult[] {
  const results = inputs.map(({ name, format, kind }): Counted => {
    return { name, format, kind, bytes: 0, records: 0, puzzles: 0, rates: [] };
  });
  for (const [index, input] of inputs.entries()) {
    const text = textOf(input, bytes);
    const { format, asked } = input;
    const read = isCover(format) ? () => readCovers(text, asked) : undefined;
    // One pass more than is counted: the first one is for the compiler.
    for (let pass = 0; pass <= passes; pass++) {
      onProgress(`${input.name}: pass ${pass} of ${passes}`);
      timePass(text, results[index], pass > 0, read);
    }
  }
  return results;
}

/** One pass; only the processor time of this thread counts, so that others on the machine matter less. */
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

/** Whether a format is one of exact-cover problems. */
export function isCover(format: string): boolean {
  return (COVER_FORMAT_NAMES as readonly string[]).includes(format);
}

/** Inputs that were read slower than is promised, in the median. */
export function tooSlow(results: readonly ReadingResult[]): ReadingResult[] {
  return results.filter(({ kind, rates }) => median(rates) < LEAST_RATE[kind]);
}

/** A table in Markdown. */
export function readingTable(results: readonly ReadingResult[]): string {
  const rows = results.map(({ name, format, records, puzzles, rates }) => [
    name,
    format,
    records.toLocaleString('en-US'),
    puzzles.toLocaleString('en-US'),
    Math.min(...rates).toFixed(0),
    median(rates).toFixed(0),
  ]);
  const head = ['input', 'format', 'records', 'puzzles', 'MB/s, least', 'median'];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, k) => (k < 2 ? cell.padEnd(widths[k]) : cell.padStart(widths[k]))).join(' | ')} |`;
  const ruler = `|${widths.map((width, k) => (k < 2 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), ruler, ...rows.map(line), ''].join('\n');
}

/** What a line costs to read and to write, and to solve, in microseconds of processor time: medians over the passes. */
export interface LineShare {
  readonly name: string;
  readonly parseUs: number;
  readonly writeUs: number;
  readonly solveUs: number;
  /** Median over the passes of (parse + write) / solve. */
  readonly share: number;
}

/** Largest share of solving a line that reading and writing it is promised to cost. */
export const MOST_SHARE = 0.15;

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

/** Different puzzles, and how often a pass goes through them: 10 MB, of which the survey of the head is a tenth. */
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
  const writer = openWriter('line', { kind: 'empty' }, {});
  const write = (block: RecordBlock) => {
    // As a job does: the block at once, where its writer can.
    if (writer.entries?.(out, block, 0, block.count, answers.cells, false) !== true) {
      throw new Error('the lines of a block are not written together');
    }
    out.length = 0;
  };
  const solve = (block: RecordBlock) => {
    engine.solve(block, 0, block.count, LIMITS, answers);
  };
  // The clock of a thread's processor time is too coarse for one block: so each pass reads three times, and what is done
  // with the blocks makes the difference.
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

/** What some work takes of this thread's processor time, in milliseconds. */
function threadMs(work: () => void): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** The shares as lines of text. */
export function shareText(shares: readonly LineShare[]): string {
  return shares
    .map(({ name, parseUs, writeUs, solveUs, share }) => {
      const cost = `read ${parseUs.toFixed(2)} us + write ${writeUs.toFixed(2)} us`;
      return `${name}: ${cost} a line, ${(100 * share).toFixed(1)}% of solving it with dlx (${solveUs.toFixed(2)} us)\n`;
    })
    .join('');
}

/** Measures everything and writes it to standard output; the exit status is 1 where something is too slow. */
export function reportReading(passes: number, json: boolean, onProgress: (text: string) => void): void {
  const results = measureReading(readingInputs(), INPUT_BYTES, passes, onProgress);
  const shares = measureLineShare(passes);
  onProgress('');
  const slow = tooSlow(results);
  const costly = shares.filter(({ share }) => share > MOST_SHARE);
  if (slow.length + costly.length > 0) process.exitCode = 1;
  if (json) {
    process.stdout.write(`${JSON.stringify({ reading: results, lines: shares }, undefined, 2)}\n`);
    return;
  }
  process.stdout.write(`${readingTable(results)}\n${shareText(shares)}`);
  for (const { name, kind, rates } of slow) {
    process.stdout.write(`${name}: ${median(rates).toFixed(0)} MB/s, below ${LEAST_RATE[kind]}\n`);
  }
  for (const { name, share } of costly) {
    process.stdout.write(`${name}: ${(100 * share).toFixed(0)}% of solving, above ${100 * MOST_SHARE}%\n`);
  }
}
