/** Unpacks gzip, ZIP and Zstandard data as streams; damaged data gives another error than a source that fails. */
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { isSkippedFrame } from '../batch/job/containers.ts';
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

/** Node's decompressor reads all members, and ignores what follows them. */
async function* gunzip(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = new ByteReader(packed);
  try {
    yield* expand(reader, createGunzip({ chunkSize: CHUNK_BYTES }), 'gzip data');
  } finally {
    await reader.close();
  }
}

const ZSTD_NAME = 'Zstandard data';
/** Bytes of the header of a frame without data. */
const SKIPPED_HEADER_BYTES = 8;
/** Most bytes of a frame's header. */
const MAX_HEADER_BYTES = 18;
/** Each frame takes a decompressor, 0.2 ms; parallel compressors write frames of 100 kB and more. */
const FREE_FRAMES = 1000;
const MIN_FRAME_BYTES = 64;

/** Parallel compressors write many frames, and frames to skip. */
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
      if (isSkippedFrame(head)) await skip(reader);
      else yield* expandFrame(reader);
      head = await reader.peek(MAX_HEADER_BYTES);
    }
  } finally {
    await reader.close();
  }
}

/**
 * One frame. Node's decompressor goes on with the next one, and does not compare the bytes of an empty frame with those
 * that it declares, only if its input is cut in certain places; so it gets exactly the bytes of a frame.
 */
async function* expandFrame(reader: ByteReader): AsyncGenerator<Uint8Array, void, void> {
  const header = frameHeader(await reader.peek(MAX_HEADER_BYTES));
  const frame = new ByteReader(frameBytes(reader, header));
  let found = 0n;
  for await (const bytes of expand(frame, createZstdDecompress({ chunkSize: CHUNK_BYTES }), ZSTD_NAME)) {
    found += BigInt(bytes.length);
    yield bytes;
  }
  const { declaredBytes } = header;
  if (declaredBytes === undefined || declaredBytes === found) return;
  throw damaged(ZSTD_NAME, `a frame declares ${declaredBytes} bytes and has ${found}`);
}

interface FrameHeader {
  readonly bytes: number;
  /** The length of the content, if the header says it. */
  readonly declaredBytes: bigint | undefined;
  readonly checksumBytes: number;
}

/**
 * Reads the header of a frame (RFC 8878, 3.1.1.1): the magic number, a descriptor, then the window, the dictionary and the
 * length of the content, each of the length that the descriptor gives.
 */
function frameHeader(head: Uint8Array): FrameHeader {
  const descriptor = head[4] ?? 0;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const at = 5 + (isSingleSegment ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]!;
  const lengthKind = descriptor >> 6;
  const length = lengthKind === 0 && !isSingleSegment ? 0 : 2 ** lengthKind;
  const value = head.subarray(at, at + length).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return {
    bytes: at + length,
    declaredBytes: length === 0 ? undefined : length === 2 ? value + 256n : value,
    checksumBytes: (descriptor & 4) === 0 ? 0 : 4,
  };
}

/** The bytes of a frame (RFC 8878, 3.1.1): header, blocks up to the last one, checksum. They may end early. */
async function* frameBytes(reader: ByteReader, header: FrameHeader): AsyncIterable<Uint8Array> {
  yield* exactly(reader, header.bytes);
  for (let isLast = false; !isLast; ) {
    const [low, middle, high] = await reader.peek(3);
    if (high === undefined) break;
    const word = low! | (middle! << 8) | (high << 16);
    isLast = (word & 1) === 1;
    // A block of type 1 repeats one byte.
    yield* exactly(reader, 3 + ((word & 6) === 2 ? 1 : word >> 3));
  }
  yield* exactly(reader, header.checksumBytes);
}

/** The next `count` bytes, or all that are left, in chunks as they come. */
async function* exactly(reader: ByteReader, count: number): AsyncIterable<Uint8Array> {
  for (let left = count; left > 0; ) {
    const chunk = await reader.chunk();
    if (chunk === undefined) return;
    if (chunk.length > left) reader.giveBack(chunk.subarray(left));
    yield chunk.subarray(0, left);
    left -= chunk.length;
  }
}

function manyFrames(frames: number, bytes: number): FileRejection {
  return new FileRejection({
    code: 'too_large',
    message:
      `the file is ${ZSTD_NAME} of more than ${frames - 1} frames in ${bytes} bytes; ` +
      `expected frames of ${MIN_FRAME_BYTES} bytes or more on average: compress it as one`,
  });
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
