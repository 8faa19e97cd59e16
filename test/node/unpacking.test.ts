/** Streams that are unpacked, in any pieces. Damaged and refused ones: `test/batch/jobs/stored-forms.txt`. */
import { randomBytes } from 'node:crypto';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PackedFormat } from '../../lib/batch/ports.ts';
import { zlibUnpacking } from '../../lib/node/unpacking.ts';
import { MIXED_FILE } from '../support/puzzles.ts';
import { pieces } from '../support/run-job.ts';
import { type ZipMember, zipOf } from '../support/zip.ts';

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const bytes of stream) chunks.push(bytes);
  return Buffer.concat(chunks).toString();
}

const unpack = (format: PackedFormat, packed: AsyncIterable<Uint8Array>) =>
  textOf(zlibUnpacking.unpack(format, packed));

/** The next piece may come when the decompressor has ended, as from a network. */
async function* late(pieces: AsyncIterable<Uint8Array>) {
  for await (const piece of pieces) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    yield piece;
  }
}

/** Also empty pieces. */
async function expectAtAnyCuts(format: PackedFormat, packed: Uint8Array, text: string, numRuns?: number) {
  const ascending = fc
    .array(fc.nat(packed.length), { maxLength: 8 })
    .map((cuts) => cuts.sort((a, b) => a - b));
  const isRead = fc.asyncProperty(ascending, fc.boolean(), async (cuts, isLate) => {
    const source = pieces(packed, cuts);
    expect(await unpack(format, isLate ? late(source) : source)).toBe(text);
  });
  await fc.assert(isRead, { numRuns });
}

const FORMATS: readonly (readonly [PackedFormat, pack: (text: string | Uint8Array) => Buffer])[] = [
  ['gzip', (text) => gzipSync(text)],
  ['zstd', (text) => zstdCompressSync(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })],
  ['zip', (text) => zipOf({ name: 'puzzles.txt', content: text })],
];

describe.each(FORMATS)('%s', (format, pack) => {
  const PACKED = pack(MIXED_FILE);

  it('is decompressed from pieces of any sizes, including empty ones', async () => {
    await expectAtAnyCuts(format, PACKED, MIXED_FILE);
  });

  it('is decompressed if the source reuses one array', async () => {
    const text = randomBytes(300_000).toString('hex');
    const packed = pack(text);
    async function* reader() {
      const array = new Uint8Array(100_000);
      for (let at = 0; at < packed.length; at += array.length) {
        const some = packed.subarray(at, at + array.length);
        array.set(some);
        yield array.subarray(0, some.length);
      }
    }
    expect(await unpack(format, reader())).toBe(text);
  });

  it('whose source fails throws the error of the source', async () => {
    const reset = new Error('connection reset');
    async function* failing(): AsyncIterable<Uint8Array> {
      yield PACKED.subarray(0, 60);
      throw reset;
    }
    await expect(unpack(format, failing())).rejects.toBe(reset);
  });

  it('releases its source if reading stops', async () => {
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const noise = pack(randomBytes(1_000_000));
    async function* endless(): AsyncIterable<Uint8Array> {
      try {
        for (;;) yield noise;
      } finally {
        release();
      }
    }
    for await (const bytes of zlibUnpacking.unpack(format, endless())) {
      expect(bytes.length).toBeGreaterThan(0);
      break;
    }
    await released;
  });
});

it('Zstandard data of several frames is decompressed in order, at any cuts', async () => {
  const skipped = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 7, 7, 7]);
  const texts = ['one\n', '', 'two\n'.repeat(50_000), 'three\n'];
  const [one, none, two, three] = texts.map((text) => zstdCompressSync(text));
  const frames = Buffer.concat([skipped, one!, none!, skipped, two!, three!, skipped]);
  await expectAtAnyCuts('zstd', frames, texts.join(''));
});

describe('a ZIP archive', () => {
  const added: readonly ZipMember[] = [
    { name: '__MACOSX/', content: '', method: 'stored' },
    { name: '__MACOSX/._puzzles.txt', content: randomBytes(200), sizes: 'descriptor' },
    { name: 'folder/', content: '', method: 'stored' },
    { name: 'folder/.DS_Store', content: 'x'.repeat(50) },
  ];
  const sizes = ['header', 'descriptor', 'bare descriptor', 'long descriptor', 'long header'] as const;
  const forms = sizes.flatMap((where) => [
    { where, method: 'deflated' as const },
    ...(where.endsWith('header') ? [{ where, method: 'stored' as const }] : []),
  ]);

  it.each(forms)(
    'of one file, $method, with its sizes in the $where, is read at any cuts',
    async ({ where, method }) => {
      const archive = zipOf(
        ...added,
        { name: 'folder/puzzles.txt', content: MIXED_FILE, sizes: where, method },
        ...added,
      );
      await expectAtAnyCuts('zip', archive, MIXED_FILE, 20);
    },
  );
});
