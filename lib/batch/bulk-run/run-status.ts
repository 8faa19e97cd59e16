/** `runs/<runId>/status.json`: the progress of a bulk run; advisory, for users and for clients that wait. */

import { putJson } from '../storage/write-json.ts';
import { runKeys } from './run-keys.ts';
import type { BulkRun, RunDependencies, RunStepInput, SweepCounts } from './steps.ts';

export interface RunStatus extends SweepCounts {
  readonly schema: 'dlx-batch/run-status@1';
  readonly run: BulkRun;
  readonly state: 'planning' | 'sending' | 'waiting' | 'reporting' | 'done';
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly updatedAt: string;
  /** Messages sent to the queue. */
  readonly sent?: number;
  /** Planned versions that are done or have failed. */
  readonly settled?: number;
}

export async function writeRunStatus(
  { run, startedAt }: RunStepInput,
  { store, resultsBucket, clock }: RunDependencies,
  status: Pick<RunStatus, 'state' | 'sent' | 'settled'> & SweepCounts,
): Promise<void> {
  const document: RunStatus = {
    schema: 'dlx-batch/run-status@1',
    run,
    startedAt,
    updatedAt: clock.timeOfDay(),
    ...status,
  };
  await putJson(store, resultsBucket, runKeys(run.runId).status, document);
}
