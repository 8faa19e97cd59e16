/**
 * The runtime in the child process, in place of Lambda's Node.js runtime: it loads the handler that `_HANDLER` names, and
 * calls it with one event after the other. execution-environment.ts starts it. It is plain JavaScript: Node would take
 * 40 ms of each cold start to load its type stripper.
 *
 *     init:  import <LAMBDA_TASK_ROOT>/<file>.mjs   --fails-->  an error, exit
 *     loop:  event  ->  await handler(event, context)  ->  its result, or an error
 *
 * When the host ends for any reason, this process ends too: follow-parent.mjs.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import './follow-parent.mjs';

/** @typedef {(event: unknown, context: object) => unknown} Handler */
/** @typedef {{ requestId: string, event: unknown, timeoutMs: number, functionArn: string }} Invocation */

const environment = process.env;

/**
 * @param {unknown} message
 * @returns {Promise<void>} rejects if it is not JSON
 */
function send(message) {
  return new Promise((resolve) => {
    if (process.send === undefined) throw new Error('only the function host starts this file');
    process.send(message, () => resolve());
  });
}

/**
 * @param {unknown} thrown
 * @param {boolean} isLast whether the process then ends
 * @returns {Promise<void>}
 */
function sendError(thrown, isLast) {
  const named = { name: typeof thrown, message: String(thrown), stack: '' };
  const { name: errorType, message: errorMessage, stack = '' } = thrown instanceof Error ? thrown : named;
  const error = { errorType, errorMessage, trace: stack.split('\n') };
  return send({ outcome: { ok: false, error }, isLast });
}

/** @returns {Promise<Handler>} */
async function loadHandler() {
  const [, file = '', name = ''] = /^(.*)\.(.*)$/.exec(environment._HANDLER ?? '') ?? [];
  const path = join(environment.LAMBDA_TASK_ROOT ?? '', `${file}.mjs`);
  const handler = (await import(pathToFileURL(path).href))[name];
  if (typeof handler === 'function') return handler;
  throw new Error(`${environment._HANDLER} is no function of ${path}`);
}

/**
 * @param {Invocation} invocation
 * @returns {object}
 */
function contextOf({ requestId, timeoutMs, functionArn }) {
  // A change of the system's time does not change it.
  const sinceMs = performance.now();
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: environment.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: environment.AWS_LAMBDA_FUNCTION_VERSION,
    invokedFunctionArn: functionArn,
    memoryLimitInMB: environment.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    awsRequestId: requestId,
    logGroupName: environment.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: environment.AWS_LAMBDA_LOG_STREAM_NAME,
    getRemainingTimeInMillis: () => timeoutMs - (performance.now() - sinceMs),
  };
}

/** As in Lambda, an uncaught error fails the current invocation, if any, and ends the process. @param {unknown} error */
async function fail(error) {
  await sendError(error, true);
  process.exit(1);
}

// Ctrl-C reaches every process of the terminal's group; the host decides when this one ends.
process.on('SIGINT', () => {});
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

const handler = await loadHandler().catch(fail);
await send('ready');
for (;;) {
  /** @type {Invocation} */
  const invocation = await new Promise((resolve) => process.once('message', resolve));
  try {
    const payload = (await handler?.(invocation.event, contextOf(invocation))) ?? null;
    await send({ outcome: { ok: true, payload }, isLast: false });
  } catch (error) {
    await sendError(error, false);
  }
}
