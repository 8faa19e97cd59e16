/** `runs/<runId>/status.json`: the progress of a bulk run; advisory, for users and for clients that wait. */

import type { ResultStorage } from '../storage/read-json.ts';
import { putJson } from '../storage/write-json.ts';
import { runKeys } from './run-keys.ts';
import type { BulkRun, PlanCounts, RunDependencies, RunStepInput } from './steps.ts';

export interface RunStatus extends PlanCounts {
  readonly schema: 'dlx-batch/run-status@2';
  readonly run: Omit<BulkRun, 'continues'>;
  readonly state: 'planning' | 'following' | 'reporting' | 'done';
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly updatedAt: string;
  /** Name of the execution that goes on with it. */
  readonly execution: string;
  /** Ids of the runs that held prefixes of this one, which it left out. */
  readonly heldBy: readonly string[];
  /** Messages sent to the queue. */
  readonly sent?: number;
  /** Planned versions with an outcome. */
  readonly settled?: number;
  /** A user has ended it. */
  readonly cancelled?: boolean;
}

/** Name of an execution of a run. @param number from 1 */
export function executionName(runId: string, number: number): string {
  return number === 1 ? runId : `${runId}--${number}`;
}

/** The start of a run's first execution. */
export function startOf({ run, startedAt }: RunStepInput): string {
  return run.continues?.startedAt ?? startedAt;
}

export async function writeRunStatus(
  input: RunStepInput,
  dependencies: RunDependencies,
  status: Pick<RunStatus, 'state' | 'sent' | 'settled' | 'heldBy' | 'cancelled'> & PlanCounts,
): Promise<void> {
  const { continues, ...run } = input.run;
  const document: RunStatus = {
    schema: 'dlx-batch/run-status@2',
    run,
    startedAt: startOf(input),
    updatedAt: dependencies.clock.timeOfDay(),
    execution: executionName(run.runId, continues?.execution ?? 1),
    ...status,
  };
  await putJson(dependencies, runKeys(run.runId).status, document);
}

/** Whether a user has ended the run. */
export async function isCancelled(runId: string, { store, resultsBucket }: ResultStorage): Promise<boolean> {
  return (await store.head(resultsBucket, runKeys(runId).cancel)) !== undefined;
}
