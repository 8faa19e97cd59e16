/** Compressed data, archives and encodings: read like plain text, or refused by name. */
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { containerOf } from '../../../lib/batch/job/containers.ts';
import { collectBytes, plainBytes } from '../../../lib/batch/job/input.ts';
import { zlibUnpacking } from '../../../lib/node/unpacking.ts';
import { propertyRuns } from '../../support/depth.ts';
import { EASY, MIXED_FILE, MIXED_OPTIONS, SOLUTION } from '../../support/puzzles.ts';
import { pieces, runText, solveText, untimed } from '../../support/run-job.ts';
import { tarOf } from '../../support/tar.ts';
import { zipOf } from '../../support/zip.ts';

const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const MARK = '\ufeff';

const CONTAINERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  'no container': (bytes) => bytes,
  'gzip data': (bytes) => gzipSync(bytes),
  'Zstandard data': (bytes) => zstdCompressSync(bytes),
  'a ZIP archive': (bytes) => zipOf({ name: 'a.txt', content: bytes, sizes: 'descriptor' }),
};

const ENCODINGS: Readonly<Record<string, (text: string) => Uint8Array>> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with a mark': (text) => Buffer.from(MARK + text),
  'UTF-16, low byte first': utf16le,
  'UTF-16, high byte first': utf16be,
  'UTF-16 with a mark, low byte first': (text) => utf16le(MARK + text),
  'UTF-16 with a mark, high byte first': (text) => utf16be(MARK + text),
};

const LABELLED = `${MIXED_FILE}\n${EASY} süß 🧩 €\r\n${EASY}\r`;

const forms = Object.entries(CONTAINERS).flatMap(([container, pack]) =>
  Object.entries(ENCODINGS).map(([encoding, encode]) => ({
    container,
    encoding,
    stored: pack(encode(LABELLED)),
  })),
);

describe.each(forms)('a file in $encoding in $container', ({ stored }) => {
  it('is converted to the same text, at any cuts', async () => {
    const cuts = fc.array(fc.nat(stored.length), { maxLength: 8 }).map((all) => all.sort((a, b) => a - b));
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        const progress = { storedBytes: 0, plainBytes: 0 };
        const text = await collectBytes(plainBytes(pieces(stored, at), zlibUnpacking, progress));
        expect(Buffer.from(text).toString().replace(MARK, '')).toBe(LABELLED);
        expect(progress.plainBytes).toBe(text.length);
      }),
      { numRuns: propertyRuns(10) },
    );
  });

  it('gives the results of plain text', async () => {
    const plain = untimed((await solveText(LABELLED, MIXED_OPTIONS)).files);
    expect(untimed((await solveText(stored, MIXED_OPTIONS)).files)).toEqual(plain);
  });
});

describe('UTF-16', () => {
  const solutionsOf = async (stored: Uint8Array) => (await solveText(stored)).solutions;

  it.each([
    ['one puzzle without a line end', utf16le(EASY)],
    ['one puzzle, high byte first', utf16be(EASY)],
    [
      'full-width digits',
      utf16le(`${EASY.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))}\n`),
    ],
    ['zeros after its end', utf16le(`${EASY}\n\0\0\0\0`)],
    ['a drawn puzzle among box characters', utf16le(`${EASY}\n# ┌───┬───┐ süß\n`)],
  ])('without a mark is read: %s', async (_, stored) => {
    expect(await solutionsOf(stored)).toBe(`${SOLUTION}\n`);
  });

  it('that ends within a character keeps the text before it', async () => {
    expect(await solutionsOf(utf16le(`${MARK}${EASY}\n#ü`).subarray(0, -1))).toBe(`${SOLUTION}\n`);
  });

  it.each<[name: string, stored: Uint8Array]>([
    [
      'integers of two bytes',
      Uint8Array.from({ length: 4000 }, (_, k) => (k % 2 === 0 ? (k * 37) % 251 : 0)),
    ],
    [
      'integers of four bytes',
      Uint8Array.from({ length: 4000 }, (_, k) => (k % 4 === 0 ? 48 + (k % 10) : 0)),
    ],
    [
      'UTF-32',
      Buffer.concat(
        [...MARK, ...EASY].map((c) => Buffer.from([c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8, 0, 0])),
      ),
    ],
    ['UTF-32 without a mark', Buffer.from([...`${EASY}\n`].join('\0'), 'utf16le')],
    ['zeros alone', new Uint8Array(4000)],
  ])('is not what this is: %s', async (_, stored) => {
    expect(await runText(stored)).toMatchObject({ kind: 'rejected', error: { code: 'bad_encoding' } });
  });

  it('is not bytes of Windows-1252', async () => {
    expect(await solutionsOf(Buffer.from(`${EASY} süß\n`, 'latin1'))).toBe(`${SOLUTION}\n`);
  });
});

describe('a container that is not read', () => {
  const bytesOf = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');

  it.each<[name: string, stored: Uint8Array, advice: RegExp]>([
    ['a tar archive', tarOf('a.txt', EASY), /upload FOLDER/],
    ['a tar archive', tarOf('a.txt', EASY, ''), /upload FOLDER/],
    ['a tar archive in gzip data', gzipSync(tarOf('a.txt', EASY)), /upload FOLDER/],
    [
      'a tar archive in a ZIP archive',
      zipOf({ name: 'a.tar', content: tarOf('a.txt', EASY) }),
      /upload FOLDER/,
    ],
    ['gzip data in gzip data', gzipSync(gzipSync(EASY)), /unpack it/],
    [
      'a ZIP archive in Zstandard data',
      zstdCompressSync(zipOf({ name: 'a.txt', content: EASY })),
      /unpack it/,
    ],
    ['bzip2 data', Buffer.from('BZh91AY&SY'), /unpack it/],
    ['xz data', bytesOf('fd 37 7a 58 5a 00 00 04'), /unpack it/],
    ['a 7z archive', bytesOf('37 7a bc af 27 1c 00 04'), /upload FOLDER/],
    ['a RAR archive', bytesOf('52 61 72 21 1a 07 01 00'), /upload FOLDER/],
    ['an empty ZIP archive', zipOf(), /put a file/],
    ['an old Excel or Word document (xls, doc)', bytesOf('d0 cf 11 e0 a1 b1 1a e1 00'), /save it as CSV/],
    ['a PDF document', Buffer.from('%PDF-1.7\n'), /plain text/],
    ['an RTF document', Buffer.from(`{\\rtf1\\ansi ${EASY}}`), /save its puzzles as plain text/],
    ['a PNG image', bytesOf('89 50 4e 47 0d 0a 1a 0a 00 00'), /plain text/],
    ['a JPEG image', bytesOf('ff d8 ff e0 00 10'), /plain text/],
    ['a WebP image', bytesOf('52 49 46 46 10 00 00 00 57 45 42 50'), /plain text/],
  ])('is refused by name: %s', async (name, stored, advice) => {
    const outcome = await runText(stored);
    expect(outcome).toMatchObject({
      kind: 'rejected',
      error: {
        code: 'unsupported_compression',
        found: name,
        message: expect.stringMatching(advice),
      },
    });
    expect(outcome).toMatchObject({
      error: { message: expect.stringContaining(`the file is ${name}; expected`) },
    });
  });

  it('is not text that begins with the letters of one', () => {
    for (const text of [
      'BM 1',
      'II',
      'PK',
      'RIFF',
      '%PD',
      `${EASY}\n`.repeat(20),
      '{"puzzle":1}',
      'BZ',
      ']',
    ]) {
      expect(containerOf(Buffer.from(text))).toBeUndefined();
    }
  });
});

it('the form of a file is known before its first bytes', async () => {
  const form = {};
  const stored = zipOf({ name: 'a.txt', content: utf16be(MARK + EASY) });
  for await (const _ of plainBytes(pieces(stored), zlibUnpacking, { storedBytes: 0, plainBytes: 0 }, form)) {
    expect(form).toMatchObject({ container: { name: 'a ZIP archive' }, encoding: 'utf-16be' });
  }
});
