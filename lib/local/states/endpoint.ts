/** The subset of Step Functions' API that the project uses. */
import { randomUUID } from 'node:crypto';
import { JsonApiError, type JsonService, type RequestParameters, stringParameter } from '../json-api.ts';
import type { Execution, LocalExecutions } from './executions.ts';

const MAX_PAGE = 1000;
const DEFAULT_PAGE = 100;
const MAX_TOKEN = 3096;

/** The API of these executions. */
export function statesService(executions: LocalExecutions): JsonService {
  return { target: 'AWSStepFunctions.', signingName: 'states', operations: operationsOf(executions) };
}

const ofMachine = (given: RequestParameters) => stringParameter(given, 'stateMachineArn');
const ofExecution = (given: RequestParameters) => stringParameter(given, 'executionArn');

/** @throws JsonApiError InvalidArn */
function arnParameter(given: RequestParameters, name: string): string {
  const arn = stringParameter(given, name);
  if (arn.startsWith('arn:')) return arn;
  throw new JsonApiError('InvalidArn', `Invalid Arn: 'Invalid ARN prefix: ${arn}'`);
}

function operationsOf(executions: LocalExecutions): JsonService['operations'] {
  return {
    StartExecution: {
      parameters: ['stateMachineArn', 'name', 'input'],
      action: 'states:StartExecution',
      resource: ofMachine,
      run(given) {
        const name = given.name === undefined ? randomUUID() : stringParameter(given, 'name');
        const input = given.input === undefined ? '{}' : stringParameter(given, 'input');
        const { arn, startEpochMs } = executions.start(arnParameter(given, 'stateMachineArn'), name, input);
        return { executionArn: arn, startDate: startEpochMs / 1000 };
      },
    },
    DescribeExecution: {
      parameters: ['executionArn', 'includedData'],
      action: 'states:DescribeExecution',
      resource: ofExecution,
      run: (given) => describeExecution(executions, executions.describe(arnParameter(given, 'executionArn'))),
    },
    RedriveExecution: {
      parameters: ['executionArn', 'clientToken'],
      action: 'states:RedriveExecution',
      resource: ofExecution,
      run(given) {
        const { redriveEpochMs } = executions.redrive(arnParameter(given, 'executionArn'));
        return { redriveDate: redriveEpochMs! / 1000 };
      },
    },
    StopExecution: {
      parameters: ['executionArn', 'error', 'cause'],
      action: 'states:StopExecution',
      resource: ofExecution,
      run(given) {
        const { error, cause } = given as { error?: string; cause?: string };
        return {
          stopDate: executions.stop(arnParameter(given, 'executionArn'), error, cause).stopEpochMs! / 1000,
        };
      },
    },
    ListExecutions: {
      parameters: ['stateMachineArn', 'statusFilter', 'maxResults', 'nextToken'],
      action: 'states:ListExecutions',
      resource: ofMachine,
      run: (given) => listExecutions(executions, given),
    },
  };
}

function describeExecution(executions: LocalExecutions, execution: Execution): object {
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
}

function summary({
  arn,
  machineArn,
  name,
  outcome,
  startEpochMs,
  stopEpochMs,
  redrives,
  redriveEpochMs,
}: Execution): object {
  return {
    executionArn: arn,
    stateMachineArn: machineArn,
    name,
    status: outcome?.status ?? 'RUNNING',
    startDate: startEpochMs / 1000,
    stopDate: stopEpochMs === undefined ? undefined : stopEpochMs / 1000,
    redriveCount: redrives,
    redriveDate: redriveEpochMs === undefined ? undefined : redriveEpochMs / 1000,
  };
}

/** @throws JsonApiError ValidationException */
function checkPage({ maxResults, nextToken }: RequestParameters): void {
  if (Number(maxResults ?? 0) > MAX_PAGE) {
    throw invalidValue('maxResults', maxResults, `Member must have value less than or equal to ${MAX_PAGE}`);
  }
  if (String(nextToken ?? '').length > MAX_TOKEN) {
    throw invalidValue('nextToken', nextToken, `Member must have length less than or equal to ${MAX_TOKEN}`);
  }
}

function invalidValue(name: string, value: unknown, constraint: string): JsonApiError {
  return new JsonApiError(
    'ValidationException',
    `1 validation error detected: Value '${value}' at '${name}' failed to satisfy constraint: ${constraint}`,
  );
}

/** A page of the current executions; the token is the index of the next page's first one. */
function listExecutions(executions: LocalExecutions, given: RequestParameters): object {
  const { statusFilter } = given;
  const all = executions
    .list(arnParameter(given, 'stateMachineArn'))
    .filter(({ outcome }) => statusFilter === undefined || (outcome?.status ?? 'RUNNING') === statusFilter);
  checkPage(given);
  const from = given.nextToken === undefined ? 0 : Number(stringParameter(given, 'nextToken'));
  const requested = Number(given.maxResults ?? 0);
  const to = from + (requested === 0 ? DEFAULT_PAGE : requested);
  return {
    executions: all.slice(from, to).map(summary),
    nextToken: to < all.length ? String(to) : undefined,
  };
}
