/** Files that resemble something else are read as what they are, or refused by its name. */
import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../lib/formats/formats.ts';
import { readCovers } from './exact-cover/reading-covers.ts';
import { bytesOf, CLASSIC, CLASSIC_SOLUTION, readText, rowsOf } from './reading.ts';

const rows = rowsOf(CLASSIC).join('\n');
const grids = (text: string) => readText(text).records.map(({ grid, notes }) => notes?.error?.code ?? grid);

/** The message of the file's error, or of its first record's. */
function messageOf(text: string): string | undefined {
  const { detection, records } = readText(text);
  if (detection.kind === 'unreadable') return detection.error.message;
  return records.map(({ notes }) => notes?.error?.message).find((message) => message !== undefined);
}

describe('lines between boxes', () => {
  const withLines = (bar: string, ruler: string) =>
    rowsOf(CLASSIC)
      .map((row) => [row.slice(0, 3), row.slice(3, 6), row.slice(6)].join(bar))
      .flatMap((row, k) => (k % 3 === 0 && k > 0 ? [ruler, row] : [row]))
      .join('\n');

  it.each([
    ['!', '---!---!---'],
    [':', '---:---:---'],
    ['/', '---/---/---'],
    ['|', '***|***|***'],
    ['|', '===+===+==='],
    ['|', '~~~+~~~+~~~'],
  ])('with the bars %s and the lines %s are no rows', (bar, ruler) => {
    const text = `${withLines(bar, ruler)}\n`;
    expect(grids(text)).toEqual([CLASSIC]);
    expect(grids(`${text}\n${text}`)).toEqual([CLASSIC, CLASSIC]);
  });

  it('of the blank are no rows if nine rows are left without them', () => {
    const text = withLines('|', '---|---|---').replaceAll('.', '-');
    expect(grids(text)).toEqual([CLASSIC.replaceAll('.', '-')]);
  });

  it('are rows of blanks if there are nine rows with them', () => {
    const blank = `---------${CLASSIC.slice(9).replaceAll('.', '-')}`;
    const text = rowsOf(blank).map((row) => [row.slice(0, 3), row.slice(3, 6), row.slice(6)].join('|'));
    expect(grids(`${text.join('\n')}\n`)).toEqual([blank]);
  });

  it('that may be either are refused with both readings', () => {
    const text = rowsOf(CLASSIC.replaceAll('.', '-'))
      .map((row) => [row.slice(0, 3), row.slice(3, 6), row.slice(6)].join('|'))
      .flatMap((row) => [row, '---|---|---']);
    expect(messageOf(`${text.join('\n')}\n`)).toMatch(
      /for rows of blanks or for lines between rows, not for both/,
    );
  });
});

describe('a heading that names a rule', () => {
  it.each([
    ['[Killer]', 'killer'],
    ['Type: Killer Sudoku', 'killer'],
    ['type: killer', 'killer'],
    ['variant = thermo', 'thermometers'],
    ['[Arrow Sudoku]', 'arrows'],
    ['Rules: digits along a thermometer increase from its bulb.', 'thermometer'],
    ['Type: classic', undefined],
    ['Rules: normal sudoku rules apply.', undefined],
  ])('%s makes the puzzle below it unreadable', (heading, rule) => {
    const text = `${heading}\n${rows}\n`;
    if (rule === undefined) expect(grids(text)).toEqual([CLASSIC]);
    else expect(messageOf(text)).toContain(rule);
  });

  it('does so for a puzzle on a line, and up to the next type', () => {
    const text = `Type: killer\n${CLASSIC}\n${CLASSIC}\nType: classic\n${CLASSIC}\n`;
    expect(grids(text)).toEqual(['unsupported_variant', 'unsupported_variant', CLASSIC]);
  });

  it('above a layer does so for the layers before it', () => {
    const text = `[Prefills]\n${rows}\n\n[Thermometer]\n${rows}\n\n[Prefills]\n${rows}\n`;
    expect(grids(text)).toEqual(['unsupported_variant', 'unsupported_variant', CLASSIC]);
  });
});

it.each(['Begin Solution', 'Solution:', '{Solution:', '[Solution]', 'The answer:'])(
  'a grid below "%s" is no second puzzle',
  (heading) => {
    const solution = rowsOf(CLASSIC_SOLUTION).join('\n');
    expect(grids(`Begin Puzzle\n${rows}\nEnd Puzzle\n${heading}\n${solution}\n`)).toEqual([CLASSIC]);
  },
);

it.each(['611721dda6375d8daf995d26', 'd41d8cd98f00b204e9800998ecf8427e'])(
  '%s is an id, no region map',
  (id) => {
    const { records } = readText(`${id} ${CLASSIC}  1.7\n`);
    expect(records).toMatchObject([{ grid: CLASSIC, notes: { id } }]);
  },
);

it.each<[string, (cell: readonly number[]) => string]>([
  ['commas', (cell) => cell.join(',')],
  ['semicolons and spaces', (cell) => cell.join('; ')],
  ['brackets', ([r, c, value]) => `(${r}, ${c}): ${value}`],
  ['letters', ([r, c, value]) => `r${r}c${c}=${value}`],
])('lists of rows, columns and values with %s are refused by that name', (_name, write) => {
  const cells = [...CLASSIC].flatMap((symbol, at) =>
    symbol === '.' ? [] : [[Math.floor(at / 9) + 1, (at % 9) + 1, Number(symbol)]],
  );
  expect(messageOf(`${cells.map(write).join('\n')}\n`)).toMatch(/a list of rows, columns and values/);
});

it.each([
  ['version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n', /Git LFS.*git lfs pull/],
  ['# sets\nparam n := 9;\nset S := 1 2 3;\n', /AMPL/],
])('%j is refused by its name', (text, name) => {
  expect(messageOf(text)).toMatch(name);
});

describe('a 0/1 matrix', () => {
  const matrix = ['0010100', '1001001', '0110010', '1001010', '0100001', '0001101'];
  const spaced = matrix.map((row) => [...row].join(' '));

  it.each([
    ['its rows and columns', ['6 7', ...spaced]],
    ['its rows and columns on lines of their own', ['6', '7', ...spaced]],
    ['its rows alone', ['6', ...matrix]],
    ['its columns alone', ['7', ...matrix]],
    ['names of its columns', ['abcdefg', ...matrix]],
    ['names between commas', ['a1,b1,c1,d1,e1,f1,g1', ...matrix.map((row) => [...row].join(','))]],
  ])('has %s above it', (_name, lines) => {
    const text = `${lines.join('\n')}\n`;
    expect(detectFormat(bytesOf(text), true, {})).toEqual({ kind: 'exact-cover', format: 'matrix' });
    const whole = readCovers(text, 'matrix');
    expect(whole).toMatchObject([{ primaryCount: 7, secondaryCount: 0, lines: { length: 6 }, line: 1 }]);
    const cuts = Array.from({ length: text.length }, (_, at) => at);
    expect(readCovers(text, 'matrix', cuts)).toEqual(whole);
  });

  it('has secondary columns after its rows and columns', () => {
    const [problem] = readCovers(`6 7 2\n${spaced.join('\n')}\n`, 'matrix');
    expect(problem).toMatchObject({ primaryCount: 5, secondaryCount: 2 });
  });

  it('in the shape of a puzzle is one if its rows and columns are above it', () => {
    const identity = Array.from({ length: 8 }, (_, row) => `${'0'.repeat(row)}1${'0'.repeat(7 - row)}`);
    const square = `8 8\n${identity.join('\n')}\n`;
    expect(detectFormat(bytesOf(square), true, {})).toMatchObject({ kind: 'exact-cover' });
  });

  it('with another number of rows or columns is none', () => {
    for (const head of ['5 7', '6 8', '5', 'abcdef']) {
      const detection = detectFormat(bytesOf(`${head}\n${spaced.join('\n')}\n`), true, {});
      expect([head, detection.kind]).not.toEqual([head, 'exact-cover']);
    }
  });
});
