/** Runs blocks of puzzles through a kernel: `solve` and `resume` of the engines with kernels. */
import { type Answers, type PuzzleCells, type SearchLimits, type SearchWatch, Stop } from '../engine.ts';
import type { Kernel } from './kernel.ts';

/** Its only state is the paused puzzle and its kernel. */
export class KernelRunner {
  #kernel: Kernel | undefined;
  #index = 0;
  #cellCount = 0;

  /**
   * As `Engine.solve`.
   *
   * @throws RangeError if a cell has a value above the size
   */
  solve(
    kernel: Kernel,
    puzzles: PuzzleCells,
    from: number,
    to: number,
    limits: SearchLimits,
    answers: Answers,
    watch?: SearchWatch,
  ): void {
    const { cells, geometry } = puzzles;
    const { cellCount } = geometry;
    this.#kernel = undefined;
    if (to - from > 1 && kernel.solveBlock !== undefined) {
      const end = kernel.solveBlock(cells, from, to, limits, answers, watch);
      if (end < to) throw badCell(puzzles, end);
      return;
    }
    watch?.begin();
    for (let i = from; i < to; i++) {
      if (!kernel.begin(cells, i * cellCount)) throw badCell(puzzles, i);
      answers.cells.fill(0, i * cellCount, (i + 1) * cellCount);
      this.#search(kernel, i, cellCount, limits, answers);
      watch?.end(i);
    }
  }

  /**
   * As `Engine.resume`.
   *
   * @throws Error if no puzzle is paused
   */
  resume(limits: SearchLimits, answers: Answers): void {
    if (this.#kernel === undefined) {
      throw new Error('no puzzle is paused: resume follows a solve or resume whose stop was paused');
    }
    this.#search(this.#kernel, this.#index, this.#cellCount, limits, answers);
  }

  #search(kernel: Kernel, i: number, cellCount: number, limits: SearchLimits, answers: Answers): void {
    const before = kernel.solutions;
    const stop = kernel.search(limits);
    if (kernel.solutions > before && (before === 0 || limits.pauseAtSolution)) {
      kernel.readSolution(answers.cells, i * cellCount);
    }
    answers.solutions[i] = kernel.solutions;
    answers.stop[i] = stop;
    answers.nodes[i] = kernel.nodes;
    answers.guesses[i] = kernel.guesses;
    this.#kernel = stop === Stop.paused ? kernel : undefined;
    this.#index = i;
    this.#cellCount = cellCount;
  }
}

function badCell({ cells, geometry }: PuzzleCells, puzzle: number): RangeError {
  const { size, cellCount } = geometry;
  const values = cells.subarray(puzzle * cellCount, (puzzle + 1) * cellCount);
  const cell = values.findIndex((value) => value > size);
  return new RangeError(`puzzle ${puzzle} has digit ${values[cell]} in cell ${cell}: expected 0 to ${size}`);
}
