import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../support/depth.ts';
import { readText } from '../../reading.ts';

/** Random numbers from 0 (a blank) to `largest`, by row. */
const gridOf = (largest: number) =>
  fc.array(fc.array(fc.nat(largest), { minLength: 16, maxLength: 16 }), { minLength: 16, maxLength: 16 });
/** Grids with many numbers of two digits, few, or none. */
const grid = fc.oneof(
  { weight: 4, arbitrary: gridOf(16) },
  { weight: 1, arbitrary: gridOf(11) },
  { weight: 1, arbitrary: gridOf(9) },
);

/** A grid with bars around its boxes and numbers in columns of two characters. */
function drawn(rows: readonly number[][], blank: string, after: string): string {
  const lines = rows.map((row) => {
    const cells = row.map((value) => (value === 0 ? blank : String(value)).padStart(2));
    return [0, 4, 8, 12].map((from) => cells.slice(from, from + 4).join(' ')).join(' | ');
  });
  const ruler = `${'-'.repeat(12)}+${'-'.repeat(13)}`;
  const bands = [0, 4, 8, 12].map((from) => lines.slice(from, from + 4).join('\n'));
  return `${bands.join(`\n${ruler}\n`)}\n${after}`;
}

describe('drawn grids of numbers in columns', () => {
  it('are read the same one by one', () => {
    const after = fc.constantFrom('\n', '\n', '\n', '', '# remark\n\n', 'x\n\n');
    const puzzle = fc.tuple(grid, fc.constantFrom('.', '.', '.', '0'), after);
    fc.assert(
      fc.property(fc.array(puzzle, { minLength: 3, maxLength: 7 }), (puzzles) => {
        const text = puzzles.map((parts) => drawn(...parts)).join('');
        const read = (capacity?: number) =>
          readText(text, {}, [], capacity).records.map(({ grid: cells, line, lineEnd, notes, blank }) => {
            return { line, lineEnd, notes, ...(notes?.error === undefined ? { cells, blank } : {}) };
          });
        expect(read()).toEqual(read(1));
      }),
      { numRuns: propertyRuns(50) },
    );
  });
});
