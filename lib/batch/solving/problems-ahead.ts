/**
 * Reads the problems of a file; while one is searched for long, other threads begin with those after it.
 *
 *     its turn:       1 ...................................   2  3  4
 *     threads            2 ......  3 ..  5 ..........
 *                              4 .....  6 ..                  their answers wait
 *
 * What is read ahead is bounded: problems, their entries, and the bytes of their solutions (lib/node/search-threads.ts). When a
 * problem is read ahead depends on the clock; its answer does not.
 */
import type { CoverProblem, CoverRecord } from '../../formats/exact-cover/cover-record.ts';
import type { ProblemRequest, ProblemSolver, StartedSearch } from '../solving/problem-solver.ts';

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

export class ProblemsAhead {
  readonly #records: AsyncIterator<CoverRecord, void>;
  readonly #solver: ProblemSolver | undefined;
  readonly #requestFor: (cover: CoverProblem) => ProblemRequest;
  /** Read ahead, in order; the last one may be an error of reading. */
  readonly #ahead: (NextProblem | { readonly error: unknown })[] = [];
  #entries = 0;
  /** Settles when the next record is in `#ahead`, or there is none. */
  #reading: Promise<void> | undefined;
  #isEnd = false;
  /** Problems whose turn has come, and the time of their searches. */
  #problems = 0;
  #searchMs = 0;

  /** @param solver other threads; undefined if there are none, or problems have to be searched in order */
  constructor(
    records: AsyncIterator<CoverRecord, void>,
    solver: ProblemSolver | undefined,
    requestFor: (cover: CoverProblem) => ProblemRequest,
  ) {
    this.#records = records;
    this.#solver = solver;
    this.#requestFor = requestFor;
  }

  /** The next problem; undefined at the end of the file. */
  async next(): Promise<NextProblem | undefined> {
    if (this.#ahead.length === 0) await this.#reading;
    const next = this.#ahead.shift() ?? (await this.#read());
    if (next === undefined) return undefined;
    if ('error' in next) throw next.error;
    this.#entries -= entriesOf(next.record);
    this.#problems++;
    return next;
  }

  /** Adds the time of a search that has ended. */
  ended(searchMs: number): void {
    this.#searchMs += searchMs;
  }

  /**
   * Has idle threads begin with the next problems if the file has enough work. To be called before a search and between its
   * steps.
   *
   * @param searchMs time of the current search so far
   * @param isHere whether this thread is searching, too
   */
  async begin(searchMs: number, isHere: boolean): Promise<void> {
    const solver = this.#solver;
    if (solver === undefined) return;
    const ms = this.#searchMs + searchMs;
    if (ms < START_AFTER_MS || ms < LONG_MS * this.#problems) return;
    await solver.turn();
    this.#reading ??= this.#readAhead(solver, isHere ? 1 : 0).finally(() => {
      this.#reading = undefined;
    });
  }

  /** Ends the searches that other threads have begun. */
  close(): void {
    for (const next of this.#ahead) if ('record' in next) next.started?.close();
  }

  /** Reads while more threads than `spare` are idle. */
  async #readAhead(solver: ProblemSolver, spare: number): Promise<void> {
    while (solver.idle > spare && this.#ahead.length < MAX_PROBLEMS && this.#entries < MAX_ENTRIES) {
      try {
        const next = await this.#read();
        if (next === undefined) return;
        this.#entries += entriesOf(next.record);
        this.#ahead.push({ ...next, started: this.#beginWith(next.record, solver) });
      } catch (error) {
        // At the turn of the record that cannot be read.
        this.#isEnd = true;
        this.#ahead.push({ error });
      }
    }
  }

  #beginWith(record: CoverRecord, solver: ProblemSolver): StartedSearch | undefined {
    const { cover } = record;
    if (cover === undefined || entriesOf(record) > MAX_ENTRIES) return undefined;
    // No format has several problems with costs in a file.
    if (cover.problem.costs !== undefined) return undefined;
    return solver.begin(cover.problem, this.#requestFor(cover));
  }

  async #read(): Promise<NextProblem | undefined> {
    if (this.#isEnd) return undefined;
    const { value, done } = await this.#records.next();
    if (done !== true) return { record: value, started: undefined };
    this.#isEnd = true;
    return undefined;
  }
}

function entriesOf({ cover }: CoverRecord): number {
  return cover?.problem.items.length ?? 0;
}
