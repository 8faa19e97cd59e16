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
import { addCounts, type Counts } from '../results/counts.ts';
import { PUZZLE_STATUSES } from '../solving/puzzle-status.ts';
import type { FunctionTime } from '../storage/function-time.ts';
import { readJson, readWrittenJson } from '../storage/read-json.ts';
import { hold } from './holds.ts';
import type { PlanState } from './plan-run.ts';
import { messageFor, type PlannedVersion } from './planned-version.ts';
import { type RunTotals, settledOf, type UnsolvedVersion } from './report/run-report.ts';
import { runKeys, workKey } from './run-keys.ts';
import { isCancelled, startOf, writeRunStatus } from './run-status.ts';
import { type AddVersion, type Slice, slice, versionsOf } from './slices.ts';
import { READS_AT_ONCE, type RunDependencies, type RunStepInput, type RunStepOutput } from './steps.ts';
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

export interface FollowCursor {
  /** The plan of the run, and the number of its slices. */
  readonly plan: Pick<PlanState, 'counts' | 'heldBy' | 'prefixes'> & { readonly slices: number };
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
  /** Outcomes a second, by which as many versions may be sent; 0 before the first. */
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

/** Reads outcomes, and sends more, once. */
export async function followRun(input: RunStepInput, dependencies: RunDependencies): Promise<RunStepOutput> {
  const { runId } = input.run;
  const { plan, slice: index } = input.cursor as unknown as FollowCursor;
  const { clock, ids } = dependencies;
  await hold(runId, plan.prefixes, dependencies);
  const cancelled = await isCancelled(runId, dependencies);
  const startedAt = startOf(input);
  const file = workKey(runId, ids.next());
  const state = await slice(
    runKeys(runId).follow,
    index,
    beginning(startedAt),
    file,
    dependencies,
    (before, time, add) => follow(before, time, plan, cancelled, input, dependencies, add),
  );
  const { totals, sent, ended } = state;
  const { counts, heldBy } = plan;
  await writeRunStatus(input, dependencies, {
    state: ended ? 'reporting' : 'following',
    ...counts,
    heldBy,
    sent,
    settled: settledOf(totals),
    cancelled,
  });
  const cursor = { plan, slice: index + 1 } satisfies FollowCursor;
  if (ended) return { next: 'report', cursor: { ...cursor, cancelled }, waitSeconds: 1 };
  const secondsSince = (time: string) => (Date.parse(clock.timeOfDay()) - Date.parse(time)) / 1000;
  const running = Math.min(MAX_WAIT_SECONDS, secondsSince(startedAt) / 100);
  const idle = Math.min(MAX_IDLE_SECONDS, secondsSince(state.progressAt) / 10);
  const waitSeconds = Math.round(Math.max(MIN_WAIT_SECONDS, running, idle));
  return { next: 'follow', cursor, waitSeconds };
}

function beginning(startedAt: string): FollowState {
  return {
    planSlice: 0,
    fromByte: 0,
    sent: 0,
    rate: 0,
    totals: ZERO_TOTALS,
    at: startedAt,
    progressAt: startedAt,
    open: 0,
    unsolved: [],
    ended: false,
  };
}

const NO_PUZZLES = Object.fromEntries(['total', ...PUZZLE_STATUSES].map((name) => [name, 0]));
const ZERO_TOTALS: RunTotals = {
  solved: 0,
  rejected: 0,
  failed: 0,
  stalled: 0,
  missing: 0,
  puzzles: NO_PUZZLES as unknown as RunTotals['puzzles'],
  solveSeconds: 0,
  gbSeconds: 0,
};

type Outcome = Pick<UnsolvedVersion, 'outcome' | 'jobId' | 'message'>;

/** One step of following. @param before with the versions that were sent and had no outcome */
async function follow(
  before: Slice<FollowState>,
  time: FunctionTime,
  plan: FollowCursor['plan'],
  cancelled: boolean,
  input: RunStepInput,
  dependencies: RunDependencies,
  add: AddVersion,
): Promise<FollowState> {
  const { inputBucket, hashing, queue, pause } = dependencies;
  const { state: from } = before;
  const now = dependencies.clock.timeOfDay();
  const msSince = (then: string) => Date.parse(now) - Date.parse(then);
  const totals = structuredClone(from.totals) as RunTotals & Counts;
  const unsolved: UnsolvedVersion[] = [];

  const addUnsolved = (
    { sentAt: _, lookedAt: __, why: ___, ...version }: Partial<SentVersion> & PlannedVersion,
    outcome: Outcome,
  ) => {
    addCounts(totals, { [outcome.outcome]: 1 });
    unsolved.push({ ...version, ...outcome });
  };

  /** The done marker of a version; that of an earlier reject says nothing. */
  const markerOf = async (version: SentVersion): Promise<DoneMarker | undefined> => {
    for (const key of markersOf(version, hashing)) {
      const marker = await readJson<DoneMarker>(dependencies, key);
      if (marker === undefined) continue;
      return version.why === 'rejected' && marker.outcome === 'rejected' ? undefined : marker;
    }
    return undefined;
  };

  const enter = (version: SentVersion, marker: DoneMarker) => {
    const { outcome, jobId, puzzles = {}, seconds = 0, gbSeconds = 0 } = marker;
    if (outcome === 'rejected') {
      const message = marker.message ?? 'it is not readable as puzzles: see its error.json';
      addUnsolved(version, { outcome, jobId, message });
    } else addCounts(totals, { solved: 1, puzzles, solveSeconds: seconds, gbSeconds });
  };

  /** The outcome of a version without a marker, by its status; undefined if it has none yet. */
  const statusOutcome = async ({
    key,
    versionId,
    etag,
    sentAt,
  }: SentVersion): Promise<Outcome | undefined> => {
    // The job of an object written without versions has either name.
    const names = versionId === UNVERSIONED ? [UNVERSIONED, `etag-${etag}`] : [versionId];
    const found = await inParallel(names, names.length, (name) =>
      findStatus(dependencies, { key, versionId: name }, hashing),
    );
    const status = found.find((each) => each !== undefined);
    const isNew = status !== undefined && status.updatedAt >= startOf(input);
    if (isNew && (status.state === 'failed' || status.state === 'rejected')) {
      const message = status.error?.message ?? 'the job failed';
      return { outcome: status.state, jobId: status.jobId, message };
    }
    const times = [sentAt, from.progressAt, status?.updatedAt ?? '', status?.deadline ?? ''];
    if (msSince(times.sort().at(-1)!) < STALLED_AFTER_MS) return undefined;
    const message =
      status === undefined
        ? 'no job has started: its message waits in the queue or was lost'
        : `its job was ${status.state} at ${status.updatedAt}`;
    return { outcome: 'stalled', jobId: status?.jobId, message };
  };

  /**
   * Reads the statuses of some versions without a marker: all, if few versions are left, or those that wait long.
   *
   * @returns the versions without an outcome
   */
  const lookAt = async (open: readonly SentVersion[], all: number): Promise<SentVersion[]> => {
    const waited = ({ sentAt, lookedAt = sentAt }: SentVersion) => msSince(lookedAt);
    const areLast = all <= FEW_LAST && from.planSlice === plan.slices;
    // Less and less often.
    const isDue = (version: SentVersion) =>
      (areLast && version.lookedAt === undefined) ||
      version.why === 'rejected' ||
      waited(version) >= Math.max(areLast ? 0 : STATUS_AFTER_MS, msSince(version.sentAt) / 4);
    const due = open.filter(isDue).sort((a, b) => waited(b) - waited(a));
    const looked = new Map<SentVersion, Outcome | undefined>();
    await inParallel(due.slice(0, MAX_STATUSES), READS_AT_ONCE, async (version) => {
      looked.set(version, await statusOutcome(version));
    });
    return open.flatMap((version) => {
      const outcome = looked.get(version);
      if (outcome === undefined) return looked.has(version) ? { ...version, lookedAt: now } : version;
      addUnsolved(version, outcome);
      return [];
    });
  };

  /** Reads the outcomes of versions, the oldest first. @returns those that have none */
  const settle = async (versions: readonly SentVersion[]): Promise<SentVersion[]> => {
    const open: SentVersion[] = [];
    let at = 0;
    for (let finished = 1; at < versions.length && finished > 0 && !time.isShort; ) {
      const chunk = versions.slice(at, at + CHECKED_AT_ONCE);
      const markers = await inParallel(chunk, READS_AT_ONCE, markerOf);
      for (const [k, version] of chunk.entries()) {
        if (markers[k] === undefined) open.push(version);
        else enter(version, markers[k]);
      }
      finished = markers.filter((marker) => marker !== undefined).length;
      at += chunk.length;
    }
    return [...(await lookAt(open, versions.length)), ...versions.slice(at)];
  };

  /** @throws Error if the queue refuses a message in every attempt */
  const sendBatch = async (batch: readonly SentVersion[]) => {
    let left = batch.map((version) => messageFor(version, inputBucket, input.run.runId));
    for (let attempts = 1; left.length > 0; attempts++) {
      const refused = await queue.send(left);
      left = refused.map((index) => left[index]!);
      if (left.length > 0 && attempts === MAX_ATTEMPTS) {
        throw new Error(
          `the queue refused ${left.length} messages ${MAX_ATTEMPTS} times; the step will be retried`,
        );
      }
      if (left.length > 0) await pause(FIRST_WAIT_MS * 2 ** (attempts - 1));
    }
    for (const version of batch) await add(version);
  };

  /** Sends the next versions of the plan, at most so many. */
  const send = async (
    most: number,
  ): Promise<Pick<FollowState, 'planSlice' | 'fromByte' | 'sent' | 'open'>> => {
    let { planSlice, fromByte } = from;
    let open = 0;
    let batch: SentVersion[] = [];
    const flush = async () => {
      await sendBatch(batch);
      open += batch.length;
      batch = [];
    };
    const isFull = () => cancelled || open + batch.length >= most || time.isShort;
    while (planSlice < plan.slices && !isFull()) {
      const planned = await readWrittenJson<Slice<unknown>>(
        dependencies,
        runKeys(input.run.runId).plan(planSlice),
      );
      let ended = true;
      for await (const { document, endByte } of versionsOf(planned, dependencies, fromByte)) {
        fromByte = endByte;
        if (document.versionId === '') {
          addUnsolved(document, { outcome: 'missing', message: 'there is no such upload' });
        } else batch.push({ ...document, sentAt: now });
        if (batch.length === BATCH_MESSAGES) await flush();
        ended = !isFull();
        if (!ended) break;
      }
      await flush();
      if (ended) [planSlice, fromByte] = [planSlice + 1, 0];
    }
    return { planSlice, fromByte, sent: from.sent + open, open };
  };

  const versions: SentVersion[] = [];
  for await (const { document } of versionsOf<SentVersion>(before, dependencies)) versions.push(document);
  const open = await settle(versions);
  const outcomes = from.open - open.length;
  const seconds = Math.max(1, msSince(from.at) / 1000);
  // The first step has no outcomes to measure.
  const isFirst = from.open === 0;
  const rate = isFirst ? from.rate : (from.rate + outcomes / seconds) / (from.rate === 0 ? 1 : 2);
  const wanted = rate === 0 ? FIRST_WINDOW : Math.ceil(rate * WINDOW_SECONDS);
  const window = Math.min(MAX_WINDOW, Math.max(MIN_WINDOW, wanted));
  for (const version of open) await add(version);
  const sending = await send(window - open.length);
  const isProgress = outcomes > 0 || sending.open > 0;
  const left = open.length + sending.open;
  return {
    ...sending,
    rate,
    totals,
    at: now,
    progressAt: isProgress ? now : from.progressAt,
    open: left,
    unsolved,
    ended: cancelled || (left === 0 && sending.planSlice === plan.slices),
  };
}
