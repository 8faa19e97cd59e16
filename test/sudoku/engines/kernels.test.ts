import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type Answers,
  createAnswers,
  type Engine,
  type SearchLimits,
  Stop,
} from '../../../lib/sudoku/engine.ts';
import { createScalarKernel } from '../../../lib/sudoku/engines/bitboard/scalar-kernel.ts';
import { createWasmKernel } from '../../../lib/sudoku/engines/bitboard/wasm-kernel.ts';
import { createBitboardEngine } from '../../../lib/sudoku/engines/bitboard.ts';
import { createNineKernel } from '../../../lib/sudoku/engines/dlx/nine-kernel.ts';
import { createWasmNineKernel } from '../../../lib/sudoku/engines/dlx/wasm-nine-kernel.ts';
import { createDlxEngine } from '../../../lib/sudoku/engines/dlx.ts';
import type { Kernel } from '../../../lib/sudoku/engines/kernel.ts';
import { standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { propertyRuns } from '../../support/depth.ts';
import { cellsOf, textOf } from '../cells.ts';
import { puzzleOf } from '../random-puzzles.ts';
import { FIND_TWO } from '../search-limits.ts';
import { anyPuzzle } from './bitboard-puzzles.ts';

const NINE = standardGeometry(9);
const EASY = '53..7.... 6..195... .98....6. 8...6...3 4..8.3..1 7...2...6 .6....28. ...419..5 ....8..79';
const EASY_SOLVED = '534678912672195348198342567859761423426853791713924856961537284287419635345286179';

/** The engines with one kernel in TypeScript and one in WebAssembly. */
const ENGINES = [
  {
    name: 'bitboard',
    createEngine: createBitboardEngine,
    createPlain: createScalarKernel,
    createWasm: createWasmKernel,
  },
  {
    name: 'dlx',
    createEngine: createDlxEngine,
    createPlain: () => createNineKernel(),
    createWasm: () => createWasmNineKernel(),
  },
  {
    // Few puzzles take enough nodes for the links.
    name: 'dlx that links after three nodes',
    createEngine: createDlxEngine,
    createPlain: () => createNineKernel(3),
    createWasm: () => createWasmNineKernel(3),
  },
];

function present(kernel: Kernel | undefined): Kernel {
  if (kernel === undefined) throw new Error('this Node has no WebAssembly with SIMD: run on Node 24');
  return kernel;
}

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

describe.each(ENGINES)('the two kernels of $name', ({ createEngine, createPlain, createWasm }) => {
  const createAvailableWasmKernel = () => present(createWasm());

  test('give the same answers, counts and pauses for 0, 1 and many solutions', () => {
    const plain = createEngine(createPlain);
    const wasm = createEngine(createAvailableWasmKernel);
    fc.assert(
      fc.property(minimalOrAny, anyLimits, (cells, limits) => {
        expect(solveWhole(wasm, cells, limits)).toEqual(solveWhole(plain, cells, limits));
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  test('give the same answers for a block as for its puzzles one by one', () => {
    const engine = createEngine(createAvailableWasmKernel);
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

  test.each([
    ['in TypeScript', createPlain],
    ['in WebAssembly', createAvailableWasmKernel],
  ])('name the invalid value of a block: %s', (_name, createKernel) => {
    const cells = cellsOf(EASY + EASY + EASY);
    cells[81 + 80] = 10;
    const answers = createAnswers(3, 81);
    const engine = createEngine(createKernel);
    expect(() => engine.solve({ geometry: NINE, cells }, 0, 3, FIND_TWO, answers)).toThrow(
      'puzzle 1 has digit 10 in cell 80: expected 0 to 9',
    );
    expect([...answers.solutions]).toEqual([1, 0, 0]);
  });
});

describe.each(ENGINES)('the choice of a kernel by $name', ({ createEngine, createPlain, createWasm }) => {
  afterEach(() => vi.unstubAllGlobals());

  test.each([
    ['there is no WebAssembly', undefined],
    ['WebAssembly has no SIMD', { validate: () => false }],
  ])('falls back to TypeScript if %s', (_name, api) => {
    vi.stubGlobal('WebAssembly', api);
    expect(createWasm()).toBeUndefined();
    const answers = createAnswers(1, 81);
    createEngine().solve({ geometry: NINE, cells: cellsOf(EASY) }, 0, 1, FIND_TWO, answers);
    expect(textOf(answers.cells)).toBe(EASY_SOLVED);
  });

  test('is made for the first puzzle', () => {
    const createKernel = vi.fn(createPlain);
    const engine = createEngine(createKernel);
    expect(createKernel).not.toHaveBeenCalled();
    for (let i = 0; i < 2; i++) {
      engine.solve({ geometry: NINE, cells: cellsOf(EASY) }, 0, 1, FIND_TWO, createAnswers(1, 81));
    }
    expect(createKernel).toHaveBeenCalledTimes(1);
  });
});
