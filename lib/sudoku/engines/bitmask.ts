/**
 * The `bitmask` engine: candidate masks, naked singles, hidden singles, then the cell with the fewest candidates.
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
 *     saved     | cells | cells | cells |             <- the candidates before it
 *
 * A saved state is copied back as a whole: 405 bytes for a 9x9. So the steps that remove candidates, which are most
 * of the work, keep no log.
 *
 * A node is a candidate tried in step 3, and the root.
 */
import type { Engine } from '../engine.ts';
import type { Geometry } from '../geometry/geometry.ts';
import { Candidates } from './bitmask/candidates.ts';
import { createDepthFirstEngine, type PuzzleSearch, RunEnd } from './depth-first.ts';

/** Creates a `bitmask` engine; it supports every geometry. */
export function createBitmaskEngine(): Engine {
  return createDepthFirstEngine('bitmask', 1, (geometry) => new BitmaskSearch(geometry));
}

class BitmaskSearch implements PuzzleSearch {
  entered = 0;
  guessed = 0;

  private readonly candidates: Candidates;
  private readonly cellAt: Int32Array;
  private readonly tried: Uint8Array;
  private frames = 0;
  /** Whether the grid is new, without contradiction, and not yet processed. */
  private reached = false;

  constructor(geometry: Geometry) {
    this.candidates = new Candidates(geometry);
    this.cellAt = new Int32Array(geometry.cellCount);
    this.tried = new Uint8Array(geometry.cellCount);
  }

  begin(cells: Uint8Array, offset: number): void {
    this.frames = 0;
    this.reached = this.candidates.load(cells, offset);
  }

  run(maxNodes: number): RunEnd {
    const { candidates, cellAt, tried } = this;
    this.entered = 0;
    this.guessed = 0;
    for (;;) {
      if (this.reached) {
        this.reached = false;
        if (candidates.solved()) return RunEnd.solution;
        cellAt[this.frames] = candidates.fewestCell();
        tried[this.frames] = 0;
        candidates.save(this.frames++);
      }
      if (this.frames === 0) return RunEnd.exhausted;
      const level = this.frames - 1;
      const cell = cellAt[level];
      const digit = candidates.nextSaved(level, cell, tried[level]);
      if (digit === 0) {
        this.frames--;
        continue;
      }
      if (this.entered === maxNodes) return RunEnd.nodes;
      this.entered++;
      if (candidates.nextSaved(level, cell, digit) !== 0) this.guessed++;
      if (tried[level] !== 0) candidates.restore(level);
      tried[level] = digit;
      this.reached = candidates.decide(cell, digit);
    }
  }

  writeSolution(out: Uint8Array): void {
    this.candidates.write(out);
  }
}
