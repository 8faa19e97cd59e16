/** The subset of Step Functions' API that the project uses. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type JsonService, operation } from '../json-api.ts';
import type { LocalExecutions } from './executions.ts';

/** The API of these executions. */
export function statesService(executions: LocalExecutions): JsonService {
  const arn = z.string().regex(/^arn:/);
  const text = z.string();
  const ofExecution = (given: { readonly executionArn: string }) => given.executionArn;
  const operations = {
    StartExecution: operation(
      'states:StartExecution',
      z.strictObject({ stateMachineArn: arn, name: text.default(randomUUID), input: text.default('{}') }),
      (given) => given.stateMachineArn,
      ({ stateMachineArn, name, input }) => {
        const { arn: executionArn, startEpochMs } = executions.start(stateMachineArn, name, input);
        return { executionArn, startDate: startEpochMs / 1000 };
      },
    ),
    DescribeExecution: operation(
      'states:DescribeExecution',
      z.strictObject({ executionArn: arn }),
      ofExecution,
      ({ executionArn }) => {
        const execution = executions.describe(executionArn);
        const { machineArn, name, input, outcome, startEpochMs, stopEpochMs, redriveEpochMs } = execution;
        const reason = executions.notRedrivableReason(execution);
        return {
          executionArn,
          stateMachineArn: machineArn,
          name,
          status: outcome?.status ?? 'RUNNING',
          startDate: startEpochMs / 1000,
          stopDate: outcome && stopEpochMs! / 1000,
          redriveCount: execution.redrives,
          redriveDate: redriveEpochMs && redriveEpochMs / 1000,
          input,
          inputDetails: { included: true },
          ...(outcome?.status === 'SUCCEEDED'
            ? { output: JSON.stringify(outcome.output), outputDetails: { included: true } }
            : { error: outcome?.error, cause: outcome?.cause }),
          redriveStatus: reason === undefined ? 'REDRIVABLE' : 'NOT_REDRIVABLE',
          redriveStatusReason: reason,
        };
      },
    ),
    RedriveExecution: operation(
      'states:RedriveExecution',
      z.strictObject({ executionArn: arn, clientToken: text.optional() }),
      ofExecution,
      ({ executionArn }) => ({ redriveDate: executions.redrive(executionArn).redriveEpochMs! / 1000 }),
    ),
    StopExecution: operation(
      'states:StopExecution',
      z.strictObject({ executionArn: arn, error: text.optional(), cause: text.optional() }),
      ofExecution,
      ({ executionArn, error, cause }) => ({
        stopDate: executions.stop(executionArn, error, cause).stopEpochMs! / 1000,
      }),
    ),
  };
  return { target: 'AWSStepFunctions.', signingName: 'states', operations };
}
