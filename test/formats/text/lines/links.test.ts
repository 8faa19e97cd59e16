import fc from 'fast-check';
import LZString from 'lz-string';
import { describe, expect, it } from 'vitest';
import { CLASSIC, CLASSIC_SOLUTION, readText, rewrite, rowsOf } from '../../reading.ts';

const ZEROS = CLASSIC.replaceAll('.', '0');
const cells = rowsOf(CLASSIC).map((row) =>
  [...row].map((digit) => (digit === '.' ? {} : { value: Number(digit), given: true })),
);
const board = { size: 9, title: 'A', author: 'B', ruleset: 'Normal sudoku rules apply.', grid: cells };
const packed = (object: object) => LZString.compressToBase64(JSON.stringify(object));
const scl = {
  id: 'a',
  cells: rowsOf(CLASSIC).map((row) => [...row].map((digit) => (digit === '.' ? {} : { value: digit }))),
  regions: [],
  cages: [],
  metadata: { title: 'A', rules: 'Normal sudoku rules apply.' },
};
const zipped = `{id:'a',ce:[${rowsOf(CLASSIC)
  .map((row) => `[${[...row].map((digit) => (digit === '.' ? '' : `{v:${digit}}`)).join()}]`)
  .join()}],settings:{x:t}}`;
const MAP = 'aaabbbccc'.repeat(3) + 'dddeeefff'.repeat(3) + 'ggghhhiii'.repeat(3);
const givens = [...CLASSIC]
  .flatMap((digit, at) => (digit === '.' ? [] : [`~R${Math.floor(at / 9) + 1}C${(at % 9) + 1}_${digit}`]))
  .join('');

const links: ReadonlyArray<readonly [name: string, link: string, variant: string]> = [
  ['sudokuwiki', `https://www.sudokuwiki.org/sudoku.htm?bd=${ZEROS}`, 'standard'],
  ['a parameter s', `http://example.com/solve?lang=en&s=${CLASSIC}#top`, 'standard'],
  [
    'a parameter with escapes',
    `https://example.com/play?puzzle=${CLASSIC.replaceAll('.', '%2E')}`,
    'standard',
  ],
  ['a link in angle brackets', `<https://example.com/?grid=${ZEROS}>`, 'standard'],
  ['a link without a scheme', `www.example.com/?p=${ZEROS}`, 'standard'],
  ['an X in the path', `https://example.com/sudokux.htm?bd=${ZEROS}`, 'x'],
  ['f-puzzles', `https://www.f-puzzles.com/?load=${packed(board)}`, 'standard'],
  ['f-puzzles, escaped', `https://f-puzzles.com/?load=${encodeURIComponent(packed(board))}`, 'standard'],
  [
    'f-puzzles, an X',
    `https://f-puzzles.com/?load=${packed({ ...board, 'diagonal+': true, 'diagonal-': true })}`,
    'x',
  ],
  [
    'SudokuPad with f-puzzles data',
    `https://sudokupad.app/fpuzzles${encodeURIComponent(packed(board))}`,
    'standard',
  ],
  ['f-puzzles data', `fpuzzles${packed(board)}`, 'standard'],
  ['SudokuPad', `https://sudokupad.app/scl${packed(scl)}`, 'standard'],
  [
    'SudokuPad in a parameter',
    `https://app.crackingthecryptic.com/sudoku/?puzzleid=${encodeURIComponent(`scl${packed(scl)}`)}`,
    'standard',
  ],
  ['SudokuPad data', `ctc${packed(scl)}`, 'standard'],
  ['SudokuPad data, shortened', `scl${LZString.compressToBase64(zipped)}`, 'standard'],
  ['SudokuPad data, plain', `scl${encodeURIComponent(JSON.stringify(scl))}`, 'standard'],
  ['the Interactive Sudoku Solver', `.${givens}`, 'standard'],
  [
    'its links',
    `https://sigh.github.io/Interactive-Sudoku-Solver/?q=${encodeURIComponent(`.${givens}`)}`,
    'standard',
  ],
  ['its X', `.Diagonal~1.Diagonal~-1.${givens}`, 'x'],
  ['its windoku', `.Windoku.${givens}`, 'windoku'],
  ['its jigsaw', `.Jigsaw~${MAP}.NoBoxes.${givens}`, 'jigsaw'],
  ['its jigsaw with boxes', `.Jigsaw~${MAP}.${givens}`, 'jigsaw-boxes'],
  ['its Latin square', `.NoBoxes.${givens}`, 'latin'],
];

describe.each(links)('%s', (_name, link, variant) => {
  it('is a puzzle, alone and between lines, with any chunk boundaries', () => {
    const text = `${link}\n${CLASSIC}\n${link} a label\r\n# comment\n${link}`;
    const { records } = readText(text);
    expect(records.map(({ grid }) => grid.replaceAll('.', '0'))).toEqual(Array(4).fill(ZEROS));
    expect(records.map((record) => record.variant)).toEqual([variant, 'standard', variant, variant]);
    expect(records.map(({ line }) => line)).toEqual([1, 2, 3, 5]);
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(50), (cut, next) => {
        expect(readText(text, {}, [cut, Math.min(text.length, cut + next)]).records).toEqual(records);
      }),
      { numRuns: 20 },
    );
  });

  it('is one unreadable record, or another puzzle, if it is cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: link.length - 1 }), (length) => {
        const { records } = readText(`${CLASSIC}\n${link.slice(0, length)}\n${CLASSIC}\n`);
        expect(
          records.map(({ grid }) => grid).filter((grid) => grid === CLASSIC).length,
        ).toBeGreaterThanOrEqual(2);
        expect(records.at(-1)?.line).toBe(3);
      }),
      { numRuns: 20 },
    );
  });
});

describe('links', () => {
  it('are written as lines', () => {
    const solved = `.${[...CLASSIC_SOLUTION].map((digit, at) => `~R${Math.floor(at / 9) + 1}C${(at % 9) + 1}_${digit}`).join('')}`;
    expect(rewrite(`${solved}\nhttps://example.com/?bd=${CLASSIC_SOLUTION}\n`, 'same')).toBe(
      `${CLASSIC_SOLUTION}\n${CLASSIC_SOLUTION}\n`,
    );
  });

  it('may be of other sizes', () => {
    const six = `.Shape~6x6.~R1C1_5~R6C6_6`;
    const big = `.Shape~16x16.~RGCG_16~R1CA_3`;
    const four = `https://example.com/?bd=${'1..4..2..3..4..1'}`;
    expect(
      readText(`${six}\n${big}\n${four}\n`).records.map(({ size, grid }) => [size, grid.length > 0]),
    ).toEqual([
      [6, true],
      [16, true],
      [4, true],
    ]);
  });

  it('may have candidates', () => {
    expect(readText(`.~R1C1_5~R1C2_1_2_3\n`).records).toMatchObject([{ variant: 'sukaku', size: 9 }]);
  });

  const bomb = LZString.compressToBase64(`${JSON.stringify(board).slice(0, -1)},"x":"${'a'.repeat(1.1e6)}"}`);
  it.each<[name: string, link: string, message: RegExp]>([
    [
      'a cage',
      `https://f-puzzles.com/?load=${packed({ ...board, killercage: [{ cells: ['R1C1'], value: '3' }] })}`,
      /killer cages/,
    ],
    ['arrows', `scl${packed({ ...scl, arrows: [{ wayPoints: [[1, 1]] }] })}`, /arrows/],
    ['a rule of the solver', `.AntiKnight.${givens}`, /AntiKnight \(anti-knight\)/],
    ['cages of the solver', `.Cage~10~R1C1~R1C2.${givens}`, /Cage \(killer cages\)/],
    ['alternatives of the solver', `.Or.~R1C1_1.~R1C1_2.End`, /Or/],
    ['a rectangle', `.Shape~6x9.~R1C1_1`, /the shape "6x9"/],
    ['Penpa', 'https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VbRbhpJEHznK6J53ZW', /Penpa link/],
    ['a killer in the path', `https://www.sudokuwiki.org/killersudoku.htm?bd=${ZEROS}`, /killer cages/],
    ['a short SudokuPad link', 'https://sudokupad.app/abcdefgh', /SudokuPad link .*nothing is fetched/],
    ['a short f-puzzles link', 'https://f-puzzles.com/?id=yabc123', /f-puzzles link .*nothing is fetched/],
    ['a short link with a name', 'https://sudokupad.app/author/name-of-it', /SudokuPad link/],
    [
      'damaged data',
      `https://f-puzzles.com/?load=${packed(board).slice(0, 100)}`,
      /f-puzzles data that cannot be decoded/,
    ],
    ['a bomb', `https://f-puzzles.com/?load=${bomb}`, /f-puzzles data of more than 1 MiB/],
  ])('are refused with %s', (_name, link, message) => {
    const { records } = readText(`${CLASSIC}\n${link}\n${CLASSIC}\n`);
    expect(records.map(({ notes }) => notes?.error?.code)).toEqual([
      undefined,
      'unsupported_variant',
      undefined,
    ]);
    expect(records[1].notes?.error?.message).toMatch(message);
  });

  it.each([
    ['.~R1C1_5~R10C1_2', 'R10C1_2'],
    ['.~R1C1_5~R1C1_6', 'R1C1_6, a cell that was given before'],
    ['.~R1C1_0', 'R1C1_0'],
  ])('with a given that is none are refused: %s', (link, found) => {
    const { records } = readText(`${CLASSIC}\n${link}\n`);
    expect(records[1].notes?.error).toMatchObject({ code: 'bad_character', found });
  });
});

describe('a parameter that a link has twice', () => {
  const other = CLASSIC.replace(/[1-9]/, '.').replaceAll('.', '0');
  it.each([
    ['with another puzzle', `bd=${ZEROS}&bd=${other}`],
    ['with another name before it', `lang=en&bd=${ZEROS}&BD=${other}`],
    ['that is a label', `bd=${ZEROS}&title=a&title=b`],
  ])('%s is an error that names it', (_what, query) => {
    const { records } = readText(`https://www.sudokuwiki.org/sudoku.htm?${query}\n${CLASSIC}\n`);
    expect(records).toHaveLength(2);
    expect(records[0]?.notes?.error).toMatchObject({ code: 'bad_character' });
    expect(JSON.stringify(records[0])).toMatch(/the parameter \\"(bd|BD|title)\\" twice/);
  });

  it('is read if it has the same value', () => {
    const { records } = readText(`https://www.sudokuwiki.org/sudoku.htm?bd=${ZEROS}&bd=${ZEROS}\n`);
    expect(records).toHaveLength(1);
    expect(records[0]?.notes?.error).toBeUndefined();
  });
});
