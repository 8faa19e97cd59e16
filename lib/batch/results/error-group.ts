/** The kind of an exception, in words: exceptions of one kind are a group of the report, whatever their lines and cells are. */
import type { JobRecord } from './job-record.ts';
import { MAX_WRITTEN, NO_SOLUTION, shortened, UNEXPECTED_RESULT } from './record-error.ts';

/** Characters of a kind; longer ones are cut. */
const MAX_CHARACTERS = 200;
/** The place at the beginning of a message. */
const PLACE = /^line \d+(?:, column \d+)?: /;

/** A quote of the file; a single character says what is wrong. */
const QUOTE = /found ".{3,}?"/;
/** The length of a line, which says of each damaged line something else. */
const LENGTH = /found \d+ (?=characters|cells)/;
/** What to do, which each message says in full. */
const REMEDY = /; .*$/s;

/** Errors whose messages differ from puzzle to puzzle, by their codes. */
const KINDS: Readonly<Record<string, string>> = {
  limit: 'the search budget ran out',
  [UNEXPECTED_RESULT]: 'another result than the file expects',
  [MAX_WRITTEN]: 'more solutions than may be written',
};

/**
 * Returns the kind of an exception, such as `5 occurs twice in a row`. Givens that clash in several units count for the
 * first one.
 */
function errorGroup({ status, error }: Pick<JobRecord, 'status' | 'error'>): string {
  if (error === undefined) return status === 'multiple' ? 'more than one solution' : NO_SOLUTION;
  const clash = error.clashes?.[0];
  if (clash !== undefined) {
    const times = clash.cells.length === 2 ? 'twice' : `${clash.cells.length} times`;
    return `${clash.digit} occurs ${times} in a ${clash.unit.split(' ')[0]}`;
  }
  return shortened(
    KINDS[error.code] ??
      error.message
        .replace(PLACE, '')
        .replace(QUOTE, 'found other text')
        .replace(LENGTH, 'found another number of ')
        .replace(REMEDY, ''),
    MAX_CHARACTERS,
  );
}

/** The name of the group of an exception, by its status and kind: `invalid: 5 occurs twice in a row`. */
export function groupName(record: Pick<JobRecord, 'status' | 'error'>): string {
  return `${record.status}: ${errorGroup(record)}`;
}

/** The name of the group of exceptions of too many kinds: of their status and their code. */
export function otherGroupName({ status, error }: Pick<JobRecord, 'status' | 'error'>): string {
  return `${status}: other errors (${error?.code ?? status})`;
}
