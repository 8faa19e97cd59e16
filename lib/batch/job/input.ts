/**
 * Turns a stored file into plain UTF-8 text: unpacks it, and converts UTF-16.
 *
 *     stored bytes -> gzip, ZIP, Zstandard -> UTF-16 -> plain text
 *
 * The form is detected by content, never by the file's name, and a decompression bomb is stopped before it fills memory
 * or storage.
 */

import { ENCODING_SAMPLE_BYTES, type Utf16, Utf16Converter, utf16Of } from '../../formats/bytes/utf16.ts';
import { DEFAULT_JOB_LIMITS, settingText } from '../job-limits.ts';
import { MAX_UNPACK_RATIO, MIN_RATIO_CHECK_BYTES } from '../limits.ts';
import type { Unpacking } from '../ports.ts';
import { numberText } from '../quantities.ts';
import { CONTAINER_BYTES, type Container, containerError, containerOf } from './containers.ts';
import type { FileError } from './file-error.ts';

/** The whole file cannot be solved, because of `error`. The job catches it and rejects the file. */
export class FileRejection extends Error {
  override readonly name = 'FileRejection';
  readonly error: FileError;

  constructor(error: FileError) {
    super(error.message);
    this.error = error;
  }
}

/** Bytes that decide the form of a file. */
const FRONT_BYTES = Math.max(CONTAINER_BYTES, ENCODING_SAMPLE_BYTES);

/** Bytes read so far: of the stored file, and of its plain text. */
export interface InputProgress {
  storedBytes: number;
  plainBytes: number;
}

/** What compressed data may unpack to. */
export interface UnpackLimits {
  /** @default the limit for which no operator has set another */
  readonly maxBytes?: number;
  /** Size of the stored file, if it is known: the ratio is then the same however far it is read ahead. */
  readonly storedBytes?: number;
}

/** How the plain text of a file is stored. */
export interface StoredForm {
  /** Compressed data or an archive of one file; undefined if it is neither. */
  container?: Container;
  /** Undefined for UTF-8, and for text that is read like it. */
  encoding?: Utf16;
}

/**
 * The plain text of a file, in UTF-8.
 *
 * @param stored the stored file; it may reuse an array once the next is requested, and so may the result
 * @param progress counters to update
 * @param form set before the first bytes
 * @param limits of what compressed data may unpack to
 * @throws FileRejection while iterating, for an unsupported container or a decompression bomb
 */
export async function* plainBytes(
  stored: AsyncIterable<Uint8Array>,
  unpacking: Unpacking,
  progress: InputProgress,
  form: StoredForm = {},
  limits: UnpackLimits = {},
): AsyncIterable<Uint8Array> {
  const front = await peek(counted(stored, progress), FRONT_BYTES);
  try {
    const container = containerOf(front.head);
    if (container === undefined) {
      yield* plainText(front, progress, form);
      return;
    }
    if (container.packed === undefined) throw new FileRejection(containerError(container));
    form.container = container;
    const packed = unpacking.unpack(container.packed, front.stream);
    const unpacked = await peek(withinLimits(packed, progress, container, limits), FRONT_BYTES);
    try {
      yield* plainText(unpacked, progress, form);
    } finally {
      await unpacked.close();
    }
  } finally {
    // A rejected file is not read to its end.
    await front.close();
  }
}

/** Converts UTF-16. */
async function* plainText(
  { head, stream }: PeekedStream,
  progress: InputProgress,
  form: StoredForm,
): AsyncIterable<Uint8Array> {
  const inner = form.container && containerOf(head);
  if (inner !== undefined) throw new FileRejection(containerError(inner, form.container));
  form.encoding = utf16Of(head);
  const converter = form.encoding && new Utf16Converter(form.encoding);
  for await (const stored of stream) {
    const bytes = converter === undefined ? stored : converter.convert(stored);
    progress.plainBytes += bytes.length;
    yield bytes;
  }
  const rest = converter?.end();
  if (rest === undefined || rest.length === 0) return;
  progress.plainBytes += rest.length;
  yield rest;
}

/** Stops a decompression bomb. */
async function* withinLimits(
  unpacked: AsyncIterable<Uint8Array>,
  progress: InputProgress,
  { name }: Container,
  { maxBytes = DEFAULT_JOB_LIMITS.unpackedBytes, storedBytes }: UnpackLimits,
): AsyncIterable<Uint8Array> {
  let unpackedBytes = 0;
  const bomb = (excess: string, advice: string) => {
    const size = numberText(storedBytes ?? progress.storedBytes);
    const message = `the file is ${name} of ${size} bytes that unpacks to more than ${excess}, unlike any puzzle file; ${advice}`;
    return new FileRejection({ code: 'too_large', message });
  };
  for await (const bytes of unpacked) {
    unpackedBytes += bytes.length;
    const maxRatioBytes = (storedBytes ?? progress.storedBytes) * MAX_UNPACK_RATIO;
    if (unpackedBytes > MIN_RATIO_CHECK_BYTES && unpackedBytes > maxRatioBytes) {
      throw bomb(
        `${MAX_UNPACK_RATIO} times its size`,
        'if it is a puzzle file, pass or upload it uncompressed',
      );
    }
    if (unpackedBytes > maxBytes) {
      const limit = `${numberText(maxBytes)} bytes, the limit`;
      throw bomb(limit, `split the file, pass it uncompressed, or raise ${settingText('max-unpacked-mb')}`);
    }
    yield bytes;
  }
}

async function* counted(
  stored: AsyncIterable<Uint8Array>,
  progress: InputProgress,
): AsyncIterable<Uint8Array> {
  for await (const bytes of stored) {
    progress.storedBytes += bytes.length;
    yield bytes;
  }
}

/** A stream whose first bytes are known. */
interface PeekedStream {
  /** At least the requested number of bytes, or all of a shorter stream. */
  readonly head: Uint8Array;
  /** The whole stream, `head` included. */
  readonly stream: AsyncIterable<Uint8Array>;
  /** Closes a stream that is not read to its end. */
  close(): Promise<void>;
}

/** Reads at least the first `minBytes` bytes of a stream. */
export async function peek(stream: AsyncIterable<Uint8Array>, minBytes: number): Promise<PeekedStream> {
  const iterator = stream[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  for (let bytes = 0; bytes < minBytes; ) {
    const next = await iterator.next();
    if (next.done === true) break;
    taken.push(new Uint8Array(next.value));
    bytes += next.value.length;
  }
  const close = async () => void (await iterator.return?.());
  async function* all(): AsyncIterable<Uint8Array> {
    try {
      yield* taken;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
        yield next.value;
      }
    } finally {
      await close();
    }
  }
  return { head: concatBytes(taken), stream: all(), close };
}

/** All bytes of a small stream. */
export async function collectBytes(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  // A stream may reuse its memory.
  for await (const bytes of stream) pieces.push(bytes.slice());
  return concatBytes(pieces);
}

/** The concatenation of byte arrays. */
export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
