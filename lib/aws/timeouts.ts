/** Timeouts of requests to AWS: without these, the SDK waits until the process ends. */
import type { NodeHttpHandlerOptions } from '@smithy/node-http-handler';

/** All in milliseconds. After each, the SDK throws a `TimeoutError` and tries again, as after a broken connection. */
export interface Timeouts {
  /** Until a connection is open. */
  readonly connectMs: number;
  /** Until the first byte of a response, and until each next byte while a body is read. */
  readonly responseMs: number;
  /** Without a byte in either direction, while a body is sent or a short response is read. */
  readonly idleMs: number;
  /** Replaces `responseMs` and `idleMs` if S3 copies or joins large objects before it responds. */
  readonly copyMs: number;
}

export const TIMEOUTS: Timeouts = {
  /** A connection takes well under a second; this allows two lost packets, which are sent again after 1 and 3 s. */
  connectMs: 5_000,
  /** S3 responds within a second, to slow listings within a few; all three tries take a minute, the shortest function timeout. */
  responseMs: 20_000,
  /** The value of the AWS CLI: on a slow connection, the bytes in the system's buffers take many seconds to leave. */
  idleMs: 60_000,
  /** S3's documentation: joining many parts takes "several minutes". All three tries fit into a function's 15. */
  copyMs: 240_000,
};

/** The SDK's options of a client. `requestTimeout` alone would only log a warning. */
export function handlerOptions({ connectMs, responseMs, idleMs }: Timeouts): NodeHttpHandlerOptions {
  return {
    connectionTimeout: connectMs,
    requestTimeout: responseMs,
    throwOnRequestTimeout: true,
    socketTimeout: idleMs,
  };
}
