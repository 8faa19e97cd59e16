/**
 * Stored forms of a file: gzip, Zstandard, ZIP, UTF-16. The first byte of an input chooses how the rest is packed; the
 * second byte, if it is not a space, damages the packed bytes.
 */
import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { containerOf } from '../../../lib/batch/job/containers.ts';
import { FileRejection, plainBytes } from '../../../lib/batch/job/input.ts';
import { utf16Of } from '../../../lib/formats/bytes/utf16.ts';
import { zlibUnpacking } from '../../../lib/node/unpacking.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';
import { pieces } from '../../support/run-job.ts';
import { type ZipMember, zipOf } from '../../support/zip.ts';
import { check, checkSame, digest, documented, type Target } from '../target.ts';

const SIZES: readonly ZipMember['sizes'][] = [
  'header',
  'descriptor',
  'bare descriptor',
  'long descriptor',
  'long header',
];
const name = 'a.txt';
/** How the text is packed. An archive of two files is rejected. */
const FORMS: readonly ((content: Uint8Array) => Uint8Array)[] = [
  gzipSync,
  (content) => Buffer.concat([gzipSync(content), gzipSync(content)]),
  zstdCompressSync,
  (content) =>
    Buffer.concat([Buffer.from('502a4d1803000000abcdef', 'hex').subarray(0, 11), zstdCompressSync(content)]),
  ...SIZES.map((sizes) => (content: Uint8Array) => zipOf({ name, content, sizes })),
  (content) => zipOf({ name, content, method: 'stored' }),
  (content) => zipOf({ name: 'folder/', content: '', method: 'stored' }, { name, content }),
  (content) =>
    zipOf({ name: '__MACOSX/._a', content: 'x' }, { name, content, method: 'stored', sizes: 'descriptor' }),
  (content) =>
    zipOf({ name: content.subarray(0, 20).toString(), content: deflateRawSync(content), methodNumber: 8 }),
  (content) => Buffer.from(`\ufeff${Buffer.from(content).toString()}`, 'utf16le'),
  (content) => Buffer.from(`\ufeff${Buffer.from(content).toString()}`, 'utf16le').swap16(),
  (content) => Buffer.from(Buffer.from(content).toString(), 'utf16le'),
  (content) => gzipSync(Buffer.from(`\ufeff${Buffer.from(content).toString()}`, 'utf16le')),
  (content) => content,
];
/** Forms whose content is the text, if it is text of UTF-8 in itself. */
const WHOLE_FORMS = [0, 2, 3, 4, 5, 6, 7, 8, 9, 10];

const TEXT = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n';

export const containers: Target = {
  name: 'containers',
  seeds: () => [
    ...FORMS.map((_, form) => `${String.fromCharCode(33 + form)} ${TEXT}`),
    ...FORMS.map((_, form) => `${String.fromCharCode(33 + form)}x${TEXT}ä🧩`),
    ...FORMS.map((form) =>
      Buffer.concat([Buffer.from(`${String.fromCharCode(33 + FORMS.length - 1)} `), form(Buffer.from(TEXT))]),
    ),
  ],
  tokens: [
    'PK\x03\x04',
    'PK\x01\x02',
    'PK\x05\x06',
    'PK\x07\x08',
    '\x1f\x8b\x08',
    '(\xb5/\xfd',
    'P*M\x18',
    '\xff\xfe',
    '\ud83e',
    'mimetype',
    'xl/workbook.xml',
    'ustar',
    '\x01\x00',
  ],
  maxBytes: 2000,
  maxWork: { base: 300_000, perByte: 2_000 },
  async run(input) {
    const form = Math.max(0, (input[0] ?? 0) - 33) % FORMS.length;
    const content = Buffer.from(input.subarray(2));
    const stored = new Uint8Array(FORMS[form]!(content));
    const isDamaged = (input[1] ?? 32) !== 32;
    const random = new RandomSource(digest(input));
    if (isDamaged) {
      for (let count = 1 + random.below(4); count > 0; count--)
        stored[random.below(stored.length)] = random.below(256);
    }
    const whole = await plain(stored, []);
    const cuts = Array.from({ length: 1 + random.below(8) }, () => random.below(stored.length + 1));
    checkSame(
      await plain(
        stored,
        cuts.sort((a, b) => a - b),
      ),
      whole,
      'the text does not depend on chunks',
    );
    if (stored.length < 300)
      checkSame(await plain(stored, [...stored.keys()]), whole, 'the text does not depend on chunks');
    if (!isDamaged && WHOLE_FORMS.includes(form) && isPlainText(content)) {
      check(
        whole.text === content.toString('latin1'),
        'a file has the same text when it is unpacked',
        () => whole,
      );
    }
  },
};

const isDocumented = (error: unknown) => error instanceof FileRejection;

/** Neither packed itself nor in another encoding. */
function isPlainText(content: Uint8Array): boolean {
  return containerOf(content) === undefined && utf16Of(content) === undefined;
}

/** The text, or the error, of a stored file. The text before an error depends on chunks. */
async function plain(
  stored: Uint8Array,
  cuts: readonly number[],
): Promise<{ text?: string; error?: string }> {
  const progress = { storedBytes: 0, plainBytes: 0 };
  const { value, error } = await documented(async () => {
    const parts: Buffer[] = [];
    for await (const bytes of plainBytes(pieces(stored, cuts), zlibUnpacking, progress))
      parts.push(Buffer.from(bytes));
    const text = Buffer.concat(parts);
    check(progress.plainBytes === text.length, 'the progress counts the plain bytes', () => progress);
    check(progress.storedBytes === stored.length || text.length > 0, 'the progress counts the stored bytes');
    return text.toString('latin1');
  }, isDocumented);
  // Zstandard has several reasons for one damage, and which one depends on chunks.
  return error === undefined ? { text: value } : { error: error.message.split('(')[0] };
}
