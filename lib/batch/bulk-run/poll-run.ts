/**
 * A look at what is done: the plan joined with the listing of done markers.
 *
 * A version that has no marker yet may have failed, which only its status says; statuses are asked for where few
 * versions are left. One that is taken again because it was rejected has its marker from then: it is its status that
 * says whether it was tried since this run began.
 */

import { findStatus } from '../delivery/find-status.ts';
import { inParallel } from '../in-parallel.ts';
import { DONE_PREFIX } from '../names.ts';
import { readJsonLines } from '../storage/json-lines.ts';
import type { PlannedVersion } from './planned-version.ts';
import { runKeys } from './run-keys.ts';
import { writeRunStatus } from './run-status.ts';
import {
  deadlineCheck,
  type RunDependencies,
  type RunStepInput,
  type RunStepOutput,
  type SweepCounts,
} from './steps.ts';
import { MarkerCursor } from './sweep/marker-cursor.ts';
import { markersOf } from './sweep/version-markers.ts';

/** A run is reported as it stands when so much time has passed since all was sent. */
const LONGEST_WAIT_HOURS = 24;
/** While more versions are left, only their markers are looked for. */
const MAX_STATUSES = 200;
const STATUSES_AT_ONCE = 16;
/** Statuses that are asked for between two looks at the time. */
const CHUNK = 160;
/** Between two looks: a tenth of the time since all was sent, within these bounds. */
const SHORTEST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 600;

interface PollCursor {
  readonly counts: SweepCounts;
  /** When the last message was sent. */
  readonly sentAt: string;
  /** A look that ran out of time goes on from here. */
  readonly poll?: { readonly fromByte: number; readonly done: number; readonly left: number };
}

/** Looks once, or goes on with a look. */
export async function pollRun(input: RunStepInput, machinery: RunDependencies): Promise<RunStepOutput> {
  const { counts, sentAt, poll } = input.cursor as unknown as PollCursor;
  const { clock, store, resultsBucket } = machinery;
  const isOver = deadlineCheck(machinery);
  const markers = new MarkerCursor(store, resultsBucket, DONE_PREFIX);
  let { fromByte = 0, done = 0, left = 0 } = poll ?? {};
  const tally = (settled: number, of: number) => {
    done += settled;
    left += of - settled;
  };
  const unmarked: PlannedVersion[] = [];
  const again: PlannedVersion[] = [];
  const plan = readJsonLines<PlannedVersion>(store, resultsBucket, runKeys(input.run.runId).plan, fromByte);
  for await (const { document, endByte } of plan) {
    if (document.why === 'rejected') again.push(document);
    else if (await hasMarker(document, markers, machinery)) tally(1, 1);
    else {
      tally(0, 1);
      if (unmarked.length <= MAX_STATUSES) unmarked.push(document);
    }
    if (again.length === CHUNK) tally(await countEnded(again.splice(0), input, machinery), CHUNK);
    fromByte = endByte;
    if (isOver()) {
      const of = again.length;
      tally(await countEnded(again, input, machinery), of);
      return { next: 'poll', cursor: { counts, sentAt, poll: { fromByte, done, left } }, waitSeconds: 1 };
    }
  }
  tally(await countEnded(again, input, machinery), again.length);
  if (poll === undefined && unmarked.length <= MAX_STATUSES) {
    const failed = await countEnded(unmarked, input, machinery);
    done += failed;
    left -= failed;
  }
  const waitedSeconds = (Date.parse(clock.timeOfDay()) - Date.parse(sentAt)) / 1000;
  const isReported = left === 0 || waitedSeconds >= LONGEST_WAIT_HOURS * 3600;
  const state = isReported ? 'reporting' : 'waiting';
  await writeRunStatus(input, machinery, { state, ...counts, sent: counts.planned, settled: done });
  if (isReported) return { next: 'report', cursor: { counts }, waitSeconds: 1 };
  const waitSeconds = Math.round(
    Math.min(LONGEST_WAIT_SECONDS, Math.max(SHORTEST_WAIT_SECONDS, waitedSeconds / 10)),
  );
  return { next: 'poll', cursor: { counts, sentAt }, waitSeconds };
}

/** How many of these have come to an end since the run began, as their statuses say. */
async function countEnded(
  versions: readonly PlannedVersion[],
  { startedAt }: RunStepInput,
  { store, resultsBucket, hashing }: RunDependencies,
): Promise<number> {
  const ended = await inParallel(versions, STATUSES_AT_ONCE, async ({ key, versionId }) => {
    const status = await findStatus(store, resultsBucket, key, versionId, hashing);
    return status !== undefined && status.state !== 'running' && status.updatedAt >= startedAt;
  });
  return ended.filter(Boolean).length;
}

/** @param markers of the plan so far, which is in the order of each version's last marker */
async function hasMarker(
  version: PlannedVersion,
  markers: MarkerCursor,
  { store, resultsBucket, hashing }: RunDependencies,
): Promise<boolean> {
  const candidates = markersOf(version, hashing);
  if (await markers.has(candidates.at(-1)!)) return true;
  // Only of what was written without versions: its other marker lies behind the cursor.
  for (const marker of candidates.slice(0, -1)) {
    if ((await store.head(resultsBucket, marker)) !== undefined) return true;
  }
  return false;
}
