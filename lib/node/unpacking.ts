/** Unpacks gzip, ZIP and Zstandard data as streams; damaged data gives another error than a source that fails. */
import { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
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

/** Node decompresses one frame; parallel compressors write many, and frames to skip. */
async function* unzstd(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = new ByteReader(packed);
  try {
    for (let head = await reader.peek(SKIPPED_HEADER_BYTES); head.length > 0; ) {
      if (isSkipped(head)) await skip(reader);
      else yield* expand(reader, createZstdDecompress({ chunkSize: CHUNK_BYTES }), ZSTD_NAME);
      head = await reader.peek(SKIPPED_HEADER_BYTES);
    }
  } finally {
    await reader.close();
  }
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
