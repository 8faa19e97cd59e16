import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../support/depth.ts';
import { CLASSIC, CLASSIC_SOLUTION, readText, rowsOf } from '../../reading.ts';

const spaced = CLASSIC.replaceAll('.', ' ');
/** Ends with two blanks, and starts with one. */
const blankEnds = `${spaced.slice(0, 79).replace(/^./, ' ')}  `;
const rows = rowsOf(spaced);
const stripped = rows.map((row) => row.trimEnd());

const dotted = (grid: string) => grid.replaceAll(' ', '.');
const read = (text: string) =>
  readText(text).records.map(({ format, blank, grid, notes }) => ({
    format,
    blank,
    grid: dotted(grid),
    warnings: notes?.warnings,
    error: notes?.error?.code,
  }));
const puzzle = (format: string, grid: string, warnings?: string[]) => ({
  format,
  blank: ' ',
  grid: dotted(grid),
  warnings,
  error: undefined,
});

/** 4x4, whose first and last rows are blank. */
const FOUR = ['    ', '1 3 ', ' 3 1', '    '];
const LONELY = ['      7  ', ...rows.slice(1)];
const LETTERS = Array.from({ length: 16 }, (_, row) =>
  Array.from({ length: 16 }, (_, column) =>
    (row + column) % 3 === 0 ? ' ' : String.fromCharCode(65 + ((row * 4 + (row >> 2) + column) % 16)),
  ).join(''),
);

describe('spaces are blanks', () => {
  it.each<[string, string, ReturnType<typeof read>]>([
    ['on a line of 81 characters', `${spaced}\n`, [puzzle('line', spaced)]],
    ['at both ends of a line', `${blankEnds}\n`, [puzzle('line', blankEnds)]],
    [
      'on a first line of two givens',
      `12${' '.repeat(79)}\n${spaced}\n`,
      [`12${' '.repeat(79)}`, spaced].map((grid) => puzzle('line', grid)),
    ],
    ['on a line without its end', spaced, [puzzle('line', spaced)]],
    ['on lines of CR LF', `${blankEnds}\r\n${spaced}\r\n`, [blankEnds, spaced].map((g) => puzzle('line', g))],
    ['on lines of CR', `${blankEnds}\r${spaced}\r`, [blankEnds, spaced].map((g) => puzzle('line', g))],
    ['in rows', `${rows.join('\n')}\n`, [puzzle('rows', spaced)]],
    ['in rows of CR LF', rows.join('\r\n'), [puzzle('rows', spaced)]],
    [
      'in rows with blank lines between grids',
      `${[...rows, '', ...rows, '', ...rows].join('\n')}\n`,
      Array(3).fill(puzzle('rows', spaced)),
    ],
    [
      'in rows without blank lines between grids',
      `${[...rows, ...rows, ...rows].join('\n')}\n`,
      Array(3).fill(puzzle('rows', spaced)),
    ],
    [
      'in rows with a line of spaces between grids',
      `${[...rows, ' '.repeat(9), ...rows].join('\n')}\n`,
      Array(2).fill(puzzle('rows', spaced)),
    ],
    ['in rows of blanks alone', `${FOUR.join('\n')}\n`, [puzzle('rows', FOUR.join(''))]],
    [
      'in a row of blanks at the start of a second grid',
      `${[...FOUR, '', ...FOUR].join('\n')}\n`,
      Array(2).fill(puzzle('rows', FOUR.join(''))),
    ],
    ['in a first row of one digit', `${LONELY.join('\n')}\n`, [puzzle('rows', LONELY.join(''))]],
    [
      'in a first row of one digit after another grid',
      `${[...rows, '', ...LONELY, '', ...rows, ...LONELY].join('\n')}\n`,
      [spaced, LONELY.join(''), spaced, LONELY.join('')].map((grid) => puzzle('rows', grid)),
    ],
    ['in rows of 16 letters', `${LETTERS.join('\n')}\n`, [puzzle('rows', LETTERS.join(''))]],
    ['in strings of JSON', JSON.stringify([rows]), [puzzle('json', spaced)]],
    ['in cells of JSON', JSON.stringify([rows.map((row) => [...row])]), [puzzle('json', spaced)]],
    ['in a quoted field', `id,puzzle\n1,"${blankEnds}"\n`, [puzzle('csv', blankEnds)]],
    ['in a field at the end', `id,puzzle\n1,${blankEnds}\n`, [puzzle('csv', blankEnds)]],
    ['in a field at the front', `puzzle,id\n${blankEnds},1\n`, [puzzle('csv', blankEnds)]],
  ])('%s', (_name, text, expected) => {
    expect(read(text)).toEqual(expected);
    // A byte at a time, and with every block full at once.
    const cuts = Array.from({ length: text.length }, (_, at) => at);
    expect(readText(text, {}, cuts).records).toEqual(readText(text).records);
    expect(readText(text, {}, [], 1).records).toEqual(readText(text).records);
  });

  it('and stripped ones at the ends of rows are restored, with a warning', () => {
    const grid = stripped.map((row) => row.padEnd(9)).join('');
    expect(read(`${stripped.join('\n')}\n`)).toEqual([puzzle('rows', grid, ['blanks_restored'])]);
  });

  it('and stripped ones at the end of a line are restored, with a warning', () => {
    expect(read(`${blankEnds.trimEnd()}\n`)).toEqual([puzzle('line', blankEnds, ['blanks_restored'])]);
  });

  it('with puzzles with dots in the same file', () => {
    const records = read(`${CLASSIC}\n${spaced}\n${CLASSIC}\n`);
    expect(records.map(({ blank, grid }) => [blank, grid])).toEqual([
      ['.', CLASSIC],
      [' ', CLASSIC],
      ['.', CLASSIC],
    ]);
  });
});

describe('no puzzle with spaces for blanks is read from', () => {
  const trimmed = rows.map((row) => row.trim());
  it.each<[string, string]>([
    ['rows whose spaces in front are gone as well', `${trimmed.join('\n')}\n`],
    ['a row too few', `${rows.slice(1).join('\n')}\n`],
    ['a row too many', `${[...rows, rows[0]].join('\n')}\n`],
    ['a row that is empty now', `${[...rows.slice(0, 4), '', ...rows.slice(5)].join('\n')}\n`],
    ['a table of five numbers a line', '1 2 3 4 5\n'.repeat(9)],
    ['a line that lacks a whole row', `${spaced.slice(0, 72).trimEnd()}\n`],
    ['a line with a zero', `${spaced.replace('5', '0')}\n`],
  ])('%s', (_name, text) => {
    const { records } = readText(`${CLASSIC}\n\n${text}\n${CLASSIC}\n`);
    expect(records.filter(({ blank, notes }) => notes?.error === undefined && blank === ' ')).toEqual([]);
    expect(records.filter(({ notes }) => notes?.error !== undefined)).not.toEqual([]);
    expect(records.at(-1)?.grid).toBe(CLASSIC);
  });

  it.each<[string, string, string]>([
    [
      'numbers in columns',
      `${rowsOf(CLASSIC_SOLUTION)
        .map((row) => [...row].join(' ').padEnd(81))
        .join('\n')}\n`,
      'tokens',
    ],
    [
      'numbers far apart',
      `${rowsOf(CLASSIC_SOLUTION)
        .map((row) => [...row].map((d) => d.padEnd(9)).join(''))
        .join('\n')}\n`,
      'tokens',
    ],
    [
      'digits separated by spaces over several lines',
      `${[...CLASSIC_SOLUTION]
        .join(' ')
        .match(/.{1,80}/g)!
        .map((l) => l.trim())
        .join('\n')}\n`,
      'tokens',
    ],
    [
      'rows with a line of spaces after each',
      rowsOf(CLASSIC_SOLUTION)
        .map((row) => `${row}\n         \n`)
        .join(''),
      'rows',
    ],
    ['boxes separated by spaces', `${['12 34', '34 12', '21 43', '43 21'].join('\n')}\n`, 'boxed'],
  ])('%s', (_name, text, format) => {
    const { records } = readText(text);
    expect(records.map((record) => [record.format, record.notes?.error])).toEqual([[format, undefined]]);
  });
});

describe('puzzles with spaces written like the previous one', () => {
  const piece = fc.constantFrom(
    `${spaced}\n`,
    `${blankEnds}\n`,
    `${CLASSIC}\n`,
    `${CLASSIC_SOLUTION}\n`,
    `${rows.join('\n')}\n\n`,
    `${rows.join('\n')}\n`,
    `${LONELY.join('\n')}\n\n`,
    `${stripped.join('\n')}\n\n`,
    `${rowsOf(CLASSIC).join('\n')}\n\n`,
    `${' '.repeat(81)}\n`,
    `${'1 '.repeat(40)}1\n`,
    `${' '.repeat(9)}\n`,
    `${spaced.replace('5', 'y')}\n`,
    `${[...CLASSIC_SOLUTION].join(' ')}\n`,
    'Grid 7\n',
    '\n',
  );
  const recordsOf = (text: string, capacity?: number) =>
    readText(text, {}, [], capacity).records.map((record) =>
      record.notes?.error === undefined ? record : { line: record.line, error: record.notes.error },
    );
  it('have the same records as one by one', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), fc.constantFrom('\n', '\r\n', '\r'), (pieces, end) => {
        // Twice each, so that the second is written like the previous one.
        const text = `${CLASSIC}\n\n${pieces.flatMap((each) => [each, each]).join('')}`.replaceAll('\n', end);
        expect(recordsOf(text)).toEqual(recordsOf(text, 1));
      }),
      { numRuns: propertyRuns(150) },
    );
  });
});
