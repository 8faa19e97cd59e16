/** Lines around puzzles that name or describe them: titles, labels, sections, tags, blocks of code. */
import { describe, expect, it } from 'vitest';
import { HEAD_BYTES } from '../../../../lib/formats/reader.ts';
import { CLASSIC, readText, rowsOf } from '../../reading.ts';

const GRID = rowsOf(CLASSIC).join('\n');
const grids = (text: string) => readText(text).records.map(({ grid, notes }) => notes?.error?.code ?? grid);

describe('a title', () => {
  it.each([
    'Puzzle 1 (easy)',
    'Sudoku-12',
    'Level 3: diabolical',
    'Game #4, by Jane',
    'Problem 7.',
    '[puzzle1]',
  ])('is the id of the puzzle below it: %s', (title) => {
    for (const puzzle of [CLASSIC, GRID, `\n${GRID}`]) {
      const { records } = readText(`${title}\n${puzzle}\n\n`.repeat(2));
      expect(records.map(({ grid, notes }) => [grid, notes])).toEqual(
        Array(2).fill([CLASSIC, { id: title.replaceAll(/[[\]]/g, '') }]),
      );
    }
  });

  it('has no cells of a puzzle', () => {
    expect(grids(`${CLASSIC}\nPuzzle 1: 53..7....6..19\n${CLASSIC}\n`)[1]).not.toBe(CLASSIC);
    expect(grids(`${CLASSIC}\nPuzzle 1: 53..7....6..19\n${CLASSIC}\n`)).toHaveLength(3);
  });
});

describe('lines that describe a puzzle', () => {
  it.each([
    'Author: Jane Doe',
    'difficulty = "hard"',
    '- id: 7',
    '"level": 3,',
    '<pre>',
    '</table></body>',
    '<?xml version="1.0"?>',
    'sep=;',
  ])('are comments: %s', (line) => {
    const text = `${line}\n${GRID}\n${line}\n\n${line}\n${GRID}\n`;
    expect(grids(text)).toEqual([CLASSIC, CLASSIC]);
    expect(grids(`${line}\n${CLASSIC}\n${line}\n${CLASSIC}\n${line}\n`)).toEqual([CLASSIC, CLASSIC]);
  });

  it.each(['cages: [[1, 2]]', '<cage sum="3"/>', '<thermometers>'])(
    'are not if they may change the rules: %s',
    (line) => {
      expect(grids(`${line}\n${GRID}\n\n${line}\n${GRID}\n`)).toContain('bad_character');
    },
  );

  it.each(['type: killer', 'variant = x', 'Type: Windoku'])('make their puzzles unreadable: %s', (line) => {
    const text = `${line}\n${GRID}\n\n${line}\n${GRID}\n`;
    expect(readText(text).detection).toMatchObject({ error: { code: 'unsupported_variant' } });
    expect(readText(`${GRID}\n\n${text}`).records.map(({ notes }) => notes?.error?.code)).toEqual([
      undefined,
      'unsupported_variant',
      'unsupported_variant',
    ]);
  });

  it('name the variant that the user names, or the usual one', () => {
    const { records } = readText(`variant = x\n${GRID}\n\ntype: classic\n${GRID}\n`, { variant: 'x' });
    expect(records.map(({ variant, notes }) => [variant, notes?.error])).toEqual(
      Array(2).fill(['x', undefined]),
    );
  });
});

it('sections of program files name their puzzles', () => {
  const { records } = readText(`[Easy]\n${CLASSIC}\n\n[Hard]\n${CLASSIC}\n\n[State]\n${CLASSIC}\n`);
  expect(records.map(({ notes }) => notes)).toEqual([{ id: 'Easy' }, { id: 'Hard' }]);
});

it('lists of rows, columns and values are refused as such', () => {
  const cells = [...CLASSIC].flatMap((cell, at) =>
    cell === '.' ? [] : [`${Math.floor(at / 9) + 1} ${(at % 9) + 1} ${cell}`],
  );
  for (const list of [cells.slice(0, 27), cells.slice(0, 27).join(' ').split(' ')]) {
    const { records, detection } = readText(`${list.join('\n')}\n`);
    expect(records).toEqual([]);
    expect(detection).toMatchObject({ error: { found: 'a list of rows, columns and values' } });
  }
});

it('comments of any length may precede puzzles', () => {
  const comments = '# nothing to see here\n'.repeat(HEAD_BYTES / 16);
  expect(grids(`${comments}${CLASSIC}\n`)).toEqual([CLASSIC]);
  expect(grids(`${comments}\n${GRID}\n\n${comments}${GRID}\n`)).toEqual([CLASSIC, CLASSIC]);
  const long = 'x'.repeat(HEAD_BYTES / 2 + 10);
  for (const line of [`# ${long}\n`, ` // ${long}${long}\n`, `; ${long}\r\n`, `-- as ${long}\n`]) {
    expect(grids(`${line.repeat(2)}${CLASSIC}\n`)).toEqual([CLASSIC]);
  }
  const { detection } = readText('x'.repeat(HEAD_BYTES + 10));
  expect(detection.kind).toBe('unreadable');
});
