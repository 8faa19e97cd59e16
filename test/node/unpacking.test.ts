import { randomBytes } from 'node:crypto';
import { constants, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileRejection } from '../../lib/batch/job/input.ts';
import { CorruptInputError, type PackedFormat } from '../../lib/batch/ports.ts';
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

const zipText = (text: string | Uint8Array) => zipOf({ name: 'puzzles.txt', content: text });

/** The format, its name in messages, and a file of it. */
const FORMATS: readonly (readonly [
  format: PackedFormat,
  name: string,
  pack: (text: string | Uint8Array) => Buffer,
])[] = [
  ['gzip', 'gzip data', (text) => gzipSync(text)],
  [
    'zstd',
    'Zstandard data',
    (text) => zstdCompressSync(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
  ],
  ['zip', 'ZIP archive', zipText],
];

describe.each(FORMATS)('%s', (format, name, pack) => {
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

  const damaged = Uint8Array.from(PACKED);
  damaged[70]! ^= 0xff;
  for (const [damage, bytes] of [
    ['cut off in its header', PACKED.subarray(0, 5)],
    ['cut off in its data', PACKED.subarray(0, 80)],
    ['damaged', damaged],
    ['other data', new TextEncoder().encode(MIXED_FILE)],
  ] as const) {
    it(`that is ${damage} throws CorruptInputError`, async () => {
      const unpacked = unpack(format, pieces(bytes));
      await expect(unpacked).rejects.toThrow(CorruptInputError);
      await expect(unpacked).rejects.toThrow(`${name} is damaged or cut off`);
    });
  }

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

describe('gzip data', () => {
  it('of several members is decompressed in order', async () => {
    const members = Buffer.concat([gzipSync('one\n'), gzipSync(''), gzipSync('two\n')]);
    expect(await unpack('gzip', pieces(members))).toBe('one\ntwo\n');
  });

  const PACKED = gzipSync(MIXED_FILE);
  const wrongChecksum = Uint8Array.from(PACKED);
  wrongChecksum[PACKED.length - 8]! ^= 0xff;
  for (const [name, bytes] of [
    ['cut off in its trailer', PACKED.subarray(0, -1)],
    ['of a wrong checksum', wrongChecksum],
  ] as const) {
    it(`that is ${name} throws CorruptInputError`, async () => {
      await expect(unpack('gzip', pieces(bytes))).rejects.toThrow(CorruptInputError);
    });
  }
});

describe('Zstandard data', () => {
  const skipped = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 7, 7, 7]);
  const frames = Buffer.concat([
    skipped,
    zstdCompressSync('one\n'),
    zstdCompressSync(''),
    skipped,
    zstdCompressSync('two\n'.repeat(50_000)),
    zstdCompressSync('three\n'),
    skipped,
  ]);

  it('of several frames is decompressed in order, at any cuts', async () => {
    const text = `one\n${'two\n'.repeat(50_000)}three\n`;
    await expectAtAnyCuts('zstd', frames, text);
  });

  it('with other bytes after it is damaged', async () => {
    const bytes = Buffer.concat([zstdCompressSync('one\n'), Buffer.from('two\n')]);
    await expect(unpack('zstd', pieces(bytes))).rejects.toThrow(CorruptInputError);
  });

  it.each([
    ['1 byte', '28b52ffd2001010000'],
    ['256 bytes', '28b52ffd40000000010000'],
    ['1 byte, in 4 bytes', '28b52ffda001000000010000'],
    ['1 byte, in 8 bytes', '28b52ffde00100000000000000010000'],
  ])('of an empty frame that declares %s is damaged, at any cuts', async (_name, hex) => {
    const frame = Buffer.from(hex, 'hex');
    const text = zstdCompressSync('one\n');
    for (const bytes of [frame, Buffer.concat([frame, text]), Buffer.concat([text, frame])]) {
      for (const cuts of [[], [...bytes.keys()], [frame.length], [text.length]]) {
        await expect(unpack('zstd', pieces(bytes, cuts))).rejects.toThrow(CorruptInputError);
      }
    }
  });

  it('that ends in a frame to skip is cut off', async () => {
    await expect(unpack('zstd', pieces(frames.subarray(0, -1)))).rejects.toThrow(CorruptInputError);
    await expect(unpack('zstd', pieces(frames.subarray(0, -5)))).rejects.toThrow(CorruptInputError);
  });
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
    'of an empty file, $method, with its sizes in the $where, is empty',
    async ({ where, method }) => {
      const archive = zipOf({ name: 'puzzles.txt', content: '', sizes: where, method });
      expect(await unpack('zip', pieces(archive))).toHaveLength(0);
    },
  );

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

  it.each(['header', 'descriptor'] as const)('with a wrong checksum in the %s is damaged', async (where) => {
    const archive = zipOf({ name: 'a.txt', content: MIXED_FILE, sizes: where });
    const at = where === 'header' ? 14 : 30 + 5 + deflateRawSync(MIXED_FILE).length + 4;
    archive[at]! ^= 1;
    const unpacked = unpack('zip', pieces(archive));
    await expect(unpacked).rejects.toThrow(CorruptInputError);
    await expect(unpacked).rejects.toThrow(/incorrect data check/);
  });

  const SHEET = 'application/vnd.oasis.opendocument.spreadsheet';
  // Names of members, or other fields of one.
  it.each<[name: string, members: string | Partial<ZipMember>, message: RegExp]>([
    [
      'several files',
      'a.txt b.txt',
      /a ZIP archive of several files \(a\.txt, b\.txt, \.\.\.\).*upload FOLDER/,
    ],
    ['folders alone', { name: 'a/', content: '', method: 'stored' }, /a ZIP archive without a file/],
    ['an encrypted file', { flags: 1 }, /an encrypted ZIP archive/],
    ['a file in another compression', { methodNumber: 14 }, /with compression method 14/],
    [
      'a stored file without its size',
      { method: 'stored', sizes: 'descriptor' },
      /stored data without its size/,
    ],
    [
      'an Excel workbook',
      '[Content_Types].xml _rels/.rels xl/workbook.xml',
      /an Excel workbook \(xlsx\).*save it as CSV/,
    ],
    [
      'an Excel workbook of another writer',
      'docProps/app.xml xl/worksheets/sheet1.xml [Content_Types].xml',
      /an Excel workbook \(xlsx\)/,
    ],
    ['a Word document', '[Content_Types].xml word/document.xml', /a Word document/],
    ['an Office document of another kind', '[Content_Types].xml', /an Office document/],
    [
      'an OpenDocument spreadsheet',
      { name: 'mimetype', content: SHEET, method: 'stored' },
      /an OpenDocument spreadsheet \(ods\).*save it as CSV/,
    ],
  ])('with %s is refused by name', async (_, members, message) => {
    const names = typeof members === 'string' ? members.split(' ') : ['a.txt'];
    const fields = typeof members === 'string' ? {} : members;
    const archive = zipOf(...names.map((name) => ({ name, content: '<x/>', ...fields })));
    const unpacked = unpack('zip', pieces(archive));
    await expect(unpacked).rejects.toThrow(FileRejection);
    await expect(unpacked).rejects.toThrow(message);
    await expect(unpacked).rejects.toMatchObject({ error: { code: 'unsupported_compression' } });
  });
});
