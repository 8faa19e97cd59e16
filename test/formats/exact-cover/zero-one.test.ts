import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf } from '../reading.ts';
import { readCovers } from './reading-covers.ts';

/** The matrix of Knuth's paper of 2000, its last two columns secondary. */
const DENSE = ['0010110', '1001001', '0110010', '1001000', '0100001', '0001101'];
const SPARSE = ['2 4 5', '0 3 6', '1 2 5', '0 3', '1 6', '3 4 6'];

describe('a dense matrix', () => {
  it('has one row per option and one column per item, the secondary ones last', () => {
    expect(readCovers(`7 2\n${DENSE.join('\n')}\n`, 'dense')).toEqual([
      {
        format: 'dense',
        line: 1,
        lineEnd: 7,
        primaryCount: 5,
        secondaryCount: 2,
        options: SPARSE,
        texts: DENSE,
        lines: [2, 3, 4, 5, 6, 7],
        ignoredOptions: 0,
        warnings: [],
        error: undefined,
      },
    ]);
  });

  it('may have spaces between its columns, anywhere', () => {
    expect(readCovers('3\n 1 0 1\n01\t0 \n', 'dense')).toMatchObject([
      { options: ['0 2', '1'], texts: ['1 0 1', '01 0'] },
    ]);
  });

  it('may have rows of zeros, and of secondary items only: they are omitted with a warning', () => {
    expect(readCovers('3 1\n000\n001\n110\n', 'dense')).toMatchObject([
      {
        options: ['0 1'],
        ignoredOptions: 2,
        warnings: [expect.stringMatching(/^line 2: /), expect.stringMatching(/^line 3: /)],
      },
    ]);
  });
});

describe('a sparse matrix', () => {
  it('after another one has its own options, text and warnings', () => {
    const text = '3 1\n2\n0  1\n\n3\n0\t1\n1 2\n\n2\n0 1\n';
    expect(readCovers(text, 'sparse')).toMatchObject([
      { options: ['0 1'], texts: ['0 1'], ignoredOptions: 1, warnings: [expect.stringMatching(/^line 2: /)] },
      { options: ['0 1', '1 2'], texts: ['0 1', '1 2'], ignoredOptions: 0, warnings: [] },
      { options: ['0 1'], texts: ['0 1'], ignoredOptions: 0, warnings: [] },
    ]);
  });

  it('has one line per option, with the numbers of its items from 0', () => {
    expect(readCovers(`7 2\n${SPARSE.join('\n')}\n`, 'sparse')).toMatchObject([
      { format: 'sparse', primaryCount: 5, secondaryCount: 2, options: SPARSE, texts: SPARSE },
    ]);
  });

  it('may have its items in any order', () => {
    expect(readCovers('3\n2 0\n', 'sparse')).toMatchObject([{ options: ['2 0'], texts: ['2 0'] }]);
  });
});

describe('a matrix without a number of items', () => {
  it.each([[','], [';'], [' '], ['\t'], [', '], [' ; '], ['']])(
    'has a column for each cell of its first row, separated by "%s"',
    (separator) => {
      const rows = DENSE.map((row) => [...row].join(separator));
      expect(readCovers(`${rows.join('\n')}\n`, 'matrix')).toMatchObject([
        { format: 'matrix', line: 1, lineEnd: 6, primaryCount: 7, secondaryCount: 0, options: SPARSE },
      ]);
    },
  );

  it('keeps its rows for the output, may end rows with a separator, and may follow others', () => {
    const text = '# a\r\n1,0,\r\n0,1,\r\n\r\n1;1;0\r\n# b\r\n0;0;1';
    expect(readCovers(text, 'matrix')).toMatchObject([
      { line: 2, lineEnd: 3, primaryCount: 2, options: ['0', '1'], texts: ['1,0,', '0,1,'] },
      { line: 5, lineEnd: 7, primaryCount: 3, options: ['0 1', '2'], texts: ['1;1;0', '0;0;1'] },
    ]);
  });

  it('warns if it has the shape of a puzzle', () => {
    const warning = expect.stringMatching(/^line 1: 4 rows of 4 are also the shape of 4x4 puzzles/);
    expect(readCovers('1100\n0011\n1001\n0110\n', 'matrix')).toMatchObject([{ warnings: [warning] }]);
    expect(readCovers('1100\n0011\n1001\n', 'matrix')).toMatchObject([{ warnings: [] }]);
  });

  it.each([
    ['a dash at the end of each row', '1 0 -\n0 1 -\n'],
    ['bars between columns', '1 | 0\n0 | 1\n'],
    ['brackets', '[[1,0],\n [0,1]]\n'],
    ['names of the rows', 'A 1 0\nB: 0 1\n'],
    ['names of the columns', 'x y\n10\n01\n'],
    ['rows and columns above', '2\n2\n10\n01\n'],
    ['comments', '; a\n1 0\n# b\n0 1\n'],
  ])('may have %s', (_name, text) => {
    expect(readCovers(text, 'matrix')).toMatchObject([{ primaryCount: 2, options: ['0', '1'] }]);
  });

  it('may have its last columns secondary', () => {
    expect(readCovers('2 3 1\n101\n011\n', 'matrix')).toMatchObject([
      { primaryCount: 2, secondaryCount: 1, options: ['0 2', '1 2'] },
    ]);
  });

  it.each([
    ['another number of rows', '3 2\n10\n01\n', { code: 'bad_length', line: 1, expected: '3 rows' }],
    ['another number of columns', '3 4\n10\n01\n', { code: 'bad_length', line: 2, found: '2 columns' }],
    ['numbers with two meanings', '2 2\n10\n01\n', undefined],
    ['columns and rows, or secondary columns', '3 2\n101\n010\n', { code: 'bad_length', line: 1 }],
    ['an empty cell', '1,0\n,1\n', { code: 'bad_character', line: 2, column: 1, found: ',' }],
    ['an empty cell inside', '1,0,0\n1,,0\n', { code: 'bad_character', line: 2, column: 3, found: ',' }],
    ['another digit', '1,0\n0,2\n', { code: 'bad_character', line: 2, column: 3, found: '2' }],
    ['a shorter row', '1;0\n0\n', { code: 'bad_length', line: 2, found: '1 columns' }],
    ['too many columns', `${'0'.repeat(1_000_001)}\n`, { code: 'too_large', line: 1 }],
  ])('names the place of %s', (_name, text, error) => {
    expect(readCovers(text, 'matrix')).toMatchObject([{ error }]);
  });
});

describe('several matrices in a file', () => {
  it('are separated by blank lines', () => {
    const text = '\n| a\n2\n0\n1\n\n\n# b\n3\n\n0 1 2\n# c\n1\n  \n1\n0';
    expect(readCovers(text, 'sparse')).toMatchObject([
      { line: 3, lineEnd: 5, primaryCount: 2, options: ['0', '1'] },
      { line: 9, lineEnd: 13, primaryCount: 3, options: ['0 1 2', '1'] },
      { line: 15, lineEnd: 16, primaryCount: 1, options: ['0'] },
    ]);
  });

  it('are read after an invalid one', () => {
    const text = '2\n0 2\n1\n\nwhat\n\n1\n0\n';
    expect(readCovers(text, 'sparse')).toMatchObject([
      { line: 1, lineEnd: 3, error: { line: 2, column: 3 } },
      { line: 5, lineEnd: 5, error: { line: 5, column: 1 } },
      { line: 7, options: ['0'], error: undefined },
    ]);
  });

  it('may be empty at the end', () => {
    expect(readCovers('1\n0\n\n2\n', 'sparse')).toMatchObject([
      {},
      { line: 4, options: [], warnings: [expect.stringContaining('no options')] },
    ]);
  });
});

describe('an error', () => {
  const rows: Array<[name: string, format: 'sparse' | 'dense', text: string, error: object]> = [
    ['no number of items', 'sparse', 'A B\n', { code: 'bad_character', line: 1, column: 1, found: 'A B' }],
    ['no items', 'dense', '0\n', { code: 'bad_character', line: 1, found: '0' }],
    ['more secondary items than items', 'dense', '3 4\n', { code: 'bad_character', line: 1, found: '3 4' }],
    ['a third number', 'sparse', '3 1 2\n', { code: 'bad_character', line: 1, found: '3 1 2' }],
    ['too many items', 'sparse', '1000001\n0\n', { code: 'too_large', line: 1, found: '1000001 items' }],
    ['an item out of range', 'sparse', '3\n0 3\n', { code: 'unknown_item', line: 2, column: 3, found: '3' }],
    ['a number of many digits', 'sparse', '3\n99999999\n', { code: 'bad_character', line: 2, column: 1 }],
    ['a sign', 'sparse', '3\n-1\n', { code: 'bad_character', line: 2, column: 1, found: '-1' }],
    ['an item twice', 'sparse', '3\n0 1 0\n', { code: 'duplicate_item', line: 2, column: 5, found: '0' }],
    ['another digit', 'dense', '3\n0 2 1\n', { code: 'bad_character', line: 2, column: 3, found: '2' }],
    ['another character', 'dense', '3\n0é1\n', { code: 'bad_character', line: 2, column: 2, found: 'é' }],
    ['a missing column', 'dense', '3\n01\n', { code: 'bad_length', line: 2, found: '2 columns' }],
    ['an extra column', 'dense', '3\n01 10\n', { code: 'bad_length', line: 2, found: '4 columns' }],
    ['a line of more than 1 MiB', 'dense', `3\n${'0'.repeat(1_100_000)}\n`, { code: 'too_large', line: 2 }],
  ];
  it.each(rows)('names its place and what was found: %s', (_name, format, text, error) => {
    const records = readCovers(text, format);
    expect(records).toMatchObject([{ line: 1, error }]);
    const { message, line, column, expected } = records[0].error!;
    expect(message).toContain(`line ${line}, column ${column}: `);
    expect(message).toContain(expected);
  });
});

describe('the bytes of a file', () => {
  const text = bytesOf('\ufeff# a\r\n4 1\r\n0 1\r\n2\r\n\r\n\r\n2\r0\r1\r\rx\r\n\n2\n\n0 1');
  const cuts = fc
    .uniqueArray(fc.integer({ min: 0, max: text.length }), { maxLength: 30 })
    .map((offsets) => offsets.sort((a, b) => a - b));

  it('give the same problems with any chunk boundaries', () => {
    const whole = readCovers(text, 'sparse');
    expect(whole).toHaveLength(4);
    fc.assert(
      fc.property(cuts, (offsets) => {
        expect(readCovers(text, 'sparse', offsets)).toEqual(whole);
      }),
    );
  });
});
