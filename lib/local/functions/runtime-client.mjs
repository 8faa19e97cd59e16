/**
 * The runtime in the child process, in place of Lambda's Node.js runtime: it loads the handler that `_HANDLER` names,
 * then requests one event after the other from the Runtime API. execution-environment.ts starts it. It is plain
 * JavaScript: Node would take 40 ms of each cold start to load its type stripper.
 *
 *     init:  import <LAMBDA_TASK_ROOT>/<file>.mjs   --fails-->  POST init/error, exit
 *     loop:  GET next  ->  await handler(event, context)  ->  POST response, or POST error
 *
 * When the host ends for any reason, this process ends too: follow-parent.mjs.
 */
import { existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import './follow-parent.mjs';

/** @typedef {(event: unknown, context: object) => unknown} Handler */
/** @typedef {{ headers: import('node:http').IncomingHttpHeaders, body: string }} ApiResponse */

const environment = process.env;
// fetch times out after five minutes, and an idle function may wait longer for its event.
const agent = new Agent({ keepAlive: true });

/**
 * @param {string} name
 * @returns {string}
 */
function setting(name) {
  const value = environment[name];
  if (value === undefined) throw new Error(`${name} is not set: only the function host starts this file`);
  return value;
}

/**
 * One call; exits the process if the connection fails, since the host has ended.
 *
 * @param {'GET' | 'POST'} method
 * @param {string} path
 * @param {string} [body]
 * @returns {Promise<ApiResponse>}
 */
function call(method, path, body) {
  return new Promise((resolve) => {
    const outgoing = request(
      `http://${setting('AWS_LAMBDA_RUNTIME_API')}/2018-06-01/runtime/${path}`,
      { method, agent, headers: { 'Content-Type': 'application/json' } },
      (incoming) => {
        /** @type {Buffer[]} */
        const chunks = [];
        incoming.on('data', (/** @type {Buffer} */ chunk) => chunks.push(chunk));
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

/**
 * @param {string} errorType
 * @param {string} message
 * @returns {Error}
 */
function namedError(errorType, message) {
  const error = new Error(message);
  error.name = errorType;
  return error;
}

/**
 * @param {unknown} error
 * @returns {string}
 */
function errorBody(error) {
  if (!(error instanceof Error)) {
    return JSON.stringify({ errorType: typeof error, errorMessage: String(error), trace: [] });
  }
  const trace = (error.stack ?? '').split('\n');
  return JSON.stringify({ errorType: error.name, errorMessage: error.message, trace });
}

/** @returns {Promise<Handler>} */
async function loadHandler() {
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
  const exported = /** @type {Record<string, unknown>} */ (await import(pathToFileURL(path).href));
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
  return /** @type {Handler} */ (handler);
}

/**
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @returns {object}
 */
function contextOf(headers) {
  // Counted from now on, so that a change of the system's time does not change it.
  const remainingMs = Number(headers['lambda-runtime-deadline-ms']) - Date.now();
  const sinceMs = performance.now();
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: setting('AWS_LAMBDA_FUNCTION_NAME'),
    functionVersion: setting('AWS_LAMBDA_FUNCTION_VERSION'),
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    memoryLimitInMB: setting('AWS_LAMBDA_FUNCTION_MEMORY_SIZE'),
    awsRequestId: headers['lambda-runtime-aws-request-id'],
    logGroupName: setting('AWS_LAMBDA_LOG_GROUP_NAME'),
    logStreamName: setting('AWS_LAMBDA_LOG_STREAM_NAME'),
    getRemainingTimeInMillis: () => remainingMs - (performance.now() - sinceMs),
  };
}

/**
 * @param {unknown} result
 * @returns {string}
 */
function serialised(result) {
  try {
    return JSON.stringify(result) ?? 'null';
  } catch (error) {
    throw namedError(
      'Runtime.MarshalError',
      `Unable to marshal response: ${/** @type {Error} */ (error).message}`,
    );
  }
}

/**
 * As in Lambda, an uncaught error fails the current invocation, if any, and ends the process.
 *
 * @param {'uncaughtException' | 'unhandledRejection'} event
 * @param {number} exitCode
 */
function exitOn(event, exitCode) {
  process.on(event, (/** @type {unknown} */ error) => {
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

/** Id of the current or the last invocation. @type {string | undefined} */
let requestId;

// Ctrl-C reaches every process of the terminal's group; the host decides when this one ends.
process.on('SIGINT', () => {});
exitOn('uncaughtException', 129);
exitOn('unhandledRejection', 128);

/** @type {Handler} */
let handler;
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
  let outcome = 'response';
  /** @type {string} */
  let outgoing;
  try {
    outgoing = serialised(await handler(JSON.parse(body), contextOf(headers)));
  } catch (error) {
    outcome = 'error';
    outgoing = errorBody(error);
  }
  await call('POST', `invocation/${requestId}/${outcome}`, outgoing);
}
