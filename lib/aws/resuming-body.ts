/** Reading a long body over a connection that may break: the rest is asked for from where it broke. */

/** Breaks in a row, without a byte in between, before the error is passed on. */
const MAX_BREAKS = 3;

/**
 * All `totalBytes` of a body.
 *
 * @param first the body from byte 0
 * @param reopen the same object's body from a byte on
 * @throws the last error where reopening does not help; RangeError where the object ends too early
 */
export async function* resumingBody(
  first: AsyncIterable<Uint8Array>,
  totalBytes: number,
  reopen: (fromByte: number) => Promise<AsyncIterable<Uint8Array>>,
): AsyncIterable<Uint8Array> {
  let at = 0;
  let breaks = 0;
  let body: AsyncIterable<Uint8Array> | undefined = first;
  while (at < totalBytes) {
    let trouble: unknown;
    const before = at;
    const iterator: AsyncIterator<Uint8Array> = (body ?? (await reopen(at)))[Symbol.asyncIterator]();
    body = undefined;
    try {
      for (;;) {
        const next = await nextOf(iterator);
        if ('error' in next) {
          trouble = next.error;
          break;
        }
        if (next.bytes === undefined) break;
        at += next.bytes.length;
        yield next.bytes;
      }
    } finally {
      await iterator.return?.();
    }
    if (at >= totalBytes) return;
    breaks = at > before ? 1 : breaks + 1;
    if (breaks > MAX_BREAKS) {
      throw trouble ?? new RangeError(`the body ended after ${at} of ${totalBytes} bytes`);
    }
  }
}

/** A step of the body: its own errors are values, so that errors of the consumer are not mistaken for them. */
async function nextOf(
  iterator: AsyncIterator<Uint8Array>,
): Promise<{ bytes: Uint8Array | undefined } | { error: unknown }> {
  try {
    const next = await iterator.next();
    return { bytes: next.done === true ? undefined : next.value };
  } catch (error) {
    return { error };
  }
}
