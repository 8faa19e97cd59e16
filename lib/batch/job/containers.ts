/** Detects by its first bytes what a file is if it is not text: compressed data, an archive, a document, an image. */
import type { PackedFormat } from '../ports.ts';
import type { FileError } from './file-error.ts';

export interface Container {
  /** With an article, if it takes one. */
  readonly name: string;
  /** Omitted if the program does not read it. */
  readonly packed?: PackedFormat;
  /** What the user can do if the program does not read it. */
  readonly advice: string;
}

/** Bytes of the head that decide. */
export const CONTAINER_BYTES = 512;

const UNPACK = 'unpack it, or compress it with gzip, zstd or zip';
export const UNPACK_ALL = 'unpack it and pass its files, or send them with "dlx-batch upload FOLDER"';
export const SAVE_AS_TEXT = 'save its puzzles as plain text';
const TYPE_OUT = 'write its puzzles as plain text, such as a line of 81 digits and dots for each';
/** For spreadsheets. */
export const SAVE_AS_CSV = 'save it as CSV and pass that file';

/** An asterisk is any byte. */
const CONTAINERS: readonly (readonly [magic: string, container: Container])[] = [
  ['1f 8b', { name: 'gzip data', packed: 'gzip', advice: UNPACK }],
  ['50 4b 03 04', { name: 'a ZIP archive', packed: 'zip', advice: UNPACK_ALL }],
  ['50 4b 05 06', { name: 'an empty ZIP archive', advice: 'put a file with puzzles into it' }],
  ['28 b5 2f fd', { name: 'Zstandard data', packed: 'zstd', advice: UNPACK }],
  ['42 5a 68', { name: 'bzip2 data', advice: UNPACK }],
  ['fd 37 7a 58 5a 00', { name: 'xz data', advice: UNPACK }],
  ['37 7a bc af 27 1c', { name: 'a 7z archive', advice: UNPACK_ALL }],
  ['52 61 72 21 1a 07', { name: 'a RAR archive', advice: UNPACK_ALL }],
  ['d0 cf 11 e0 a1 b1 1a e1', { name: 'an old Excel or Word document (xls, doc)', advice: SAVE_AS_CSV }],
  ['25 50 44 46 2d', { name: 'a PDF document', advice: SAVE_AS_TEXT }],
  ['7b 5c 72 74 66', { name: 'an RTF document', advice: SAVE_AS_TEXT }],
  ['89 50 4e 47 0d 0a 1a 0a', { name: 'a PNG image', advice: TYPE_OUT }],
  ['ff d8 ff', { name: 'a JPEG image', advice: TYPE_OUT }],
  ['47 49 46 38 * 61', { name: 'a GIF image', advice: TYPE_OUT }],
  ['52 49 46 46 * * * * 57 45 42 50', { name: 'a WebP image', advice: TYPE_OUT }],
];
const TAR: Container = { name: 'a tar archive', advice: UNPACK_ALL };

const MAGICS = CONTAINERS.map(([magic, container]) => ({
  bytes: magic.split(' ').map((byte) => (byte === '*' ? undefined : Number.parseInt(byte, 16))),
  container,
}));

/** @param head the first `CONTAINER_BYTES` bytes, or more; undefined for plain text and for unknown data */
export function containerOf(head: Uint8Array): Container | undefined {
  for (const { bytes, container } of MAGICS) {
    if (bytes.every((byte, k) => (byte === undefined ? k < head.length : head[k] === byte))) return container;
  }
  if (isSkippedFrame(head)) return { name: 'Zstandard data', packed: 'zstd', advice: UNPACK };
  return isTar(head) ? TAR : undefined;
}

/** Whether a Zstandard frame is skipped by its readers; parallel compressors write one first. */
export function isSkippedFrame(head: Uint8Array): boolean {
  return (head[0]! & 0xf0) === 0x50 && head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18;
}

/**
 * The error of a file that is such a container.
 *
 * @param outside the container that it was unpacked from
 */
export function containerError({ name, advice }: Container, outside?: Container): FileError {
  const found = outside === undefined ? name : `${name} in ${outside.name}`;
  const expected = 'plain text, or one text file in gzip, ZIP or Zstandard data';
  return {
    code: 'unsupported_compression',
    message: `the file is ${found}; expected ${expected}: ${advice}`,
    found,
    expected,
  };
}

const TAR_HEADER_BYTES = 512;
const TAR_MAGIC_AT = 257;
const TAR_CHECKSUM_AT = 148;
const TAR_CHECKSUM_BYTES = 8;

/** By `ustar`, or in older archives by the checksum of the first header: the sum of its bytes, with the checksum as spaces. */
function isTar(head: Uint8Array): boolean {
  if (head.length < TAR_HEADER_BYTES) return false;
  const textAt = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to));
  if (textAt(TAR_MAGIC_AT, TAR_MAGIC_AT + 5) === 'ustar') return true;
  const end = TAR_CHECKSUM_AT + TAR_CHECKSUM_BYTES;
  const checksum = /^ *([0-7]+)[ \0]/.exec(textAt(TAR_CHECKSUM_AT, end))?.[1];
  if (checksum === undefined) return false;
  let sum = TAR_CHECKSUM_BYTES * 32;
  for (let at = 0; at < TAR_HEADER_BYTES; at++) {
    if (at < TAR_CHECKSUM_AT || at >= end) sum += head[at]!;
  }
  return sum === Number.parseInt(checksum, 8);
}
