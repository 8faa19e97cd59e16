/** Keeps the records of a job that its report lists: the first ones, and the first exceptions; it counts the others. */
import { groupName, otherGroupName } from './error-group.ts';
import type { JobRecord } from './job-record.ts';
import { MAX_WRITTEN, UNEXPECTED_RESULT } from './record-error.ts';

/** Records of a job that a report lists, whatever their outcome, and exceptions that it lists in addition. */
export const MAX_LISTED = 500;
const MAX_EXCEPTIONS = 1000;
/** Groups of exceptions; the exceptions of further ones are grouped by their codes, of which there are few. */
const MAX_GROUPS = 200;
/** Unreadable records of a part of a large job whose text is kept. */
const MAX_SOURCES = 100;
/** Longer puzzles are not drawn, and so not kept; a 36x36 of numbers is shorter. */
export const MAX_PUZZLE_CHARACTERS = 4096;

/** A record, and what its files do not have. */
export interface SampledRecord extends JobRecord {
  /** The beginning of the text of an unreadable record. */
  readonly source?: string | undefined;
}

/** Exceptions with equal errors. */
interface ExceptionGroup {
  /** See `groupName`. */
  readonly name: string;
  count: number;
  /** The first of them, which a report lists even if it is not among the first exceptions. */
  readonly first: SampledRecord;
}

/** The exceptions and the records of a part of a job, as JSON data. */
export interface SampleSnapshot {
  readonly total: number;
  readonly unexpected: number;
  readonly cut: number;
  readonly groups: readonly ExceptionGroup[];
  readonly listed: readonly SampledRecord[];
  /** The texts of its first unreadable records, which `exceptions.jsonl` does not have. */
  readonly sources: readonly (readonly [index: number, source: string])[];
}

export class RecordSample {
  /** Number of all exceptions. */
  total = 0;
  /** Number of those whose result differs from the one that their file expects. */
  unexpected = 0;
  /** Number of those with more solutions than may be written. */
  cut = 0;
  /** The first records of the job, in the order of the file. */
  readonly listed: SampledRecord[] = [];
  /** The first exceptions, in the order of the file. */
  readonly exceptions: SampledRecord[] = [];
  readonly #groups = new Map<string, ExceptionGroup>();
  readonly #sources = new Map<number, string>();

  /** Exceptions by kind, in the order of their first ones. */
  get groups(): readonly ExceptionGroup[] {
    return [...this.#groups.values()];
  }

  /** Whether further exceptions are only counted. */
  get isFull(): boolean {
    return this.exceptions.length === MAX_EXCEPTIONS;
  }

  /** Adds a record that is among the first `MAX_LISTED`. */
  list(record: SampledRecord): void {
    this.listed.push(small(record));
  }

  /** Adds an exception. */
  add(record: SampledRecord): void {
    const { error, index, source } = record;
    this.total++;
    if (error?.code === UNEXPECTED_RESULT) this.unexpected++;
    if (error?.code === MAX_WRITTEN) this.cut++;
    if (source !== undefined && this.#sources.size < MAX_SOURCES) this.#sources.set(index, source);
    this.#count({ name: groupName(record), count: 1, first: record });
    this.keep(record);
  }

  /** Lists an exception that is counted. */
  keep(record: SampledRecord): void {
    if (this.isFull) return;
    const source = record.source ?? this.#sources.get(record.index);
    this.exceptions.push(small(source === undefined ? record : { ...record, source }));
  }

  /** All counts, and the records that no file has, as JSON data. */
  snapshot(): SampleSnapshot {
    const { total, unexpected, cut, groups, listed } = this;
    return { total, unexpected, cut, groups, listed, sources: [...this.#sources] };
  }

  /** Adds the counts of a snapshot; call it in the order of the file. Its exceptions are in its files, see `keep`. */
  merge({ total, unexpected, cut, groups, listed, sources }: SampleSnapshot): void {
    this.total += total;
    this.unexpected += unexpected;
    this.cut += cut;
    for (const group of groups) this.#count(group);
    this.listed.push(...listed);
    for (const [index, source] of sources) this.#sources.set(index, source);
  }

  #count({ name, count, first }: ExceptionGroup): void {
    const isNew = !this.#groups.has(name);
    const own = isNew && this.#groups.size >= MAX_GROUPS ? otherGroupName(first) : name;
    const group = this.#groups.get(own);
    if (group === undefined) this.#groups.set(own, { name: own, count, first: small(first) });
    else group.count += count;
  }
}

/** Removes the grid of a record that is too large to draw, and the options of an exact cover. */
function small(record: SampledRecord): SampledRecord {
  const { puzzle = '', solution } = record;
  if (typeof solution !== 'object' && puzzle.length <= MAX_PUZZLE_CHARACTERS) return record;
  const { puzzle: _puzzle, solution: _solution, regions: _regions, error, ...rest } = record;
  return { ...rest, error: error && { ...error, clashes: undefined } };
}
