/**
 * Follows the versions of a bulk run to their outcomes, however long that takes.
 *
 *     plan     v1 v2 v3 v4 v5 v6 v7 v8 v9 ...
 *              done     |  sent   |  waits in the plan
 *
 * What waits stays in the plan and not in the queue: as many versions are sent as some minutes of work, by the rate at which
 * outcomes come. So messages do not age, and other uploads do not wait behind the run. The outcome of a version, with its
 * counts, is in its done marker, which is read once or twice; only for versions that wait long is the status read.
 */
import { findStatus } from '../delivery/find-status.ts';
import type { DoneMarker } from '../delivery/status-document.ts';
import { inParallel } from '../in-parallel.ts';
import type { PuzzleCounts } from '../results/job-totals.ts';
import { PUZZLE_STATUSES } from '../solving/puzzle-status.ts';
import { readJsonLines } from '../storage/json-lines.ts';
import { readJson } from '../storage/read-json.ts';
import { hold } from './holds.ts';
import { messageFor, type PlannedVersion } from './planned-version.ts';
import type { RunTotals, UnsolvedVersion } from './report/run-report.ts';
import { workKey } from './run-keys.ts';
import { isCancelled, startOf, writeRunStatus } from './run-status.ts';
import { type AddVersion, slice, storedSlice } from './slices.ts';
import {
  type PlanCounts,
  READS_AT_ONCE,
  type RunDependencies,
  type RunStepInput,
  type RunStepOutput,
  stepTime,
} from './steps.ts';
import { markersOf, UNVERSIONED } from './sweep/version-markers.ts';

/** The limit of SQS. */
const BATCH_MESSAGES = 10;
/** Attempts to send a message, and the wait after the first attempt; it doubles with each attempt. */
const MAX_ATTEMPTS = 6;
const FIRST_WAIT_MS = 200;

/** Versions that are sent and have no outcome: at first, and within these bounds as many as this time takes. */
const FIRST_WINDOW = 100;
const MIN_WINDOW = 50;
const MAX_WINDOW = 20_000;
const WINDOW_SECONDS = 300;
/** Markers that are read before the share of finished versions decides whether to go on. */
const CHECKED_AT_ONCE = 8 * READS_AT_ONCE;
/** Statuses that are read in a step, of versions that were sent so long ago, or are the last ones, if these are so few. */
const MAX_STATUSES = 2000;
const FEW_LAST = 200;
const STATUS_AFTER_MS = 600_000;
/** A version has stalled if no version of the run, and no attempt at it, has had an outcome for so long. */
const STALLED_AFTER_MS = 24 * 3_600_000;
/** Between two steps: a hundredth of the time since the start, or a tenth of that since the last outcome, up to a limit each. */
const MIN_WAIT_SECONDS = 5;
const MAX_WAIT_SECONDS = 60;
const MAX_IDLE_SECONDS = 600;

/** The plan of a run. */
export interface PlanFacts {
  readonly counts: PlanCounts;
  readonly heldBy: readonly string[];
  /** What the run holds. */
  readonly prefixes: readonly string[];
  readonly slices: number;
}

export interface FollowCursor {
  readonly plan: PlanFacts;
  readonly slice: number;
}

/** A version that was sent. */
interface SentVersion extends PlannedVersion {
  /** ISO 8601 in UTC. */
  readonly sentAt: string;
  /** When its status was read last. */
  readonly lookedAt?: string;
}

export interface FollowState {
  /** The next version: a slice of the plan, and an offset in its file. */
  readonly planSlice: number;
  readonly fromByte: number;
  readonly sent: number;
  /** Versions that may be sent without an outcome, and outcomes a second. */
  readonly window: number;
  readonly rate: number;
  readonly totals: RunTotals;
  /** When this step ended, and when the last one with an outcome or a message did. */
  readonly at: string;
  readonly progressAt: string;
  /** Versions without an outcome that were sent. */
  readonly open: number;
  /** Versions of this step that were not solved. */
  readonly unsolved: readonly UnsolvedVersion[];
  readonly ended: boolean;
}

const NO_PUZZLES = Object.fromEntries(['total', ...PUZZLE_STATUSES].map((name) => [name, 0]));
export const ZERO_TOTALS: RunTotals = {
  solved: 0,
  rejected: 0,
  failed: 0,
  stalled: 0,
  missing: 0,
  puzzles: NO_PUZZLES as unknown as PuzzleCounts,
  solveSeconds: 0,
  gbSeconds: 0,
};

/** Reads outcomes, and sends more, once. */
export async function followRun(input: RunStepInput, dependencies: RunDependencies): Promise<RunStepOutput> {
  const { run } = input;
  const { plan, slice: index } = input.cursor as unknown as FollowCursor;
  const { clock, ids } = dependencies;
  await hold(run.runId, plan.prefixes, dependencies);
  const cancelled = await isCancelled(run.runId, dependencies);
  const startedAt = startOf(input);
  const before =
    index === 0
      ? { versions: undefined, state: beginning(startedAt) }
      : await storedSlice<FollowState>(run.runId, 'follow', index - 1, dependencies);
  const file = workKey(run.runId, ids.next());
  const { state } = await slice<FollowState>(run.runId, 'follow', index, file, dependencies, (add) =>
    new Following(before.state, plan, cancelled, input, dependencies).run(before.versions, add),
  );
  const { totals, sent, ended } = state;
  const settled = totals.solved + totals.rejected + totals.failed + totals.stalled + totals.missing;
  const phase = ended ? 'reporting' : 'following';
  const { counts, heldBy } = plan;
  await writeRunStatus(input, dependencies, { state: phase, ...counts, heldBy, sent, settled, cancelled });
  const cursor = { plan, slice: index + 1 } satisfies FollowCursor;
  if (ended) return { next: 'report', cursor: { ...cursor, cancelled }, waitSeconds: 1 };
  const now = Date.parse(clock.timeOfDay());
  const running = Math.min(MAX_WAIT_SECONDS, (now - Date.parse(startedAt)) / 100_000);
  const idle = Math.min(MAX_IDLE_SECONDS, (now - Date.parse(state.progressAt)) / 10_000);
  const waitSeconds = Math.round(Math.max(MIN_WAIT_SECONDS, running, idle));
  return { next: 'follow', cursor, waitSeconds };
}

function beginning(startedAt: string): FollowState {
  return {
    planSlice: 0,
    fromByte: 0,
    sent: 0,
    window: FIRST_WINDOW,
    rate: 0,
    totals: ZERO_TOTALS,
    at: startedAt,
    progressAt: startedAt,
    open: 0,
    unsolved: [],
    ended: false,
  };
}

/** One step of following. */
class Following {
  readonly #from: FollowState;
  readonly #plan: PlanFacts;
  readonly #cancelled: boolean;
  readonly #input: RunStepInput;
  readonly #dependencies: RunDependencies;
  readonly #time: ReturnType<typeof stepTime>;
  readonly #now: string;
  #totals: RunTotals;
  readonly #unsolved: UnsolvedVersion[] = [];

  constructor(
    from: FollowState,
    plan: PlanFacts,
    cancelled: boolean,
    input: RunStepInput,
    dependencies: RunDependencies,
  ) {
    this.#from = from;
    this.#plan = plan;
    this.#cancelled = cancelled;
    this.#input = input;
    this.#dependencies = dependencies;
    this.#time = stepTime(dependencies);
    this.#now = dependencies.clock.timeOfDay();
    this.#totals = from.totals;
  }

  /** @param file of the versions that were sent and had no outcome */
  async run(file: string | undefined, add: AddVersion): Promise<FollowState> {
    const from = this.#from;
    const open = await this.#settle(file === undefined ? [] : await this.#read(file));
    const outcomes = from.open - open.length;
    const seconds = Math.max(1, (Date.parse(this.#now) - Date.parse(from.at)) / 1000);
    // The first step has no outcomes to measure.
    const rate = from.open === 0 ? from.rate : (from.rate + outcomes / seconds) / (from.rate === 0 ? 1 : 2);
    const wanted = from.open === 0 ? from.window : Math.ceil(rate * WINDOW_SECONDS);
    const window = Math.min(MAX_WINDOW, Math.max(MIN_WINDOW, wanted));
    for (const version of open) await add(version);
    const sending = await this.#send(window - open.length, add);
    const isProgress = outcomes > 0 || sending.sent > from.sent;
    const left = open.length + sending.open;
    return {
      ...sending,
      window,
      rate,
      totals: this.#totals,
      at: this.#now,
      progressAt: isProgress ? this.#now : from.progressAt,
      open: left,
      unsolved: this.#unsolved,
      ended: this.#cancelled || (left === 0 && sending.planSlice === this.#plan.slices),
    };
  }

  async #read(file: string): Promise<SentVersion[]> {
    const { store, resultsBucket } = this.#dependencies;
    const versions: SentVersion[] = [];
    const lines = readJsonLines<SentVersion>(store, resultsBucket, file);
    for await (const { document } of lines) versions.push(document);
    return versions;
  }

  /** Reads the outcomes of versions, the oldest first. @returns those that have none */
  async #settle(versions: readonly SentVersion[]): Promise<SentVersion[]> {
    const open: SentVersion[] = [];
    let at = 0;
    for (let finished = 1; at < versions.length && finished > 0 && !this.#time.isShort; ) {
      const chunk = versions.slice(at, at + CHECKED_AT_ONCE);
      const markers = await inParallel(chunk, READS_AT_ONCE, (version) => this.#markerOf(version));
      finished = 0;
      for (const [k, version] of chunk.entries()) {
        if (markers[k] === undefined) open.push(version);
        else {
          finished++;
          this.#enter(version, markers[k]);
        }
      }
      at += chunk.length;
    }
    return [...(await this.#lookAt(open, versions.length)), ...versions.slice(at)];
  }

  /** The done marker of a version; that of an earlier reject says nothing. */
  async #markerOf(version: SentVersion): Promise<DoneMarker | undefined> {
    const { store, resultsBucket, hashing } = this.#dependencies;
    for (const key of markersOf(version, hashing)) {
      const marker = (await readJson<DoneMarker>(store, resultsBucket, key))?.document;
      if (marker === undefined) continue;
      return version.why === 'rejected' && marker.outcome === 'rejected' ? undefined : marker;
    }
    return undefined;
  }

  #enter(version: SentVersion, { outcome, jobId, ...marker }: DoneMarker): void {
    if (outcome === 'rejected') {
      const message = marker.message ?? 'it is not readable as puzzles: see its error.json';
      this.#addUnsolved(version, { outcome, jobId, message });
      return;
    }
    const totals = this.#totals;
    this.#totals = {
      ...totals,
      solved: totals.solved + 1,
      puzzles: sum(totals.puzzles, marker.puzzles),
      solveSeconds: totals.solveSeconds + (marker.seconds ?? 0),
      gbSeconds: totals.gbSeconds + (marker.gbSeconds ?? 0),
    };
  }

  #addUnsolved(
    { sentAt: _, lookedAt: __, why: ___, ...version }: Partial<SentVersion> & PlannedVersion,
    outcome: Pick<UnsolvedVersion, 'outcome' | 'jobId' | 'message'>,
  ): void {
    this.#totals = { ...this.#totals, [outcome.outcome]: this.#totals[outcome.outcome] + 1 };
    this.#unsolved.push({ ...version, ...outcome });
  }

  /**
   * Reads the statuses of some versions without a marker: all, if few versions are left, or those that wait long.
   *
   * @returns the versions without an outcome
   */
  async #lookAt(open: readonly SentVersion[], all: number): Promise<SentVersion[]> {
    const waited = ({ sentAt, lookedAt = sentAt }: SentVersion) =>
      Date.parse(this.#now) - Date.parse(lookedAt);
    const areLast = all <= FEW_LAST && this.#from.planSlice === this.#plan.slices;
    // Less and less often.
    const ageOf = ({ sentAt }: SentVersion) => Date.parse(this.#now) - Date.parse(sentAt);
    const isDue = (version: SentVersion) =>
      (areLast && version.lookedAt === undefined) ||
      version.why === 'rejected' ||
      waited(version) >= Math.max(areLast ? 0 : STATUS_AFTER_MS, ageOf(version) / 4);
    const due = new Set(
      open
        .filter(isDue)
        .sort((a, b) => waited(b) - waited(a))
        .slice(0, MAX_STATUSES),
    );
    const outcomes = new Map<SentVersion, Awaited<ReturnType<Following['statusOutcome']>>>();
    await inParallel([...due], READS_AT_ONCE, async (version) => {
      outcomes.set(version, await this.statusOutcome(version));
    });
    return open.flatMap((version) => {
      const outcome = outcomes.get(version);
      if (outcome !== undefined) this.#addUnsolved(version, outcome);
      if (outcome !== undefined) return [];
      return due.has(version) ? { ...version, lookedAt: this.#now } : version;
    });
  }

  /** The outcome of a version without a marker, by its status; undefined if it has none yet. */
  async statusOutcome(
    version: SentVersion,
  ): Promise<Pick<UnsolvedVersion, 'outcome' | 'jobId' | 'message'> | undefined> {
    const { store, resultsBucket, hashing } = this.#dependencies;
    const { key, versionId, etag, sentAt } = version;
    // The job of an object written without versions has either name.
    const names = versionId === UNVERSIONED ? [UNVERSIONED, `etag-${etag}`] : [versionId];
    const found = await inParallel(names, names.length, (name) =>
      findStatus(store, resultsBucket, key, name, hashing),
    );
    const status = found.find((each) => each !== undefined);
    const isNew = status !== undefined && status.updatedAt >= startOf(this.#input);
    if (isNew && (status.state === 'failed' || status.state === 'rejected')) {
      const message = status.error?.message ?? 'the job failed';
      return { outcome: status.state, jobId: status.jobId, message };
    }
    const last = [sentAt, this.#from.progressAt, status?.updatedAt ?? '', status?.deadline ?? '']
      .sort()
      .at(-1)!;
    if (Date.parse(this.#now) - Date.parse(last) < STALLED_AFTER_MS) return undefined;
    if (status === undefined)
      return {
        outcome: 'stalled',
        message: 'no job has started: its message waits in the queue or was lost',
      };
    const { state, updatedAt, jobId } = status;
    return { outcome: 'stalled', jobId, message: `its job was ${state} at ${updatedAt}` };
  }

  /** Sends the next versions of the plan, at most so many. */
  async #send(
    most: number,
    add: AddVersion,
  ): Promise<Pick<FollowState, 'planSlice' | 'fromByte' | 'sent' | 'open'>> {
    const { store, resultsBucket, inputBucket } = this.#dependencies;
    const { runId } = this.#input.run;
    let { planSlice, fromByte, sent } = this.#from;
    let open = 0;
    let batch: SentVersion[] = [];
    const flush = async () => {
      if (batch.length === 0) return;
      await this.#sendBatch(batch.map((version) => messageFor(version, inputBucket, runId)));
      for (const version of batch) await add(version);
      sent += batch.length;
      open += batch.length;
      batch = [];
    };
    const isFull = () => this.#cancelled || open + batch.length >= most || this.#time.isShort;
    while (planSlice < this.#plan.slices && !isFull()) {
      const { versions } = await storedSlice(runId, 'plan', planSlice, this.#dependencies);
      let ended = true;
      if (versions !== undefined) {
        const lines = readJsonLines<PlannedVersion>(store, resultsBucket, versions, fromByte);
        for await (const { document, endByte } of lines) {
          fromByte = endByte;
          if (document.versionId === '') {
            this.#addUnsolved(document, { outcome: 'missing', message: 'there is no such upload' });
          } else batch.push({ ...document, sentAt: this.#now });
          if (batch.length === BATCH_MESSAGES) await flush();
          ended = !isFull();
          if (!ended) break;
        }
      }
      await flush();
      if (ended) [planSlice, fromByte] = [planSlice + 1, 0];
    }
    return { planSlice, fromByte, sent, open };
  }

  /** @throws Error if the queue refuses a message in every attempt */
  async #sendBatch(bodies: readonly string[]): Promise<void> {
    const { queue, pause } = this.#dependencies;
    let left = bodies;
    for (let attempts = 1; ; attempts++) {
      const refused = await queue.send(left);
      if (refused.length === 0) return;
      if (attempts === MAX_ATTEMPTS) {
        throw new Error(
          `the queue refused ${refused.length} messages ${MAX_ATTEMPTS} times; the step will be retried`,
        );
      }
      left = refused.map((index) => left[index]!);
      await pause(FIRST_WAIT_MS * 2 ** (attempts - 1));
    }
  }
}

function sum(totals: PuzzleCounts, own: PuzzleCounts | undefined): PuzzleCounts {
  if (own === undefined) return totals;
  const names = Object.keys(totals) as (keyof PuzzleCounts)[];
  return Object.fromEntries(
    names.map((name) => [name, totals[name] + (own[name] ?? 0)]),
  ) as unknown as PuzzleCounts;
}
