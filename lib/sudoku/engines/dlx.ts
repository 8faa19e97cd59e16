/**
 * The `dlx` engine: sudoku of any geometry as exact cover, by dancing links.
 *
 * A sudoku has an item for each cell and for each digit in each row, column and box; an option is a digit in a cell,
 * and covers four items. A solution is a choice of options that covers every item once (sudoku-cover.ts).
 *
 * - An ordinary 9x9 (dlx/nine-kernel.ts): links hold what is open and say where to branch, and what follows from a
 *   choice is worked out on bitmasks before any link moves. Read dlx/nine-kernel.ts, nine-links.ts, nine-choice.ts, in
 *   this order; the WebAssembly in dlx/simd is the same again, file by file.
 * - Every other geometry (dlx/cover-kernel.ts): the general core in lib/exact-cover, on the problem of that geometry,
 *   which is built when its first puzzle comes and kept.
 */
import type { Answers, Engine, PuzzleCells, SearchLimits, SearchWatch } from '../engine.ts';
import { type Geometry, standardGeometry } from '../geometry/geometry.ts';
import { createCoverKernel } from './dlx/cover-kernel.ts';
import { createNineKernel } from './dlx/nine-kernel.ts';
import { createWasmNineKernel } from './dlx/wasm-nine-kernel.ts';
import type { Kernel } from './kernel.ts';
import { KernelRunner } from './kernel-runner.ts';

/**
 * Makes a `dlx` engine; it takes every geometry.
 *
 * @param createNine makes the kernel of the ordinary 9x9 when its first puzzle comes; by default the one in
 *   WebAssembly where that has SIMD, else the one in TypeScript. Both give the same answers and counts.
 */
export function createDlxEngine(createNine: () => Kernel = createFastestNine): Engine {
  return new DlxEngine(createNine);
}

function createFastestNine(): Kernel {
  return createWasmNineKernel() ?? createNineKernel();
}

class DlxEngine implements Engine {
  readonly name = 'dlx';
  readonly version = 3;
  readonly #createNine: () => Kernel;
  readonly #kernels = new WeakMap<Geometry, Kernel>();
  readonly #runner = new KernelRunner();

  constructor(createNine: () => Kernel) {
    this.#createNine = createNine;
  }

  refuses(): undefined {
    return undefined;
  }

  solve(
    puzzles: PuzzleCells,
    from: number,
    to: number,
    limits: SearchLimits,
    answers: Answers,
    watch?: SearchWatch,
  ): void {
    this.#runner.solve(this.#kernelOf(puzzles.geometry), puzzles, from, to, limits, answers, watch);
  }

  resume(limits: SearchLimits, answers: Answers): void {
    this.#runner.resume(limits, answers);
  }

  #kernelOf(geometry: Geometry): Kernel {
    let kernel = this.#kernels.get(geometry);
    if (kernel === undefined) {
      kernel = geometry === standardGeometry(9) ? this.#createNine() : createCoverKernel(geometry);
      this.#kernels.set(geometry, kernel);
    }
    return kernel;
  }
}
