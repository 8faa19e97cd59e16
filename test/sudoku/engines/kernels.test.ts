import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { webAssembly } from '../../../lib/exact-cover/compile-wasm.ts';
import { isSolutionOf } from '../../../lib/sudoku/checks/solution-check.ts';
import {
  type Answers,
  createAnswers,
  type Engine,
  type SearchLimits,
  Stop,
} from '../../../lib/sudoku/engine.ts';
import { createBitboardEngine } from '../../../lib/sudoku/engines/bitboard.ts';
import { createWasmNineKernel } from '../../../lib/sudoku/engines/dlx/wasm-nine-kernel.ts';
import { createDlxEngine } from '../../../lib/sudoku/engines/dlx.ts';
import { standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { propertyRuns } from '../../support/depth.ts';
import { cellsOf } from '../cells.ts';
import { createBitmaskEngine } from '../oracle/bitmask.ts';
import { puzzleOf } from '../random-puzzles.ts';
import { FIND_TWO } from '../search-limits.ts';
import { anyPuzzle } from './bitboard-puzzles.ts';

const NINE = standardGeometry(9);
const EASY = '53..7.... 6..195... .98....6. 8...6...3 4..8.3..1 7...2...6 .6....28. ...419..5 ....8..79';

/** The engines with a kernel in WebAssembly. */
const ENGINES = [
  { name: 'bitboard', create: createBitboardEngine },
  { name: 'dlx', create: () => createDlxEngine() },
  // Few puzzles take enough nodes for the links.
  { name: 'dlx that links after three nodes', create: () => createDlxEngine(() => createWasmNineKernel(3)) },
];

/** Solves in slices until it no longer pauses, and keeps the answers of each pause. */
function solveWhole(engine: Engine, cells: Uint8Array, limits: SearchLimits): Answers[] {
  const answers = createAnswers(1, 81);
  engine.solve({ geometry: NINE, cells }, 0, 1, limits, answers);
  const seen = [structuredClone(answers)];
  while (answers.stop[0] === Stop.paused) {
    engine.resume(limits, answers);
    seen.push(structuredClone(answers));
  }
  return seen;
}

const anyLimits = fc.record({
  maxSolutions: fc.constantFrom(1, 2, 10, 25),
  maxNodes: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 1, max: 40 })),
  sliceNodes: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 1, max: 5 })),
  pauseAtSolution: fc.boolean(),
});

const minimalOrAny = fc.oneof(anyPuzzle(), puzzleOf(NINE));

describe.each(ENGINES)('the kernel of $name in WebAssembly', ({ create }) => {
  test('has the number of solutions of the oracle, also in slices, and the same answers and counts in both', () => {
    const [oracle, engine] = [createBitmaskEngine(), create()];
    fc.assert(
      fc.property(minimalOrAny, anyLimits, (cells, limits) => {
        const unlimited = { ...limits, maxNodes: Number.POSITIVE_INFINITY };
        const whole = solveWhole(engine, cells, { ...unlimited, sliceNodes: Number.POSITIVE_INFINITY }).at(
          -1,
        )!;
        const sliced = solveWhole(engine, cells, unlimited).at(-1)!;
        const expected = solveWhole(oracle, cells, unlimited).at(-1)!;
        expect(sliced).toEqual(whole);
        expect([whole.solutions, whole.stop]).toEqual([expected.solutions, expected.stop]);
        expect(isSolutionOf(NINE, cells, 0, whole.cells, 0)).toBe(expected.solutions[0]! > 0);
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  test('enters no more nodes than the limit, and says that more solutions may exist', () => {
    const engine = create();
    fc.assert(
      fc.property(minimalOrAny, anyLimits, (cells, limits) => {
        const { nodes, stop } = solveWhole(engine, cells, limits).at(-1)!;
        expect(nodes[0]).toBeLessThanOrEqual(limits.maxNodes);
        if (stop[0] === Stop.nodeLimit) expect(nodes[0]).toBe(limits.maxNodes);
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  test('gives the same answers for a block as for its puzzles one by one', () => {
    const engine = create();
    fc.assert(
      fc.property(
        fc.array(minimalOrAny, { minLength: 2, maxLength: 12 }),
        fc.integer({ min: 1, max: 40 }),
        (puzzles, maxNodes) => {
          const limits = { ...FIND_TWO, maxNodes };
          // More puzzles than the module's memory has space for.
          const many = Array.from({ length: 300 }, (_, i) => puzzles[i % puzzles.length]);
          const block = { geometry: NINE, cells: Uint8Array.from(many.flatMap((cells) => [...cells])) };
          const together = createAnswers(many.length, 81);
          const oneByOne = createAnswers(many.length, 81);
          engine.solve(block, 0, many.length, limits, together);
          for (let i = 0; i < many.length; i++) engine.solve(block, i, i + 1, limits, oneByOne);
          expect(together).toEqual(oneByOne);
        },
      ),
      { numRuns: propertyRuns(5) },
    );
  });

  test('names the invalid value of a block', () => {
    const cells = cellsOf(EASY + EASY + EASY);
    cells[81 + 80] = 10;
    const answers = createAnswers(3, 81);
    expect(() => create().solve({ geometry: NINE, cells }, 0, 3, FIND_TWO, answers)).toThrow(
      'puzzle 1 has digit 10 in cell 80: expected 0 to 9',
    );
    expect([...answers.solutions]).toEqual([1, 0, 0]);
  });
});

/** The general core may have compiled its module before. */
const { Memory, Instance } = webAssembly()!;

describe.each([
  ['there is no WebAssembly', undefined],
  ['WebAssembly has no SIMD, or a page forbids its compilation', { Memory, Instance, Module: forbidden }],
])('if %s', (_name, api) => {
  beforeEach(() => void vi.stubGlobal('WebAssembly', api));
  afterEach(() => vi.unstubAllGlobals());

  test('dlx solves an ordinary 9x9 in the general core: same statuses and unique solutions', () => {
    const [engine, oracle] = [createDlxEngine(), createBitmaskEngine()];
    fc.assert(
      fc.property(minimalOrAny, (cells) => {
        const [found, expected] = [engine, oracle].map((each) => solveWhole(each, cells, FIND_TWO).at(-1)!);
        expect([found!.solutions, found!.stop]).toEqual([expected!.solutions, expected!.stop]);
        if (expected!.solutions[0] === 1) expect(found!.cells).toEqual(expected!.cells);
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  test('bitboard refuses every puzzle and names dlx', () => {
    const engine = createBitboardEngine();
    expect(engine.refuses(NINE)).toMatch(/needs WebAssembly with SIMD.*: use dlx\.$/);
    const solve = () =>
      engine.solve({ geometry: NINE, cells: cellsOf(EASY) }, 0, 1, FIND_TWO, createAnswers(1, 81));
    expect(solve).toThrow(RangeError);
  });
});

function forbidden(): never {
  throw new Error('Refused to compile or instantiate WebAssembly module');
}
