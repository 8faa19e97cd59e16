/** The subset of Step Functions' API that the project uses. */
import { randomUUID } from 'node:crypto';
import { JsonApiError, type JsonService, type RequestParameters, stringParameter } from '../json-api.ts';
import type { Execution, LocalExecutions } from './executions.ts';

const MAX_PAGE = 1000;
const DEFAULT_PAGE = 100;

/** The API of these executions. */
export function statesService(executions: LocalExecutions): JsonService {
  const operation = (
    action: string,
    /** The parameter that names what the operation is for. */
    subject: 'stateMachineArn' | 'executionArn',
    parameters: readonly string[],
    run: (arn: string, given: RequestParameters) => object,
  ) => ({
    parameters: [subject, ...parameters],
    action: `states:${action}`,
    resource: (given: RequestParameters) => stringParameter(given, subject),
    run(given: RequestParameters) {
      const arn = stringParameter(given, subject);
      if (arn.startsWith('arn:')) return run(arn, given);
      throw new JsonApiError('InvalidArn', `Invalid Arn: 'Invalid ARN prefix: ${arn}'`);
    },
  });
  return {
    target: 'AWSStepFunctions.',
    signingName: 'states',
    operations: {
      StartExecution: operation('StartExecution', 'stateMachineArn', ['name', 'input'], (machine, given) => {
        const name = given.name === undefined ? randomUUID() : stringParameter(given, 'name');
        const input = given.input === undefined ? '{}' : stringParameter(given, 'input');
        const { arn, startEpochMs } = executions.start(machine, name, input);
        return { executionArn: arn, startDate: startEpochMs / 1000 };
      }),
      DescribeExecution: operation('DescribeExecution', 'executionArn', ['includedData'], (arn) => {
        const execution = executions.describe(arn);
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
      }),
      RedriveExecution: operation('RedriveExecution', 'executionArn', ['clientToken'], (arn) => ({
        redriveDate: executions.redrive(arn).redriveEpochMs! / 1000,
      })),
      StopExecution: operation('StopExecution', 'executionArn', ['error', 'cause'], (arn, given) => {
        const { error, cause } = given as { error?: string; cause?: string };
        return { stopDate: executions.stop(arn, error, cause).stopEpochMs! / 1000 };
      }),
      ListExecutions: operation(
        'ListExecutions',
        'stateMachineArn',
        ['statusFilter', 'maxResults', 'nextToken'],
        (arn, given) => {
          const { statusFilter, nextToken = '0' } = given;
          const all = executions
            .list(arn)
            .map(summary)
            .filter(({ status }) => statusFilter === undefined || status === statusFilter);
          // The token is the index of the next page's first one.
          const from = Number(nextToken);
          const to = from + Math.min(Number(given.maxResults || DEFAULT_PAGE), MAX_PAGE);
          return { executions: all.slice(from, to), nextToken: to < all.length ? String(to) : undefined };
        },
      ),
    },
  };
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
