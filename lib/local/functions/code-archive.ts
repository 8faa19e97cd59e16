/**
 * The code of a function as a ZIP archive, which is what Lambda takes and the package contains: a third of its size.
 *
 *     header, data | header, data | ... | directory | end of the directory
 *
 * The archive depends only on names and contents. All files are at its top level.
 */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

const HEADER = 0x04034b50;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_END = 0x06054b50;
const DIRECTORY_END_MARK = Buffer.from('PK\x05\x06', 'latin1');
const HEADER_BYTES = 30;
const DIRECTORY_ENTRY_BYTES = 46;
const DIRECTORY_END_BYTES = 22;

const VERSION = 20;
const UNIX = 3 << 8;
const DEFLATED = 8;
/** The first date that an archive can have, 1980-01-01. */
const DATE = 0x21;
/** A file that all accounts can read: the functions run as another account than the one that unpacks them. */
const MODE = 0o100644;

/** An archive of these files, by name. */
export function packCode(files: ReadonlyMap<string, Uint8Array>): Buffer {
  const members: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of files) {
    const nameBytes = Buffer.from(name);
    const data = deflateRawSync(content, { level: 9 });
    const common = Buffer.alloc(HEADER_BYTES - 4);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(DEFLATED, 4);
    common.writeUInt16LE(DATE, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const entry = Buffer.alloc(DIRECTORY_ENTRY_BYTES);
    entry.writeUInt32LE(DIRECTORY_ENTRY, 0);
    entry.writeUInt16LE(UNIX | VERSION, 4);
    common.copy(entry, 6);
    entry.writeUInt32LE(MODE * 2 ** 16, 38);
    entry.writeUInt32LE(at, 42);
    const header = Buffer.alloc(4);
    header.writeUInt32LE(HEADER, 0);
    const member = Buffer.concat([header, common, nameBytes, data]);
    members.push(member);
    directory.push(entry, nameBytes);
    at += member.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(DIRECTORY_END_BYTES);
  end.writeUInt32LE(DIRECTORY_END, 0);
  end.writeUInt16LE(files.size, 8);
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...members, entries, end]);
}

/**
 * The files of an archive, by name: of {@link packCode}, or any other without ZIP64.
 *
 * @param from where the archive is, for messages
 * @throws Error if it is damaged
 */
export function readCode(archive: Buffer, from: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = archive.lastIndexOf(DIRECTORY_END_MARK);
  if (end < 0) throw new Error(`${from}: no ZIP archive, or its end is missing`);
  let entry = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const nameBytes = archive.readUInt16LE(entry + 28);
    const name = archive.toString(
      'utf8',
      entry + DIRECTORY_ENTRY_BYTES,
      entry + DIRECTORY_ENTRY_BYTES + nameBytes,
    );
    const header = archive.readUInt32LE(entry + 42);
    const data =
      header + HEADER_BYTES + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
    const packed = archive.subarray(data, data + archive.readUInt32LE(entry + 20));
    const content = archive.readUInt16LE(entry + 10) === DEFLATED ? inflateRawSync(packed) : packed;
    if (crc32(content) !== archive.readUInt32LE(entry + 16)) throw new Error(`${from}: ${name} is damaged`);
    files.set(name, content);
    entry +=
      DIRECTORY_ENTRY_BYTES + nameBytes + archive.readUInt16LE(entry + 30) + archive.readUInt16LE(entry + 32);
  }
  return files;
}
