/**
 * Continues executions that failed, timed out or were stopped, if their work has no outcome: redriven within AWS's limits
 * (14 days, 1,000 redrives, 25,000 events), else started again with the same input.
 */
import {
  describeFailed,
  type FailedExecution,
  failedExecutions,
  type StatesClient,
  stepFunctions,
} from '../../../aws/step-functions.ts';
import { runKeys } from '../../../batch/bulk-run/run-keys.ts';
import type { BulkRun } from '../../../batch/bulk-run/steps.ts';
import { handOver } from '../../../batch/delivery/executions.ts';
import { jobKeys } from '../../../batch/delivery/result-keys.ts';
import { inParallel } from '../../../batch/in-parallel.ts';
import type { LargeJob } from '../../../batch/large/steps.ts';
import { systemHashing } from '../../../node/system.ts';
import { type RedriveContext, type RedriveItem, redriveItem } from './redrive-item.ts';

/** What an execution works on. */
interface Work {
  /** Name of its first execution; those that start later have `-2`, `-3` after it. */
  readonly first: string;
  /** Key of the upload, or id of the run. */
  readonly name: string;
  /** Object in the results bucket that exists if it is finished. */
  readonly outcome: string;
}

const PARALLEL_READS = 8;

/** The work of an execution of SolveLarge. */
export function largeJobOf({ name, input }: FailedExecution): Work {
  const { key, versionId } = JSON.parse(input) as LargeJob;
  const first = name.replace(/-\d+$/, '');
  return { first, name: key, outcome: jobKeys(key, versionId, first, systemHashing).done };
}

/** The work of an execution of BulkRun. */
export function bulkRunOf({ input }: FailedExecution): Work {
  const { runId } = JSON.parse(input) as BulkRun;
  return { first: runId, name: `run ${runId}`, outcome: runKeys(runId).report };
}

export async function* redriveExecutions(
  machineArn: string,
  sfn: StatesClient,
  workOf: (execution: FailedExecution) => Work,
  context: RedriveContext,
): AsyncGenerator<RedriveItem> {
  const { retries } = context.connection;
  const names = await retries.request(() => failedExecutions(machineArn, sfn));
  const described = await inParallel(names, PARALLEL_READS, (name) =>
    retries.request(() => describeFailed(machineArn, name, sfn)),
  );
  const failed = described.filter((each) => each !== undefined);
  const byFirst = Map.groupBy(failed, (execution) => workOf(execution).first);
  for (const executions of byFirst.values()) {
    const newest = executions
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
      .at(-1)!;
    const work = workOf(newest);
    if (context.matches(work.name)) yield await redriveOne(newest, work, machineArn, sfn, context);
  }
}

function redriveOne(
  execution: FailedExecution,
  { first, name, outcome }: Work,
  machineArn: string,
  sfn: StatesClient,
  context: RedriveContext,
): Promise<RedriveItem> {
  const { store, resultsBucket } = context.connection;
  const isFinished = async () => (await store.head(resultsBucket, outcome)) !== undefined;
  const { input, redrivable, reason } = execution;
  const how = redrivable ? 'redriven' : `started again (${reason ?? 'it cannot be redriven'})`;
  return redriveItem(context, { kind: 'execution', name }, async () => {
    if (await isFinished()) return { outcome: 'skipped', message: 'has an outcome by now' };
    const what = `${execution.name}, which is ${execution.status},`;
    if (context.isDryRun) return { outcome: 'would be redriven', message: `${what} would be ${how}` };
    const handed = await handOver(stepFunctions(machineArn, sfn), first, input, isFinished);
    const done = { started: 'started', running: 'running already', redriven: 'redriven', ended: 'ended' }[
      handed.how
    ];
    return { outcome: 'redriven', message: `${handed.execution} is ${done}` };
  });
}
