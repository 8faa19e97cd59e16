import { describe, expect, it } from 'vitest';
import { CELL_LAYOUTS } from '../../cell-layouts.ts';
import { CLASSIC, readText, rowsOf } from '../../reading.ts';

const cells = Array.from(CLASSIC, (symbol) => (symbol === '.' ? '' : symbol));
const laidOut = (name: string, blank: string) => CELL_LAYOUTS[name]!.write(cells, blank);
const commas = laidOut('commas', '0');
const zeros = CLASSIC.replaceAll('.', '0');

/** The rows of a text with one of them changed. */
function changed(text: string, row: number, change: (line: string) => string): string {
  return text
    .split('\n')
    .map((line, k) => (k === row ? change(line) : line))
    .join('\n');
}

/** Lines and errors of the records, and the grids of those without one. */
function read(text: string): unknown[] {
  return readText(text).records.map(({ line, lineEnd, grid, notes }) => {
    const { error } = notes ?? {};
    return error === undefined
      ? [line, lineEnd, grid]
      : [line, lineEnd, error.code, error.line, error.column];
  });
}

describe('damage affects its own grid, and the error has its place', () => {
  const damages: Array<[name: string, damaged: string, record: unknown[]]> = [
    ['a field less', changed(commas, 3, (row) => row.slice(2)), [1, 9, 'bad_length', 4, 1]],
    ['a field less in the first row', changed(commas, 0, (row) => row.slice(2)), [1, 9, 'bad_length', 1, 1]],
    ['a field more', changed(commas, 8, (row) => `${row},0`), [1, 9, 'bad_length', 9, 1]],
    ['a word', changed(commas, 4, (row) => row.replace('8', 'eight')), [1, 9, 'bad_character', 5, 7]],
    [
      'a number beyond the size',
      changed(commas, 4, (row) => row.replace('8', '12')),
      [1, 9, 'symbol_out_of_range', 5, 7],
    ],
    ['another separator', changed(commas, 4, (row) => row.replace(',', ';')), [1, 9, 'bad_character', 5, 1]],
    ['a row less', changed(commas, 8, () => '').replace(/\n+$/, '\n'), [1, 8, 'row_count', 8, 1]],
    ['a row more', `${commas}${commas.slice(0, 18)}`, [1, 10, 'row_count', 10, 1]],
  ];
  it.each(damages)('%s', (_name, damaged, record) => {
    const next = record[1] as number;
    expect(read(`${damaged.trimEnd()}\n\n${commas}`)).toEqual([record, [next + 2, next + 10, zeros]]);
  });

  it.each(['rows in brackets', 'quoted rows', 'a Python list', 'a list on lines of its own'])(
    'a row less, and the next grid directly after it: %s',
    (name) => {
      const blank = name === 'quoted rows' ? '.' : '0';
      const text = laidOut(name, blank);
      const nested = name === 'rows in brackets' || name === 'quoted rows';
      // Without brackets around the grid, only a blank line shows where it ends.
      const records = read(`${changed(text, 4, () => '#')}${nested ? '\n' : ''}${text}`);
      expect(records.length).toBe(2);
      expect(records[0]).toContain('row_count');
      expect(records[1]).toContain(blank === '0' ? zeros : CLASSIC);
    },
  );

  it.each([
    ['groups with slashes', (line: string) => line.replace('6001', '601'), [2, 2, 'bad_length', 2, 11]],
    ['fields on a line', (line: string) => line.slice(2), [2, 2, 'bad_length', 2, 1]],
    ['fields on a line', (line: string) => line.replace('6', 'six'), [2, 2, 'bad_character', 2, 19]],
    ['lines in quotes', (line: string) => line.replace('53', '5'), [2, 2, 'bad_length', 2, 2]],
    ['numbered lines', (line: string) => line.replace('53', '5'), [2, 2, 'bad_length', 2, 1]],
  ] as const)('of one line: %s', (name, change, record) => {
    const blank = name === 'lines in quotes' || name === 'numbered lines' ? '.' : '0';
    const line = laidOut(name, blank);
    const grid = blank === '0' ? zeros : CLASSIC;
    expect(read(`${line}${change(line)}${line}`)).toEqual([[1, 1, grid], record, [3, 3, grid]]);
  });
});

describe('two readings', () => {
  it('of columns are refused, and both are named', () => {
    const text = '|   1   |       |\n|       |   1   |\n|   2   |       |\n|       |   2   |\n';
    const { detection } = readText(`${CLASSIC}\n\n${text}`);
    const [, { notes }] = readText(`${CLASSIC}\n\n${text}`).records;
    expect(detection.kind).toBe('puzzles');
    expect(notes?.error?.message).toMatch(/may be a 4x4 with cells .*, or a 4x4 with cells/);
  });

  it('of 16 lines of 16 cells are refused, and --format decides', () => {
    const line = '1,2,0,0,0,0,0,0,0,0,0,0,0,0,3,4\n';
    const text = `${CLASSIC}\n\n${line.repeat(16)}`;
    const [, { notes }] = readText(text).records;
    expect(notes?.error?.message).toMatch(
      /a 16x16 grid, or a 4x4 puzzle on each line; pass --format cells or --format cells-line/,
    );
    expect(readText(line.repeat(16), { format: 'cells' }).records.map(({ size }) => size)).toEqual([16]);
    const lines = readText(line.repeat(16), { format: 'cells-line' }).records;
    expect(lines.map(({ size }) => size)).toEqual(Array(16).fill(4));
  });

  it('of 16 cells on a line are a 16x16 if a symbol is beyond 4, and 4x4 puzzles if one repeats', () => {
    const line = '1,2,0,0,0,1,0,0,0,0,3,0,0,0,0,4\n';
    expect(readText(line.repeat(16)).records.map(({ size }) => size)).toEqual(Array(16).fill(4));
    const rows = Array.from({ length: 16 }, (_, k) => `${'0,'.repeat(15)}${k + 1}\n`).join('');
    expect(readText(rows).records.map(({ size }) => size)).toEqual([16]);
  });

  it('of an empty row: it separates spreadsheets, or is a row of blanks', () => {
    const row = (line: string) => `${Array.from(line, (symbol) => (symbol === '.' ? '' : symbol)).join()}\n`;
    const grid = rowsOf(CLASSIC).map(row).join('');
    const empty = row('.........');
    const blankFirst = empty + rowsOf(CLASSIC).slice(1).map(row).join('');
    expect(readText(`${grid}${empty}${grid}${empty}`).records.map(({ line }) => line)).toEqual([1, 11]);
    const [first, second] = readText(`${blankFirst}\n${grid}`).records;
    expect([first.grid, second.line]).toEqual([
      `${' '.repeat(9)}${CLASSIC.slice(9)}`.replaceAll('.', ' '),
      11,
    ]);
    const both = readText(`${CLASSIC}\n\n${blankFirst}${empty}\n`).records[1];
    expect(both.notes?.error?.message).toMatch(/the first and the last are empty/);
  });
});

describe('text around cells', () => {
  it.each([
    ['a list number', `12. ${CLASSIC}\n`, '12'],
    ['a number in brackets', `[7] ${CLASSIC}\n`, '7'],
    ['a name', `easy01 ${CLASSIC}\n`, 'easy01'],
    ['a name and a label', `No. 3: ${CLASSIC} hard\n`, '3 hard'],
    ['a variable', `grid1 = "${CLASSIC}"\n`, 'grid1'],
    ['a declaration', laidOut('a C array', '0'), 'board'],
    ['a type after the name', laidOut('a Rust vector', '0'), 'board'],
    ['a fact', laidOut('Prolog facts', '_'), '1'],
    ['a line above', laidOut('a list on lines of its own', '0'), 'grid'],
    [
      'a key',
      `board:\n${laidOut('rows in brackets', '0').replaceAll('],', ']').replaceAll('[', '  - [')}`,
      'board',
    ],
  ])('is the id: %s', (_name, text, id) => {
    expect(readText(text).records.map(({ notes }) => notes)).toEqual([{ id }]);
  });

  it('is not the id of grids that are read fast', () => {
    const text = laidOut('a Python list', '0');
    const { records } = readText(`${text}\n${text}\n${text}\n`);
    expect(records.map(({ notes }) => notes?.id)).toEqual(['puzzle', 'puzzle', 'puzzle']);
  });

  it.each([
    [
      'rows that start with a semicolon',
      laidOut('semicolons', '').replace(/^5/, ''),
      CLASSIC.replace('5', '.'),
    ],
  ])('is no comment: %s', (_name, text, grid) => {
    const { records } = readText(`; a comment\n# another\n${text}`);
    expect(records.map((record) => record.grid.replaceAll(/[ 0]/g, '.'))).toEqual([grid]);
  });

  it('may be the names of rows and columns', () => {
    const rows = rowsOf(zeros).map((row, k) => `${k},${[...row].join()}\n`);
    const { records } = readText(`,${[...'012345678'].join()}\n${rows.join('')}`);
    expect(records.map(({ grid, line, lineEnd }) => [grid, line, lineEnd])).toEqual([[zeros, 1, 10]]);
  });

  it('is a record of its own if it is nothing known', () => {
    const { records } = readText(`My sudoku, today:\n${commas}\nThe end.\n`);
    expect(records.map(({ line, lineEnd, notes }) => [line, lineEnd, notes?.error?.code])).toEqual([
      [1, 1, 'bad_character'],
      [2, 10, undefined],
      [12, 12, 'bad_character'],
    ]);
  });
});

describe('drawings', () => {
  it.each([
    [
      'bars between boxes, cells adjacent',
      (row: string) =>
        row
          .replaceAll(/(...)(?=.)/g, '$1 | ')
          .replaceAll('.', ' ')
          .trimEnd(),
    ],
    [
      'boxes with spaces',
      (row: string) =>
        row
          .replaceAll('.', ' ')
          .replaceAll(/(.)(.)(.)/g, ' $1 $2 $3 |')
          .slice(0, -1)
          .trimEnd(),
    ],
  ])('have spaces for blanks: %s', (_name, draw) => {
    const text = rowsOf(CLASSIC)
      .map((row) => `${draw(row)}\n`)
      .join('');
    expect(readText(text).records.map(({ grid }) => grid.replaceAll(' ', '.'))).toEqual([CLASSIC]);
  });

  it('are not read as smaller grids if a few rows have as many digits', () => {
    const row = (digits: string) => `| ${[...digits].join(' ').replaceAll(/(.{5}) /g, '$1 | ')} |\n`;
    const four = [
      '1    5 36',
      '  21   57',
      '  3   918',
      '   5 97 2',
      '     78 1',
      '    4    ',
      '  19     ',
      '      17 ',
      ' 36 7 5 9',
    ];
    expect(readText(four.map(row).join('')).records.map(({ size, grid }) => [size, grid])).toEqual([
      [9, four.join('')],
    ]);
  });

  it('may have lines of bars alone between rows', () => {
    const lines = rowsOf(CLASSIC).map(
      (row) => ` ${[...row].join('  ').replaceAll(/(.{7}) {2}/g, '$1 | ')}\n`,
    );
    expect(readText(lines.join('         |         |\n')).records.map(({ grid }) => grid)).toEqual([CLASSIC]);
  });

  it('are as wide as a line of 81 characters', () => {
    const text = CELL_LAYOUTS['cells in frames']!.write(
      Array(256)
        .fill('')
        .map((_, k) => (k % 17 === 0 ? '16' : '')),
      ' ',
    );
    const { records } = readText(`${CLASSIC}\n\n${text}`);
    expect(records.map(({ size, notes }) => [size, notes?.error])).toEqual([
      [9, undefined],
      [16, undefined],
    ]);
  });
});
