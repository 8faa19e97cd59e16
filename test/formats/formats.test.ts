import { describe, expect, it } from 'vitest';
import { OUTPUT_PROFILES } from '../../lib/formats/formats.ts';
import { CLASSIC, CLASSIC_SOLUTION, fixture, readText, rewrite, rowsOf } from './reading.ts';

/** A file of the same format with solved puzzles, which are their own solutions. */
function solutionsFor(text: string): string {
  const dotted = rowsOf(CLASSIC);
  const zeros = rowsOf(CLASSIC.replaceAll('.', '0'));
  const solved = rowsOf(CLASSIC_SOLUTION);
  let changed = text;
  const spellings = [
    (row: string) => row,
    (row: string) => [...row].join(' '),
    (row: string) => [...row].map((cell) => `"${cell}"`).join(','),
    (row: string) => row.match(/.../g)!.join('|'),
    (row: string) => row.match(/.../g)!.join(' '),
    (row: string) =>
      row
        .match(/.../g)!
        .map((box) => [...box].join(' '))
        .join(' | '),
  ];
  for (const spell of spellings) {
    for (const [index, row] of solved.entries()) {
      changed = changed
        .replaceAll(spell(dotted[index]), spell(row))
        .replaceAll(spell(zeros[index]), spell(row));
    }
  }
  return changed;
}

describe('drawn grids', () => {
  it.each(['simple-sudoku.ss', 'boxed.txt', 'gaps.txt'])('are drawn as in the input: %s', (file) => {
    const solved = solutionsFor(fixture(file));
    expect(rewrite(solved, 'same')).toBe(solved);
  });
});

describe('tables', () => {
  it('keep their columns, and get a solution column if they have none', () => {
    const text = `id,puzzle,note\n1,${CLASSIC_SOLUTION},"a, b"\n2,${CLASSIC},\n3,broken,\n`;
    const [header, first, second, broken] = rewrite(text, 'same').split('\n');
    expect([header, first]).toEqual([
      'id,puzzle,note,solution,status,error',
      `1,${CLASSIC_SOLUTION},"a, b",${CLASSIC_SOLUTION},solved,`,
    ]);
    expect(second).toBe(`2,${CLASSIC},,${CLASSIC},solved,`);
    expect(broken).toMatch(
      /^3,broken,,,unreadable,"line 4, column 3: found 6 characters in column 2 \(puzzle\): .*"$/,
    );
  });

  it('are lines with a label if only a label follows the puzzle', () => {
    expect(readText(`${CLASSIC},easy\n`).records).toMatchObject([{ format: 'line', notes: { id: 'easy' } }]);
    expect(readText(`7,${CLASSIC},easy\n`).records).toMatchObject([{ format: 'csv', notes: { id: '7' } }]);
  });
});

/** A 10x10 of numbers on one line. */
const SPARSE_10 = `10 ${Array(98).fill('0').join(' ')} 1`;

describe('sizes', () => {
  const cases: Array<[size: number, first: string]> = [
    [4, '1234'],
    [6, '123456'],
    [9, '123456789'],
    [12, '123456789ABC'],
    [16, '123456789ABCDEFG'],
    [20, '123456789ABCDEFGHIJK'],
    [25, 'ABCDEFGHIJKLMNOPQRSTUVWXY'],
    [36, '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  ];
  const shifted = (first: string) => [...first].map((_, k) => first.slice(k) + first.slice(0, k));

  it.each(cases)('%i is read as a line, as rows and as tokens', (size, first) => {
    const rows = shifted(first);
    // A dot in the corner makes 0 a value.
    const grid = `.${rows.join('').slice(1)}`;
    const dotted = rowsOf(grid);
    expect(readText(`${grid} x\n`).records).toMatchObject([{ size, grid, format: 'line' }]);
    expect(readText(dotted.join('\n')).records).toMatchObject([{ size, grid, format: 'rows' }]);
    const spaced = dotted.map((row) => [...row].join(' ')).join('\n');
    expect(readText(spaced).records).toMatchObject([{ size, grid, format: 'tokens' }]);
  });

  it.each(cases)('%i is written by every profile and read again with the same grid', (size, first) => {
    const grid = shifted(first).join('');
    const alphabet = { alphabet: first };
    for (const profile of OUTPUT_PROFILES) {
      const written = rewrite(`${grid} x\n`, profile, alphabet);
      const [record] = readText(written, alphabet).records;
      expect({ profile, size: record?.size, grid: record?.grid }).toEqual({ profile, size, grid });
    }
  });

  describe('that are rare', () => {
    const grid = shifted('12345678');
    const rows = grid.join('\n');
    const asLine = grid.join('');
    const asTokens = grid.map((row) => [...row].join(' ')).join('\n');

    it.each([
      ['in rows', rows],
      ['on a line', asLine],
      ['as numbers', asTokens],
      ['after their number', `1\n${asLine}\n`],
    ])('are read if a file has no other sizes: %s', (_name, text) => {
      expect(readText(text).records).toMatchObject([{ size: 8, notes: undefined }]);
    });

    it('are read with a box that the user names, and after their size', () => {
      expect(readText(`${CLASSIC}\n\n${rows}`, { box: [2, 4] }).records).toMatchObject([{}, { size: 8 }]);
      expect(readText(`${CLASSIC}\n\n8\n${asTokens}`).records).toMatchObject([{}, { size: 8 }]);
    });

    it('are damage next to another size, and the error names the box that reads them', () => {
      const [, { notes }] = readText(`${CLASSIC}\n${asLine}\n`).records;
      expect(notes?.error).toMatchObject({ code: 'bad_length', found: '64 characters' });
      expect(notes?.error?.message).toMatch(
        /expected 81 characters; an 8x8 puzzle has 64, and needs --box 2x4$/,
      );
    });

    it('are read with an unusual box that the user names', () => {
      const symbols = '123456789ABCDE';
      const odd = shifted(symbols).join('');
      expect(readText(odd, { box: [2, 7] }).records).toMatchObject([{ size: 14 }]);
      expect(readText(odd).detection).toMatchObject({
        error: { message: expect.stringMatching(/; a 14x14 puzzle has 196, and needs --box 2x7(;|$)/) },
      });
    });

    it.each([
      ['four 10x10, one per line', `${Array(4).fill(SPARSE_10).join('\n')}\n`, [10, 10, 10, 10]],
      [
        'an 8x8 in letters',
        asTokens.replace(/\d/g, (digit) => '.ABCDEFGH'[Number(digit)]!).replace(/A/, '.'),
        [8],
      ],
      [
        'a 16x16 in lines of 8',
        shifted('123456789ABCDEFG')
          .map((row) => [...row].join(' ').replace(/(.{15}) /, '$1\n'))
          .join('\n'),
        [16],
      ],
      ['four 4x4 in lines of 8', Array(4).fill('1 2 3 4 3 4 1 2\n2 1 4 3 4 3 2 1\n').join(''), [4, 4, 4, 4]],
    ])('are distinguished from others with the same number of cells: %s', (_name, text, sizes) => {
      expect(readText(text).records.map(({ size }) => size)).toEqual(sizes);
    });
  });
});

describe('other variants', () => {
  const refused: Array<[name: string, text: string, found: RegExp]> = [
    ['SumoCue', 'SumoCueV1=12J0=3J0', /killer/],
    ['JSudoku killer', '3x3::k:3840:3840:1537', /killer/],
    ['JSudoku sandwich', '3x3:s:12,5,0,33,8,17,2,0,21', /sandwich/],
    ['JSudoku sandwich with a type', '3x3::s:12,5,0,33,8,17,2,0,21', /sandwich/],
    ['SudokuPad', 'https://sudokupad.app/abcdefgh', /SudokuPad/],
    ['f-puzzles', 'https://www.f-puzzles.com/?load=N4IgzglgXgpiBcBOANCAJgEwIY', /f-puzzles/],
  ];
  it.each(refused)('%s is rejected by name', (_name, text, found) => {
    const { records } = readText(`${CLASSIC}\n${text}\n${CLASSIC}\n`);
    expect(records.map(({ notes }) => notes?.error?.code)).toEqual([
      undefined,
      'unsupported_variant',
      undefined,
    ]);
    expect(records[1].notes?.error?.found).toMatch(found);
    expect(readText(text).detection).toMatchObject({ error: { code: 'unsupported_variant' } });
  });
});
