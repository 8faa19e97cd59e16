/** Reads the records of bulk runs from the results bucket. */

import type { RunReport } from '../../../batch/bulk-run/report/run-report.ts';
import { runKeys } from '../../../batch/bulk-run/run-keys.ts';
import type { RunStatus } from '../../../batch/bulk-run/run-status.ts';
import { RUNS_PREFIX } from '../../../batch/names.ts';
import { readJson } from '../../../batch/storage/read-json.ts';
import type { Connection } from '../connection.ts';

/** The status and report of a run, if they exist. */
export interface RunRecord {
  readonly runId: string;
  readonly status?: RunStatus;
  readonly report?: RunReport;
}

export async function readRun({ store, resultsBucket }: Connection, runId: string): Promise<RunRecord> {
  const keys = runKeys(runId);
  const [status, report] = await Promise.all([
    readJson<RunStatus>(store, resultsBucket, keys.status),
    readJson<RunReport>(store, resultsBucket, keys.report),
  ]);
  return { runId, status: status?.document, report: report?.document };
}

/** Ids of all runs, newest first. */
export async function runIds({ store, resultsBucket }: Connection): Promise<string[]> {
  const ids = new Set<string>();
  for await (const key of store.list(resultsBucket, RUNS_PREFIX)) {
    const [runId, file] = key.slice(RUNS_PREFIX.length).split('/');
    if (runId !== undefined && file !== undefined) ids.add(runId);
  }
  return [...ids].reverse();
}
