/**
 * Reads a ZIP archive of one file as a stream, by the headers before each member.
 *
 *     header | data | descriptor    header | data    directory
 *
 * The directory at the end of the archive is not needed: if a header does not have the sizes, they are in a descriptor
 * after the data, and deflate knows its own end. Folders and files that macOS adds do not count.
 */
import { crc32, createInflateRaw } from 'node:zlib';
import {
  type Container,
  containerError,
  SAVE_AS_CSV,
  SAVE_AS_TEXT,
  UNPACK_ALL,
} from '../batch/job/containers.ts';
import { FileRejection } from '../batch/job/input.ts';
import { MIN_RATIO_CHECK_BYTES } from '../batch/limits.ts';
import { ByteReader } from './byte-reader.ts';
import { damaged, expand } from './expand.ts';

const ARCHIVE = 'ZIP archive';
const CHUNK_BYTES = 64 * 1024;

/** The signatures of a member, of its descriptor, and of what follows all members. */
const MEMBER = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const AFTER_MEMBERS = [0x02014b50, 0x06054b50, 0x06064b50, 0x08064b50];

const HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
/** A size that the header does not have: it is in an extra field. */
const IN_EXTRA = 0xffffffff;
const ZIP64_EXTRA = 1;

interface Member {
  readonly name: string;
  readonly encrypted: boolean;
  readonly method: number;
  /** Undefined if a descriptor follows the data. */
  readonly sizes: Sizes | undefined;
  /** Size of the data in the archive, if the header has it. */
  readonly packedBytes: number | undefined;
}

interface Sizes {
  readonly crc: number;
  readonly packed: number;
  readonly plain: number;
}

export async function* unzip(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = new ByteReader(packed);
  let file: string | undefined;
  let document: Container | undefined;
  let skippedBytes = 0;
  try {
    for (;;) {
      const signature = uint32(await reader.peek(4), 0);
      if (AFTER_MEMBERS.includes(signature)) break;
      if (signature !== MEMBER) throw damaged(ARCHIVE, 'a header is missing');
      const member = await readHeader(reader);
      document = documentOf(member.name) ?? document;
      if (document !== undefined && document !== OFFICE_DOCUMENT) throw rejection(document);
      if (document !== undefined || !isFile(member.name)) {
        skippedBytes += await skip(reader, member, MIN_RATIO_CHECK_BYTES - skippedBytes);
      } else {
        if (file !== undefined) throw rejection(severalFiles(file, member.name));
        file = member.name;
        if (file === 'mimetype') throw rejection(await openDocument(reader, member));
        yield* readMember(reader, member);
      }
    }
    if (document !== undefined) throw rejection(document);
    if (file === undefined) throw rejection(NO_FILE);
  } finally {
    await reader.close();
  }
}

async function readHeader(reader: ByteReader): Promise<Member> {
  const header = await take(reader, HEADER_BYTES);
  const flags = uint16(header, 6);
  const method = uint16(header, 8);
  const nameBytes = await take(reader, uint16(header, 26));
  const extra = await take(reader, uint16(header, 28));
  const fromHeader = { crc: uint32(header, 14), packed: uint32(header, 18), plain: uint32(header, 22) };
  const sizes = zip64Sizes(fromHeader, extra);
  const hasDescriptor = (flags & 8) !== 0;
  return {
    name: new TextDecoder().decode(nameBytes),
    encrypted: (flags & 1) !== 0,
    method,
    sizes: hasDescriptor ? undefined : sizes,
    packedBytes: hasDescriptor && sizes.packed === 0 ? undefined : sizes.packed,
  };
}

/** The sizes of a large member are in an extra field: the plain size first, each only if the header does not have it. */
function zip64Sizes(sizes: Sizes, extra: Uint8Array): Sizes {
  let { packed, plain } = sizes;
  for (let at = 0; at + 4 <= extra.length; at += 4 + uint16(extra, at + 2)) {
    if (uint16(extra, at) !== ZIP64_EXTRA) continue;
    let next = at + 4;
    const end = Math.min(extra.length, next + uint16(extra, at + 2));
    if (plain === IN_EXTRA && next + 8 <= end) {
      plain = uint64(extra, next);
      next += 8;
    }
    if (packed === IN_EXTRA && next + 8 <= end) packed = uint64(extra, next);
  }
  return { crc: sizes.crc, packed, plain };
}

/** The bytes of a member; its checksum and sizes are checked. */
async function* readMember(reader: ByteReader, member: Member): AsyncGenerator<Uint8Array, void, void> {
  const { method, encrypted } = member;
  if (encrypted) throw rejection(ENCRYPTED);
  if (method !== STORED && method !== DEFLATED) throw rejection(otherMethod(method));
  const data =
    method === STORED
      ? stored(reader, member)
      : expand(reader, createInflateRaw({ chunkSize: CHUNK_BYTES }), ARCHIVE);
  let crc = 0;
  let plain = 0;
  let next = await data.next();
  for (; next.done !== true; next = await data.next()) {
    crc = crc32(next.value, crc);
    plain += next.value.length;
    yield next.value;
  }
  const found = { crc, packed: next.value, plain };
  const expected = member.sizes ?? (await readDescriptor(reader, found));
  if (
    expected === undefined ||
    expected.crc !== crc ||
    expected.packed !== found.packed ||
    expected.plain !== plain
  ) {
    throw damaged(ARCHIVE, 'incorrect data check');
  }
}

/** @returns the number of bytes */
async function* stored(
  reader: ByteReader,
  { packedBytes, sizes }: Member,
): AsyncGenerator<Uint8Array, number, void> {
  // Without a size, only an empty member has a known end.
  if (packedBytes === undefined && uint32(await reader.peek(4), 0) !== DESCRIPTOR) throw rejection(NO_SIZE);
  const bytes = sizes?.packed ?? packedBytes ?? 0;
  for (let rest = bytes; rest > 0; ) {
    const some = await reader.take(Math.min(rest, CHUNK_BYTES));
    if (some.length === 0) throw damaged(ARCHIVE, 'unexpected end of file');
    rest -= some.length;
    yield some;
  }
  return bytes;
}

/** The descriptor after a member: its signature may be missing, and its sizes have 4 or 8 bytes. */
async function readDescriptor(reader: ByteReader, found: Sizes): Promise<Sizes | undefined> {
  const front = await reader.peek(24);
  const at = uint32(front, 0) === DESCRIPTOR ? 4 : 0;
  const crc = uint32(front, at);
  const short = { crc, packed: uint32(front, at + 4), plain: uint32(front, at + 8) };
  const long = { crc, packed: uint64(front, at + 4), plain: uint64(front, at + 12) };
  // The long one first: of an empty file its upper half looks like the short one, but not the other way round.
  for (const [sizes, bytes] of [
    [long, at + 20],
    [short, at + 12],
  ] as const) {
    if (sizes.packed !== found.packed || sizes.plain !== found.plain) continue;
    await take(reader, bytes);
    return sizes;
  }
  return undefined;
}

/**
 * @param most bytes that it may unpack to
 * @returns bytes that were unpacked
 */
async function skip(reader: ByteReader, member: Member, most: number): Promise<number> {
  if (member.packedBytes !== undefined && member.sizes !== undefined) {
    for await (const _ of stored(reader, member));
    return 0;
  }
  // A folder without a size has no data and may have no descriptor.
  if (member.name.endsWith('/') && member.method === STORED && member.packedBytes === undefined) {
    if (uint32(await reader.peek(4), 0) !== DESCRIPTOR) return 0;
  }
  let bytes = 0;
  for await (const some of readMember(reader, member)) {
    bytes += some.length;
    if (bytes > most) throw damaged(ARCHIVE, `${shown(member.name)} is too large`);
  }
  return bytes;
}

/** Whether a member counts: not a folder, and not a file that macOS or Windows adds. */
function isFile(name: string): boolean {
  return (
    !name.endsWith('/') && !/^__MACOSX\/|(^|\/)(\.DS_Store|\._[^/]*|Thumbs\.db|desktop\.ini)$/.test(name)
  );
}

const UNPACK = 'unpack it and pass the file, or compress that with gzip';
const NO_FILE: Container = {
  name: 'a ZIP archive without a file',
  advice: 'put a file with puzzles into it',
};
const ENCRYPTED: Container = { name: 'an encrypted ZIP archive', advice: UNPACK };
const NO_SIZE: Container = { name: 'a ZIP archive of stored data without its size', advice: UNPACK };

function otherMethod(method: number): Container {
  return { name: `a ZIP archive with compression method ${method}`, advice: UNPACK };
}

function severalFiles(first: string, second: string): Container {
  return {
    name: `a ZIP archive of several files (${shown(first)}, ${shown(second)}, ...)`,
    advice: UNPACK_ALL,
  };
}

const MAX_SHOWN_NAME = 40;

function shown(name: string): string {
  return name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME)}...` : name;
}

const OFFICE_DOCUMENT: Container = { name: 'an Office document', advice: SAVE_AS_TEXT };
const DOCUMENTS: readonly (readonly [member: RegExp, document: Container])[] = [
  [
    /^xl\/(workbook|worksheets|styles|sharedStrings|theme|_rels|metadata|media|drawings|charts|calcChain)\b/,
    { name: 'an Excel workbook (xlsx)', advice: SAVE_AS_CSV },
  ],
  [
    /^word\/(document|styles|_rels|theme|settings)\b/,
    { name: 'a Word document (docx)', advice: SAVE_AS_TEXT },
  ],
  [
    /^ppt\/(presentation|slides|_rels|theme)\b/,
    { name: 'a PowerPoint document (pptx)', advice: SAVE_AS_TEXT },
  ],
  [/\.iwa$/, { name: 'an Apple Numbers or Pages document', advice: SAVE_AS_CSV }],
  [/^(\[Content_Types\]\.xml$|_rels\/\.rels$|docProps\/)/, OFFICE_DOCUMENT],
];

/** The document that has a member of that name; undefined if it may be a file of puzzles. */
function documentOf(name: string): Container | undefined {
  return DOCUMENTS.find(([member]) => member.test(name))?.[1];
}

/** The first member of an OpenDocument file or an e-book is its type. */
async function openDocument(reader: ByteReader, member: Member): Promise<Container> {
  let type = '';
  for await (const bytes of readMember(reader, member))
    type += new TextDecoder().decode(bytes.subarray(0, 200));
  if (type.includes('spreadsheet')) {
    return { name: 'an OpenDocument spreadsheet (ods)', advice: SAVE_AS_CSV };
  }
  return { name: `a document (${shown(type.trim())})`, advice: SAVE_AS_TEXT };
}

function rejection(container: Container): FileRejection {
  return new FileRejection(containerError(container));
}

async function take(reader: ByteReader, count: number): Promise<Uint8Array> {
  const bytes = await reader.take(count);
  if (bytes.length < count) throw damaged(ARCHIVE, 'unexpected end of file');
  return bytes;
}

/** Little-endian numbers; bytes after the end are 0. */
function uint16(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}

function uint32(bytes: Uint8Array, at: number): number {
  return uint16(bytes, at) + uint16(bytes, at + 2) * 0x10000;
}

function uint64(bytes: Uint8Array, at: number): number {
  return uint32(bytes, at) + uint32(bytes, at + 4) * 0x100000000;
}
