/**
 * An independent oracle for every geometry, as an engine: candidate masks, naked singles, hidden singles, then the cell with the fewest candidates.
 * This is the classic method for 16x16 puzzles (POJ 3076), for any geometry.
 *
 *     1. A cell with one candidate left gets it, and its peers lose it (naked single).
 *     2. A digit with one place left in a unit is placed there (hidden single); with none, this branch is dead.
 *     3. If neither applies, the state is saved, and each candidate of a cell with the fewest candidates is tried,
 *        ascending, from the saved state.
 *
 *     frame     0         1         2                 <- one for each cell that is being tried
 *     cellAt    17        40        3
 *     tried     2         9         1                 <- the digit in the cell now
 *     saved     cells     cells     cells             <- the candidates before it
 *
 * A saved state is copied back as a whole: 405 bytes for a 9x9. So the steps that remove candidates, which are most
 * of the work, keep no log. Saved states take at most 256 MiB, which is enough for every level up to 64x64; a search of a
 * larger grid that would take more stops as if its nodes were spent.
 *
 * A node is a candidate tried in step 3, and the root.
 */
import type { Engine, EngineName } from '../../../lib/sudoku/engine.ts';
import type { Geometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { Candidates } from './bitmask-candidates.ts';
import { createDepthFirstEngine, type PuzzleSearch, RunEnd } from './depth-first.ts';

/** Bytes of saved states; a 64x64 has 144 MiB for all its levels. */
const SAVED_BYTES = 256 * 2 ** 20;

/**
 * Creates a `bitmask` engine; it supports every geometry.
 *
 * @param savedBytes bytes that the saved states of a search may take
 */
export function createBitmaskEngine(savedBytes = SAVED_BYTES): Engine {
  return createDepthFirstEngine(
    'bitmask' as EngineName,
    1,
    (geometry) => new BitmaskSearch(geometry, savedBytes),
  );
}

class BitmaskSearch implements PuzzleSearch {
  entered = 0;
  guessed = 0;

  readonly #candidates: Candidates;
  readonly #cellAt: Int32Array;
  readonly #tried: Uint8Array;
  #frames = 0;
  /** Whether the grid is new, without contradiction, and not yet processed. */
  #reached = false;

  constructor(geometry: Geometry, savedBytes: number) {
    this.#candidates = new Candidates(geometry, savedBytes);
    this.#cellAt = new Int32Array(geometry.cellCount);
    this.#tried = new Uint8Array(geometry.cellCount);
  }

  get bytes(): number {
    return this.#candidates.bytes;
  }

  begin(cells: Uint8Array, offset: number): void {
    this.#frames = 0;
    this.#reached = this.#candidates.load(cells, offset);
  }

  run(maxNodes: number): RunEnd {
    const candidates = this.#candidates;
    const cellAt = this.#cellAt;
    const tried = this.#tried;
    this.entered = 0;
    this.guessed = 0;
    for (;;) {
      if (this.#reached) {
        const isSolved = candidates.solved();
        if (!isSolved && !candidates.save(this.#frames)) return RunEnd.nodes;
        this.#reached = false;
        if (isSolved) return RunEnd.solution;
        cellAt[this.#frames] = candidates.fewestCell();
        tried[this.#frames++] = 0;
      }
      if (this.#frames === 0) return RunEnd.exhausted;
      const level = this.#frames - 1;
      const cell = cellAt[level];
      const digit = candidates.nextSaved(level, cell, tried[level]);
      if (digit === 0) {
        this.#frames--;
        continue;
      }
      if (this.entered === maxNodes) return RunEnd.nodes;
      this.entered++;
      if (candidates.nextSaved(level, cell, digit) !== 0) this.guessed++;
      if (tried[level] !== 0) candidates.restore(level);
      tried[level] = digit;
      this.#reached = candidates.decide(cell, digit);
    }
  }

  writeSolution(out: Uint8Array): void {
    this.#candidates.write(out);
  }
}
