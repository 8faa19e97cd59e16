/** The bytes of a file that a caller passes in any form. */
import { DlxBatchError } from './errors.ts';
import { shown } from './read-options.ts';

/**
 * The pieces of a file as bytes, read as they are requested.
 *
 * @throws DlxBatchError `bad_argument` if the input is none of the forms, at once; for a piece, while iterating
 */
export function bytesOf(input: unknown): AsyncIterable<Uint8Array> {
  if (typeof input === 'string' || input instanceof Uint8Array) return encoded([input]);
  if (isReadableStream(input)) return encoded(chunksOf(input));
  const isIterable =
    typeof input === 'object' &&
    input !== null &&
    (Symbol.asyncIterator in input || Symbol.iterator in input);
  if (isIterable && !ArrayBuffer.isView(input)) return encoded(input as Iterable<unknown>);
  const message = `the file is ${shown(input)}: expected text, a Uint8Array, or an iterable of these`;
  throw new DlxBatchError('bad_argument', message);
}

/** The part of a web stream that every browser has; not all can iterate over it. */
interface WebStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
    cancel(): Promise<void>;
  };
}

function isReadableStream(input: unknown): input is WebStream {
  return typeof input === 'object' && input !== null && 'getReader' in input;
}

async function* chunksOf(stream: WebStream): AsyncGenerator<unknown, void, void> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

async function* encoded(
  pieces: Iterable<unknown> | AsyncIterable<unknown>,
): AsyncGenerator<Uint8Array, void, void> {
  const encoder = new TextEncoder();
  // The first half of a character that two pieces share.
  let half = '';
  for await (const piece of pieces) {
    if (piece instanceof Uint8Array) {
      yield piece;
    } else if (typeof piece === 'string') {
      const text = half + piece;
      half = /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : '';
      yield encoder.encode(text.slice(0, text.length - half.length));
    } else {
      const message = `a piece of the file is ${shown(piece)}: expected text or a Uint8Array`;
      throw new DlxBatchError('bad_argument', message);
    }
  }
  if (half !== '') yield encoder.encode(half);
}

/**
 * The same iterable; waiting for its next piece ends when the signal is aborted, with the reason of the signal. Then its
 * end is not awaited: the source may never answer.
 */
export async function* abortable<T>(
  pieces: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncIterable<T> {
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      signal?.throwIfAborted();
      const next = await untilAborted(iterator.next(), signal);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    const ended = iterator.return?.();
    if (signal?.aborted === true) ended?.catch(() => {});
    else await ended;
  }
}

/** The promise, or the reason of the signal as soon as it is aborted. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
