/** Writes ZIP archives, in the forms that their writers use. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipMember {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** @default deflated */
  readonly method?: 'stored' | 'deflated';
  /** Where the sizes are: in the header, after the data, after the data without a signature, or in 8 bytes. @default header */
  readonly sizes?: 'header' | 'descriptor' | 'bare descriptor' | 'long descriptor' | 'long header';
  /** A method that no file of this writer has. */
  readonly methodNumber?: number;
}

/** An archive with a directory at its end. */
export function zipOf(...members: readonly ZipMember[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const member of members) {
    const { name, method = 'deflated', sizes = 'header' } = member;
    const content = Buffer.from(member.content);
    const data = method === 'stored' ? content : deflateRawSync(content);
    const crc = crc32(content);
    const later = sizes.endsWith('descriptor');
    const long = sizes === 'long header';
    const extra = long ? Buffer.concat([u16(1, 16), u64(content.length, data.length)]) : Buffer.alloc(0);
    const common = Buffer.concat([
      u16(20, later ? 8 : 0, member.methodNumber ?? (method === 'stored' ? 0 : 8), 0, 0),
      later ? u32(0, 0, 0) : long ? u32(crc, 0xffffffff, 0xffffffff) : u32(crc, data.length, content.length),
      u16(Buffer.byteLength(name), extra.length),
    ]);
    const descriptor = !later
      ? Buffer.alloc(0)
      : sizes === 'long descriptor'
        ? Buffer.concat([u32(0x08074b50, crc), u64(data.length, content.length)])
        : u32(...(sizes === 'descriptor' ? [0x08074b50] : []), crc, data.length, content.length);
    const whole = Buffer.concat([u32(0x04034b50), common, Buffer.from(name), extra, data, descriptor]);
    directory.push(
      Buffer.concat([u32(0x02014b50), u16(20), common, u16(0, 0, 0), u32(0, at), Buffer.from(name), extra]),
    );
    parts.push(whole);
    at += whole.length;
  }
  const entries = Buffer.concat(directory);
  const { length } = members;
  const end = Buffer.concat([u32(0x06054b50), u16(0, 0, length, length), u32(entries.length, at), u16(0)]);
  return Buffer.concat([...parts, entries, end]);
}

function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [k, value] of values.entries()) bytes.writeUInt16LE(value, k * 2);
  return bytes;
}

function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [k, value] of values.entries()) bytes.writeUInt32LE(value, k * 4);
  return bytes;
}

function u64(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [k, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), k * 8);
  return bytes;
}
