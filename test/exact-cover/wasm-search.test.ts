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
import { anyProblem, isCover, NO_LIMITS, withDecisions } from './brute-force.ts';
import { langford, pentominoes, queens } from './classic-problems.ts';
import { createProblem } from './create-problem.ts';
import { linkArraysOf } from './link-arrays.ts';
import { requireWasmSearch } from './searches.ts';

const ALL = Number.POSITIVE_INFINITY;

/** Fifty choices between two options, and Langford pairs of 9, which have no solution. */
function hopeless(): ExactCoverProblem {
  const { primaryCount, optionCount, optionStart, items } = langford(9);
  const choices = Array.from({ length: 100 }, (_, option) => [option >> 1]);
  const pairs = Array.from({ length: optionCount }, (_, option) =>
    Array.from(items.slice(optionStart[option], optionStart[option + 1]), (item) => 50 + item),
  );
  return createProblem({ primaryCount: 50 + primaryCount, options: [...choices, ...pairs] });
}

/** The whole visible state of a search. */
function stateOf(links: DancingLinks) {
  const { nodes, guesses, updates, solutions } = links;
  const selected = [...links.selected];
  return { nodes, guesses, updates, solutions, selected, links: linkArraysOf(links.memory) };
}

/** Returns the state of a search at each of its stops. */
function traceOf(links: DancingLinks, preselected: readonly number[], sliceNodes: number) {
  links.reset(preselected);
  const seen = [];
  for (let stop: SearchStop = SearchStop.slice; stop !== SearchStop.exhausted; ) {
    stop = links.run({ ...NO_LIMITS, sliceNodes, pauseAtSolution: true });
    seen.push({ stop, ...stateOf(links) });
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
        withDecisions(anyProblem({ repeated: false }), false),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom(1, ALL),
        ([problem, preselected], sliceNodes, wanted) => {
          const plain = new DancingLinks(problem, wanted, createPlainSearch);
          const wasm = new DancingLinks(problem, wanted, requireWasmSearch);
          expect(traceOf(wasm, preselected, sliceNodes)).toEqual(traceOf(plain, preselected, sliceNodes));
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  });

  test.each<[string, ExactCoverProblem, number?, number?]>([
    ['nine queens', queens(9)],
    ['nine queens, all solutions', queens(9), 20_000, ALL],
    ['Langford pairs of 9, for which both restart', langford(9)],
    ['Langford pairs of 9 after many choices, all solutions', hopeless(), 20_000, ALL],
    // Each node updates hundreds of options.
    ['pentominoes in 6x10', pentominoes(6, 10), DEEP ? 20_000 : 2000],
    ['the empty 16x16 sudoku', sudokuCover(standardGeometry(16)).problem],
    ['items with more options than a word has bits', manyOptions(40)],
  ])('enter the same nodes of %s', (_name, problem, maxNodes = 20_000, wanted = 1) => {
    const plain = new DancingLinks(problem, wanted, createPlainSearch);
    const wasm = new DancingLinks(problem, wanted, requireWasmSearch);
    expect(countsAfter(wasm, maxNodes)).toEqual(countsAfter(plain, maxNodes));
  });
});

test('the searches by decisions have the same state at every stop of any small problem with multiplicities, link by link', () => {
  const problems = anyProblem({ repeated: true, priced: false });
  const sizes = fc.integer({ min: 1, max: 4 });
  fc.assert(
    fc.property(problems, sizes, fc.array(fc.nat()), (problem, sliceNodes, some) => {
      const wasm = new DancingLinks(problem, ALL, requireWasmSearch);
      const plain = new DancingLinks(problem, ALL, createPlainSearch);
      const options = problem.optionCount === 0 ? [] : some.map((number) => number % problem.optionCount);
      const decisions = options.map((option, k) => (k % 2 === 0 ? ~option : option));
      expect(traceOf(wasm, decisions, sliceNodes)).toEqual(traceOf(plain, decisions, sliceNodes));
    }),
    { numRuns: propertyRuns(60) },
  );
});

/** Three items, each with `count` options for itself, and `count` options for each neighbouring pair. */
function manyOptions(count: number): ExactCoverProblem {
  const options = Array.from({ length: count }, () => [[0], [1], [2], [0, 1], [1, 2]]).flat();
  return createProblem({ primaryCount: 3, options });
}

describe('a search for all solutions', () => {
  test('learns no weights if it can search the tree', () => {
    const links = new DancingLinks(pentominoes(3, 20), ALL);
    links.run(NO_LIMITS);
    expect(links).toMatchObject({ solutions: 8, nodes: 33_007, updates: 10_235_820 });
  });

  test('learns weights, and restarts, if it has begun where it never finishes', () => {
    const links = new DancingLinks(hopeless(), ALL);
    expect(links.run({ ...NO_LIMITS, maxNodes: 100_000 })).toBe(SearchStop.exhausted);
  });

  test('has a solution at hand without a pause', () => {
    const problem = queens(10);
    const links = new DancingLinks(problem, ALL);
    links.run(NO_LIMITS);
    expect(isCover(problem, [...links.selected])).toBe(true);
  });
});

describe('the fastest search', () => {
  afterEach(() => vi.unstubAllGlobals());

  const WORDS = 1;
  const BYTES = 4;
  const large = queens(12);

  test('is the one in WebAssembly', () => {
    expect(createFastestSearch(large).memory.addressUnit).toBe(BYTES);
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
