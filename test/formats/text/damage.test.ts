import { describe, expect, it } from 'vitest';
import { MAX_LINE_BYTES } from '../../../lib/formats/text/line-window.ts';
import { CLASSIC, fixture, readText, rowsOf } from '../reading.ts';

const rows = rowsOf(CLASSIC);
const grid = rows.join('\n');
const tokens = rows.map((row) => [...row].join(' ')).join('\n');
const changed = (row: number, change: (text: string) => string) =>
  rows.map((text, at) => (at === row ? change(text) : text)).join('\n');

/** The error of a damaged puzzle: code, place and what was found. */
type Fault = [code: string, line: number, column: number, found: string, expected: string];

describe('a damaged puzzle', () => {
  const cases: Array<[name: string, text: string, fault: Fault]> = [
    ['a line too short', CLASSIC.slice(1), ['bad_length', 2, 1, '80 characters', '81 characters']],
    ['a line too long', `${CLASSIC}1`, ['bad_length', 2, 1, '82 characters', '81 characters']],
    [
      'a letter in a line',
      CLASSIC.replace('7', 'y'),
      ['symbol_out_of_range', 2, 5, 'y', '1-9, or "." for a blank'],
    ],
    ['a sign in a line', CLASSIC.replace('7', '+'), ['bad_character', 2, 5, '+', '1-9, or "." for a blank']],
    ['a row missing', rows.slice(1).join('\n'), ['row_count', 9, 1, '8 rows', '9 rows']],
    ['a row too many', `${grid}\n${rows[0]}`, ['row_count', 11, 1, '10 rows', '9 rows']],
    ['a short row', changed(3, (row) => row.slice(1)), ['bad_length', 5, 1, '8 characters', '9 characters']],
    [
      'a short first row',
      changed(0, (row) => row.slice(1)),
      ['bad_length', 2, 1, '8 characters', '9 characters'],
    ],
    [
      'a sign in a row',
      changed(1, (row) => row.replace('9', '+')),
      ['bad_character', 3, 5, '+', 'a digit or a blank'],
    ],
    [
      'a letter in a row',
      changed(1, (row) => row.replace('9', 'e')),
      ['symbol_out_of_range', 3, 5, 'e', '1-9, or "." for a blank'],
    ],
    ['a number too many', tokens.replace('7', '7 7'), ['bad_length', 2, 1, '10 numbers', '9 numbers']],
    [
      'a number too large',
      tokens.replace('7', '77'),
      ['symbol_out_of_range', 2, 9, '77', '1-9, or "." for a blank'],
    ],
    ['a word among numbers', tokens.replace('7', 'x+'), ['bad_character', 2, 9, 'x+', 'a digit or a blank']],
    ['prose', 'to be continued', ['bad_character', 2, 1, 'to be continued', 'a puzzle']],
  ];

  it.each(cases)('%s affects no other puzzle', (_name, text, [code, line, column, found, expected]) => {
    const { records } = readText(`${CLASSIC}\n${text}\n\n${CLASSIC}\n${CLASSIC}\n`);
    const error = expect.objectContaining({ code, line, column, found, expected });
    expect(records.map(({ notes }) => notes?.error)).toEqual([undefined, error, undefined, undefined]);
    expect(records[1]).toMatchObject({ line: 2, lineEnd: 1 + text.split('\n').length });
    expect(records[1].notes?.error?.message).toContain(`line ${line}, column ${column}: found`);
  });

  const neighbours: Array<[name: string, text: string, good: number]> = [
    ['a line after it', `${CLASSIC.slice(4)}\n${CLASSIC}`, 1],
    ['a header after it', `Grid 01\n${rows.slice(3).join('\n')}\nGrid 02\n${grid}`, 1],
    ['rows after prose', `by a friend of mine:\n${grid}`, 1],
    ['a short grid before a whole one', `${rows.slice(3).join('\n')}\n\n${grid}\n\n${grid}`, 2],
    ['a grid cut off at the end', `${grid}\n${grid}\n${rows.slice(0, 5).join('\n')}`, 2],
    ['text directly after a grid', `${grid}\nas seen in the paper\n${grid}`, 2],
    ['a grid in two halves', `${rows.slice(0, 4).join('\n')}\n\n${rows.slice(4).join('\n')}\n\n${grid}`, 2],
  ];
  it.each(neighbours)('does not affect its neighbours: %s', (_name, text, good) => {
    const grids = readText(`${text}\n`).records.filter(({ notes }) => notes?.error === undefined);
    expect(grids.map((record) => record.grid)).toEqual(Array(good).fill(CLASSIC));
  });

  it('does not affect a small puzzle on the next line', () => {
    const six = '25...661.52..4..15........1..2.3..41';
    const four = '1..4..1..2....3.';
    const { records } = readText(`${four.slice(5)}\n${six}\n${CLASSIC.slice(4)}\n${four}\n${CLASSIC}\n`);
    const read = records.filter(({ notes }) => notes?.error === undefined).map(({ line }) => line);
    expect(read).toEqual([2, 4, 5]);
  });

  it('that the end of the file cuts off is truncated', () => {
    const { records } = readText(`${grid}\n\n${rows.slice(0, 5).join('\n')}\n`);
    expect(records[1].notes?.error).toMatchObject({ code: 'truncated', line: 15, found: '5 rows' });
  });

  it('counts columns in characters, not in bytes', () => {
    const { records } = readText(`${CLASSIC}\nä${CLASSIC.slice(1, 40)}ö${CLASSIC.slice(41)}\n`);
    expect(records[1].notes?.error).toMatchObject({ line: 2, column: 1, found: 'ä' });
  });

  it('does not quote the line before a stray byte, wherever the file is cut', () => {
    const bytes = new TextEncoder().encode(`${CLASSIC}\n${CLASSIC}\n`);
    bytes[CLASSIC.length + 1] = 0x80;
    for (const cuts of [[], [CLASSIC.length + 1]]) {
      expect(readText(bytes, {}, cuts).records[1].notes?.error).toMatchObject({ found: '\ufffd' });
    }
  });
});

describe('a line without an end', () => {
  it('longer than 1 MiB is one error, and the next line is read', () => {
    const text = `${CLASSIC}\n${'7'.repeat(MAX_LINE_BYTES + 1)}\n${CLASSIC}\n`;
    const cuts = Array.from({ length: 300 }, (_, k) => k * 4000);
    const { records } = readText(text, {}, cuts);
    expect(records.map(({ notes }) => notes?.error?.code)).toEqual([undefined, 'too_large', undefined]);
    expect(records).toEqual(readText(text).records);
  });

  it('that is shorter is not an error by its length alone', () => {
    const text = `${CLASSIC}\n${CLASSIC} ${'x'.repeat(MAX_LINE_BYTES - 82)}\n${CLASSIC}`;
    expect(readText(text).records.map(({ grid: cells }) => cells)).toEqual(Array(3).fill(CLASSIC));
  });
});

describe('broken JSON', () => {
  const board = JSON.stringify(rows.map((row) => [...row]));
  const broken: Array<[name: string, text: string]> = [
    ['a bracket missing at the end of a row', board.replace('],', ',')],
    ['a bracket missing at the end', board.slice(0, -1)],
    ['a quote missing', board.replace('"', '')],
    ['a cell that is no cell', board.replace('"."', 'false')],
    ['a row missing', JSON.stringify(rows.slice(1).map((row) => [...row]))],
    ['a word', 'none'],
  ];
  it.each(broken)('%s loses one board of a list', (_name, text) => {
    const { records } = readText(`[${board},${text},${board},${board}]`);
    const codes = records.map(({ notes }) => notes?.error !== undefined);
    expect(codes).toEqual([false, true, false, false]);
  });
  it.each([
    ['rows as strings', JSON.stringify(rows)],
    ['lines', JSON.stringify(CLASSIC)],
  ])('costs no puzzle of a list but the one next to it: of %s', (_name, puzzle) => {
    for (const text of ['none', puzzle.slice(0, -2), puzzle.slice(1)]) {
      const { records } = readText(`[${puzzle},${text},${puzzle},${puzzle}]`);
      expect([text, records.at(0)?.grid, records.at(-1)?.grid]).toEqual([text, CLASSIC, CLASSIC]);
    }
  });
  it.each(broken)('%s loses one line of many', (_name, text) => {
    const { records } = readText(`${board}\n${text}\n${board}\n${board}\n`);
    const codes = records.map(({ notes }) => notes?.error !== undefined);
    expect(codes).toEqual([false, true, false, false]);
  });
});

describe('a file of SPOJ', () => {
  it('with one damaged row keeps the next case whole', () => {
    const poj = fixture('poj3076.txt');
    const { records } = readText(`2\n${poj.replace('-J--A', '-J-A')}\n${poj}`);
    expect(records.map(({ notes }) => notes?.error?.code)).toEqual(['bad_length', undefined]);
  });
});

describe('a game of OpenSudoku', () => {
  it('that is cut off is truncated, and affects no other game', () => {
    const game = (data: string) => `<game data="${data}" />\n`;
    const text = `<opensudoku>\n${game(CLASSIC)}<game data="${CLASSIC.slice(0, 30)}\n${game(CLASSIC)}</opensudoku>`;
    const { records } = readText(text);
    expect(records.map(({ line, notes }) => [line, notes?.error?.code])).toEqual([
      [2, undefined],
      [3, 'truncated'],
      [4, undefined],
    ]);
  });
});
