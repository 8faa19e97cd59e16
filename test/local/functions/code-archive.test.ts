import { crc32, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packCode, readCode } from '../../../lib/local/functions/code-archive.ts';
import { propertyRuns } from '../../support/depth.ts';
import { zipOf } from '../../support/zip.ts';

const files = fc.dictionary(
  fc.stringMatching(/^[a-z][a-z-]{0,20}$/).map((name) => `${name}.mjs`),
  fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.constant(new Uint8Array(100_000).fill(7))),
  { maxKeys: 4, noNullPrototype: true },
);

/** The files of an archive by its directory, which is what Lambda reads. */
function byDirectory(archive: Buffer): { name: string; mode: number; content: Uint8Array }[] {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  let at = archive.readUInt32LE(end + 16);
  const found = Array.from({ length: archive.readUInt16LE(end + 10) }, () => {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50);
    const nameEnd = at + 46 + archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, nameEnd);
    const header = archive.readUInt32LE(at + 42);
    const data = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
    const content = inflateRawSync(archive.subarray(data, data + archive.readUInt32LE(at + 20)));
    expect(content.length).toBe(archive.readUInt32LE(at + 24));
    expect(crc32(content)).toBe(archive.readUInt32LE(at + 16));
    const mode = archive.readUInt32LE(at + 38) >>> 16;
    at = nameEnd;
    return { name, mode, content: new Uint8Array(content) };
  });
  expect(at).toBe(end);
  return found;
}

describe('an archive of code', () => {
  it('has all files, by its headers and by its directory, readable by every account', () => {
    fc.assert(
      fc.property(files, (contents) => {
        const archive = packCode(new Map(Object.entries(contents)));
        expect(Object.fromEntries(readCode(archive, 'x'))).toEqual(
          Object.fromEntries(Object.entries(contents).map(([name, content]) => [name, Buffer.from(content)])),
        );
        expect(byDirectory(archive)).toEqual(
          Object.entries(contents).map(([name, content]) => ({ name, mode: 0o100644, content })),
        );
      }),
      { numRuns: propertyRuns(10) },
    );
  });

  it('is refused if its data does not have its checksum', () => {
    const archive = packCode(new Map([['a.mjs', Buffer.from([1, 200, 30, 4])]]));
    expect([...readCode(archive, 'x').keys()]).toEqual(['a.mjs']);
    archive[archive.length - 22 - 'a.mjs'.length - 46 + 16]! ^= 1;
    expect(() => readCode(archive, 'x')).toThrow('a.mjs is damaged');
  });
});

describe('an archive of another program', () => {
  it('is read, with files that are not compressed', () => {
    const archive = zipOf({ name: 'a.mjs', content: 'a', method: 'stored' }, { name: 'b.mjs', content: 'b' });
    expect([...readCode(archive, 'x')].map(([name, content]) => [name, content.toString()])).toEqual([
      ['a.mjs', 'a'],
      ['b.mjs', 'b'],
    ]);
  });

  it('is read without sizes in its headers, which streaming writers leave out', () => {
    const archive = packCode(new Map([['a.mjs', Buffer.from('code')]]));
    archive.fill(0, 14, 26);
    expect(readCode(archive, 'x').get('a.mjs')?.toString()).toBe('code');
  });

  it('is refused without its end', () => {
    expect(() => readCode(Buffer.from('PK'), 'x')).toThrow('x: no ZIP archive, or its end is missing');
  });
});
