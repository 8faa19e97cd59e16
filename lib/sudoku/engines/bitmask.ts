/**
 * The `bitmask` engine: candidate masks, naked singles, hidden singles, then the cell with the fewest
 * candidates. It is the method that 16x16 puzzles are classically solved with (POJ 3076), for any geometry.
 *
 *     1. A cell with one candidate left gets it, and its peers lose it (naked single).
 *     2. A digit with one place left in a unit goes there (hidden single); with none, this branch is dead.
 *     3. When neither helps, the cells as they are get saved, and each candidate of a cell with the fewest is
 *        tried, ascending, from that saved state.
 *
 *     frame     0         1         2                 <- one for each cell that is being tried
 *     cellAt    17        40        3
 *     tried     2         9         1                 <- the digit that stands there now
 *     saved     | cells | cells | cells |             <- the candidates as they were before it
 *
 * What is saved is copied back whole: 324 bytes for a 9x9. So the steps that take candidates away, which are
 * most of the work, keep no log.
 *
 * A node is a candidate tried in step 3, and the root. Sizes up to 32 keep a cell's candidates in one word,
 * larger ones in several: two classes, since a loop over one word would be paid for in every step.
 */
import type { Engine } from '../engine.ts';
import type { Geometry } from '../geometry/geometry.ts';
import type { Candidates } from './bitmask/candidates.ts';
import { NarrowCandidates } from './bitmask/narrow-candidates.ts';
import { WideCandidates } from './bitmask/wide-candidates.ts';
import { DepthFirstEngine, type PuzzleSearch, RunEnd } from './depth-first.ts';

/** Makes a `bitmask` engine; it takes every geometry. */
export function createBitmaskEngine(): Engine {
  return new DepthFirstEngine(
    'bitmask',
    1,
    (geometry) =>
      new BitmaskSearch(
        geometry,
        geometry.size <= 32 ? new NarrowCandidates(geometry) : new WideCandidates(geometry),
      ),
  );
}

/** The search over any `Candidates`. */
export class BitmaskSearch implements PuzzleSearch {
  entered = 0;
  guessed = 0;

  private readonly candidates: Candidates;
  private readonly cellAt: Int32Array;
  private readonly tried: Uint8Array;
  private frames = 0;
  /** Whether the grid was just reached, without contradiction, and was not looked at yet. */
  private reached = false;

  constructor(geometry: Geometry, candidates: Candidates) {
    this.candidates = candidates;
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

  writeSolution(out: Uint8Array, offset: number): void {
    this.candidates.write(out, offset);
  }
}
