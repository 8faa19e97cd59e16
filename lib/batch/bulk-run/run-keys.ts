/**
 * Keys of a bulk run in the results bucket.
 *
 *     runs/<runId>/plan.jsonl         what is to be done, frozen before anything is sent: a version a line
 *     runs/<runId>/status.json        advisory: how far it is
 *     runs/<runId>/unsolved.jsonl     versions that failed, stalled or were rejected, a line each
 *     runs/<runId>/report.json        written last, after report.html
 *     work/runs/<runId>/plan/00000.jsonl, .json      what a stretch of the sweep planned, and where it ended
 *     work/runs/<runId>/report/00000.jsonl, .json    the same for stretches of the report
 */
import { RUNS_PREFIX, WORK_PREFIX } from '../names.ts';

export interface RunKeys {
  readonly plan: string;
  readonly status: string;
  readonly unsolved: string;
  readonly report: string;
  readonly page: string;
  /** What a stretch of the sweep or of the report wrote, from 0. */
  slice(of: 'plan' | 'report', index: number): { readonly lines: string; readonly state: string };
}

export function runKeys(runId: string): RunKeys {
  const folder = `${RUNS_PREFIX}${runId}/`;
  return {
    plan: `${folder}plan.jsonl`,
    status: `${folder}status.json`,
    unsolved: `${folder}unsolved.jsonl`,
    report: `${folder}report.json`,
    page: `${folder}report.html`,
    slice(of, index) {
      const stem = `${WORK_PREFIX}runs/${runId}/${of}/${String(index).padStart(5, '0')}`;
      return { lines: `${stem}.jsonl`, state: `${stem}.json` };
    },
  };
}

/** What names of executions and folders of runs are made of: at most 80 characters, no colon. */
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/;

export function isRunId(text: string): boolean {
  return RUN_ID.test(text);
}

/**
 * The id of the run of a point in time: `2026-11-21T02:00:00Z` gives `2026-11-21T02-00-00Z`; ids sort as their times.
 *
 * @param time ISO 8601 in UTC; parts of a second are dropped
 * @param suffix letters and digits that keep runs of one second apart; none for those of a schedule
 * @throws RangeError where it is no time
 */
export function runIdAt(time: string, suffix = ''): string {
  const ms = Date.parse(time);
  if (Number.isNaN(ms)) {
    throw new RangeError(`the time of a run is "${time}": expected ISO 8601, such as 2026-11-21T02:00:00Z`);
  }
  const seconds = new Date(ms).toISOString().slice(0, 19).replaceAll(':', '-');
  return suffix === '' ? `${seconds}Z` : `${seconds}Z-${suffix}`;
}
