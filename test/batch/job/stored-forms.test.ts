/** Compressed data, archives and encodings are read like plain text. What is refused or damaged: `test/batch/jobs/stored-forms.txt`. */
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { containerOf } from '../../../lib/batch/job/containers.ts';
import { collectBytes, plainBytes } from '../../../lib/batch/job/input.ts';
import { zlibUnpacking } from '../../../lib/node/unpacking.ts';
import { propertyRuns } from '../../support/depth.ts';
import { EASY, MIXED_FILE } from '../../support/puzzles.ts';
import { pieces } from '../../support/run-job.ts';
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
});

it('a container is not text that begins with the letters of one', () => {
  for (const text of ['BM 1', 'II', 'PK', 'RIFF', '%PD', `${EASY}\n`.repeat(20), '{"puzzle":1}', 'BZ', ']']) {
    expect(containerOf(Buffer.from(text))).toBeUndefined();
  }
});

it('the form of a file is known before its first bytes', async () => {
  const form = {};
  const stored = zipOf({ name: 'a.txt', content: utf16be(MARK + EASY) });
  for await (const _ of plainBytes(pieces(stored), zlibUnpacking, { storedBytes: 0, plainBytes: 0 }, form)) {
    expect(form).toMatchObject({ container: { name: 'a ZIP archive' }, encoding: 'utf-16be' });
  }
});
