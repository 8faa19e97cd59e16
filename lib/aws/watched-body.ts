/** A body whose next bytes are awaited for a limited time: the SDK's own timeouts end with an answer's headers. */
import type { Readable } from 'node:stream';

/**
 * The bytes of a body. One that stalls is destroyed, and throws a `TimeoutError`; a reader that takes its time between
 * two arrays is no stall.
 */
export async function* watchedBody(body: Readable, maxWaitMs: number): AsyncIterable<Uint8Array> {
  let arrays = 0;
  let waiting = false;
  const timer = setTimeout(() => {
    const seen = arrays;
    // After a long computation the timer comes first, and the bytes that arrived meanwhile are read next.
    setImmediate(() => {
      if (waiting && arrays === seen) body.destroy(new BodyTimeoutError(maxWaitMs));
    });
  }, maxWaitMs);
  const iterator: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      waiting = true;
      timer.refresh();
      const next = await iterator.next();
      waiting = false;
      arrays++;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
    await iterator.return?.();
  }
}

/** Named as the SDK names its own. */
class BodyTimeoutError extends Error {
  override readonly name = 'TimeoutError';

  constructor(maxWaitMs: number) {
    super(`the body stalled: no byte for ${maxWaitMs} ms`);
  }
}
