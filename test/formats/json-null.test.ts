import { describe, expect, it } from 'vitest';
import { CLASSIC, CLASSIC_SOLUTION, readText, rewrite, rowsOf } from './reading.ts';

const rows = rowsOf(CLASSIC);
const board = JSON.stringify(rows.map((row) => [...row]));

describe('null in JSON', () => {
  const lists: Array<[name: string, puzzle: string]> = [
    ['boards', board],
    ['boards of strings', JSON.stringify(rows)],
    ['lines', JSON.stringify(CLASSIC)],
    ['objects', JSON.stringify({ puzzle: CLASSIC })],
  ];
  describe.each(lists)('in a list of %s', (_name, puzzle) => {
    it.each([0, 1, 2])('is its own record: place %i', (empty) => {
      const places = [puzzle, puzzle, puzzle].with(empty, 'null');
      const { records } = readText(`[\n${places.join(',\n')}\n]\n`);
      expect(records.map(({ line, notes }) => [line, notes?.error?.code])).toEqual(
        places.map((text, at) => [at + 2, text === 'null' ? 'bad_length' : undefined]),
      );
    });
  });

  it.each([0, 1, 2])('is its own record in a file with one board per line: place %i', (empty) => {
    const places = [board, board, board].with(empty, 'null');
    const { records } = readText(`${places.join('\n')}\n`);
    expect(records.map(({ notes }) => notes?.error?.code)).toEqual(
      places.map((text) => (text === 'null' ? 'bad_length' : undefined)),
    );
  });

  it('may precede the first board any number of times', () => {
    const { records } = readText(`${'null\n'.repeat(2000)}${board}\n`);
    expect(records.map(({ notes }) => notes?.error === undefined)).toEqual([
      ...Array(2000).fill(false),
      true,
    ]);
  });

  it('is an error with its place', () => {
    const { records } = readText(`[${board},\n null]`);
    expect(records[1].notes?.error).toMatchObject({ line: 2, column: 2, found: 'null' });
    expect(records[1].notes?.error?.message).toMatch(/^line 2, column 2: found null: expected /);
  });

  it.each(['[null]', '[null]\n', '[null,null]', 'null\n'])(
    'alone is named by the error of the file: %j',
    (text) => {
      const { detection } = readText(text);
      expect(detection).toMatchObject({ kind: 'unreadable', error: { code: 'no_puzzles', found: 'null' } });
    },
  );

  const solved = JSON.stringify(rowsOf(CLASSIC_SOLUTION));
  it.each([
    ['a list', `[${solved},7,${solved}]`],
    ['one board per line', `${solved}\n7\n${solved}\n`],
  ])('is written for a puzzle without a solution, and read again as a record: %s', (_name, text) => {
    const { records } = readText(rewrite(text, 'same'));
    expect(records.map(({ notes }) => notes?.error?.found)).toEqual([undefined, 'null', undefined]);
  });
});
