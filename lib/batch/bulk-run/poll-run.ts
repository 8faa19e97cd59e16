/**
 * Polls the progress of a run: joins the plan with the listing of done markers.
 *
 * A version without a marker may have failed, which only its status shows; statuses are read if few versions are left.
 * A version that was rejected before this run already has a marker: its status shows whether it was tried since the run
 * started.
 */
import { findStatus } from '../delivery/find-status.ts';
import { inParallel } from '../in-parallel.ts';
import { DONE_PREFIX } from '../names.ts';
import { readJsonLines } from '../storage/json-lines.ts';
import type { PlannedVersion } from './planned-version.ts';
import { runKeys } from './run-keys.ts';
import { writeRunStatus } from './run-status.ts';
import {
  READS_AT_ONCE,
  READS_PER_CHECK,
  type RunDependencies,
  type RunStepInput,
  type RunStepOutput,
  type SweepCounts,
  stepTime,
} from './steps.ts';
import { MarkerCursor } from './sweep/marker-cursor.ts';
import { markersOf } from './sweep/version-markers.ts';

/** The report is made at the latest this time after the last message was sent. */
const MAX_WAIT_HOURS = 24;
/** If more versions are left, only their markers are read. */
const MAX_STATUSES = 200;
/** Between two polls: a tenth of the time since the last message was sent, within these bounds. */
const MIN_POLL_SECONDS = 5;
const MAX_POLL_SECONDS = 600;

interface PollCursor {
  readonly counts: SweepCounts;
  /** ISO 8601 in UTC: when the last message was sent. */
  readonly sentAt: string;
  /** The place at which a poll that ran out of time continues. */
  readonly poll?: { readonly fromByte: number; readonly done: number; readonly left: number };
}

/** Polls once, or continues a poll. */
export async function pollRun(input: RunStepInput, dependencies: RunDependencies): Promise<RunStepOutput> {
  const { counts, sentAt, poll } = input.cursor as unknown as PollCursor;
  const { clock, store, resultsBucket } = dependencies;
  const time = stepTime(dependencies);
  const markers = new MarkerCursor(store, resultsBucket, DONE_PREFIX);
  let { fromByte = 0, done = 0, left = 0 } = poll ?? {};
  const tally = (settled: number, of: number) => {
    done += settled;
    left += of - settled;
  };
  const unmarked: PlannedVersion[] = [];
  const rejected: PlannedVersion[] = [];
  const tallyRejected = async () => {
    const versions = rejected.splice(0);
    tally(await countFinished(versions, input, dependencies), versions.length);
  };
  const plan = readJsonLines<PlannedVersion>(store, resultsBucket, runKeys(input.run.runId).plan, fromByte);
  for await (const { document, endByte } of plan) {
    if (document.why === 'rejected') rejected.push(document);
    else if (await hasMarker(document, markers, dependencies)) tally(1, 1);
    else {
      tally(0, 1);
      if (unmarked.length <= MAX_STATUSES) unmarked.push(document);
    }
    if (rejected.length === READS_PER_CHECK) await tallyRejected();
    fromByte = endByte;
    if (time.isShort) {
      await tallyRejected();
      return { next: 'poll', cursor: { counts, sentAt, poll: { fromByte, done, left } }, waitSeconds: 1 };
    }
  }
  await tallyRejected();
  if (poll === undefined && unmarked.length <= MAX_STATUSES) {
    const failed = await countFinished(unmarked, input, dependencies);
    done += failed;
    left -= failed;
  }
  const waitedSeconds = (Date.parse(clock.timeOfDay()) - Date.parse(sentAt)) / 1000;
  const isReported = left === 0 || waitedSeconds >= MAX_WAIT_HOURS * 3600;
  const state = isReported ? 'reporting' : 'waiting';
  await writeRunStatus(input, dependencies, { state, ...counts, sent: counts.planned, settled: done });
  if (isReported) return { next: 'report', cursor: { counts }, waitSeconds: 1 };
  const waitSeconds = Math.round(Math.min(MAX_POLL_SECONDS, Math.max(MIN_POLL_SECONDS, waitedSeconds / 10)));
  return { next: 'poll', cursor: { counts, sentAt }, waitSeconds };
}

/** Counts the versions that finished since the run started, by their statuses. */
async function countFinished(
  versions: readonly PlannedVersion[],
  { startedAt }: RunStepInput,
  { store, resultsBucket, hashing }: RunDependencies,
): Promise<number> {
  const finished = await inParallel(versions, READS_AT_ONCE, async ({ key, versionId }) => {
    const status = await findStatus(store, resultsBucket, key, versionId, hashing);
    return status !== undefined && status.state !== 'running' && status.updatedAt >= startedAt;
  });
  return finished.filter(Boolean).length;
}

/** @param markers a cursor that moves with the plan, which is sorted by the last marker of each version */
async function hasMarker(
  version: PlannedVersion,
  markers: MarkerCursor,
  { store, resultsBucket, hashing }: RunDependencies,
): Promise<boolean> {
  const candidates = markersOf(version, hashing);
  if (await markers.has(candidates.at(-1)!)) return true;
  // Only an object written without versions has another marker; the cursor is past it.
  for (const marker of candidates.slice(0, -1)) {
    if ((await store.head(resultsBucket, marker)) !== undefined) return true;
  }
  return false;
}
