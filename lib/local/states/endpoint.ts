/**
 * Step Functions' API on this machine, as far as it is in use: AWS JSON 1.0 over HTTP, for the real SDK. Every other
 * operation or parameter is refused by name.
 */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Credentials } from '../lambda-environment.ts';
import { type Execution, ExecutionError, type Executions } from './executions.ts';

type Parameters = Readonly<Record<string, unknown>>;

const TARGET = 'AWSStepFunctions.';
const MAX_PAGE = 1000;
const DEFAULT_PAGE = 100;
/** An execution's input with the rest of the request around it. */
const MAX_REQUEST_BYTES = 1_048_576;

interface Operation {
  /** Parameters that may be given. */
  readonly parameters: readonly string[];
  run(executions: Executions, given: Parameters): object;
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  StartExecution: {
    parameters: ['stateMachineArn', 'name', 'input'],
    run(executions, given) {
      const name = given.name === undefined ? randomUUID() : text(given, 'name');
      const input = given.input === undefined ? '{}' : text(given, 'input');
      const { arn, startEpochMs } = executions.start(text(given, 'stateMachineArn'), name, input);
      return { executionArn: arn, startDate: startEpochMs / 1000 };
    },
  },
  DescribeExecution: {
    parameters: ['executionArn', 'includedData'],
    run: (executions, given) => described(executions, executions.describe(text(given, 'executionArn'))),
  },
  RedriveExecution: {
    parameters: ['executionArn', 'clientToken'],
    run(executions, given) {
      const { redriveEpochMs } = executions.redrive(text(given, 'executionArn'));
      return { redriveDate: redriveEpochMs! / 1000 };
    },
  },
  StopExecution: {
    parameters: ['executionArn', 'error', 'cause'],
    run(executions, given) {
      const { error, cause } = given as { error?: string; cause?: string };
      return { stopDate: executions.stop(text(given, 'executionArn'), error, cause).stopEpochMs! / 1000 };
    },
  },
  ListExecutions: {
    parameters: ['stateMachineArn', 'statusFilter', 'maxResults', 'nextToken'],
    run: listed,
  },
};

/** An endpoint that is running. */
export interface StatesEndpoint {
  /** `http://127.0.0.1:12345` */
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on any free port of the loopback, for whoever signs with this access key. */
export async function startStatesEndpoint(
  executions: Executions,
  { accessKeyId }: Credentials,
): Promise<StatesEndpoint> {
  const server = createServer((incoming, response) => {
    answer(executions, accessKeyId, incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  executions: Executions,
  accessKeyId: string,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let status = 200;
  let body: object;
  try {
    body = operate(executions, accessKeyId, incoming, await bodyOf(incoming));
  } catch (error) {
    const known = error instanceof ExecutionError;
    status = known ? 400 : 500;
    body = { __type: known ? error.name : 'InternalServerError', message: (error as Error).message };
  }
  response.writeHead(status, {
    'Content-Type': 'application/x-amz-json-1.0',
    'x-amzn-RequestId': randomUUID(),
  });
  response.end(JSON.stringify(body));
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes > MAX_REQUEST_BYTES) throw new ExecutionError('ValidationException', 'The request is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function operate(
  executions: Executions,
  accessKeyId: string,
  { headers }: IncomingMessage,
  body: string,
): object {
  if (!String(headers.authorization).includes(`Credential=${accessKeyId}/`)) {
    throw new ExecutionError(
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    );
  }
  const target = String(headers['x-amz-target']);
  const name = target.startsWith(TARGET) ? target.slice(TARGET.length) : '';
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (operation === undefined) {
    throw new ExecutionError('UnknownOperationException', `${target} is not there on this machine`);
  }
  const given = parameters(body);
  for (const parameter of Object.keys(given)) {
    if (operation.parameters.includes(parameter)) continue;
    throw new ExecutionError(
      'ValidationException',
      `${name}: parameter ${parameter} is not there on this machine`,
    );
  }
  return operation.run(executions, given);
}

function parameters(body: string): Parameters {
  let given: unknown;
  try {
    given = JSON.parse(body);
  } catch {
    throw new ExecutionError('SerializationException', 'The request is not JSON');
  }
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Parameters;
  throw new ExecutionError('SerializationException', 'The request is no JSON object');
}

function text(given: Parameters, name: string): string {
  const value = given[name];
  if (typeof value === 'string') return value;
  throw new ExecutionError('ValidationException', `${name} is ${JSON.stringify(value)}: expected a text`);
}

function described(executions: Executions, execution: Execution): object {
  const { outcome, input, redrives, redriveEpochMs } = execution;
  const reason = executions.notRedrivable(execution);
  return {
    ...summary(execution),
    input,
    inputDetails: { included: true },
    ...(outcome?.status === 'SUCCEEDED'
      ? { output: JSON.stringify(outcome.output), outputDetails: { included: true } }
      : { error: outcome?.error, cause: outcome?.cause }),
    redriveCount: redrives,
    redriveDate: redriveEpochMs === undefined ? undefined : redriveEpochMs / 1000,
    redriveStatus: reason === undefined ? 'REDRIVABLE' : 'NOT_REDRIVABLE',
    redriveStatusReason: reason,
  };
}

function summary({ arn, machineArn, name, outcome, startEpochMs, stopEpochMs }: Execution): object {
  return {
    executionArn: arn,
    stateMachineArn: machineArn,
    name,
    status: outcome?.status ?? 'RUNNING',
    startDate: startEpochMs / 1000,
    stopDate: stopEpochMs === undefined ? undefined : stopEpochMs / 1000,
  };
}

/** Pages are cut from what there is now; the token is the place of the first one of the next page. */
function listed(executions: Executions, given: Parameters): object {
  const { statusFilter } = given;
  const all = executions
    .list(text(given, 'stateMachineArn'))
    .filter(({ outcome }) => statusFilter === undefined || (outcome?.status ?? 'RUNNING') === statusFilter);
  const from = given.nextToken === undefined ? 0 : Number(text(given, 'nextToken'));
  const asked = Number(given.maxResults ?? 0);
  const to = from + Math.min(asked === 0 ? DEFAULT_PAGE : asked, MAX_PAGE);
  return {
    executions: all.slice(from, to).map(summary),
    nextToken: to < all.length ? String(to) : undefined,
  };
}
