/**
 * `dlx-batch check`: reports puzzles whose givens clash. Nothing is solved: a valid puzzle need not have a solution.
 */
import type { Command } from 'commander';
import { formatHints } from '../../batch/job/format-hints.ts';
import { FileRejection } from '../../batch/job/input.ts';
import { RecordSource } from '../../batch/job/record-source.ts';
import type { SolveOptions } from '../../batch/options.ts';
import { numberText } from '../../batch/quantities.ts';
import { type PuzzleRecord, puzzleRecord } from '../../batch/results/puzzle-record.ts';
import { BlockPool } from '../../batch/solving/block-pool.ts';
import { StatusCode } from '../../batch/solving/puzzle-status.ts';
import { markUnreadable } from '../../batch/solving/solve-block.ts';
import { tableColumns } from '../../formats/formats.ts';
import type { Detection } from '../../formats/reader.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import type { CommentLine } from '../../formats/text/comment-log.ts';
import { systemClock } from '../../node/system.ts';
import { zlibUnpacking } from '../../node/unpacking.ts';
import { givensClash } from '../../sudoku/checks/givens.ts';
import { EXIT_FAILED, EXIT_SOLVED, EXIT_UNSOLVED } from '../exit.ts';
import { findInputFiles, type InputFile, rejectionMessage } from '../files/input-files.ts';
import { addReadingOptions, optionTextsFromFlags, readSolveOptions } from '../solve-options.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
import { writeTo } from '../terminal/standard-output.ts';
import { commentCount, unusedText } from '../terminal/summary.ts';

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
  addReadingOptions(command)
    .option(
      '--json',
      'write JSON lines: one per puzzle that is not valid, and one with the counts of each file',
    )
    .action(async (paths: string[], flags: { readonly json?: boolean }) => {
      process.exitCode = await check(
        paths,
        flags.json === true,
        readSolveOptions(optionTextsFromFlags({ ...flags })),
      );
    });
}

/** Puzzles of a file by outcome. */
interface Counts {
  total: number;
  valid: number;
  invalid: number;
  unreadable: number;
}

/** Parts of a file that affect no result; omitted if there are none. */
interface Skipped {
  readonly comments?: { readonly lines: number; readonly first: readonly CommentLine[] };
  readonly unusedColumns?: readonly string[];
}

async function check(paths: readonly string[], json: boolean, options: SolveOptions): Promise<number> {
  let exitCode = EXIT_SOLVED;
  for (const file of await findInputFiles(paths)) {
    const progress = new ProgressLine(file);
    try {
      const { counts, skipped } = await checkFile(file, options, json, progress);
      progress.clear();
      if (json) await print(JSON.stringify({ file: file.path, puzzles: counts, ...skipped }));
      else process.stderr.write(`${summary(file.path, counts, skipped)}\n`);
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
): Promise<{ readonly counts: Counts; readonly skipped: Skipped }> {
  const counts: Counts = { total: 0, valid: 0, invalid: 0, unreadable: 0 };
  const hints = { ...formatHints(options), fileName: file.name };
  const source = new RecordSource(file.openReusingBuffers(), hints, zlibUnpacking, systemClock);
  const startMs = systemClock.monotonicMs();
  try {
    const detection = await source.detect();
    if (detection.kind === 'unreadable') throw new FileRejection(detection.error);
    if (detection.kind === 'exact-cover') throw new FileRejection(NO_GIVENS);
    if (detection.kind !== 'puzzles') {
      source.readComments();
      return { counts, skipped: skippedIn(source, detection) };
    }
    const pool = new BlockPool(false);
    for await (const block of source.blocks(detection, pool)) {
      for (const record of invalidRecords(block, pool, counts)) {
        await print(json ? JSON.stringify({ file: file.path, ...record }) : line(file, record));
      }
      pool.release(block, 0);
      const elapsedMs = systemClock.monotonicMs() - startMs;
      progress.show({ ...source.progress, puzzles: counts.total, elapsedMs });
    }
    return { counts, skipped: skippedIn(source, detection) };
  } finally {
    await source.close();
  }
}

function skippedIn({ comments }: RecordSource, detection: Detection): Skipped {
  const unused = tableColumns(detection)?.unused ?? [];
  return {
    comments:
      comments === undefined || comments.count === 0
        ? undefined
        : { lines: comments.count, first: comments.first },
    unusedColumns: unused.length === 0 ? undefined : unused,
  };
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

function summary(path: string, { total, ...counts }: Counts, { comments, unusedColumns }: Skipped): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const found = parts.map(([status, count]) => `${numberText(count)} ${status}`).join(', ');
  const lines = [
    `${path}: ${numberText(total)} ${total === 1 ? 'puzzle' : 'puzzles'}${found === '' ? '' : `: ${found}`}`,
  ];
  if (comments !== undefined) {
    const { lines: count, first } = comments;
    lines.push(`  ${commentCount(count)}${first.length < count ? '; the first ones' : ''}:`);
    for (const { line, text } of first) lines.push(`    line ${numberText(line)}: ${text}`);
  }
  if (unusedColumns !== undefined) lines.push(`  ${unusedText(unusedColumns)}`);
  return lines.join('\n');
}

function print(text: string): Promise<void> {
  return writeTo(process.stdout, `${text}\n`);
}
