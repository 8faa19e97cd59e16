/** Cells that spreadsheet programs would execute: kept by default, with an apostrophe if `csv-safe` is set. */
import { describe, expect, it } from 'vitest';
import { CLASSIC, CLASSIC_SOLUTION, rewrite } from '../reading.ts';

const SAFE = { csvSafe: true };
/** Of CLASSIC, as `rewrite` writes grids for solutions. */
const GRID = CLASSIC;

/** The rows of a table with the column `note`, after the header. */
function rows(notes: readonly string[], options?: { csvSafe: boolean }, separator = ','): string[] {
  const header = ['id', 'puzzle', 'note'].join(separator);
  const lines = notes.map((note) => [7, GRID, note].join(separator));
  return rewrite(`${header}\n${lines.join('\n')}\n`, 'same', {}, options)
    .split('\n')
    .slice(1, -1);
}

/** The note of each row. */
function notesOf(notes: readonly string[], options?: { csvSafe: boolean }, separator = ','): string[] {
  const start = [7, GRID, ''].join(separator).length;
  const end = ['', GRID, 'solved', ''].join(separator).length;
  return rows(notes, options, separator).map((row) => row.slice(start, -end));
}

/** Cells as they are in the file, and as the safe output has them. */
const CELLS: ReadonlyArray<[cell: string, safe: string]> = [
  ['=1+1', "'=1+1"],
  ["=cmd|'/c calc'!A0", "'=cmd|'/c calc'!A0"],
  ['+1', "'+1"],
  ['-1+2', "'-1+2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['"=1+1"', `"'=1+1"`],
  ['"=HYPERLINK(""http://a.example/"",""b"")"', `"'=HYPERLINK(""http://a.example/"",""b"")"`],
  ['"""=1+1"', `"""'=1+1"`],
  ['  =1+1', "  '=1+1"],
  ['"\t=1+1"', `"\t'=1+1"`],
  ['"\tx"', `"'\tx"`],
  ['"\u0000=1"', `"\u0000'=1"`],
  ['\u200b=1', "\u200b'=1"],
  ['\u00a0=1', "\u00a0'=1"],
  ['"a;=1+1"', `"a;'=1+1"`],
  ['a;=1+1', "a;'=1+1"],
  ['"a,=1+1"', `"a,'=1+1"`],
  ['"a\n=1+1"', `"a\n'=1+1"`],
  ['"a,""=1+1"', `"a,""'=1+1"`],
  ['"x"y;=1', `"x"y;'=1`],
];
/** Cells without a formula. */
const PLAIN = ['easy', 'a=b', 'x-1', '1+1', "'=1+1", "O'Hara", '"a, b"', 'me@example.org', '#1', '1-2;3', ''];

describe('a cell that begins a formula', () => {
  it('stays as it is by default', () => {
    const cells = CELLS.map(([cell]) => cell).filter((cell) => !cell.includes('\n') && !cell.startsWith(' '));
    expect(notesOf(cells)).toEqual(cells);
  });

  it.each(CELLS)('has an apostrophe in safe output: %j', (cell, safe) => {
    expect(rewrite(`id,puzzle,note\n1,${GRID},${cell}\n`, 'same', {}, SAFE)).toBe(
      `id,puzzle,note,solution,status,error\n1,${GRID},${safe},${GRID},solved,\n`,
    );
    // The first cell of a row, and a table with a column for solutions.
    expect(rewrite(`note,puzzle\n${cell},${GRID}\n`, 'same', {}, SAFE)).toBe(
      `note,puzzle,solution,status,error\n${safe},${GRID},${GRID},solved,\n`,
    );
  });

  it('has an apostrophe in tables with a column for solutions, too', () => {
    const table = `note,puzzle,solution,=a\n=1,${GRID},,"-x,=2"\n`;
    expect(rewrite(table, 'same', {}, SAFE)).toBe(
      `note,puzzle,solution,'=a,status,error\n'=1,${GRID},${GRID},"'-x,'=2",solved,\n`,
    );
  });

  it.each([';', '\t', '|'])('has an apostrophe in tables with another separator: %j', (separator) => {
    const cells = ['=1+1', 'x', '@a'];
    expect(notesOf(cells, SAFE, separator)).toEqual(["'=1+1", 'x', "'@a"]);
  });

  it('has an apostrophe in the header', () => {
    expect(rewrite(`=id,puzzle,"+note"\n1,${GRID},a\n`, 'same', {}, SAFE)).toBe(
      `'=id,puzzle,"'+note",solution,status,error\n1,${GRID},a,${GRID},solved,\n`,
    );
  });
});

describe('safe output', () => {
  it('changes no other cell', () => {
    expect(notesOf(PLAIN, SAFE)).toEqual(PLAIN);
    for (const separator of [';', '\t']) {
      const cells = PLAIN.filter((cell) => !cell.includes(separator));
      expect(rows(cells, SAFE, separator)).toEqual(rows(cells, undefined, separator));
    }
  });

  it('changes no puzzle and no solution, whatever stands for blanks', () => {
    for (const blank of ['-', '.', '0', '*', '?', '_']) {
      const puzzle = `-${CLASSIC.slice(1)}`.replaceAll(/[-.]/g, blank);
      for (const table of [
        `puzzle,note\n${puzzle},a\n${puzzle},b\n`,
        `puzzle,solution\n${puzzle},${CLASSIC_SOLUTION}\n${puzzle},\n`,
        `puzzle,note\n"${puzzle.match(/.{9}/g)!.join('\n')}",a\n`,
      ]) {
        for (const profile of ['same', 'csv'] as const) {
          expect(rewrite(table, profile, {}, SAFE)).toBe(rewrite(table, profile));
        }
      }
    }
  });

  it('is safe if a program divides the row into other cells than the reader', () => {
    // The reader takes the quoted field and drops the rest; the column of the puzzle is no way around.
    const hostile = `"${GRID}";=cmd|'/c calc'!A0`;
    expect(rewrite(`puzzle,note\n${hostile},a\n${GRID},b\n`, 'same', {}, SAFE)).toContain(";'=cmd");
    const table = `puzzle,note\n=HYPERLINK("http://a.example/";"b"),${GRID}\n${GRID},b\n`;
    expect(rewrite(table, 'same', {}, SAFE)).not.toMatch(/(^|[,;\n])=/);
  });
});

describe('the profile csv', () => {
  const note = '"=1, or -2"';
  const expected = (text: string) =>
    `id,puzzle,note,solution,status,error\n1,${GRID},${text},${GRID},solved,\n`;

  it('keeps the columns of a table', () => {
    const table = `id,puzzle,note\n1,${GRID},${note}\n`;
    expect(rewrite(table, 'csv')).toBe(expected(note));
    expect(rewrite(table, 'csv', {}, SAFE)).toBe(expected(`"'=1, or -2"`));
  });

  it.each([';', '\t'])('replaces the separator of a table: %j', (separator) => {
    const table = `sep=${separator}\n${['id', 'puzzle', 'note'].join(separator)}\n${[1, GRID, '=1, or -2'].join(separator)}\n`;
    expect(rewrite(table, 'csv')).toBe(expected(note));
    expect(rewrite(table, 'csv', {}, SAFE)).toBe(expected(`"'=1, or -2"`));
  });

  it('replaces the bars of a Markdown table', () => {
    const table = `| id | puzzle | note |\n|---|---|---|\n| 1 | ${GRID} | =1, or -2 |\n`;
    expect(rewrite(table, 'csv')).toBe(expected(note));
    expect(rewrite(table, 'csv', {}, SAFE)).toBe(expected(`"'=1, or -2"`));
  });

  it('has four columns for other files', () => {
    expect(rewrite(`${GRID} =1\n`, 'csv')).toMatch(/^puzzle,solution,status,error\n[^=,]*,[^=,]*,solved,\n$/);
  });
});
