/**
 * `dlx-batch check`: reports puzzles whose givens clash. Nothing is solved: a valid puzzle need not have a solution.
 */
import type { Command } from 'commander';
import { formatHints } from '../../batch/job/format-hints.ts';
import { FileRejection } from '../../batch/job/input.ts';
import { RecordSource } from '../../batch/job/record-source.ts';
import type { SolveOptions } from '../../batch/options.ts';
import { numberText } from '../../batch/quantities.ts';
import { type NoPuzzlesReason, noPuzzlesText } from '../../batch/results/job-totals.ts';
import { type PuzzleRecord, puzzleRecord } from '../../batch/results/puzzle-record.ts';
import { BlockPool } from '../../batch/solving/block-pool.ts';
import { StatusCode } from '../../batch/solving/puzzle-status.ts';
import { markUnreadable } from '../../batch/solving/solve-block.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { systemClock } from '../../node/system.ts';
import { zlibUnpacking } from '../../node/unpacking.ts';
import { givensClash } from '../../sudoku/checks/givens.ts';
import { EXIT_FAILED, EXIT_SOLVED, EXIT_UNSOLVED, missingPuzzles } from '../exit.ts';
import { findInputFiles, type InputFile, rejectionMessage } from '../files/input-files.ts';
import {
  addReadingOptions,
  addRequirePuzzles,
  optionTextsFromFlags,
  readSolveOptions,
} from '../solve-options.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
import { writeTo } from '../terminal/standard-output.ts';

const EXAMPLES = `
Examples:
  dlx-batch check puzzles.txt           one line per puzzle with clashing givens or a format error
  dlx-batch check --json boards.json    the same as JSON lines, with the counts last

Only the givens are checked: a valid puzzle need not have a solution.

Exit status: 0 all puzzles valid, 1 some not, 2 a file could not be checked.`;

export function registerCheck(program: Command): void {
  const command = program
    .command('check')
    .description('check the givens of every puzzle for clashes, without solving')
    .argument('[file...]', 'puzzle files (default, or -: standard input)')
    .addHelpText('after', EXAMPLES);
  addRequirePuzzles(addReadingOptions(command))
    .option(
      '--json',
      'write JSON lines: one per puzzle that is not valid, and one with the counts of each file',
    )
    .action(async (paths: string[], flags: CheckFlags) => {
      process.exitCode = await check(paths, flags, readSolveOptions(optionTextsFromFlags({ ...flags })));
    });
}

interface CheckFlags {
  readonly json?: boolean;
  readonly requirePuzzles?: boolean;
}

/** Puzzles of a file by outcome. */
interface Counts {
  total: number;
  valid: number;
  invalid: number;
  unreadable: number;
}

async function check(paths: readonly string[], flags: CheckFlags, options: SolveOptions): Promise<number> {
  const json = flags.json === true;
  let exitCode = EXIT_SOLVED;
  for (const file of await findInputFiles(paths)) {
    const progress = new ProgressLine(file);
    try {
      const { counts, noPuzzles } = await checkFile(file, options, json, progress);
      progress.clear();
      if (json) await print(JSON.stringify({ file: file.path, puzzles: counts, noPuzzles }));
      else process.stderr.write(`${summary(file.path, counts, noPuzzles)}\n`);
      if (flags.requirePuzzles === true && counts.total === 0) {
        process.stderr.write(`${missingPuzzles(file.path, { noPuzzles })}\n`);
        exitCode = EXIT_FAILED;
      }
      if (counts.valid < counts.total && exitCode === EXIT_SOLVED) exitCode = EXIT_UNSOLVED;
    } catch (error) {
      progress.clear();
      const message = rejectionMessage(error);
      process.stderr.write(`dlx-batch: ${file.path}: ${message}\n`);
      if (json) await print(JSON.stringify({ file: file.path, rejected: { message } }));
      exitCode = EXIT_FAILED;
    }
  }
  return exitCode;
}

async function checkFile(
  file: InputFile,
  options: SolveOptions,
  json: boolean,
  progress: ProgressLine,
): Promise<{ readonly counts: Counts; readonly noPuzzles?: NoPuzzlesReason }> {
  const counts: Counts = { total: 0, valid: 0, invalid: 0, unreadable: 0 };
  const hints = { ...formatHints(options), fileName: file.name };
  const source = new RecordSource(file.openReusingBuffers(), hints, zlibUnpacking, systemClock);
  const startMs = systemClock.monotonicMs();
  try {
    const detection = await source.detect();
    if (detection.kind === 'unreadable') throw new FileRejection(detection.error);
    if (detection.kind === 'exact-cover') throw new FileRejection(NO_GIVENS);
    if (detection.kind !== 'puzzles') return { counts, noPuzzles: source.noPuzzles };
    const pool = new BlockPool(false);
    for await (const block of source.blocks(detection, pool)) {
      for (const record of invalidRecords(block, pool, counts)) {
        await print(json ? JSON.stringify({ file: file.path, ...record }) : line(file, record));
      }
      pool.release(block, 0);
      const elapsedMs = systemClock.monotonicMs() - startMs;
      progress.show({ ...source.progress, puzzles: counts.total, elapsedMs });
    }
    return { counts, noPuzzles: counts.total === 0 ? source.noPuzzles : undefined };
  } finally {
    await source.close();
  }
}

const NO_GIVENS = {
  code: 'unsupported_variant',
  message: 'found exact-cover problems, which have no givens: expected puzzles',
} as const;

/** Counts every record of a block, and yields those that are not valid, in the form of `exceptions.jsonl`. */
function* invalidRecords(block: RecordBlock, pool: BlockPool, counts: Counts): Iterable<PuzzleRecord> {
  const answers = pool.answersOf(block);
  const { geometry, cells } = block;
  markUnreadable(block, answers);
  for (let i = 0; i < block.count; i++) {
    counts.total++;
    if (answers.status[i] === StatusCode.unreadable) counts.unreadable++;
    else if (givensClash(geometry, cells, i * geometry.cellCount)) {
      counts.invalid++;
      answers.status[i] = StatusCode.invalid;
    } else {
      counts.valid++;
      continue;
    }
    yield puzzleRecord(block, answers, i, counts.total, false);
  }
}

/** `puzzles.txt:7: puzzle 3: invalid: <message>`. */
function line(file: InputFile, { index, line, status, error }: PuzzleRecord): string {
  // Text quoted from a file must not break the line or control the terminal.
  const message = error?.message.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return `${file.path}:${line}: puzzle ${index}: ${status}: ${message}`;
}

function summary(path: string, { total, ...counts }: Counts, noPuzzles?: NoPuzzlesReason): string {
  if (total === 0) return `${path}: ${noPuzzlesText(noPuzzles)}`;
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const found = parts.map(([status, count]) => `${numberText(count)} ${status}`).join(', ');
  return `${path}: ${numberText(total)} ${total === 1 ? 'puzzle' : 'puzzles'}: ${found}`;
}

function print(text: string): Promise<void> {
  return writeTo(process.stdout, `${text}\n`);
}
