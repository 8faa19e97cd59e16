/** What no case of the catalogue can say: files longer than their heads, the names of files, and a format that is named. */
import { expect, it } from 'vitest';
import { detectFormat } from '../../../lib/formats/formats.ts';
import { HEAD_BYTES } from '../../../lib/formats/reader.ts';
import { langford, queens } from '../../exact-cover/classic-problems.ts';
import { bytesOf, CLASSIC, CLASSIC_SOLUTION, rowsOf } from '../reading.ts';
import { knuthText } from './problem-files.ts';

const SOLVED_4X4 = '1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n';

/** Options of a Knuth file whose items are `count` numbers from 10. */
const pairsOf = (count: number, options: number) => {
  const items = Array.from({ length: count }, (_, k) => `${10 + k}`);
  return `${items.join(' ')}\n${Array.from({ length: options }, (_, k) => `10 ${11 + (k % (count - 1))}\n`).join('')}`;
};

/** The detected format of a text with a file name. */
function kindOf(text: string, fileName?: string): string {
  const bytes = bytesOf(text);
  const head = bytes.subarray(0, HEAD_BYTES);
  const detection = detectFormat(head, bytes.length <= HEAD_BYTES, { fileName });
  return detection.kind === 'exact-cover' ? detection.format : detection.kind;
}

it.each([
  ['queens', knuthText(queens(200)), 'dlx'],
  ['Langford pairs: no bar, no comment', knuthText(langford(7)), 'dlx'],
  ['a matrix', '1,0,1,0,1\n0,1,0,1,0\n'.repeat(60_000), 'matrix'],
  ['more items than a row has cells, and many options', pairsOf(37, 2000) + CLASSIC, 'dlx'],
  ['fewer options, which may precede puzzles', pairsOf(37, 99) + CLASSIC, 'puzzles'],
  ['fewer items, which may be cells of a row', pairsOf(36, 2000) + CLASSIC, 'puzzles'],
  [
    'a hundred options, of which one has another item',
    `${pairsOf(37, 50)}x\n${pairsOf(37, 60)}${CLASSIC}`,
    'puzzles',
  ],
  ['rows of different lengths, far apart', `${'1,0,1,1,0\n'.repeat(8000)}1,0,1,1\n`, 'unreadable'],
])('a long file is detected: %s', (_name, text, kind) => {
  expect(kindOf(text)).toBe(kind);
});

it.each([
  ['.dlx makes items alone a problem', 'a.dlx', 'A B C\n', 'dlx'],
  ['.xcc is its own format', 'b/a.xcc', 'A B | X\nA X:1\nB\n', 'xcc'],
  ['.DLX.gz is a compressed one', 'A.DLX.gz', 'A\nB\n', 'dlx'],
  ['.dlx decides if the content fits both', 'a.dlx', `${SOLVED_4X4}1 2\n`, 'dlx'],
  ['another name gives the puzzles precedence', 'a.txt', `${SOLVED_4X4}1 2\n`, 'puzzles'],
  ['.dlx does not make puzzles problems', 'a.dlx', `${rowsOf(CLASSIC_SOLUTION).join('\n')}\n`, 'puzzles'],
  ['.dlx.txt decides nothing', 'a.dlx.txt', 'A B C\n', 'unreadable'],
  ['.dlx without content is an empty file', 'a.dlx', '', 'empty'],
])('the name of a file: %s', (_name, fileName, text, kind) => {
  expect(kindOf(text, fileName)).toBe(kind);
});

it.each(['dlx', 'xcc', 'sparse', 'dense', 'matrix', 'sets'])(
  'the format that is named is used without detection: %s',
  (format) => {
    expect(detectFormat(bytesOf(`${CLASSIC}\n`), true, { format })).toEqual({ kind: 'exact-cover', format });
  },
);

it('a format that is named does not make UTF-16 readable', () => {
  const utf16 = Uint8Array.from(Buffer.from('\ufeffA B\nA\nB\n', 'utf16le'));
  expect(detectFormat(utf16, true, { format: 'dlx' })).toMatchObject({ error: { code: 'bad_encoding' } });
});
