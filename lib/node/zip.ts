/**
 * Writes a ZIP archive as a stream, without compression, of any size and number of files.
 *
 *     header | data    header | data    directory | ends of it, in the forms of 64 and of 32 bits
 *
 * A header has the checksum of the data that follow it, so each file is read twice: memory stays flat, and every program can
 * read the archive from its beginning.
 */
import { crc32 } from 'node:zlib';

/** A file of an archive. */
export interface ZipEntry {
  /** Path with `/`, relative. */
  readonly name: string;
  /** Opens the file; each time with the same bytes. */
  readonly open: () => Promise<AsyncIterable<Uint8Array>>;
}

const MEMBER = 0x04034b50;
const DIRECTORY = 0x02014b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const END = 0x06054b50;
/** The version of the format that has 64 bits. */
const VERSION = 45;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const STORED = 0;
/** 1 January 1980: an archive of the same files is the same. */
const TIME = 0;
const DATE = 0x21;
/** The number is in the extra field, which has 64 bits. */
const IN_EXTRA = 0xffffffff;
const EXTRA_64 = 1;

/** @throws Error if a file changes between its two reads */
export async function* zipArchive(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array, void, void> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, open } of entries) {
    const { crc, bytes } = await checksumOf(await open());
    const path = Buffer.from(name);
    const header = fields([4, MEMBER], ...common(crc, path, 20), ...path64(path, bytes, bytes));
    yield header;
    let written = 0;
    for await (const chunk of await open()) {
      written += chunk.length;
      yield chunk;
    }
    if (written !== bytes) throw new Error(`${name} changed while it was read`);
    // Comment, disk, attributes.
    const place = [[6, 0] as const, [4, 0] as const, [4, IN_EXTRA] as const];
    directory.push(
      fields(
        [4, DIRECTORY],
        [2, VERSION],
        ...common(crc, path, 28),
        ...place,
        ...path64(path, bytes, bytes, offset),
      ),
    );
    offset += header.length + bytes;
  }
  yield* directory;
  const directoryBytes = directory.reduce((sum, { length }) => sum + length, 0);
  const { length: files } = directory;
  const end = offset + directoryBytes;
  yield fields(
    ...([
      [4, END_64],
      [8, 44],
      [2, VERSION],
      [2, VERSION],
      [4, 0],
      [4, 0],
    ] as const),
    ...([
      [8, files],
      [8, files],
      [8, directoryBytes],
      [8, offset],
    ] as const),
    ...([
      [4, LOCATOR_64],
      [4, 0],
      [8, end],
      [4, 1],
    ] as const),
    ...([
      [4, END],
      [2, 0],
      [2, 0],
      [2, 0xffff],
      [2, 0xffff],
      [4, IN_EXTRA],
      [4, IN_EXTRA],
      [2, 0],
    ] as const),
  );
}

/** A number and its bytes, in little-endian order; or bytes. */
type Field = readonly [bytes: 2 | 4 | 6 | 8, value: number] | Buffer;

function fields(...list: readonly Field[]): Buffer {
  return Buffer.concat(
    list.map((field) => {
      if (Buffer.isBuffer(field)) return field;
      const [bytes, value] = field;
      const buffer = Buffer.alloc(bytes);
      if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value));
      else buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );
}

/** The fields that a header and the directory share. */
function common(crc: number, path: Buffer, extraBytes: number): readonly Field[] {
  return [
    [2, VERSION],
    [2, FLAGS],
    [2, STORED],
    [2, TIME],
    [2, DATE],
    [4, crc],
    [4, IN_EXTRA],
    [4, IN_EXTRA],
    [2, path.length],
    [2, extraBytes],
  ];
}

/** The path, and the numbers of 64 bits. */
function path64(path: Buffer, ...numbers: readonly number[]): readonly Field[] {
  return [path, [2, EXTRA_64], [2, 8 * numbers.length], ...numbers.map((number) => [8, number] as const)];
}

async function checksumOf(chunks: AsyncIterable<Uint8Array>): Promise<{ crc: number; bytes: number }> {
  let crc = 0;
  let bytes = 0;
  for await (const chunk of chunks) {
    crc = crc32(chunk, crc);
    bytes += chunk.length;
  }
  return { crc, bytes };
}
