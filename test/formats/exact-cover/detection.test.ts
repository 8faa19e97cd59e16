import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../lib/formats/formats.ts';
import { HEAD_BYTES } from '../../../lib/formats/reader.ts';
import { langford, queens } from '../../exact-cover/classic-problems.ts';
import { bytesOf, CLASSIC, CLASSIC_SOLUTION, rowsOf } from '../reading.ts';
import { knuthText } from './problem-files.ts';

const SOLVED_4X4 = '1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n';

/** The detected format of a text with a file name. */
function kindOf(text: string, fileName?: string): string {
  const bytes = bytesOf(text);
  const head = bytes.subarray(0, HEAD_BYTES);
  const detection = detectFormat(head, bytes.length <= HEAD_BYTES, { fileName });
  return detection.kind === 'exact-cover' ? detection.format : detection.kind;
}

describe("Knuth's format is detected by content", () => {
  const rows: Array<[name: string, text: string, kind: string]> = [
    ['items with a bar, and options of them', 'A B | X\nA X\nB\n', 'dlx'],
    ['the same after comments', '| one\n\n| two\nA B | X\nA X:1\nB\n', 'dlx'],
    ['the same with an invalid option among valid ones', 'A B | X\nA X\nC\nB\n', 'dlx'],
    ['items with a multiplicity', 'A 2:3|B C\nA B\nB\nC B\n', 'dlx'],
    ['options with costs', 'A B C\nA B |2\nC |1\n', 'dlx'],
    ['items and options without a bar', 'A B C\nA B\nC\n', 'dlx'],
    ['one option after a comment', '| c\nA B C\nA B\n', 'dlx'],
    ['queens', knuthText(queens(8)), 'dlx'],
    ['a file longer than its head', knuthText(queens(200)), 'dlx'],
    ['Langford pairs: no bar, no comment', knuthText(langford(7)), 'dlx'],
    ['items alone', 'A B C | X\n', 'unreadable'],
    ['more invalid options than valid ones', 'A B | X\nA C\nA X\nD\n', 'unreadable'],
    ['lines of words', 'no puzzle here\nno puzzle there\n', 'unreadable'],
    ['one repeated line', 'no puzzle\nno puzzle\nno puzzle\n', 'unreadable'],
    ['a solved grid of numbers', SOLVED_4X4, 'puzzles'],
    ['a solved grid below a ruler of bars', `|||||||\n${SOLVED_4X4}`, 'puzzles'],
    [
      'a drawn grid',
      '| 1 2 | . . |\n| . . | 1 2 |\n|-----+-----|\n| . . | . . |\n| . . | . . |\n',
      'puzzles',
    ],
    ['rows with bars', '1 2 | 3 4\n3 4 | 1 2\n----+----\n2 1 | 4 3\n4 3 | 2 1\n', 'puzzles'],
    ['one puzzle per line', `${CLASSIC}\n${CLASSIC}\n`, 'puzzles'],
    ['comments of another format', '# A B | X\n# A X\n', 'empty'],
    ['nothing', '', 'empty'],
  ];
  it.each(rows)('%s', (_name, text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });
});

describe('lines of 0s and 1s', () => {
  const wide = ['10010', '01100', '00011'];
  const separated = [',', ';', ' ', '\t', ', ', ''].map((separator): [string, string] => [
    `separated by "${separator}"`,
    `${wide.map((row) => [...row].join(separator)).join('\n')}\n`,
  ]);
  it.each([
    ...separated,
    ['with CRLF, comments and no final newline', '# a\r\n1,0,1\r\n| b\r\n0,1,0'],
    ['after a byte-order mark', '\ufeff1,0,1\n0,1,0\n'],
    ['of several widths, with blank lines between', '\n1,0,1\n0,1,0\n\n1,1\n0,1\n'],
    ['in the shape of a 4x4 whose 1s clash in a row', '1,1,0,0\n0,0,1,1\n1,0,0,1\n0,1,1,0\n'],
    ['in the shape of a 4x4 whose 1s clash in a column', '0001\n0100\n1000\n0011\n'],
    ['of 16 columns, a 4x4 each whose 1s clash', '1111111100000000\n0000000011111111\n'],
    ['longer than the head', '1,0,1,0,1\n0,1,0,1,0\n'.repeat(60_000)],
  ])('are a matrix: %s', (_name, text) => {
    expect(kindOf(text)).toBe('matrix');
  });

  it.each([
    ['a 4x4 with one given', '0000\n0100\n0000\n0000\n', 'puzzles'],
    ['a 9x9 without givens', `${'000000000\n'.repeat(9)}`, 'puzzles'],
    ['two 9x9s on lines, one with a clash', `11${'0'.repeat(79)}\n1${'0'.repeat(80)}\n`, 'puzzles'],
    ['one line alone', '10110\n', 'unreadable'],
    ['lines of different lengths', '1,0,1,1,0\n1,0,1,1\n', 'unreadable'],
    ['lines of different lengths, far apart', `${'1,0,1,1,0\n'.repeat(8000)}1,0,1,1\n`, 'unreadable'],
    ['an empty cell', '1,0,1,0,0\n1,,1,0,0\n', 'unreadable'],
    ['10 among 0s and 1s', '10 0 1\n1 10 0\n0 1 10\n', 'unreadable'],
    ['columns of one cell', '1\n0\n1\n', 'unreadable'],
  ])('are not: %s', (_name, text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });

  it.each([
    ['a 1 in each row and column of a 4x4', '0001\n0100\n1000\n0010\n', /--format matrix .*--format rows/],
    ['columns and rows, or secondary columns', '3 2\n1 0 1\n0 1 0\n', /"2 3".*--format dense/],
    [
      'lists of numbers below a count',
      '7\n2 4 5\n0 3 6\n1 2 5\n0 3\n1 6\n3 4 6\n',
      /--format sets .*--format sparse/,
    ],
  ])('are refused with both readings and the option that decides: %s', (_name, text, message) => {
    expect(detectFormat(bytesOf(text), true, {})).toMatchObject({
      error: { code: 'no_puzzles', message: expect.stringMatching(message) },
    });
  });

  it.each([{ variant: 'latin' }, { box: [2, 2] }, { alphabet: '1234' }] as const)(
    'are puzzles with the setting %j',
    (hints) => {
      const text = bytesOf('1100\n0011\n1001\n0110\n');
      expect(detectFormat(text, true, hints).kind).toBe('puzzles');
    },
  );
});

describe('lists of items', () => {
  it.each([
    ['in brackets', '{1,4,7}\n{1,4}\n{4,5,7}\n'],
    ['in brackets, in others', '{1 2 3}\n{\n    { }\n    {1 3}\n    {2}\n}\n'],
    ['on one line', "X = {1, 2, 3}\nY = {'A': [1, 2], 'B': [3], 'C': [2, 3]}\n"],
    ['with names', 'A: 1 4 7\nB: 1 4\nC: 7 5\n'],
    ['below named items', 'Universe: x y z\nA: x y\nB: y z\nC: x\n'],
    ['below counts and their items', '3 4\nx y z\nx y\ny z\nx\nz\n'],
    ['below their items and a count', '1 2 3\n3\n1 2\n3\n2 3\n'],
    ['each with a count', '6 7\n3 1 4 7\n2 1 4\n3 4 5 7\n3 3 5 6\n4 2 3 6 7\n2 2 7\n'],
  ])('are detected %s', (_name, text) => {
    expect(kindOf(text)).toBe('sets');
  });

  it.each([
    ['settings', 'rows = 200\ncolumns = 20\nshare = 20\n', 'unreadable'],
    ['numbers alone', '1 2 3\n4 5\n6 7 8 9\n', 'unreadable'],
    ['words', 'one two\nthree four five\n', 'unreadable'],
  ])('are not: %s', (_name, text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });
});

describe('the name of a file', () => {
  const rows: Array<[name: string, fileName: string, text: string, kind: string]> = [
    ['.dlx makes items alone a problem', 'a.dlx', 'A B C\n', 'dlx'],
    ['.xcc is its own format', 'b/a.xcc', 'A B | X\nA X:1\nB\n', 'xcc'],
    ['.DLX.gz is a compressed one', 'A.DLX.gz', 'A\nB\n', 'dlx'],
    ['.dlx decides if the content fits both', 'a.dlx', `${SOLVED_4X4}1 2\n`, 'dlx'],
    ['another name gives the puzzles precedence', 'a.txt', `${SOLVED_4X4}1 2\n`, 'puzzles'],
    ['.dlx does not make puzzles problems', 'a.dlx', `${rowsOf(CLASSIC_SOLUTION).join('\n')}\n`, 'puzzles'],
    ['.dlx.txt decides nothing', 'a.dlx.txt', 'A B C\n', 'unreadable'],
    ['.dlx without content is an empty file', 'a.dlx', '', 'empty'],
  ];
  it.each(rows)('%s', (_name, fileName, text, kind) => {
    expect(kindOf(text, fileName)).toBe(kind);
  });
});

describe('the specified format', () => {
  it.each(['dlx', 'xcc', 'sparse', 'dense', 'matrix', 'sets'])('is used without detection: %s', (format) => {
    expect(detectFormat(bytesOf(`${CLASSIC}\n`), true, { format })).toEqual({ kind: 'exact-cover', format });
  });

  it('excludes others', () => {
    expect(detectFormat(bytesOf('A B | X\nA X\nB\n'), true, { format: 'line' })).toMatchObject({
      kind: 'unreadable',
    });
  });

  it('does not make UTF-16 readable', () => {
    const utf16 = Uint8Array.from(Buffer.from('\ufeffA B\nA\nB\n', 'utf16le'));
    expect(detectFormat(utf16, true, { format: 'dlx' })).toMatchObject({ error: { code: 'bad_encoding' } });
  });
});
