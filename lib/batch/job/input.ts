/**
 * Decompresses a file's bytes. Compression is detected by content, never by the file's name, and a decompression bomb
 * is stopped before it fills memory or storage.
 */

import { MAX_UNPACK_RATIO, MIN_RATIO_CHECK_BYTES } from '../limits.ts';
import type { Unpacking } from '../ports.ts';
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

/** Compressions that are detected and not supported, with their first bytes. */
const UNSUPPORTED_COMPRESSIONS: readonly { readonly name: string; readonly magic: readonly number[] }[] = [
  { name: 'a ZIP archive', magic: [0x50, 0x4b, 0x03, 0x04] },
  { name: 'Zstandard data', magic: [0x28, 0xb5, 0x2f, 0xfd] },
  { name: 'bzip2 data', magic: [0x42, 0x5a, 0x68] },
  { name: 'xz data', magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { name: 'a 7z archive', magic: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
];
const GZIP_MAGIC = [0x1f, 0x8b];
const MAGIC_BYTES = 6;

/** Bytes read so far: of the stored file, and after decompression. */
export interface InputProgress {
  storedBytes: number;
  plainBytes: number;
}

/**
 * The uncompressed bytes of a file.
 *
 * @param stored the stored file; it may reuse an array once the next is requested, and so may the result
 * @param progress counters to update
 * @throws FileRejection while iterating, for an unsupported compression or a decompression bomb
 */
export async function* plainBytes(
  stored: AsyncIterable<Uint8Array>,
  unpacking: Unpacking,
  progress: InputProgress,
): AsyncIterable<Uint8Array> {
  const { head, stream, close } = await peek(counted(stored, progress), MAGIC_BYTES);
  try {
    rejectUnsupportedCompression(head);
  } catch (error) {
    await close();
    throw error;
  }
  if (!isGzip(head)) {
    for await (const bytes of stream) {
      progress.plainBytes += bytes.length;
      yield bytes;
    }
    return;
  }
  for await (const bytes of unpacking.gunzip(stream)) {
    progress.plainBytes += bytes.length;
    const { plainBytes, storedBytes } = progress;
    if (plainBytes > MIN_RATIO_CHECK_BYTES && plainBytes > storedBytes * MAX_UNPACK_RATIO) {
      throw new FileRejection({
        code: 'too_large',
        message:
          `the gzip data unpacks to more than ${MAX_UNPACK_RATIO} times its size ` +
          `(${plainBytes} bytes from ${storedBytes}), unlike any puzzle file; ` +
          'if it is a puzzle file, upload it uncompressed',
      });
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
export interface PeekedStream {
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

/** Whether a file begins like gzip. */
export function isGzip(head: Uint8Array): boolean {
  return startsWith(head, GZIP_MAGIC);
}

/** @throws FileRejection if a file begins like an unsupported compression */
export function rejectUnsupportedCompression(head: Uint8Array): void {
  for (const { name, magic } of UNSUPPORTED_COMPRESSIONS) {
    if (!startsWith(head, magic)) continue;
    throw new FileRejection({
      code: 'unsupported_compression',
      message: `the file is ${name}; expected plain text or gzip: unpack it, or compress it with gzip`,
      found: name,
      expected: 'plain text or gzip',
    });
  }
}

function startsWith(head: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, k) => head[k] === byte);
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
