import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { DancingLinks, SearchStop } from '../../lib/exact-cover/dancing-links.ts';
import { createFastestSearch } from '../../lib/exact-cover/fastest-search.ts';
import { createPlainSearch } from '../../lib/exact-cover/plain-search.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { createWasmSearch } from '../../lib/exact-cover/wasm-search.ts';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import { sudokuCover } from '../../lib/sudoku/sudoku-cover.ts';
import { DEEP, propertyRuns } from '../support/depth.ts';
import { NO_LIMITS, problemAndPreselected } from './brute-force.ts';
import { langford, pentominoes, queens } from './classic-problems.ts';
import { createProblem } from './create-problem.ts';
import { linkArraysOf } from './link-arrays.ts';
import { requireWasmSearch } from './searches.ts';

/** Returns the whole visible state of a search at each of its stops. */
function traceOf(links: DancingLinks, preselected: readonly number[], sliceNodes: number) {
  links.reset(preselected);
  const seen = [];
  for (let stop: SearchStop = SearchStop.slice; stop !== SearchStop.exhausted; ) {
    stop = links.run({ ...NO_LIMITS, sliceNodes, pauseAtSolution: true });
    const { nodes, guesses, updates, solutions, selectedCount } = links;
    const selected = [...links.selected.subarray(0, selectedCount)];
    seen.push({ stop, nodes, guesses, updates, solutions, selected, links: linkArraysOf(links.memory) });
  }
  return seen;
}

function countsAfter(links: DancingLinks, maxNodes: number) {
  const stop = links.run({ ...NO_LIMITS, maxNodes });
  const { nodes, guesses, updates, solutions } = links;
  return { stop, nodes, guesses, updates, solutions };
}

describe('the searches in TypeScript and in WebAssembly', () => {
  test('have the same state at every stop of any small problem, link by link', () => {
    fc.assert(
      fc.property(
        problemAndPreselected,
        fc.integer({ min: 1, max: 4 }),
        ([problem, preselected], sliceNodes) => {
          const plain = traceOf(new DancingLinks(problem, 1, createPlainSearch), preselected, sliceNodes);
          const wasm = traceOf(new DancingLinks(problem, 1, requireWasmSearch), preselected, sliceNodes);
          expect(wasm).toEqual(plain);
        },
      ),
      { numRuns: propertyRuns(150) },
    );
  });

  test.each<[string, ExactCoverProblem, number?]>([
    ['nine queens', queens(9)],
    ['Langford pairs of 9, for which both restart', langford(9)],
    // Each node updates hundreds of options.
    ['pentominoes in 6x10', pentominoes(6, 10), DEEP ? 20_000 : 2000],
    ['the empty 16x16 sudoku', sudokuCover(standardGeometry(16)).problem],
    ['items with more options than a word has bits', manyOptions(40)],
  ])('enter the same nodes of %s', (_name, problem, maxNodes = 20_000) => {
    const plain = new DancingLinks(problem, 1, createPlainSearch);
    const wasm = new DancingLinks(problem, 1, requireWasmSearch);
    expect(countsAfter(wasm, maxNodes)).toEqual(countsAfter(plain, maxNodes));
  });
});

/** Three items, each with `count` options for itself, and `count` options for each neighbouring pair. */
function manyOptions(count: number): ExactCoverProblem {
  const options = Array.from({ length: count }, () => [[0], [1], [2], [0, 1], [1, 2]]).flat();
  return createProblem({ primaryCount: 3, options });
}

describe('the fastest search', () => {
  afterEach(() => vi.unstubAllGlobals());

  const WORDS = 1;
  const BYTES = 4;
  const large = queens(12);

  test('is the one in WebAssembly', () => {
    expect(createFastestSearch(large).memory.addressUnit).toBe(BYTES);
  });

  test('of a small problem is the one in TypeScript', () => {
    expect(createFastestSearch(queens(4)).memory.addressUnit).toBe(WORDS);
  });

  test('is the one in TypeScript without WebAssembly', () => {
    vi.stubGlobal('WebAssembly', undefined);
    expect(createFastestSearch(large).memory.addressUnit).toBe(WORDS);
  });

  test('is the one in TypeScript if no memory is available', () => {
    const { WebAssembly: api } = globalThis as unknown as { readonly WebAssembly: object };
    class Memory {
      constructor() {
        throw new RangeError('could not allocate memory');
      }
    }
    vi.stubGlobal('WebAssembly', Object.create(api, { Memory: { value: Memory } }));
    expect(createFastestSearch(large).memory.addressUnit).toBe(WORDS);
  });

  test('is not in WebAssembly if the problem is too large for it', () => {
    const items = { length: 2 ** 28 } as Int32Array;
    expect(createWasmSearch({ ...large, items })).toBeUndefined();
  });
});
