/** Region maps next to their puzzles, in every place: on the same line, on the line or in the rows below or above. */
import { describe, expect, it } from 'vitest';
import { CLASSIC, CLASSIC_SOLUTION, readText, rowsOf } from '../../reading.ts';

/** Boxes, and bands of three rows that are cut into regions another way. */
const BOXES = 'aaabbbccc'.repeat(3) + 'dddeeefff'.repeat(3) + 'ggghhhiii'.repeat(3);
const OTHER = jigsawMap();
/** The regions of boxes, of which b and c exchange two cells: both are in two parts. */
const IN_PARTS = exchange(BOXES, 3, 8);
const OTHER_PUZZLE = `${CLASSIC.slice(0, 2)}1${CLASSIC.slice(3)}`;

function jigsawMap(): string {
  return exchange(exchange(BOXES, 2, 21), 29, 48);
}

function exchange(map: string, one: number, other: number): string {
  const cells = [...map];
  [cells[one], cells[other]] = [cells[other], cells[one]];
  return cells.join('');
}

const digits = (map: string, from: number) =>
  map.replace(/[a-i]/g, (letter) => String(letter.charCodeAt(0) - 97 + from));
const rows = (grid: string) => rowsOf(grid).join('\n');
const spaced = (grid: string) =>
  rowsOf(grid)
    .map((row) => [...row].join(' '))
    .join('\n');

type Pair = (puzzle: string, map: string) => string;
const LAYOUTS: Readonly<Record<string, Pair>> = {
  'the line below': (puzzle, map) => `${puzzle}\n${map}\n`,
  'the line below, a blank line between pairs': (puzzle, map) => `${puzzle}\n${map}\n\n`,
  'the line below, blank lines everywhere': (puzzle, map) => `${puzzle}\n\n${map}\n\n`,
  'the line below, comments between': (puzzle, map) => `# a puzzle\n${puzzle}\n// its map\n${map}\n`,
  'the line above': (puzzle, map) => `${map}\n${puzzle}\n`,
  'the line above, a blank line between pairs': (puzzle, map) => `${map}\n${puzzle}\n\n`,
  'rows below': (puzzle, map) => `${rows(puzzle)}\n\n${rows(map)}\n\n`,
  'rows below without blank lines': (puzzle, map) => `${rows(puzzle)}\n${rows(map)}\n`,
  'rows above': (puzzle, map) => `${rows(map)}\n\n${rows(puzzle)}\n\n`,
  'rows above without blank lines': (puzzle, map) => `${rows(map)}\n${rows(puzzle)}\n`,
  'tokens below': (puzzle, map) => `${spaced(puzzle)}\n\n${spaced(map)}\n\n`,
  'rows below tokens': (puzzle, map) => `${spaced(puzzle)}\n\n${rows(map)}\n\n`,
  'the same line, after a space': (puzzle, map) => `${puzzle} ${map}\n`,
  'the same line, after a tab': (puzzle, map) => `${puzzle}\t${map}\n`,
  'the same line, after a semicolon': (puzzle, map) => `${puzzle};${map}\n`,
  'the same line, before the puzzle': (puzzle, map) => `${map} ${puzzle}\n`,
  'the same line, without a separator': (puzzle, map) => `${puzzle}${map}\n`,
};
const isInRows = (name: string) => name.includes('rows') || name.includes('tokens');

describe.each(Object.entries(LAYOUTS))('region maps in %s', (name, pair) => {
  it.each([
    ['letters', (map: string) => map],
    ['digits', (map: string) => digits(map, 1)],
    ['digits from 0', (map: string) => digits(map, 0)],
    ['capitals', (map: string) => map.toUpperCase()],
  ])('are read: %s', (_name, write) => {
    const text = [
      [CLASSIC, BOXES],
      [OTHER_PUZZLE, OTHER],
      [CLASSIC, BOXES],
    ]
      .map(([puzzle, map]) => pair(puzzle, write(map)))
      .join('');
    const whole = readText(text);
    expect(whole.records.map(({ grid, variant, notes }) => [grid, variant, notes])).toEqual([
      [CLASSIC, 'jigsaw', undefined],
      [OTHER_PUZZLE, 'jigsaw', undefined],
      [CLASSIC, 'jigsaw', undefined],
    ]);
    const cuts = Array.from({ length: Math.ceil(text.length / 5) }, (_, k) => k * 5);
    expect(readText(text, {}, cuts)).toEqual(whole);
    expect(readText(text.replaceAll('\n', '\r\n')).records).toEqual(whole.records);
    expect(readText(text.trimEnd()).records.map(({ variant }) => variant)).toEqual(Array(3).fill('jigsaw'));
  });

  it('are read with a region in several parts, with a warning', () => {
    const { records } = readText(pair(CLASSIC, BOXES) + pair(CLASSIC, IN_PARTS) + pair(CLASSIC, BOXES));
    expect(records.map(({ variant, notes }) => [variant, notes?.warnings])).toEqual([
      ['jigsaw', undefined],
      ['jigsaw', ['region_disconnected']],
      ['jigsaw', undefined],
    ]);
  });

  const wrong: Array<[name: string, map: string, found: RegExp]> = [
    [
      'a region with a cell too many',
      digits(BOXES, 1).replace('4', '5'),
      /found region 5 with 10 cells \(r4c1\)/,
    ],
    ['a symbol too many', digits(BOXES, 1).replace('4', '0'), /found region 0 with 1 cell \(r4c1\)/],
    ['a character that is no symbol', BOXES.replace('e', '?'), /found "\?" at r4c4 of the region map/],
    ...(isInRows(name)
      ? []
      : ([['80 characters', BOXES.slice(1), /found (a region map of 80|161) characters/]] as const).map(
          ([title, map, found]): [string, string, RegExp] => [title, map, found],
        )),
  ];
  it.each(wrong)('are bad_regions with %s, and only that puzzle is', (_name, map, found) => {
    const text = pair(CLASSIC, BOXES) + pair(CLASSIC, map) + pair(OTHER_PUZZLE, BOXES);
    const whole = readText(text);
    expect(whole.records.map(({ grid, notes }) => notes?.error?.code ?? grid)).toEqual([
      CLASSIC,
      'bad_regions',
      OTHER_PUZZLE,
    ]);
    expect(whole.records[1].notes?.error?.message).toMatch(found);
    expect(readText(pair(CLASSIC, map)).records.filter(({ notes }) => notes?.error === undefined)).toEqual(
      [],
    );
  });

  it('do not make solutions maps', () => {
    const { records } = readText(pair(CLASSIC, CLASSIC_SOLUTION).repeat(2));
    expect(records.map(({ variant }) => variant)).not.toContain('jigsaw');
  });
});

describe('region maps in other sizes', () => {
  const boxes = (size: number, rows: number, columns: number) =>
    Array.from({ length: size * size }, (_, cell) => {
      const [row, column] = [Math.floor(cell / size), cell % size];
      const box = Math.floor(row / rows) * (size / columns) + Math.floor(column / columns);
      return String.fromCharCode(65 + box);
    }).join('');
  const sizes: Array<[size: number, map: string]> = [
    [4, boxes(4, 2, 2)],
    [5, boxes(5, 1, 5)],
    [6, boxes(6, 2, 3)],
    [7, boxes(7, 7, 1)],
    [8, boxes(8, 2, 4)],
    [10, boxes(10, 2, 5)],
    [12, boxes(12, 3, 4)],
    [16, boxes(16, 4, 4)],
  ];
  it.each(sizes)('are read: %i', (size, map) => {
    const puzzle = `1${'.'.repeat(size * size - 2)}2`;
    for (const text of [
      `${puzzle}\n${map}\n\n`,
      `${map}\n${puzzle}\n\n`,
      `${puzzle} ${map}\n`,
      `${rows(puzzle)}\n\n${rows(map)}\n\n`,
      `${rows(map)}\n\n${rows(puzzle)}\n\n`,
    ]) {
      expect(readText(text.repeat(3)).records).toMatchObject(
        Array(3).fill({ size, variant: 'jigsaw', grid: puzzle }),
      );
    }
  });
});

describe('in a file with maps below puzzles', () => {
  const pair = `${CLASSIC}\n${BOXES}\n\n`;

  it('a puzzle on its own is an ordinary one', () => {
    const { records } = readText(`${pair}${CLASSIC}\n\n${pair}# the end\n${CLASSIC} easy\n`);
    expect(records.map(({ variant }) => variant)).toEqual(['jigsaw', 'standard', 'jigsaw', 'standard']);
  });

  it('a puzzle whose map was cut off is bad_regions', () => {
    const { records } = readText(`${CLASSIC}\n${BOXES}\n`.repeat(3) + CLASSIC);
    expect(records.map(({ notes }) => notes?.error?.code)).toEqual([
      undefined,
      undefined,
      undefined,
      'bad_regions',
    ]);
  });

  it('a line of words in the place of a map makes the puzzle bad_regions', () => {
    const { records } = readText(`${pair}${CLASSIC}\nno map\n\n${pair}`);
    expect(records.map(({ line, lineEnd, notes }) => [line, lineEnd, notes?.error?.code])).toEqual([
      [1, 2, undefined],
      [4, 5, 'bad_regions'],
      [7, 8, undefined],
    ]);
  });

  it('a damaged puzzle is one record with its map, and a map without a puzzle is one', () => {
    const text = `${pair}${CLASSIC.slice(1)}\n${BOXES}\n\n${pair}${BOXES}\n\n${pair}`;
    expect(
      readText(text).records.map(({ line, lineEnd, notes }) => [line, lineEnd, notes?.error?.code]),
    ).toEqual([
      [1, 2, undefined],
      [4, 5, 'bad_length'],
      [7, 8, undefined],
      [10, 10, 'bad_regions'],
      [12, 13, undefined],
    ]);
  });
});

describe('a label', () => {
  it('of a jigsaw on a line is its id', () => {
    const { records } = readText(
      `${CLASSIC} ${BOXES} hard, 7.1\n${CLASSIC};hard;${BOXES}\n${CLASSIC} hard\n`,
    );
    expect(records.map(({ variant, notes }) => [variant, notes?.id])).toEqual([
      ['jigsaw', 'hard, 7.1'],
      ['jigsaw', 'hard'],
      ['standard', 'hard'],
    ]);
  });

  it.each(['0'.repeat(80), 'x'.repeat(81), CLASSIC_SOLUTION.slice(1), '1111', '111222'])(
    'is no map: %s',
    (label) => {
      expect(readText(`${CLASSIC} ${label}\n`).records).toMatchObject([
        { variant: 'standard', notes: { id: label } },
      ]);
    },
  );
});

describe('the alphabet that the user gives', () => {
  const MAP = 'aaabbaacbbddccbddccedeeee';

  it('decides whether 0 is a digit of a size that only jigsaws have', () => {
    const grid = '2031414203310424213003421';
    for (const text of [`${grid} ${MAP}\n`, `${grid.replace('1', '.')} ${MAP}\n`]) {
      const { records } = readText(text, { alphabet: '0-4' });
      expect(records).toMatchObject([{ size: 5, variant: 'jigsaw', alphabet: '0-4', blank: '.' }]);
    }
  });
});
