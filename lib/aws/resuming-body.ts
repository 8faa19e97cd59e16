/** Reads a long body over a connection that may break: a new request continues after the last byte received. */

/** Consecutive breaks without a byte in between, before the error is passed on. */
const MAX_BREAKS = 3;

/**
 * All `totalBytes` of a body. An error after the last byte is ignored, unless it is a checksum mismatch.
 *
 * @param first the body from byte 0
 * @param reopen opens the same object's body at a byte offset
 * @throws the last error if reopening does not help; RangeError if the object is too short; a checksum mismatch at once
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
    let failure: unknown;
    const before = at;
    const iterator: AsyncIterator<Uint8Array> = (body ?? (await reopen(at)))[Symbol.asyncIterator]();
    body = undefined;
    try {
      for (;;) {
        const next = await nextOf(iterator);
        if ('error' in next) {
          failure = next.error;
          break;
        }
        if (next.bytes === undefined) break;
        at += next.bytes.length;
        yield next.bytes;
      }
    } finally {
      await iterator.return?.();
    }
    if (isChecksumMismatch(failure)) throw failure;
    if (at >= totalBytes) return;
    breaks = at > before ? 1 : breaks + 1;
    if (breaks > MAX_BREAKS) {
      if (failure !== undefined) throw failure;
      const error = new RangeError(`the body ended after ${at} of ${totalBytes} bytes`);
      throw Object.assign(error, { code: 'ERR_STREAM_PREMATURE_CLOSE' });
    }
  }
}

/** The next step of the body. Its errors are returned as values, to keep them apart from errors of the consumer. */
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

/**
 * Whether the SDK has found that an object's bytes do not match its checksum. Its stream reports this at the end and
 * discards the bytes in its buffer, so some may be missing; a range, which S3 sends without a checksum, would replace
 * them unnoticed. The error has neither a name nor a code.
 */
export function isChecksumMismatch(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith('Checksum mismatch');
}
