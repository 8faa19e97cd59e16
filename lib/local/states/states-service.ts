/** The subset of Step Functions' API that the project uses. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type JsonService, operation } from '../json-api.ts';
import type { Execution, LocalExecutions } from './executions.ts';

const MAX_PAGE = 1000;
const DEFAULT_PAGE = 100;

/** The API of these executions. */
export function statesService(executions: LocalExecutions): JsonService {
  const arn = z.string().regex(/^arn:/);
  const text = z.string();
  const ofExecution = (given: { readonly executionArn: string }) => given.executionArn;
  const ofMachine = (given: { readonly stateMachineArn: string }) => given.stateMachineArn;
  const operations = {
    StartExecution: operation(
      'states:StartExecution',
      z.strictObject({ stateMachineArn: arn, name: text.default(randomUUID), input: text.default('{}') }),
      ofMachine,
      ({ stateMachineArn, name, input }) => {
        const { arn: executionArn, startEpochMs } = executions.start(stateMachineArn, name, input);
        return { executionArn, startDate: startEpochMs / 1000 };
      },
    ),
    DescribeExecution: operation(
      'states:DescribeExecution',
      z.strictObject({ executionArn: arn, includedData: text.optional() }),
      ofExecution,
      ({ executionArn }) => {
        const execution = executions.describe(executionArn);
        const { outcome, input } = execution;
        const reason = executions.notRedrivableReason(execution);
        return {
          ...summary(execution),
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
    ListExecutions: operation(
      'states:ListExecutions',
      z.strictObject({
        stateMachineArn: arn,
        statusFilter: text.optional(),
        maxResults: z.int().min(1).max(MAX_PAGE).default(DEFAULT_PAGE),
        // The token is the index of the next page's first one.
        nextToken: z.coerce.number().default(0),
      }),
      ofMachine,
      ({ stateMachineArn, statusFilter, maxResults, nextToken }) => {
        const all = executions
          .list(stateMachineArn)
          .map(summary)
          .filter(({ status }) => statusFilter === undefined || status === statusFilter);
        const to = nextToken + maxResults;
        return { executions: all.slice(nextToken, to), nextToken: to < all.length ? String(to) : undefined };
      },
    ),
  };
  return { target: 'AWSStepFunctions.', signingName: 'states', operations };
}

function summary(execution: Execution) {
  const { arn, machineArn, name, outcome, startEpochMs, stopEpochMs, redrives, redriveEpochMs } = execution;
  return {
    executionArn: arn,
    stateMachineArn: machineArn,
    name,
    status: outcome?.status ?? 'RUNNING',
    startDate: startEpochMs / 1000,
    stopDate: stopEpochMs && stopEpochMs / 1000,
    redriveCount: redrives,
    redriveDate: redriveEpochMs && redriveEpochMs / 1000,
  };
}
