/**
 * The runtime in the child process, in place of Lambda's Node.js runtime: it loads the handler that `_HANDLER` names,
 * then requests one event after the other from the Runtime API. execution-environment.ts starts it; it imports only
 * Node.
 *
 *     init:  import <LAMBDA_TASK_ROOT>/<file>.mjs   --fails-->  POST init/error, exit
 *     loop:  GET next  ->  await handler(event, context)  ->  POST response, or POST error
 *
 * File descriptor 3 is a pipe to the host: it closes when the host ends for any reason, and this process then exits. It
 * also reports this process's resident memory, for systems on which the host cannot read it.
 */
import { existsSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

type Handler = (event: unknown, context: object) => unknown;

const MEMORY_REPORT_MS = 250;

const environment = process.env;
// fetch times out after five minutes, and an idle function may wait longer for its event.
const agent = new Agent({ keepAlive: true });

function setting(name: string): string {
  const value = environment[name];
  if (value === undefined) throw new Error(`${name} is not set: only the function host starts this file`);
  return value;
}

function followHost(): void {
  const host = new Socket({ fd: 3 });
  host.on('error', () => host.destroy());
  host.on('close', () => process.exit(1));
  host.resume();
  host.unref();
  setInterval(() => host.write(`${process.memoryUsage.rss()}\n`), MEMORY_REPORT_MS).unref();
  // Ctrl-C reaches every process of the terminal's group; the host decides when this one ends.
  process.on('SIGINT', () => {});
}

interface ApiResponse {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** One call; exits the process if the connection fails, since the host has ended. */
function call(method: 'GET' | 'POST', path: string, body?: string): Promise<ApiResponse> {
  return new Promise((resolve) => {
    const outgoing = request(
      `http://${setting('AWS_LAMBDA_RUNTIME_API')}/2018-06-01/runtime/${path}`,
      { method, agent, headers: { 'Content-Type': 'application/json' } },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', () => process.exit(1));
        incoming.on('end', () => {
          resolve({ headers: incoming.headers, body: Buffer.concat(chunks).toString() });
        });
      },
    );
    outgoing.on('error', () => process.exit(1));
    outgoing.end(body);
  });
}

function namedError(errorType: string, message: string): Error {
  const error = new Error(message);
  error.name = errorType;
  return error;
}

function errorBody(error: unknown): string {
  if (!(error instanceof Error)) {
    return JSON.stringify({ errorType: typeof error, errorMessage: String(error), trace: [] });
  }
  const trace = (error.stack ?? '').split('\n');
  return JSON.stringify({ errorType: error.name, errorMessage: error.message, trace });
}

async function loadHandler(): Promise<Handler> {
  const name = setting('_HANDLER');
  const dot = name.lastIndexOf('.');
  if (dot <= 0) throw namedError('Runtime.MalformedHandlerName', `Bad handler: ${name}`);
  const stem = join(setting('LAMBDA_TASK_ROOT'), name.slice(0, dot));
  const path = ['.mjs', '.js', '.cjs']
    .map((ending) => stem + ending)
    .find((candidate) => existsSync(candidate));
  if (path === undefined) {
    throw namedError('Runtime.ImportModuleError', `Error: Cannot find module '${name.slice(0, dot)}'`);
  }
  const exported = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  const handler = exported[name.slice(dot + 1)];
  if (handler === undefined) {
    throw namedError('Runtime.HandlerNotFound', `${name} is undefined or not exported`);
  }
  if (typeof handler !== 'function') throw namedError('Runtime.HandlerNotFound', `${name} is not a function`);
  // Lambda's Node.js 24 runtime is the first one without callbacks.
  if (handler.length > 2) {
    throw namedError(
      'Runtime.CallbackHandlerDeprecated',
      `${name} takes a callback, which nodejs24.x does not support: use async`,
    );
  }
  return handler as Handler;
}

function contextOf(headers: IncomingHttpHeaders): object {
  const deadlineEpochMs = Number(headers['lambda-runtime-deadline-ms']);
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: setting('AWS_LAMBDA_FUNCTION_NAME'),
    functionVersion: setting('AWS_LAMBDA_FUNCTION_VERSION'),
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    memoryLimitInMB: setting('AWS_LAMBDA_FUNCTION_MEMORY_SIZE'),
    awsRequestId: headers['lambda-runtime-aws-request-id'],
    logGroupName: setting('AWS_LAMBDA_LOG_GROUP_NAME'),
    logStreamName: setting('AWS_LAMBDA_LOG_STREAM_NAME'),
    getRemainingTimeInMillis: () => deadlineEpochMs - Date.now(),
  };
}

function serialised(result: unknown): string {
  try {
    return JSON.stringify(result) ?? 'null';
  } catch (error) {
    throw namedError('Runtime.MarshalError', `Unable to marshal response: ${(error as Error).message}`);
  }
}

/** As in Lambda, an uncaught error fails the current invocation, if any, and ends the process. */
function exitOn(event: 'uncaughtException' | 'unhandledRejection', exitCode: number): void {
  process.on(event, (error: unknown) => {
    const path = requestId === undefined ? 'init/error' : `invocation/${requestId}/error`;
    const reported =
      event === 'uncaughtException'
        ? error
        : namedError(
            'Runtime.UnhandledPromiseRejection',
            error instanceof Error ? error.message : String(error),
          );
    call('POST', path, errorBody(reported)).then(() => process.exit(exitCode));
  });
}

/** Id of the current or the last invocation. */
let requestId: string | undefined;

followHost();
exitOn('uncaughtException', 129);
exitOn('unhandledRejection', 128);

let handler: Handler;
try {
  handler = await loadHandler();
} catch (error) {
  const syntax =
    error instanceof SyntaxError ? namedError('Runtime.UserCodeSyntaxError', String(error)) : error;
  await call('POST', 'init/error', errorBody(syntax));
  process.exit(1);
}
for (;;) {
  const { headers, body } = await call('GET', 'invocation/next');
  requestId = String(headers['lambda-runtime-aws-request-id']);
  let outcome: 'response' | 'error' = 'response';
  let outgoing: string;
  try {
    outgoing = serialised(await handler(JSON.parse(body), contextOf(headers)));
  } catch (error) {
    outcome = 'error';
    outgoing = errorBody(error);
  }
  await call('POST', `invocation/${requestId}/${outcome}`, outgoing);
}
