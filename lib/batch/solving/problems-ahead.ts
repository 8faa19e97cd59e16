/**
 * Reads the problems of a file; while one is searched for long, other threads begin with those after it.
 *
 *     its turn:       1 ...................................   2  3  4
 *     threads            2 ......  3 ..  5 ..........
 *                              4 .....  6 ..                  their answers wait
 *
 * What is read ahead is bounded: problems, their entries, and the bytes of their solutions (lib/node/serve-searches.ts). When a
 * problem is read ahead depends on the clock; its answer does not.
 */
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';
import type { FoundSolution, SplitRule } from '../../exact-cover/split/split-search.ts';
import type { CoverProblem, CoverRecord } from '../../formats/exact-cover/cover-record.ts';
import type { PuzzleLimits } from './drive.ts';
import type { OpenSearch } from './elsewhere.ts';
import type { RecordAnswer } from './record-search.ts';

/** How a problem is searched: as by `searchCover`. */
export interface ProblemRequest {
  readonly limits: PuzzleLimits;
  /** Whether solutions are only counted. */
  readonly counting: boolean;
  /** Whether each solution is a step of the search, even if they are counted. */
  readonly checkAll: boolean;
  readonly splitRule: SplitRule | undefined;
}

/** The whole answer to a problem. */
interface ProblemAnswer {
  readonly end: RecordAnswer;
  /** Each with the counts of the search so far. */
  readonly solutions: Iterable<FoundSolution>;
}

/** A search that another thread has begun. */
export interface StartedSearch extends OpenSearch {
  /** Undefined until it is known; `given up` if all threads have to search the problem, or its solutions are too many to wait. */
  readonly answer: ProblemAnswer | 'given up' | undefined;
}

/** Searches whole problems of an exact-cover file before their turn. */
export interface ProblemSolver {
  /** Threads that do nothing now. */
  readonly idle: number;
  /** Has an idle thread begin the search of a problem without costs. */
  begin(problem: ExactCoverProblem, request: ProblemRequest): StartedSearch;
  /** Resolves after what threads have sent is received. */
  turn(): Promise<void>;
}

/** Problems that are read ahead, at most, and the entries of their options above which no other one is read. */
const MAX_PROBLEMS = 64;
const MAX_ENTRIES = 1_000_000;

/** Threads take a tenth of a second to start: not for a file of less work, in milliseconds. */
const START_AFTER_MS = 100;

/** A thread takes a part of this time to receive a problem, and to send its answer. */
const LONG_MS = 1;

/** A problem, and its search if another thread has begun it. */
export interface NextProblem {
  readonly record: CoverRecord;
  readonly started: StartedSearch | undefined;
}

export type ProblemsAhead = ReturnType<typeof problemsAhead>;

/** @param solver other threads; undefined if there are none, or problems have to be searched in order */
export function problemsAhead(
  records: AsyncIterator<CoverRecord, void>,
  solver: ProblemSolver | undefined,
  requestFor: (cover: CoverProblem) => ProblemRequest,
) {
  /** Read ahead, in order; the last one may be an error of reading, for its turn. */
  const ahead: (NextProblem | { readonly error: unknown })[] = [];
  let entries = 0;
  /** Settles when no more is being read ahead. */
  let reading: Promise<void> | undefined;
  /** Problems whose turn has come, and the time of their searches. */
  let problems = 0;
  let searchedMs = 0;

  const read = async (): Promise<CoverRecord | undefined> => (await records.next()).value ?? undefined;

  const startedWith = (record: CoverRecord): StartedSearch | undefined => {
    const { cover } = record;
    if (cover === undefined || entriesOf(record) > MAX_ENTRIES) return undefined;
    // No format has several problems with costs in a file.
    return cover.problem.costs === undefined ? solver!.begin(cover.problem, requestFor(cover)) : undefined;
  };

  /** Reads while more threads than `spare` are idle. */
  const readAhead = async (spare: number) => {
    try {
      while (solver!.idle > spare && ahead.length < MAX_PROBLEMS && entries < MAX_ENTRIES) {
        const record = await read();
        if (record === undefined) return;
        entries += entriesOf(record);
        ahead.push({ record, started: startedWith(record) });
      }
    } catch (error) {
      ahead.push({ error });
    }
  };

  return {
    /** The next problem; undefined at the end of the file. */
    async next(): Promise<NextProblem | undefined> {
      if (ahead.length === 0) await reading;
      const next = ahead.shift();
      problems++;
      if (next === undefined) {
        const record = await read();
        return record && { record, started: undefined };
      }
      if ('error' in next) throw next.error;
      entries -= entriesOf(next.record);
      return next;
    },

    /** Adds the time of a search that has ended. */
    ended(ms: number): void {
      searchedMs += ms;
    },

    /**
     * Has idle threads begin with the next problems if the file has enough work. To be called before a search and between its
     * steps.
     *
     * @param searchMs time of the current search so far
     * @param isHere whether this thread is searching, too
     */
    async begin(searchMs: number, isHere: boolean): Promise<void> {
      const ms = searchedMs + searchMs;
      if (solver === undefined || ms < START_AFTER_MS || ms < LONG_MS * problems) return;
      await solver.turn();
      reading ??= readAhead(isHere ? 1 : 0).finally(() => {
        reading = undefined;
      });
    },

    /** Ends the searches that other threads have begun. */
    close(): void {
      for (const next of ahead) if ('record' in next) next.started?.close();
    },
  };
}

function entriesOf({ cover }: CoverRecord): number {
  return cover?.problem.items.length ?? 0;
}
