import { describe, expect, it } from 'vitest';
import { readRegionMap, regionsFromWalls } from '../../../../lib/formats/cells/regions.ts';
import { variantGeometry } from '../../../../lib/sudoku/geometry/variants.ts';
import { CLASSIC, CLASSIC_SOLUTION, readText, rewrite, rowsOf } from '../../reading.ts';

const jigsawGeometry = (regions: Uint8Array) =>
  variantGeometry({ variant: 'jigsaw', size: Math.sqrt(regions.length), regions });

/** A 4x4 with four regions that are not boxes. */
const MAP = 'aaabadbbddbcdccc'.replace('aaaba', 'aaaba');
const REGIONS = Uint8Array.of(1, 1, 1, 2, 1, 3, 2, 2, 3, 3, 2, 4, 3, 4, 4, 4);
/** The map of the ordinary boxes of a 9x9. */
const BOXES = Array.from(
  { length: 81 },
  (_, cell) => 'abcdefghi'[Math.floor(cell / 27) * 3 + (Math.floor(cell / 3) % 3)],
).join('');

describe('the regions of a map', () => {
  const codes = (map: string) => [...map].map((symbol) => symbol.charCodeAt(0));

  it('are numbered in the order of their first cells', () => {
    for (const map of [MAP, '1112132233243444']) {
      expect(readRegionMap(codes(map), 16, 4)).toEqual({ regions: REGIONS, disconnected: undefined });
    }
  });

  it('are enclosed by walls, on either side of each wall', () => {
    const walls = (cell: number, side: number, step: number) =>
      REGIONS[cell + step] === REGIONS[cell] ? 0 : side;
    const both = Array.from({ length: 16 }, (_, cell) => {
      const column = cell % 4;
      return (
        (cell < 4 ? 16 : walls(cell, 16, -4)) |
        (column === 3 ? 32 : walls(cell, 32, 1)) |
        (cell > 11 ? 64 : walls(cell, 64, 4)) |
        (column === 0 ? 128 : walls(cell, 128, -1))
      );
    });
    expect(regionsFromWalls(both, 4)).toEqual(REGIONS);
    expect(
      regionsFromWalls(
        both.map((bits) => bits & (32 | 64)),
        4,
      ),
    ).toEqual(REGIONS);
    expect(
      regionsFromWalls(
        both.map(() => 0),
        4,
      ),
    ).toBeUndefined();
  });
});

describe('the geometry of a jigsaw', () => {
  it('has rows, columns and regions, each of all its cells', () => {
    const geometry = jigsawGeometry(REGIONS);
    expect(geometry).toMatchObject({ size: 4, cellCount: 16, variant: 'jigsaw', boxRows: 0, boxColumns: 0 });
    expect(geometry.units.map(({ kind }) => kind)).toEqual([
      ...Array(4).fill('row'),
      ...Array(4).fill('column'),
      ...Array(4).fill('region'),
    ]);
    expect([...geometry.units[8].cells]).toEqual([0, 1, 2, 4]);
    expect([...geometry.units[11].cells]).toEqual([11, 13, 14, 15]);
  });

  it('is the same object for the same regions', () => {
    expect(jigsawGeometry(REGIONS.slice())).toBe(jigsawGeometry(REGIONS));
  });

  it('is rejected if the regions differ in size', () => {
    expect(() => jigsawGeometry(Uint8Array.of(1, 1, 1, 2))).toThrow(/region 1 has 3 cells: expected 2/);
    expect(() => jigsawGeometry(Uint8Array.of(1, 1, 2, 3))).toThrow(
      /cell 3 is in region 3: expected a region from 1 to 2/,
    );
  });
});

describe('jigsaws on lines', () => {
  const lines: Array<[name: string, text: string]> = [
    ['side by side', `${CLASSIC}${BOXES}`],
    ['separated by a space', `${CLASSIC} ${BOXES}`],
    ['separated by a comma', `${CLASSIC},${BOXES}`],
    ['separated by a colon, with a label', `${CLASSIC}:${BOXES} hard`],
  ];
  it.each(lines)('are read %s', (_name, text) => {
    expect(readText(text).records).toMatchObject([{ format: 'jigsaw', size: 9, grid: CLASSIC }]);
  });

  it('with an invalid map are bad_regions, and a solution is not a map', () => {
    const { records } = readText(`${CLASSIC}${BOXES.replace('a', 'b')}\n${CLASSIC} ${CLASSIC_SOLUTION}\n`);
    expect(records[0].notes?.error).toMatchObject({ code: 'bad_regions', line: 1, column: 82 });
    expect(records[1]).toMatchObject({ format: 'expected', variant: 'standard' });
  });
});

describe('jigsaws in two blocks', () => {
  const puzzle = rowsOf(CLASSIC).join('\n');
  const letters = rowsOf(BOXES).join('\n');
  const digits = letters.replace(/[a-i]/g, (letter) => String(letter.charCodeAt(0) - 96));
  const files: Array<[name: string, text: string]> = [
    ['a map of letters', `${puzzle}\n\n${letters}\n\n${puzzle}\n\n${letters}\n`],
    ['a map of digits', `${puzzle}\n\n${digits}\n\n${puzzle}\n\n${digits}\n`],
    ['no blank line between', `${puzzle}\n${digits}\n${puzzle}\n${digits}\n`],
  ];
  it.each(files)('are read with their regions: %s', (_name, text) => {
    const whole = readText(text);
    expect(whole.records.map(({ grid, notes }) => [grid, notes])).toEqual(
      Array(2).fill([CLASSIC, undefined]),
    );
    expect(whole.detection).toMatchObject({
      settings: { regionMaps: [{ form: 'rows', size: 9, place: 'below', every: true }] },
    });
    const cuts = Array.from({ length: text.length }, (_, at) => at);
    expect(readText(text, {}, cuts)).toEqual(whole);
  });

  it('are read with their own maps: changed ones, and the same one on the fast path', () => {
    const second = letters.replace('aaabbb', 'aaaabb').replace(/(\n.*\n)aaabbb/, '$1aabbbb');
    const file = (maps: readonly string[]) => maps.map((map) => `${puzzle}\n\n${map}\n\n`).join('');
    const shape = (maps: readonly string[]) => {
      const text = file(maps);
      const whole = readText(text);
      expect(whole.records.map(({ grid, variant }) => [grid, variant])).toEqual(
        Array(maps.length).fill([CLASSIC, 'jigsaw']),
      );
      const cuts = Array.from({ length: Math.floor(text.length / 7) }, (_, k) => k * 7 + 3);
      expect(readText(text, {}, cuts)).toEqual(whole);
      return whole.blocks;
    };
    // Blocks hold four puzzles of one geometry.
    expect(shape([letters, letters, letters, letters, letters])).toEqual([4, 1]);
    expect(shape([letters, letters, second, second, letters])).toEqual([2, 2, 1]);
  });

  it('need a map: a solution after a puzzle is its own puzzle', () => {
    const { records, detection } = readText(`${puzzle}\n\n${rowsOf(CLASSIC_SOLUTION).join('\n')}\n`);
    expect(records.map(({ grid }) => grid)).toEqual([CLASSIC, CLASSIC_SOLUTION]);
    expect(detection).not.toMatchObject({
      settings: { regionMaps: [{ form: 'rows', size: 9, place: 'below', every: true }] },
    });
  });
});

describe('HDU 4069', () => {
  const wall = (cell: number) =>
    (cell % 27 < 9 ? 16 : 0) |
    (cell % 3 === 2 ? 32 : 0) |
    (cell % 27 >= 18 ? 64 : 0) |
    (cell % 3 === 0 ? 128 : 0);
  const numbers = (line: string) =>
    rowsOf(line)
      .map((row, r) => [...row].map((digit, c) => (Number(digit) || 0) + wall(r * 9 + c)).join(' '))
      .join('\n');

  it('reads digits and walls, after the number of cases', () => {
    const text = `2\n${numbers(CLASSIC)}\n\n${numbers(CLASSIC_SOLUTION)}\n`;
    expect(readText(text).records).toMatchObject([
      { format: 'walls', grid: CLASSIC.replaceAll('.', '0'), notes: undefined },
      { format: 'walls', grid: CLASSIC_SOLUTION },
    ]);
    expect(rewrite(text, 'poj3076').endsWith(`\n\n${rowsOf(CLASSIC_SOLUTION).join('\n')}\n`)).toBe(true);
  });

  it('reports walls that do not enclose regions of nine, and digits beyond 9', () => {
    const open = numbers(CLASSIC)
      .replace(/\b(\d+) (\d+)/, '144 16')
      .replace(/ \d+ (\d+)/, ' 16 $1');
    const gaps = open
      .split('\n')
      .map((row, at) => (at === 0 ? row : row.replace(/\d+/g, '1')))
      .join('\n');
    const { records } = readText(
      `${numbers(CLASSIC)}\n\n${gaps}\n\n${numbers(CLASSIC).replace('149', '159')}\n`,
    );
    expect(records.map(({ notes }) => notes?.error?.code)).toEqual([
      undefined,
      'bad_regions',
      'symbol_out_of_range',
    ]);
    expect(records[2].notes?.error).toMatchObject({ line: 21, column: 1, found: '159' });
  });
});
