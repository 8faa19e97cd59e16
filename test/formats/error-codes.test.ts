import { describe, expect, it } from 'vitest';
import { PARSE_ERROR_CODES } from '../../lib/formats/records/record-block.ts';
import { MAX_LINE_BYTES } from '../../lib/formats/text/line-window.ts';
import { CLASSIC, CLASSIC_SOLUTION, fixture, readText, rowsOf } from './reading.ts';

const grid = rowsOf(CLASSIC).join('\n');
const board = JSON.stringify(rowsOf(CLASSIC).map((row) => [...row]));
const sixteen = fixture('poj3076.txt');
const JSON_VALUE = 'a grid, an object, or a list of them';
/** A solved grid is no map: its regions would not be connected. */
const noMap = CLASSIC_SOLUTION;

/** A file and its first error: line and column from 1, what was found, what was expected. */
type Row = [
  code: string,
  what: string,
  text: string | Uint8Array,
  line: number,
  column: number,
  found: string,
  expected: string,
];

const rows: Row[] = [
  [
    'bad_character',
    'in a line',
    `${CLASSIC}\n${CLASSIC.replace('7', '+')}\n`,
    2,
    5,
    '+',
    '1-9, or "." for a blank',
  ],
  ['bad_character', 'for a puzzle', `${CLASSIC}\nnone today\n`, 2, 1, 'none today', 'a puzzle'],
  ['bad_character', 'in JSON', `[${board},none,${board}]`, 1, board.length + 3, 'none', JSON_VALUE],
  ['bad_length', 'of a line', `${CLASSIC}\n\n${CLASSIC.slice(2)}\n`, 3, 1, '79 characters', '81 characters'],
  [
    'bad_length',
    'of a row',
    `${grid}\n\n${grid.replace('6..195...', '6..195..')}\n`,
    12,
    1,
    '8 characters',
    '9 characters',
  ],
  [
    'bad_length',
    'of a column in a table',
    `id,puzzle\n1,${CLASSIC}\n2,${CLASSIC.slice(1)}\n`,
    3,
    3,
    '80 characters',
    'a puzzle of 81 characters, or of another size',
  ],
  ['row_count', 'of a grid', `${grid}\n\n${grid.slice(10)}\n\n${grid}\n`, 18, 1, '8 rows', '9 rows'],
  [
    'symbol_out_of_range',
    'in a line',
    `${CLASSIC}\n${CLASSIC.replace('7', 'a')}\n`,
    2,
    5,
    'a',
    '1-9, or "." for a blank',
  ],
  [
    'symbol_out_of_range',
    'in a larger grid, against the alphabet of the file',
    `${sixteen}\n${sixteen.replace('A', 'Z').replaceAll('P', '-')}`,
    18,
    3,
    'Z',
    'A-P, or "-" for a blank',
  ],
  [
    'ambiguous_alphabet',
    'of one symbol too many',
    `${sixteen}\n${sixteen.replace('A', 'Z')}`,
    18,
    3,
    '17 symbols',
    '16 symbols',
  ],
  [
    'ambiguous_columns',
    'of a table',
    `first,second\n${CLASSIC},${CLASSIC.replace('5', '1')}\n`,
    1,
    1,
    'columns "first" and "second" with blanks',
    'one column named puzzle',
  ],
  [
    'bad_regions',
    'of a jigsaw on a line',
    `${CLASSIC}\n${CLASSIC}${noMap}\n`,
    2,
    82,
    'a map whose regions are not all of one piece and size',
    '9 regions of 9 cells',
  ],
  [
    'unsupported_variant',
    'a killer',
    `${CLASSIC}\n3x3::k:3840:3840:1537\n`,
    2,
    1,
    'killer sudoku of JSudoku',
    'a puzzle given by its givens alone',
  ],
  ['truncated', 'a grid at the end', `${grid}\n\n${grid.slice(0, 39)}\n`, 14, 1, '4 rows', '9 rows'],
  [
    'truncated',
    'JSON at the end',
    `[${board},${board.slice(0, 50)}`,
    1,
    board.length + 53,
    'the end of the file',
    'the end of a record',
  ],
  [
    'too_large',
    'a line',
    `${CLASSIC}\n${'7'.repeat(MAX_LINE_BYTES + 1)}\n`,
    2,
    1,
    `${'7'.repeat(40)}...`,
    'a line of at most 1 MiB',
  ],
  [
    'bad_encoding',
    'UTF-16',
    new Uint8Array(Buffer.from(`\ufeff${CLASSIC}`, 'utf16le')),
    1,
    1,
    'a byte-order mark of UTF-16',
    'ASCII or UTF-8',
  ],
];

describe('an error', () => {
  it.each(rows)('%s %s names its place, what was found and what was expected', (...row) => {
    const [code, , text, line, column, found, expected] = row;
    const { detection, records } = readText(text);
    const error =
      detection.kind === 'unreadable'
        ? detection.error
        : records.find(({ notes }) => notes?.error !== undefined)?.notes?.error;
    expect(error).toMatchObject({ code, line, column, found, expected });
    expect(error?.message).toContain(`line ${line}, column ${column}: `);
  });

  it('has a case for each code', () => {
    const codes = new Set(rows.map(([code]) => code));
    expect(PARSE_ERROR_CODES.filter((code) => !codes.has(code))).toEqual([]);
  });
});
