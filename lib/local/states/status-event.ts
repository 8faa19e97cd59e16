/** The event that Step Functions sends when an execution ends. (Developer Guide, "Execution status change".) */
import { randomUUID } from 'node:crypto';
import { LOCAL_ACCOUNT } from '../functions/lambda-environment.ts';
import type { Execution } from './executions.ts';

/** Whether the stack's rule for large jobs sends the event to the queue: any outcome except success. */
export function matchesUnsuccessfulRule({ outcome, machineArn }: Execution, largeArn: string): boolean {
  return machineArn === largeArn && outcome !== undefined && outcome.status !== 'SUCCEEDED';
}

/** The event of an execution that has ended, with EventBridge's fields. */
export function statusChangeEvent(execution: Execution, region: string): object {
  const { arn, machineArn, name, input, outcome, startEpochMs, stopEpochMs = 0 } = execution;
  const failed = outcome?.status === 'SUCCEEDED' ? undefined : outcome;
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Step Functions Execution Status Change',
    source: 'aws.states',
    account: LOCAL_ACCOUNT,
    time: `${new Date(stopEpochMs).toISOString().slice(0, 19)}Z`,
    region,
    resources: [arn],
    detail: {
      executionArn: arn,
      stateMachineArn: machineArn,
      name,
      status: outcome?.status ?? 'RUNNING',
      startDate: startEpochMs,
      stopDate: stopEpochMs,
      input,
      inputDetails: { included: true },
      output: outcome?.status === 'SUCCEEDED' ? JSON.stringify(outcome.output) : null,
      outputDetails: outcome?.status === 'SUCCEEDED' ? { included: true } : null,
      error: failed?.error ?? null,
      cause: failed?.cause ?? null,
    },
  };
}
