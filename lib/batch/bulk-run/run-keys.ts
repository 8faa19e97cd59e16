/**
 * Keys of a bulk run in the results bucket.
 *
 *     runs/<runId>/keys.txt                 the keys to solve, if a user gave them
 *     runs/<runId>/cancel.json              a user ends the run
 *     runs/<runId>/plan/00000.json          a slice of the plan: where it ended, and the key of its versions, one per line
 *     runs/<runId>/follow/00000.json        a slice of the following: outcomes, and the key of the versions without one
 *     runs/<runId>/status.json              the progress, advisory
 *     runs/<runId>/unsolved.jsonl           versions that failed, stalled or were rejected, one per line
 *     runs/<runId>/report.json              written last, after report.html
 *     work/runs/<runId>/<id>.jsonl          the versions that are sent and have no outcome
 *     runs/holds.json                       the prefixes on which runs work
 */
import { RUNS_PREFIX, WORK_PREFIX } from '../names.ts';

/** Not the folder of a run: an id begins with a letter or a digit, and is a folder. */
export const HOLDS_KEY = `${RUNS_PREFIX}holds.json`;

export function runKeys(runId: string) {
  const folder = `${RUNS_PREFIX}${runId}/`;
  const slicesOf = (step: string) => (index: number) =>
    `${folder}${step}/${String(index).padStart(5, '0')}.json`;
  return {
    /** Slices of the plan, and of the following, by their index from 0. */
    plan: slicesOf('plan'),
    follow: slicesOf('follow'),
    manifest: `${folder}keys.txt`,
    cancel: `${folder}cancel.json`,
    status: `${folder}status.json`,
    unsolved: `${folder}unsolved.jsonl`,
    report: `${folder}report.json`,
    page: `${folder}report.html`,
  };
}

/** Key of the versions of a slice, which are needed until the next one is stored. */
export function workKey(runId: string, id: string): string {
  return `${WORK_PREFIX}runs/${runId}/${id}.jsonl`;
}

/** A run id is part of an execution name and of keys: at most 80 characters, no colon. */
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/;

export function isRunId(text: string): boolean {
  return RUN_ID.test(text);
}

/**
 * Makes the id of a run from its time: `2026-11-21T02:00:00Z` gives `2026-11-21T02-00-00Z`. Ids sort by time.
 *
 * @param time ISO 8601 in UTC; parts of a second are dropped
 * @param suffix letters and digits to order and distinguish runs of one second; empty for scheduled runs
 * @throws RangeError if `time` is not a time
 */
export function runIdAt(time: string, suffix = ''): string {
  const ms = Date.parse(time);
  if (Number.isNaN(ms)) {
    throw new RangeError(`the time of a run is "${time}": expected ISO 8601, such as 2026-11-21T02:00:00Z`);
  }
  const seconds = new Date(ms).toISOString().slice(0, 19).replaceAll(':', '-');
  return suffix === '' ? `${seconds}Z` : `${seconds}Z-${suffix}`;
}
