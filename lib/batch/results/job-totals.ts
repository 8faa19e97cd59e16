/** The totals of a job, as in `stats.json`, the manifest and the status, and their text. */
import { counted, numberText } from '../quantities.ts';
import { PUZZLE_STATUSES, type PuzzleStatus } from '../solving/puzzle-status.ts';

/** Records by status; `total` includes unreadable ones. */
export type PuzzleCounts = {
  /** All puzzles, unreadable ones too. */ readonly total: number;
} & Readonly<Record<PuzzleStatus, number>>;

/** Why a file has no puzzle, as a code and in words. */
const NO_PUZZLES = {
  empty: 'the file is empty',
  blank: 'the file has only blank lines',
  comments: 'the file has only comments',
  header: 'the file has only a header',
  list: 'the list of puzzles in the file is empty',
} as const;
export type NoPuzzlesReason = keyof typeof NO_PUZZLES;

/** Documents of earlier versions have only `puzzles`. */
export interface JobTotals {
  /** Puzzles by status. */
  readonly puzzles: PuzzleCounts;
  /** Lines of `exceptions.jsonl`. */
  readonly exceptions?: number;
  /** Puzzles whose result differs from the one that their file expects. */
  readonly unexpectedResults?: number;
  /** Puzzles with more solutions than may be written; omitted if there are none. */
  readonly cutResults?: number;
  /** Omitted if the file has puzzles. */
  readonly noPuzzles?: NoPuzzlesReason;
}

/** Selects the totals from a larger document, in the order in which they are stored. */
export function jobTotals<Document extends Partial<JobTotals>>({
  puzzles,
  exceptions,
  unexpectedResults,
  cutResults,
  noPuzzles,
}: Document): Pick<Document, keyof JobTotals> {
  return { puzzles, exceptions, unexpectedResults, cutResults, noPuzzles };
}

export function exceptionCount({ puzzles, exceptions = puzzles.total - puzzles.solved }: JobTotals): number {
  return exceptions;
}

/** Returns `3 exceptions: 2 invalid, 1 expected result differs`; empty if there are none. */
export function exceptionText(totals: JobTotals): string {
  const count = exceptionCount(totals);
  if (count === 0) return '';
  return `${counted(count, 'exception')}: ${exceptionKinds(totals, PUZZLE_STATUSES).join(', ')}`;
}

/** The exceptions by kind, in words: `1 with more than one solution`, `2 invalid`. @param statuses those that count */
export function exceptionKinds(totals: JobTotals, statuses: readonly PuzzleStatus[]): string[] {
  const { puzzles, unexpectedResults = 0, cutResults = 0 } = totals;
  const kinds = statuses
    .filter((status) => status !== 'solved' && puzzles[status] > 0)
    .map(
      (status) =>
        `${numberText(puzzles[status])} ${status === 'multiple' ? 'with more than one solution' : status}`,
    );
  if (unexpectedResults > 0) kinds.push(unexpectedText(unexpectedResults));
  if (cutResults > 0) kinds.push(`${numberText(cutResults)} with more solutions than may be written`);
  return kinds;
}

/** Returns `2 expected results differ`. */
export function unexpectedText(count: number): string {
  return `${numberText(count)} expected ${count === 1 ? 'result differs' : 'results differ'}`;
}

/** Returns `no puzzles: the file is empty`. */
export function noPuzzlesText(reason: NoPuzzlesReason | undefined): string {
  return reason === undefined ? 'no puzzles' : `no puzzles: ${NO_PUZZLES[reason]}`;
}
