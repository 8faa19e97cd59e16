import { describe, expect, it } from 'vitest';
import { CLASSIC, readText, rewrite } from '../../reading.ts';

describe('lines of a HoDoKu library', () => {
  it('are puzzles, with technique and comment as the id', () => {
    const text = `:0000:x:${CLASSIC}:::\n:0402:38:${CLASSIC}::328 329:\n:0000:x:${CLASSIC.replaceAll('.', '0')}:::a comment\n`;
    expect(readText(text).records.map(({ format, grid, notes }) => [format, grid, notes])).toEqual([
      ['line', CLASSIC, undefined],
      ['line', CLASSIC, { id: '0402:38' }],
      ['line', CLASSIC.replaceAll('.', '0'), { id: 'a comment' }],
    ]);
    expect(rewrite(text, 'same')).toBe(`${CLASSIC}\n${CLASSIC}\n${CLASSIC}\n`.replaceAll('.', ' '));
  });

  it('have placed digits that are no givens, and candidates that follow from the givens', () => {
    const placed = CLASSIC.replace('.', '+4').replace('.', '+6');
    const [record] = readText(`:0000:x:${placed}:118 119 221::\n`).records;
    expect([record.grid, record.notes]).toEqual([CLASSIC, { warnings: ['candidates_ignored'] }]);
  });

  it('with a damaged puzzle are one record each', () => {
    const text = `:0000:x:${CLASSIC}:::\n:0000:x:${CLASSIC.slice(1)}:::\n:0000:x:${CLASSIC}:one:::\n:0000:x:${CLASSIC}:::\n`;
    expect(readText(text).records.map(({ line, notes }) => [line, notes?.error !== undefined])).toEqual([
      [1, false],
      [2, true],
      [3, true],
      [4, false],
    ]);
  });
});
