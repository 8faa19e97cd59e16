/**
 * `dlx-batch check`: reports puzzles whose givens clash. Nothing is solved: a valid puzzle need not have a solution.
 */
import { once } from 'node:events';
import type { Command } from 'commander';
import { explainFile } from '../../batch/job/explanation.ts';
import { formatHints } from '../../batch/job/format-hints.ts';
import { FileRejection } from '../../batch/job/input.ts';
import { RecordSource } from '../../batch/job/record-source.ts';
import type { JobLimits } from '../../batch/job-limits.ts';
import type { SolveOptions } from '../../batch/options.ts';
import { counted, numberText } from '../../batch/quantities.ts';
import { GridResult } from '../../batch/results/grid-result.ts';
import type { JobRecord } from '../../batch/results/job-record.ts';
import { type NoPuzzlesReason, noPuzzlesText } from '../../batch/results/job-totals.ts';
import { markUnreadable } from '../../batch/solving/block-answers.ts';
import { BlockPool } from '../../batch/solving/block-pool.ts';
import { StatusCode } from '../../batch/solving/puzzle-status.ts';
import { tableColumns } from '../../formats/formats.ts';
import type { Detection, FormatHints } from '../../formats/reader.ts';
import type { CommentLine } from '../../formats/records/comment-log.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { systemClock } from '../../node/system.ts';
import { zlibUnpacking } from '../../node/unpacking.ts';
import { givensClash } from '../../sudoku/checks/givens.ts';
import { EXIT_FAILED, EXIT_SOLVED, EXIT_UNSOLVED, missingPuzzles } from '../exit.ts';
import { filesLeft } from '../files/files-left.ts';
import { findInputFiles, type InputFile, rejectionMessage } from '../files/input-files.ts';
import {
  addReadingOptions,
  addRequirePuzzles,
  addUnpackedLimit,
  optionTextsFromFlags,
  readJobLimits,
  readSolveOptions,
} from '../solve-options.ts';
import { explanationLines } from '../terminal/explanation-text.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { complain, print, printJson } from '../terminal/output.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
import { commentCount, unusedText } from '../terminal/summary.ts';

const EXAMPLES = `
Examples:
  dlx-batch check puzzles.txt           one line per puzzle with clashing givens or a format error
  dlx-batch check --json boards.json    the same as JSON lines, with the counts last
  dlx-batch check --explain odd.csv     encoding, format, columns, blanks, comments, first puzzle

Only the givens are checked: a valid puzzle need not have a solution.

Exit status: 0 all puzzles valid, 1 some not, 2 a file could not be checked.`;

export function registerCheck(program: Command): void {
  const command = program
    .command('check')
    .description('check the givens of every puzzle for clashes, without solving')
    .argument('[file...]', 'puzzle files (default, or -: standard input)')
    .addHelpText('after', EXAMPLES);
  addUnpackedLimit(addRequirePuzzles(addReadingOptions(command)))
    .option(
      '--json',
      'write JSON lines: one per puzzle that is not valid, and one with the counts of each file',
    )
    .option('--explain', 'show how each file is understood, and the options to pass if that is wrong')
    .action(async (paths: string[], flags: CheckFlags) => {
      const options = readSolveOptions(optionTextsFromFlags({ ...flags }));
      process.exitCode = await check(paths, flags, options, readJobLimits({ ...flags }));
    });
}

interface CheckFlags {
  readonly explain?: boolean;
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

/** Facts about a file other than its puzzles; omitted if they do not apply. */
interface FileFacts {
  readonly noPuzzles?: NoPuzzlesReason;
  readonly comments?: { readonly lines: number; readonly first: readonly CommentLine[] };
  readonly unusedColumns?: readonly string[];
}

async function check(
  paths: readonly string[],
  flags: CheckFlags,
  options: SolveOptions,
  jobLimits: JobLimits,
): Promise<number> {
  const json = flags.json === true;
  let exitCode = EXIT_SOLVED;
  const files = await findInputFiles(paths);
  let done = 0;
  using _ = onInterrupt({ left: () => [filesLeft(files, done, 'checked')] });
  for (const [index, file] of files.entries()) {
    done = index;
    const progress = new ProgressLine(file);
    try {
      if (flags.explain === true) {
        const status = await explain(file, options, jobLimits, json, progress);
        exitCode = Math.max(exitCode, status);
        continue;
      }
      const { counts, facts } = await checkFile(file, options, jobLimits, json, progress);
      if (json) await drained(printJson({ file: file.path, puzzles: counts, ...facts }));
      else print(summary(file.path, counts, facts), process.stderr);
      if (flags.requirePuzzles === true && counts.total === 0) {
        complain(missingPuzzles(file.path, facts));
        exitCode = EXIT_FAILED;
      }
      if (counts.valid < counts.total && exitCode === EXIT_SOLVED) exitCode = EXIT_UNSOLVED;
    } catch (error) {
      const message = rejectionMessage(error);
      complain(`${file.path}: ${message}`);
      if (json) await drained(printJson({ file: file.path, rejected: { message } }));
      exitCode = EXIT_FAILED;
    }
  }
  return exitCode;
}

function openSource(file: InputFile, hints: FormatHints, { unpackedBytes }: JobLimits): RecordSource {
  const limits = { maxBytes: unpackedBytes, storedBytes: file.bytes };
  return new RecordSource(file.openReusingBuffers(), hints, zlibUnpacking, systemClock, false, limits);
}

/** @returns the exit status of the file */
async function explain(
  file: InputFile,
  options: SolveOptions,
  jobLimits: JobLimits,
  json: boolean,
  progress: ProgressLine,
): Promise<number> {
  const hints = { ...formatHints(options), fileName: file.name };
  const source = openSource(file, hints, jobLimits);
  const startMs = systemClock.monotonicMs();
  try {
    const explanation = await explainFile(source, hints, (puzzles) => {
      const elapsedMs = systemClock.monotonicMs() - startMs;
      progress.show({ ...source.progress, puzzles, elapsedMs });
    });
    const lines = [file.path, ...explanationLines(explanation)];
    await drained(json ? printJson({ file: file.path, ...explanation }) : print(lines));
    if (explanation.firstError !== undefined && explanation.puzzles === 0) return EXIT_FAILED;
    return explanation.unreadable + explanation.invalid > 0 ? EXIT_UNSOLVED : EXIT_SOLVED;
  } finally {
    await source.close();
  }
}

async function checkFile(
  file: InputFile,
  options: SolveOptions,
  jobLimits: JobLimits,
  json: boolean,
  progress: ProgressLine,
): Promise<{ readonly counts: Counts; readonly facts: FileFacts }> {
  const counts: Counts = { total: 0, valid: 0, invalid: 0, unreadable: 0 };
  const hints = { ...formatHints(options), fileName: file.name };
  const source = openSource(file, hints, jobLimits);
  const startMs = systemClock.monotonicMs();
  try {
    const detection = await source.detect();
    if (detection.kind === 'unreadable') throw new FileRejection(detection.error);
    if (detection.kind === 'exact-cover') throw new FileRejection(NO_GIVENS);
    if (detection.kind !== 'puzzles') {
      source.readComments();
      return { counts, facts: factsOf(source, detection, counts) };
    }
    const pool = new BlockPool(false);
    for await (const block of source.blocks(detection, pool)) {
      for (const record of invalidRecords(block, pool, counts)) {
        await drained(json ? printJson({ file: file.path, ...record }) : print([line(file, record)]));
      }
      pool.release(block, 0);
      const elapsedMs = systemClock.monotonicMs() - startMs;
      progress.show({ ...source.progress, puzzles: counts.total, elapsedMs });
    }
    return { counts, facts: factsOf(source, detection, counts) };
  } finally {
    await source.close();
  }
}

function factsOf(source: RecordSource, detection: Detection, { total }: Counts): FileFacts {
  const { comments, noPuzzles } = source;
  const unused = tableColumns(detection)?.unused ?? [];
  return {
    noPuzzles: total === 0 ? noPuzzles : undefined,
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
function* invalidRecords(block: RecordBlock, pool: BlockPool, counts: Counts): Iterable<JobRecord> {
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
    yield new GridResult(block, answers, i, counts.total).record(false);
  }
}

/** `puzzles.txt:7: puzzle 3: invalid: <message>`. */
function line(file: InputFile, { index, line, status, error }: JobRecord): string {
  return `${file.path}:${line}: puzzle ${index}: ${status}: ${error?.message}`;
}

function summary(
  path: string,
  { total, ...counts }: Counts,
  { noPuzzles, comments, unusedColumns }: FileFacts,
): string[] {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const found = parts.map(([status, count]) => `${numberText(count)} ${status}`).join(', ');
  const puzzles = `${counted(total, 'puzzle')}: ${found}`;
  const lines = [`${path}: ${total === 0 ? noPuzzlesText(noPuzzles) : puzzles}`];
  if (comments !== undefined) {
    const { lines: count, first } = comments;
    lines.push(`  ${commentCount(count)}${first.length < count ? '; the first ones' : ''}:`);
    for (const { line, text } of first) lines.push(`    line ${numberText(line)}: ${text}`);
  }
  if (unusedColumns !== undefined) lines.push(`  ${unusedText(unusedColumns)}`);
  return lines;
}

/** @param accepted whether standard output accepts more at once */
async function drained(accepted: boolean): Promise<void> {
  if (!accepted) await once(process.stdout, 'drain');
}
