/** Reads an archive without compression by its directory, as programs on a desktop do. */
import { crc32 } from 'node:zlib';

/** @returns the content of each file by its path. @throws Error if the archive is damaged */
export function unzipped(archive: Buffer): ReadonlyMap<string, Buffer> {
  const end = archive.length - 22;
  if (archive.readUInt32LE(end) !== 0x06054b50) throw new Error('the archive has no end');
  const count = archive.readUInt16LE(end + 10);
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let k = 0; k < count; k++) {
    if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error(`entry ${k} is damaged`);
    const nameBytes = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameBytes);
    const bytes = archive.readUInt32LE(at + 24);
    const place = archive.readUInt32LE(at + 42);
    if (archive.readUInt32LE(place) !== 0x04034b50) throw new Error(`${name} is not at its place`);
    const data = place + 30 + archive.readUInt16LE(place + 26) + archive.readUInt16LE(place + 28);
    const content = archive.subarray(data, data + bytes);
    if (crc32(content) !== archive.readUInt32LE(at + 16)) throw new Error(`${name} is damaged`);
    files.set(name, content);
    at += 46 + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  if (at !== end) throw new Error('the directory has other entries');
  return files;
}
