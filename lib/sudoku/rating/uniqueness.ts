/** Techniques that use that the puzzle has one solution: a pattern that would have two cannot remain. */
import type { Board, Removal } from './board.ts';
import { type Find, type Finding, subset } from './finding.ts';
import { bitCount, bitsOf } from './layout.ts';

/**
 * A loop of cells that all have two digits, with two of them or none in each unit: if the cells had no other candidate, the
 * two digits could be exchanged. So one of the other candidates is the digit of its cell.
 *
 * @param length number of cells
 * @param size 1: one further digit, or a unit that has one of the two digits only here; 2 and more: with a naked set of
 *   this size, in which two cells with other candidates count as one
 */
export function uniqueLoop(length: number, size: number): Find {
  return (board) => {
    const { candidates, layout } = board;
    const closed = (loop: readonly number[], both: number): Finding | undefined => {
      const extra = loop.filter((cell) => candidates[cell] !== both);
      const removals =
        size === 1 ? removalsOf(board, extra, both) : removalsWithSet(board, extra, both, size);
      return removals.length === 0 ? undefined : { cells: loop, digits: both, removals };
    };
    const search = (loop: readonly number[], both: number): Finding | undefined => {
      const last = loop[loop.length - 1];
      if (loop.length === length) {
        return board.sees(last, loop[0]) && isBalanced(board, loop) ? closed(loop, both) : undefined;
      }
      for (const next of layout.peersOf[last]) {
        if ((candidates[next] & both) !== both || loop.includes(next)) continue;
        const longer = [...loop, next];
        const extra = longer.filter((cell) => candidates[cell] !== both);
        if (extra.length > 2 && bitCount(otherDigits(board, extra, both)) > 1) continue;
        const found = search(longer, both);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    for (const [cell, digits] of candidates.entries()) {
      const found = bitCount(digits) === 2 ? search([cell], digits) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Whether each unit has none of the cells, or two whose positions in the loop are even and odd. */
function isBalanced({ layout: { unitsOf } }: Board, loop: readonly number[]): boolean {
  return loop.every((cell) =>
    unitsOf[cell].every((unit) => {
      const positions = [...loop.keys()].filter((k) => unitsOf[loop[k]].includes(unit));
      return positions.length === 2 && (positions[0] + positions[1]) % 2 === 1;
    }),
  );
}

function otherDigits({ candidates }: Board, cells: readonly number[], both: number): number {
  return cells.reduce((mask, cell) => mask | candidates[cell], 0) & ~both;
}

function sharedUnits({ layout: { unitsOf } }: Board, [one, other]: readonly number[]): number[] {
  return unitsOf[one].filter((unit) => unitsOf[other].includes(unit));
}

function removalsOf(board: Board, extra: readonly number[], both: number): Removal[] {
  if (extra.length === 1) return board.removals(extra, both);
  const others = otherDigits(board, extra, both);
  if (bitCount(others) === 1) return board.removalsSeenBy(extra, others);
  if (extra.length !== 2) return [];
  for (const unit of sharedUnits(board, extra)) {
    for (const digit of bitsOf(both)) {
      if (board.cellsWith(unit, digit).length === 2) return board.removals(extra, both & ~(1 << digit));
    }
  }
  return [];
}

function removalsWithSet(board: Board, extra: readonly number[], both: number, size: number): Removal[] {
  if (extra.length !== 2) return [];
  for (const unit of sharedUnits(board, extra)) {
    const cells = board.layout.cells[unit].filter((cell) => !extra.includes(cell));
    const masks = [otherDigits(board, extra, both), ...cells.map((cell) => board.candidates[cell])];
    const removals = subset(masks, size, (members, digits) => {
      const rest = cells.filter((_, k) => ((members >>> (k + 1)) & 1) === 0);
      const found = (members & 1) === 1 ? board.removals(rest, digits) : [];
      return found.length > 0 ? found : undefined;
    });
    if (removals !== undefined) return removals;
  }
  return [];
}

/**
 * All open cells have two candidates, and all digits two places in each unit, but for one candidate of one cell: without it
 * there would be two solutions or none, so it is the digit of its cell.
 */
export function bivalueGrave({ candidates, places, layout, size }: Board): Finding | undefined {
  const larger = [...candidates.keys()].filter((cell) => bitCount(candidates[cell]) > 2);
  if (larger.length !== 1 || bitCount(candidates[larger[0]]) !== 3) return undefined;
  const [cell] = larger;
  for (const digit of bitsOf(candidates[cell])) {
    const isGrave = places.every((mask, index) => {
      const isHere = index % size === digit && layout.unitsOf[cell].includes(Math.floor(index / size));
      return mask === 0 || bitCount(mask) === (isHere ? 3 : 2);
    });
    if (isGrave) {
      const removals = [{ cell, digits: candidates[cell] & ~(1 << digit) }];
      return { cells: [cell], digits: 1 << digit, removals, placement: { cell, digit: digit + 1 } };
    }
  }
  return undefined;
}
