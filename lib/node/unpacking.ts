/** Unpacks gzip, ZIP and Zstandard data as streams; damaged data gives another error than a source that fails. */
import { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { FileRejection } from '../batch/job/input.ts';
import type { Unpacking } from '../batch/ports.ts';
import { ByteReader } from './byte-reader.ts';
import { damaged, expand } from './expand.ts';
import { unzip } from './unzip.ts';

const CHUNK_BYTES = 64 * 1024;

export const zlibUnpacking: Unpacking = {
  unpack(format, packed) {
    if (format === 'zip') return unzip(packed);
    return format === 'zstd' ? unzstd(packed) : gunzip(packed);
  },
};

async function* gunzip(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const source = Readable.from(copies(packed), { objectMode: false, highWaterMark: CHUNK_BYTES });
  const unzip = createGunzip({ chunkSize: CHUNK_BYTES });
  let sourceError: Error | undefined;
  source.on('error', (error: Error) => {
    sourceError = error;
    unzip.destroy(error);
  });
  source.pipe(unzip);
  try {
    yield* unzip;
  } catch (error) {
    throw sourceError ?? damaged('gzip data', error);
  } finally {
    unzip.destroy();
    source.destroy();
  }
}

/** The stream reads ahead, and the source may reuse its arrays. (`slice` of a Buffer copies nothing.) */
async function* copies(arrays: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const bytes of arrays) yield new Uint8Array(bytes);
}

const ZSTD_NAME = 'Zstandard data';
/** Bytes of the header of a frame without data. */
const SKIPPED_HEADER_BYTES = 8;
/** Most bytes of a frame's header. */
const MAX_HEADER_BYTES = 18;
/** Each frame takes a decompressor, 0.2 ms; parallel compressors write frames of 100 kB and more. */
const FREE_FRAMES = 1000;
const MIN_FRAME_BYTES = 64;

/** Node decompresses one frame; parallel compressors write many, and frames to skip. */
async function* unzstd(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let bytes = 0;
  const reader = new ByteReader(counted(packed));
  async function* counted(arrays: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const array of arrays) {
      bytes += array.length;
      yield array;
    }
  }
  let frames = 0;
  try {
    for (let head = await reader.peek(MAX_HEADER_BYTES); head.length > 0; ) {
      if (++frames > FREE_FRAMES && frames * MIN_FRAME_BYTES > bytes) throw manyFrames(frames, bytes);
      if (isSkipped(head)) await skip(reader);
      else yield* expandFrame(reader, declaredBytes(head));
      head = await reader.peek(MAX_HEADER_BYTES);
    }
  } finally {
    await reader.close();
  }
}

/** The decompressor itself misses an empty frame that declares bytes, if it gets its input in small pieces. */
async function* expandFrame(
  reader: ByteReader,
  declared: bigint | undefined,
): AsyncGenerator<Uint8Array, void, void> {
  let found = 0n;
  for await (const bytes of expand(reader, createZstdDecompress({ chunkSize: CHUNK_BYTES }), ZSTD_NAME)) {
    found += BigInt(bytes.length);
    yield bytes;
  }
  if (declared === undefined || declared === found) return;
  throw damaged(ZSTD_NAME, `a frame declares ${declared} bytes and has ${found}`);
}

/**
 * The bytes that a frame expands to, if its header says it (RFC 8878, 3.1.1.1): after the magic number a descriptor, then
 * the window, the dictionary and the number of bytes, each of the length that the descriptor gives.
 */
function declaredBytes(head: Uint8Array): bigint | undefined {
  const descriptor = head[4] ?? 0;
  const sizeKind = descriptor >> 6;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  if (sizeKind === 0 && !isSingleSegment) return undefined;
  const at = 5 + (isSingleSegment ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]!;
  const length = 2 ** sizeKind;
  if (head.length < at + length) return undefined;
  const bytes = head.subarray(at, at + length).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return sizeKind === 1 ? bytes + 256n : bytes;
}

function manyFrames(frames: number, bytes: number): FileRejection {
  return new FileRejection({
    code: 'too_large',
    message:
      `the file is ${ZSTD_NAME} of more than ${frames - 1} frames in ${bytes} bytes; ` +
      `expected frames of ${MIN_FRAME_BYTES} bytes or more on average: compress it as one`,
  });
}

function isSkipped(head: Uint8Array): boolean {
  return (head[0]! & 0xf0) === 0x50 && head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18;
}

async function skip(reader: ByteReader): Promise<void> {
  const header = await reader.take(SKIPPED_HEADER_BYTES);
  const length = header.length < SKIPPED_HEADER_BYTES ? 1 : Buffer.from(header).readUInt32LE(4);
  for (let rest = length; rest > 0; ) {
    const bytes = await reader.take(Math.min(rest, CHUNK_BYTES));
    if (bytes.length === 0) throw damaged(ZSTD_NAME, 'unexpected end of file');
    rest -= bytes.length;
  }
}
