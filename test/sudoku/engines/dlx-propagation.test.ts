import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SearchStop } from '../../../lib/exact-cover/dancing-links.ts';
import { NineSearch } from '../../../lib/sudoku/engines/dlx-nine.ts';
import { createPropagation, createScalarPropagation } from '../../../lib/sudoku/engines/dlx-propagation.ts';
import { createEngine } from '../../../lib/sudoku/engines.ts';
import { generatePuzzle } from '../../../lib/sudoku/generate.ts';
import { standardGeometry } from '../../../lib/sudoku/geometry.ts';

const geometry = standardGeometry(9);
const engine = createEngine('bitmask');
const limits = {
  maxSolutions: 20,
  maxNodes: 2000,
  sliceNodes: Number.POSITIVE_INFINITY,
  pauseAtSolution: true,
};

/** Every solution of a search, and what it counted. */
function trace(search: NineSearch, cells: Uint8Array): unknown[] {
  const seen: unknown[] = [];
  search.begin(cells, 0);
  for (;;) {
    const before = search.solutions;
    const stop = search.run(limits);
    if (search.solutions > before) {
      const solution = new Uint8Array(81);
      search.writeSolution(solution, 0);
      seen.push(solution.join(''));
    }
    seen.push([stop, search.nodes, search.guesses]);
    if (stop !== SearchStop.solution) return seen;
  }
}

describe('the propagation of the dlx engine', () => {
  it('gives the same search in WebAssembly as in TypeScript: every solution, node and guess', () => {
    const fast = new NineSearch(createPropagation());
    const plain = new NineSearch(createScalarPropagation());
    const wiped = fc.array(fc.nat(80), { maxLength: 6 });
    const changed = fc.array(fc.tuple(fc.nat(80), fc.integer({ min: 1, max: 9 })), { maxLength: 2 });
    fc.assert(
      fc.property(fc.nat(1000), wiped, changed, (seed, blanks, givens) => {
        const { cells } = generatePuzzle(geometry, { seed, givens: 'minimal' }, engine);
        for (const cell of blanks) cells[cell] = 0;
        for (const [cell, digit] of givens) cells[cell] = digit;
        expect(trace(fast, cells)).toEqual(trace(plain, cells));
      }),
      { numRuns: 150 },
    );
  });

  it('refuses a digit beyond 9 by its number', () => {
    const cells = new Uint8Array(81);
    cells[40] = 12;
    for (const propagation of [createPropagation(), createScalarPropagation()]) {
      const search = new NineSearch(propagation);
      search.begin(cells, 0);
      expect(() => search.run(limits)).toThrow('digit 12: expected 0 to 9');
    }
  });
});
