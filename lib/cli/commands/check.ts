/** Reports puzzles whose givens clash. Nothing is solved: a valid puzzle need not have a solution. */
import { once } from 'node:events';
import { explainFile, type FileExplanation, fileComments } from '../../batch/job/explanation.ts';
import { FileRejection } from '../../batch/job/input.ts';
import type { RecordSource } from '../../batch/job/record-source.ts';
import { counted, countsText, numberText } from '../../batch/quantities.ts';
import { GridResult } from '../../batch/results/grid-result.ts';
import type { JobRecord } from '../../batch/results/job-record.ts';
import { type NoPuzzlesReason, noPuzzlesText } from '../../batch/results/job-totals.ts';
import { type BlockAnswers, markUnreadable } from '../../batch/solving/block-answers.ts';
import { BlockPool } from '../../batch/solving/block-pool.ts';
import { puzzleLimits } from '../../batch/solving/drive.ts';
import { PUZZLE_STATUSES, StatusCode } from '../../batch/solving/puzzle-status.ts';
import { RangeSolver } from '../../batch/solving/range-solver.ts';
import { rateRecord } from '../../batch/solving/rate-record.ts';
import { tableColumns } from '../../formats/formats.ts';
import type { Detection } from '../../formats/reader.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { systemClock } from '../../node/system.ts';
import { givensClash } from '../../sudoku/checks/givens.ts';
import { createEngine } from '../../sudoku/engines.ts';
import { type NamedStep, ratedPath } from '../../sudoku/rating/path.ts';
import { EXIT_FAILED, EXIT_SOLVED, EXIT_UNSOLVED } from '../exit.ts';
import { forEachFile, withSource } from '../files/each-file.ts';
import { findInputFiles, type InputFile } from '../files/input-files.ts';
import { optionTextsFromFlags, readSolveOptions } from '../option-values.ts';
import { explanationLines } from '../terminal/explanation-text.ts';
import { print, printJson } from '../terminal/output.ts';
import { fileProgress, ProgressLine } from '../terminal/progress.ts';
import { commentCount, unusedText } from '../terminal/summary.ts';

interface CheckFlags {
  readonly explain?: boolean;
  readonly rate?: boolean;
  readonly steps?: boolean;
  readonly json?: boolean;
}

/** Puzzles of a file by outcome. */
interface Counts {
  total: number;
  valid: number;
  invalid: number;
  unreadable: number;
}

type CheckedRecord = JobRecord & { readonly steps?: readonly NamedStep[] };

/** Facts about a file other than its puzzles; omitted if they do not apply. */
interface FileFacts {
  readonly noPuzzles?: NoPuzzlesReason;
  readonly comments?: FileExplanation['comments'];
  readonly unusedColumns?: readonly string[];
}

/** @returns the exit status */
export async function run(paths: readonly string[], flags: CheckFlags): Promise<number> {
  const options = readSolveOptions(optionTextsFromFlags({ ...flags }));
  const json = flags.json === true;
  const work = flags.explain === true ? explain : checkFile;
  const files = await findInputFiles(paths);
  const checkOne = (file: InputFile) =>
    withSource({ ...file, stream: file.openReusingBuffers() }, options, (source) =>
      work(file, source, flags),
    );
  return forEachFile(files, 'checked', checkOne, (file, message) => {
    if (json) printJson({ file, rejected: { message } });
  });
}

/** @returns the exit status of the file */
async function explain(file: InputFile, source: RecordSource, { json }: CheckFlags): Promise<number> {
  const line = new ProgressLine();
  const explanation = await explainFile(source, (puzzles) => {
    line.show(() => fileProgress(file, { ...source.progress, puzzles }));
  });
  const lines = [file.path, ...explanationLines(explanation)];
  await drained(json === true ? printJson({ file: file.path, ...explanation }) : print(lines));
  if (explanation.firstError !== undefined && explanation.puzzles === 0) return EXIT_FAILED;
  return explanation.unreadable + explanation.invalid > 0 ? EXIT_UNSOLVED : EXIT_SOLVED;
}

/** @returns the exit status of the file */
async function checkFile(
  file: InputFile,
  source: RecordSource,
  { json, rate, steps }: CheckFlags,
): Promise<number> {
  const counts: Counts = { total: 0, valid: 0, invalid: 0, unreadable: 0 };
  const line = new ProgressLine();
  const detection = await source.detectReadable();
  if (detection.kind === 'exact-cover') throw new FileRejection(NO_GIVENS);
  if (detection.kind !== 'puzzles') source.readComments();
  else {
    const pool = new BlockPool(false);
    const solver = rate && new RangeSolver(createEngine('dlx'), systemClock, { rate: rateRecord });
    for await (const block of source.blocks(detection, pool)) {
      const answers = pool.answersOf(block);
      for (const record of checkedRecords(block, answers, counts, solver || undefined, steps === true)) {
        const written =
          json === true ? printJson({ file: file.path, ...record }) : print(recordLines(file, record));
        await drained(written);
      }
      pool.release(block, 0);
      line.show(() => fileProgress(file, { ...source.progress, puzzles: counts.total }));
    }
  }
  const facts = factsOf(source, detection, counts);
  if (json === true) await drained(printJson({ file: file.path, puzzles: counts, ...facts }));
  else print(summary(file.path, counts, facts), process.stderr);
  return counts.valid < counts.total ? EXIT_UNSOLVED : EXIT_SOLVED;
}

function factsOf(source: RecordSource, detection: Detection, { total }: Counts): FileFacts {
  const { noPuzzles } = source;
  const unused = tableColumns(detection)?.unused ?? [];
  return {
    noPuzzles: total === 0 ? noPuzzles : undefined,
    comments: fileComments(source),
    unusedColumns: unused.length === 0 ? undefined : unused,
  };
}

const NO_GIVENS = {
  code: 'unsupported_variant',
  message: 'found exact-cover problems, which have no givens: expected puzzles',
} as const;

/**
 * Counts the records of a block, and yields those that are not valid, in the form of `exceptions.jsonl`; with a solver, it solves
 * the block, and yields all records with their ratings.
 */
function* checkedRecords(
  block: RecordBlock,
  answers: BlockAnswers,
  counts: Counts,
  solver: RangeSolver | undefined,
  hasSteps: boolean,
): Iterable<CheckedRecord> {
  const { geometry, cells, layout } = block;
  const limits = { ...puzzleLimits(readSolveOptions({}), {}), rate: true };
  markUnreadable(block, answers);
  for (let i = 0; i < block.count; i++) {
    const at = i * geometry.cellCount;
    if (solver !== undefined) {
      for (const _ of solver.solve({ puzzles: block, from: i, to: i + 1, limits, answers }));
    } else if (answers.status[i] === StatusCode.solved && givensClash(geometry, cells, at)) {
      answers.status[i] = StatusCode.invalid;
    }
    counts.total++;
    const status = PUZZLE_STATUSES[answers.status[i]!]!;
    const kind = status === 'unreadable' || status === 'invalid' ? status : 'valid';
    counts[kind]++;
    if (kind === 'valid' && solver === undefined) continue;
    const { solveUs: _, ...record } = new GridResult(block, answers, i, counts.total).record(false);
    const givens = cells.subarray(at, at + geometry.cellCount);
    const path = hasSteps && record.rating !== undefined;
    yield path ? { ...record, steps: ratedPath(geometry, givens, layout.alphabet.symbols).steps } : record;
  }
}

/** `puzzles.txt:7: puzzle 3: invalid: <message>`, or its rating; then its steps. */
function recordLines(file: InputFile, record: CheckedRecord): string[] {
  const { index, line, status, error, rating, ratingIsLowerBound, grade, technique, steps = [] } = record;
  const lower = ratingIsLowerBound === true ? 'at least ' : '';
  const told =
    rating !== undefined
      ? `${lower}${rating.toFixed(1)}, ${grade}: ${technique}`
      : `${status}${error === undefined ? '' : `: ${error.message}`}${record.solution === undefined ? '' : ': not rated'}`;
  return [`${file.path}:${line}: puzzle ${index}: ${told}`, ...steps.map(stepLine)];
}

/** `  3.0 naked pair: 3 7 in r1c2 r1c5: r1c8 is not 3`. */
function stepLine({ rating, technique, cells, digits, eliminations, placement }: NamedStep): string {
  const pattern = cells.length === 1 ? '' : `: ${digits.join(' ')} in ${cells.join(' ')}`;
  const follows =
    placement === undefined
      ? eliminations.map(({ cell, digit }) => `${cell} is not ${digit}`).join(', ')
      : `${placement.cell} is ${placement.digit}`;
  return `  ${rating.toFixed(1)} ${technique}${pattern}: ${follows}`;
}

function summary(
  path: string,
  { total, ...counts }: Counts,
  { noPuzzles, comments, unusedColumns }: FileFacts,
): string[] {
  const found = countsText(['valid', 'invalid', 'unreadable'], (status) => counts[status]);
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
