/** Cells that spreadsheet programs would execute: kept by default, with an apostrophe if `csv-safe` is set. */
import { describe, expect, it } from 'vitest';
import { CLASSIC, CLASSIC_SOLUTION, rewrite } from '../reading.ts';

/** Of CLASSIC, as `rewrite` writes grids for solutions. */
const GRID = CLASSIC;
const HEADER = 'id,puzzle,note,solution,status,error\n';

const safe = (table: string, profile: 'same' | 'csv' = 'same') =>
  rewrite(table, profile, {}, { csvSafe: true });
const row = (note: string, separator = ',') => [7, GRID, note].join(separator);
const solved = (note: string, separator = ',') => [row(note, separator), GRID, 'solved', ''].join(separator);

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
  // Cells without a formula.
  ...['easy', 'a=b', 'x-1', '1+1', "'=1+1", "O'Hara", '"a, b"', 'me@example.org', 'no. #1', '1-2;3', ''].map(
    (cell): [string, string] => [cell, cell],
  ),
];

describe.each(CELLS)('the cell %j', (cell, changed) => {
  it('stays as it is by default', () => {
    expect(rewrite(`id,puzzle,note\n${row(cell)}\n`, 'same')).toBe(`${HEADER}${solved(cell)}\n`);
  });

  it('has an apostrophe in safe output if it begins a formula', () => {
    expect(safe(`id,puzzle,note\n${row(cell)}\n`)).toBe(`${HEADER}${solved(changed)}\n`);
    // The first cell of a row, and a table with a column for solutions.
    expect(safe(`note,puzzle\n${cell},${GRID}\n`)).toBe(
      `note,puzzle,solution,status,error\n${changed},${GRID},${GRID},solved,\n`,
    );
  });
});

describe('safe output', () => {
  it.each([
    [
      'a table with a column for solutions',
      `note,puzzle,solution,=a\n=1,${GRID},,"-x,=2"\n`,
      `note,puzzle,solution,'=a,status,error\n'=1,${GRID},${GRID},"'-x,'=2",solved,\n`,
    ],
    [
      'the header',
      `=id,puzzle,"+note"\n1,${GRID},a\n`,
      `'=id,puzzle,"'+note",solution,status,error\n1,${GRID},a,${GRID},solved,\n`,
    ],
    ...[';', '\t', '|'].map((separator) => [
      `another separator: ${JSON.stringify(separator)}`,
      `id,puzzle,note\n${row('=1+1')}\n${row('x')}\n`.replaceAll(',', separator),
      `${HEADER}${solved("'=1+1")}\n${solved('x')}\n`.replaceAll(',', separator),
    ]),
  ])('has apostrophes in %s', (_name, table, expected) => {
    expect(safe(table!)).toBe(expected);
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
          expect(safe(table, profile)).toBe(rewrite(table, profile));
        }
      }
    }
  });

  it('is safe if a program divides the row into other cells than the reader', () => {
    // The reader takes the quoted field and drops the rest; the column of the puzzle is no way around.
    const hostile = `"${GRID}";=cmd|'/c calc'!A0`;
    expect(safe(`puzzle,note\n${hostile},a\n${GRID},b\n`)).toContain(";'=cmd");
    const table = `puzzle,note\n=HYPERLINK("http://a.example/";"b"),${GRID}\n${GRID},b\n`;
    expect(safe(table)).not.toMatch(/(^|[,;\n])=/);
  });
});

describe('the profile csv', () => {
  const note = '=1, or -2';
  it.each([
    ['keeps the columns of a table', `id,puzzle,note\n${row(`"${note}"`)}\n`],
    ...[';', '\t'].map((separator) => [
      `replaces the separator ${JSON.stringify(separator)}`,
      `sep=${separator}\n${['id', 'puzzle', 'note'].join(separator)}\n${row(note, separator)}\n`,
    ]),
    [
      'replaces the bars of a Markdown table',
      `| id | puzzle | note |\n|---|---|---|\n| 7 | ${GRID} | ${note} |\n`,
    ],
  ])('%s', (_name, table) => {
    expect(rewrite(table!, 'csv')).toBe(`${HEADER}${solved(`"${note}"`)}\n`);
    expect(safe(table!, 'csv')).toBe(`${HEADER}${solved(`"'${note}"`)}\n`);
  });

  it('has four columns for other files', () => {
    expect(rewrite(`${GRID} =1\n`, 'csv')).toMatch(/^puzzle,solution,status,error\n[^=,]*,[^=,]*,solved,\n$/);
  });
});
