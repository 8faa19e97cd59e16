/** Limits the wait for the next bytes of a body: the SDK's own timeouts end with the headers of a response. */
import type { Readable } from 'node:stream';

/**
 * The bytes of a body. A stalled body is destroyed and throws a `TimeoutError`; the reader's own time between two arrays
 * does not count.
 *
 * @param maxWaitMs longest wait for the next array, in milliseconds
 */
export async function* watchedBody(body: Readable, maxWaitMs: number): AsyncIterable<Uint8Array> {
  let arrays = 0;
  let waiting = false;
  const timer = setTimeout(() => {
    const seen = arrays;
    // After a long computation the timer fires first, and the bytes that arrived in the meantime are read next.
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

/** Has the name of the SDK's own timeout errors. */
class BodyTimeoutError extends Error {
  override readonly name = 'TimeoutError';

  constructor(maxWaitMs: number) {
    super(`the body stalled: no byte for ${maxWaitMs} ms`);
  }
}
