/**
 * Lambda's Runtime API: four HTTP calls with which a function's process requests events and returns responses. (AWS
 * Lambda Developer Guide, "Using the Lambda runtime API for custom runtimes".)
 *
 *     GET  /2018-06-01/runtime/invocation/next            held open until there is an event
 *     POST /2018-06-01/runtime/invocation/<id>/response   the handler returned
 *     POST /2018-06-01/runtime/invocation/<id>/error      the handler threw
 *     POST /2018-06-01/runtime/init/error                 the code could not be loaded
 *
 * Each execution environment has its own server on its own loopback port, as in Lambda: the port identifies the child. A
 * random path precedes the calls, because in Lambda no other program can reach the API.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeServer, listen } from '../http-server.ts';
import { refusalOf } from '../own-requests.ts';
import type { FunctionError, InvocationOutcome } from './invocation-result.ts';

const VERSION = '/2018-06-01';
/** Largest response in bytes, inclusive: Lambda allows it 100 bytes more than the event. */
const MAX_RESPONSE_BYTES = 6_291_556;

/** One event for the function. */
export interface RuntimeInvocation {
  readonly requestId: string;
  /** The event as JSON text in UTF-8. */
  readonly payload: Uint8Array;
  /** Time of the function's timeout, in milliseconds since 1970. */
  readonly deadlineEpochMs: number;
  readonly functionArn: string;
}

/** Receives the client's calls. */
export interface RuntimeListener {
  /** It waits for an event: {@link RuntimeApi.sendEvent} may be called, immediately or later. */
  waiting(): void;
  responded(requestId: string, outcome: InvocationOutcome): void;
  initFailed(error: FunctionError): void;
}

/** The Runtime API server for one child process. */
export class RuntimeApi {
  readonly #server: Server;
  readonly #listener: RuntimeListener;
  /** Only the child process is given this path. */
  readonly #path = `/${randomBytes(16).toString('hex')}`;
  /** The `next` call that waits for an event, if any. */
  #next: ServerResponse | undefined;
  /** Request id of the event that was sent and not yet answered. */
  #open: string | undefined;

  private constructor(listener: RuntimeListener) {
    this.#listener = listener;
    this.#server = createServer((request, response) => {
      const refusal = refusalOf(request);
      if (refusal !== undefined) {
        request.resume();
        return respond(response, refusal.status, { errorType: 'Forbidden', errorMessage: refusal.message });
      }
      this.#route(request, response).catch((error: Error) => response.destroy(error));
    });
    // A handler may run for 15 minutes between two calls; by default an idle connection is closed after 5 s, and the
    // response that is then sent on it is lost.
    this.#server.keepAliveTimeout = 0;
  }

  /** Listens on a free loopback port. */
  static async start(listener: RuntimeListener): Promise<RuntimeApi> {
    const api = new RuntimeApi(listener);
    await listen(api.#server, 0, '127.0.0.1');
    return api;
  }

  /** Host, port and path, for `AWS_LAMBDA_RUNTIME_API`. */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#path}`;
  }

  /** Whether a `next` call waits for an event. */
  get isWaiting(): boolean {
    return this.#next !== undefined;
  }

  /**
   * Sends an event to the waiting process.
   *
   * @throws Error if no process waits
   */
  sendEvent(invocation: RuntimeInvocation): void {
    const next = this.#next;
    if (next === undefined) throw new Error('no process waits for an event');
    this.#next = undefined;
    this.#open = invocation.requestId;
    next.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': invocation.payload.length,
      'Lambda-Runtime-Aws-Request-Id': invocation.requestId,
      'Lambda-Runtime-Deadline-Ms': invocation.deadlineEpochMs,
      'Lambda-Runtime-Invoked-Function-Arn': invocation.functionArn,
    });
    next.end(invocation.payload);
  }

  /** Closes the server and all connections. */
  close(): Promise<void> {
    return closeServer(this.#server);
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url: target = '' } = request;
    const url = target.startsWith(`${this.#path}/`) ? target.slice(this.#path.length) : '';
    if (method === 'GET' && url === `${VERSION}/runtime/invocation/next`) return this.#hold(response);
    if (method === 'POST' && url === `${VERSION}/runtime/init/error`) {
      const { body } = await readBody(request);
      this.#listener.initFailed(parseError(body));
      return respond(response, 202, { status: 'OK' });
    }
    const [, requestId, kind] =
      /^\/2018-06-01\/runtime\/invocation\/([^/]+)\/(response|error)$/.exec(url) ?? [];
    if (method !== 'POST' || requestId === undefined) {
      return respond(response, 404, {
        errorType: 'NotFound',
        errorMessage: `No such call: ${method} ${target}`,
      });
    }
    const { body, bytes } = await readBody(request);
    if (requestId !== this.#open) {
      return respond(response, 400, {
        errorType: 'InvalidRequestID',
        errorMessage: `Not open: ${requestId}`,
      });
    }
    this.#open = undefined;
    if (bytes > MAX_RESPONSE_BYTES) {
      const errorMessage = `Response payload size (${bytes} bytes) exceeded maximum allowed payload size (${MAX_RESPONSE_BYTES} bytes).`;
      const error = { errorType: 'Function.ResponseSizeTooLarge', errorMessage };
      this.#listener.responded(requestId, { ok: false, error });
      return respond(response, 413, { errorType: 'RequestEntityTooLarge', errorMessage });
    }
    this.#listener.responded(
      requestId,
      // The runtime serialises it.
      kind === 'response'
        ? { ok: true, payload: JSON.parse(body.toString()) }
        : { ok: false, error: parseError(body) },
    );
    respond(response, 202, { status: 'OK' });
  }

  #hold(response: ServerResponse): void {
    this.#next = response;
    response.once('close', () => {
      if (this.#next === response) this.#next = undefined;
    });
    this.#listener.waiting();
  }
}

/** The body up to the maximum size, and its full length in bytes. */
async function readBody(request: IncomingMessage): Promise<{ body: Buffer; bytes: number }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // The rest is read and discarded: otherwise the client gets a connection reset instead of the 413.
    if (bytes <= MAX_RESPONSE_BYTES) chunks.push(chunk);
  }
  return { body: Buffer.concat(chunks), bytes };
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

function parseError(body: Buffer): FunctionError {
  try {
    const { errorType, errorMessage, trace } = JSON.parse(body.toString()) as FunctionError;
    return { errorType, errorMessage, trace };
  } catch {
    return { errorType: 'Runtime.Unknown', errorMessage: body.toString() };
  }
}
