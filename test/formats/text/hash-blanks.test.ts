/** `#` is a blank where the head of a file has it as one, and starts a comment everywhere else. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../support/depth.ts';
import { CLASSIC, fixture, readText, rowsOf } from '../reading.ts';

const FOUR = '1..4..2..3..4..1';
const SIX = '25...661.52..4..15........1..2.3..41';
const SIXTEEN = fixture('poj3076.txt').replaceAll('\n', '').replaceAll('-', '.');
/** Puzzles of several sizes; the first cell of each is blank. */
const PUZZLES = [FOUR, SIX, CLASSIC, SIXTEEN].map((text) => `.${text.slice(1)}`);

const hashed = (text: string) => text.replaceAll('.', '#');
const spaced = (row: string) => [...row].join(' ');

/** Layouts of a puzzle. */
const LAYOUTS: Readonly<Record<string, (puzzle: string) => string>> = {
  'a line': (puzzle) => `${puzzle}\n`,
  rows: (puzzle) => `${rowsOf(puzzle).join('\n')}\n\n`,
  tokens: (puzzle) => `${rowsOf(puzzle).map(spaced).join('\n')}\n\n`,
};

/** Comments that are no puzzles, and one that is. */
const COMMENTS = [
  '#',
  '# comment',
  '#17 of 20',
  '#AAuthor',
  '###',
  '##########',
  '; x',
  '// y',
  `#${hashed(`.${CLASSIC.slice(1)}`)}`,
  `#${CLASSIC}`,
];

const grids = (text: string, cuts: readonly number[] = []) =>
  readText(text, {}, cuts).records.map(({ grid, line, notes }) => ({ grid, line, notes }));

describe('a puzzle with # for blanks', () => {
  const cases = Object.entries(LAYOUTS).flatMap(([name, write]) =>
    PUZZLES.map((puzzle): [string, string, string] => [
      `${puzzle.length} cells, ${name}`,
      puzzle,
      write(puzzle),
    ]),
  );
  it.each(cases)('is read like one with dots: %s', (_name, puzzle, text) => {
    const twice = text.repeat(2);
    expect(grids(hashed(twice))).toEqual(grids(twice).map((record) => ({ ...record, grid: hashed(puzzle) })));
    expect(grids(hashed(twice))).toHaveLength(2);
  });

  it.each(cases)('is read among comments, in any pieces: %s', (_name, _puzzle, text) => {
    const withComments = COMMENTS.map((comment) => `${comment}\n${hashed(text)}`).join('');
    const whole = grids(withComments);
    expect(whole.map(({ notes }) => notes)).toEqual(COMMENTS.map(() => undefined));
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(withComments.length), { maxLength: 8 }), (cuts) => {
        expect(
          grids(
            withComments,
            cuts.sort((a, b) => a - b),
          ),
        ).toEqual(whole);
      }),
      { numRuns: propertyRuns(10) },
    );
  });

  it('has a label, or few blanks', () => {
    const full = `#${CLASSIC.replaceAll('.', '1').slice(1)}`;
    const text = `${hashed(PUZZLES[2])} # easy\n${full}\n${hashed(PUZZLES[2])},hard\n`;
    expect(readText(text).records).toMatchObject([
      { grid: hashed(PUZZLES[2]), notes: { id: 'easy' } },
      { grid: full, notes: undefined },
      { grid: hashed(PUZZLES[2]), notes: { id: 'hard' } },
    ]);
  });

  it('is read from a table', () => {
    const { detection, records } = readText(
      `puzzle,name\n${`${hashed(PUZZLES[2])},x\n# comment\n`.repeat(2)}`,
    );
    expect(detection).toMatchObject({ format: 'csv' });
    expect(records.map(({ grid, line }) => [line, grid])).toEqual([
      [2, hashed(PUZZLES[2])],
      [4, hashed(PUZZLES[2])],
    ]);
  });

  it('that is damaged is an error, not a comment', () => {
    const puzzle = hashed(PUZZLES[2]);
    const text = [puzzle, puzzle.slice(0, -1), puzzle.replace('9', '%'), `${puzzle}12`, puzzle].join('\n');
    const errors = readText(text).records.map(({ line, notes }) => [line, notes?.error?.code]);
    expect(errors).toEqual(
      expect.arrayContaining([
        [1, undefined],
        [2, 'bad_length'],
        [3, 'bad_character'],
        [5, undefined],
      ]),
    );
  });
});

describe('a # that starts a line of a file with other blanks', () => {
  it.each([
    ['of lines', `${CLASSIC}\n${COMMENTS.join('\n')}\n${`#${CLASSIC}\n`.repeat(9)}${CLASSIC}\n`],
    [
      'of rows',
      `${rowsOf(CLASSIC)
        .map((row) => `#${row}`)
        .join('\n')}\n\n${rowsOf(CLASSIC).join('\n')}\n#12345678\n${rowsOf(CLASSIC).join('\n')}\n`,
    ],
    ['of 8 rows of 9, all commented out', `${'#12345678\n'.repeat(9)}${CLASSIC}\n${CLASSIC}\n`],
    ['of a short line that is commented out', `${CLASSIC}\n#${CLASSIC.slice(1)}\n${CLASSIC}\n`],
  ])('is a comment: %s', (_name, text) => {
    const { records } = readText(text);
    expect(records.map(({ grid, notes }) => [grid, notes?.error])).toEqual(
      Array(2).fill([CLASSIC, undefined]),
    );
  });
});
