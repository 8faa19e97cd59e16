import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RandomSource } from '../../../../lib/sudoku/generator/random-source.ts';
import { propertyRuns } from '../../../support/depth.ts';
import { BLOCK_CAPACITY, CLASSIC, eachBlock, readText } from '../../reading.ts';

/** Random numbers from 0 (a blank) to 16, by row; their offsets differ between grids. */
const largeGrid = fc.array(fc.array(fc.nat(16), { minLength: 16, maxLength: 16 }), {
  minLength: 16,
  maxLength: 16,
});
const between = fc.constantFrom(' ', '  ', '\t');
const after = fc.constantFrom('', '\n', '16\n', '# remark\n', '17 4\n', 'x\n', '\n\n');

/** The records of a text; errors without a layout, since theirs is that of the block. */
function recordsOf(text: string, capacity?: number) {
  return readText(text, {}, [], capacity).records.map((record) =>
    record.notes?.error === undefined
      ? record
      : { ...record, format: '', size: 0, alphabet: '', blank: '', grid: '', variant: '' },
  );
}

/** The records of a text and the drawings of their grids. */
function drawnOf(text: string, capacity = BLOCK_CAPACITY) {
  const drawings: (string | undefined)[] = [];
  eachBlock(text, {}, [], capacity, (block) => {
    const { arrangement } = block.layout;
    for (let k = 0; k < block.count; k++) drawings.push(block.isReadable(k) ? arrangement : undefined);
  });
  return recordsOf(text, capacity).map((record, k) => ({ ...record, drawing: drawings[k] }));
}

/** The records that the recognisers read, without fast paths. */
const stepByStep = (text: string) => recordsOf(text, 1);

const minusOnes = (cells: string) =>
  cells.match(/.{9}/g)!.map((row) => [...row.replaceAll('.', '?')].join(' ').replaceAll('?', '-1'));

/** Numbers of HDU 4069 for regions of `height` rows and `9 / height` columns, with the digit of each row's first cell. */
function walled(height: number): string[] {
  const width = 9 / height;
  return Array.from({ length: 9 }, (_row, row) =>
    Array.from({ length: 9 }, (_column, column) => {
      const upDown = (row % height === 0 ? 16 : 0) + (row % height === height - 1 ? 64 : 0);
      const sides = (column % width === 0 ? 128 : 0) + (column % width === width - 1 ? 32 : 0);
      return upDown + sides + (column === 0 ? row + 1 : 0);
    }).join(' '),
  );
}

describe('grids of numbers written like the previous one', () => {
  it('are read as the recognisers read them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(largeGrid, between, after), { minLength: 3, maxLength: 5 }),
        fc.constantFrom('\n', '\r\n'),
        (grids, end) => {
          const text = grids
            .map(([rows, gap, last]) => `${rows.map((row) => row.join(gap)).join('\n')}\n${last}`)
            .join('')
            .replaceAll('\n', end);
          expect(recordsOf(text)).toEqual(stepByStep(text));
        },
      ),
      { numRuns: propertyRuns(50) },
    );
  });

  it('are read as the recognisers read them, with fields that may be empty', () => {
    const fields = ['', ...'123456789', '10', '11', '12', '13', '14', '15', '16'];
    /** The fields of a grid: with or without empty ones, small ones, numbers of one width. */
    const some = fc.constantFrom(
      fields.slice(0, 1),
      fields.slice(0, 10),
      fields.slice(0, 5),
      fields.slice(1),
      fields.slice(10),
      ['0', ...fields],
    );
    const edit = fc.constantFrom(
      'none',
      'none',
      'none',
      'empty row',
      'first row empty',
      'no row',
      'more rows',
      'cell',
    );
    const grid = fc.record({
      some,
      seed: fc.nat(1000),
      edit,
      at: fc.nat(8),
      cell: fc.constantFrom('.', '07', '00', ' 3', '123', 'x', '-1', '"5"', ''),
      last: fc.oneof(
        { weight: 3, arbitrary: fc.constant('\n') },
        after,
        fc.constantFrom('---+---+---\n', '\n---+---+---\n', 'empty row', 'empty row\n'),
      ),
    });
    const file = fc.record({
      size: fc.constantFrom(9, 16),
      separator: fc.constantFrom(',', ';', '\t'),
      end: fc.constantFrom('\n', '\r\n'),
      grids: fc.array(grid, { minLength: 2, maxLength: 4 }),
    });
    fc.assert(
      fc.property(file, ({ size, separator, end, grids }) => {
        const empty = Array<string>(size).fill('');
        const text = grids
          .flatMap((each) => [each, { ...each, edit: 'none', seed: each.seed + 1 }, each])
          .map(({ some: from, seed, edit: change, at, cell, last }) => {
            const random = new RandomSource(seed);
            const rows = empty.map(() => empty.map(() => from[random.below(from.length)]));
            if (change === 'empty row') rows[at] = empty;
            if (change === 'first row empty') rows[0] = empty;
            if (change === 'no row') rows.splice(at, 1);
            if (change === 'more rows') rows.push(...rows.slice(0, at + 1));
            if (change === 'cell') rows[at][at] = cell;
            const below = last.replace('empty row', `${empty.join(separator)}\n`);
            return `${rows.map((row) => `${row.join(separator)}\n`).join('')}${below}`;
          })
          .join('')
          .replaceAll('\n', end);
        expect(drawnOf(text)).toEqual(drawnOf(text, 1));
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it.each([
    ['blank -1', minusOnes(CLASSIC)],
    [
      'blank -1 in columns',
      minusOnes(CLASSIC).map((row) => row.replaceAll(' ', '\t').replace(/(^|\t)(?=\d)/g, '$1 ')),
    ],
    ['walls', walled(3)],
  ])('have their lines, with or without a blank line after each: %s', (_, rows) => {
    const grid = `${rows.join('\n')}\n`;
    for (const gap of ['\n', '']) {
      const { records } = readText(`${grid}${gap}`.repeat(9));
      const height = gap === '' ? 9 : 10;
      expect(records.map(({ line, lineEnd, notes }) => [line, lineEnd, notes])).toEqual(
        Array.from({ length: 9 }, (_each, k) => [k * height + 1, k * height + 9, undefined]),
      );
      expect(new Set(records.map((record) => record.grid)).size).toBe(1);
    }
  });

  it.each([
    ['a number too large', (text: string) => text.replace('-1', '10')],
    ['a row too long', (text: string) => text.replace('-1', '-1 7')],
    ['a row too short', (text: string) => text.replace('-1 ', '')],
    ['a row too few', (text: string) => text.slice(text.indexOf('\n') + 1)],
    ['a row too many', (text: string) => text.slice(0, text.indexOf('\n') + 1) + text],
    ['a word', (text: string) => text.replace('-1', 'no')],
  ])('are left to the recognisers if one is damaged: %s', (_, damage) => {
    const grid = `${minusOnes(CLASSIC).join('\n')}\n`;
    const text = `${grid}\n${grid}\n${grid}\n${damage(grid)}\n${grid}\n${grid}\n`;
    const reading = readText(text);
    expect(recordsOf(text)).toEqual(stepByStep(text));
    expect(reading.records.map(({ notes }) => notes?.error === undefined)).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
    ]);
  });

  it('with other walls are other puzzles', () => {
    const of = (rows: readonly string[]) => `${rows.join('\n')}\n`;
    const text = `3\n${of(walled(3))}${of(walled(3))}${of(walled(1))}${of(walled(3))}`;
    const reading = readText(text);
    expect(reading.blocks).toEqual([2, 1, 1]);
    expect(recordsOf(text)).toEqual(stepByStep(text));
  });

  it.each(['\n', ''])(
    'that could be parts of a samurai are left to the recognisers, with %j after each',
    (gap) => {
      const numbers = (shift: number) => Array.from({ length: 16 }, (_, k) => ((k + shift) % 16) + 1);
      // As wide as the rows of a samurai, with nothing in its gaps: two numbers of two digits in a row, or five.
      const wide = numbers(0).map((_, row) => {
        if (row >= 9 && row < 12) return '0 0 0 0 0 0 16 15 14 13 10 0 0 0 0 0';
        const few = row < 6 || row > 14 ? 2 : 5;
        return numbers(0)
          .map((value, k) => (k < few ? value + 9 : 0))
          .join(' ');
      });
      const other = numbers(0).map((_, row) => numbers(row).join(' ').replace('16', '0'));
      const text = [other, other, wide, wide, other].map((rows) => `${rows.join('\n')}\n${gap}`).join('');
      expect(recordsOf(text)).toEqual(stepByStep(text));
    },
  );
});

describe('numbers wrapped at a width that is also a size', () => {
  const numbers = CLASSIC.replaceAll('.', '0');
  const wrapped = (width: number, cells = numbers) =>
    `${cells
      .match(new RegExp(`.{1,${width}}`, 'g'))!
      .map((line) => [...line].join(' '))
      .join('\n')}\n`;

  it.each([12, 16, 20, 25, 36])('of %i are one puzzle', (width) => {
    const { records } = readText(wrapped(width));
    expect(records.map(({ size, grid, notes }) => [size, grid, notes?.error])).toEqual([
      [9, numbers, undefined],
    ]);
  });

  it.each<[string, string, number]>([
    // A single whole row: in a file with a puzzle a line, each line is a record.
    ['a grid of 9 that ends after 16 cells', wrapped(9, '0001'.repeat(4)), 2],
    ['a grid of 9 that ends after 36 cells', wrapped(9, '0'.repeat(36)), 1],
    ['a grid of 16 that ends after 9 rows', wrapped(16, '0'.repeat(144)), 1],
  ])('are not taken for another puzzle: %s', (_name, text, errors) => {
    const { records } = readText(`${CLASSIC}\n\n${text}`);
    const isError = records.map(({ notes }) => notes?.error !== undefined);
    expect(isError).toEqual([false, ...Array(errors).fill(true)]);
  });
});

describe('the alphabet of numbers', () => {
  it('is also decided from grids far after the first ones', () => {
    const row = (first: string) => `${first}${' .'.repeat(15)}\n`;
    const grid = (first: string) => `${row(first).repeat(16)}\n`;
    // More than are read one by one; then a 0 as well as dots.
    const text = `${Array.from({ length: 200 }, (_, k) => grid(String((k % 15) + 1))).join('')}${grid('0')}`;
    const { alphabet } = readText(text).records[0];
    expect(alphabet).toBe('0-15');
  });
});
