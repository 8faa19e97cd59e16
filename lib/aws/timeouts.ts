/** How long requests to AWS wait: without these, the SDK waits until the process ends. */
import type { NodeHttpHandlerOptions } from '@smithy/node-http-handler';

/** All in milliseconds. After each of them the SDK throws a `TimeoutError`, and tries again as after a broken connection. */
export interface Timeouts {
  /** For a connection. */
  readonly connectMs: number;
  /** For the first byte of an answer, and in a body that is being read for each next one. */
  readonly responseMs: number;
  /** For any byte in either direction while a body is sent or a short answer is read. */
  readonly idleMs: number;
  /** In place of `answerMs` and `idleMs` where S3 copies or joins large objects before it answers. */
  readonly copyMs: number;
}

export const TIMEOUTS: Timeouts = {
  /** A connection takes well under a second; this leaves room for two lost packets, which are sent again after 1 and 3 s. */
  connectMs: 5_000,
  /** S3 answers within a second, and to slow listings within some; all three tries take a minute, the shortest time of a function. */
  responseMs: 20_000,
  /** As the AWS CLI has it: on a slow line, what the system has taken into its buffers takes many seconds to leave. */
  idleMs: 60_000,
  /** S3 takes "several minutes" to join many parts, in its own words; all three tries fit into a function's 15. */
  copyMs: 240_000,
};

/** The SDK's options for one client. `requestTimeout` alone would only log a warning. */
export function handlerOptions({ connectMs, responseMs, idleMs }: Timeouts): NodeHttpHandlerOptions {
  return {
    connectionTimeout: connectMs,
    requestTimeout: responseMs,
    throwOnRequestTimeout: true,
    socketTimeout: idleMs,
  };
}
