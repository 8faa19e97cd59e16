/** Techniques that use that the puzzle has one solution: a pattern that would have two cannot remain. */
import type { Board, Removal } from './board.ts';
import { type Find, type Finding, finding, first } from './finding.ts';
import { bitCount, bitsOf } from './layout.ts';

/**
 * A loop of cells that all have two digits, with two of them or none in each unit: if the cells had no other candidate, the
 * two digits could be exchanged. So one of the other candidates is the digit of its cell.
 *
 * @param withPair only if two cells have two other candidates, and a further cell of their unit has just these: a naked pair
 */
export function uniqueLoop(length: number, withPair = false): Find {
  return (board) => {
    const { candidates } = board;
    const search = (
      loop: readonly number[],
      having: readonly number[],
      both: number,
    ): Finding | undefined => {
      const extra = loop.filter((cell) => candidates[cell] !== both);
      const removalsOf = withPair ? pairRemovals : loopRemovals;
      if (extra.length > 2 && bitCount(otherDigits(board, extra, both)) > 1) return undefined;
      if (loop.length === length) {
        return isClosed(board, loop) ? finding(loop, both, removalsOf(board, extra, both)) : undefined;
      }
      const last = loop[loop.length - 1];
      return first(having, (next) =>
        board.layout.peersOf[last].has(next) && mayFollow(board, loop, next)
          ? search([...loop, next], having, both)
          : undefined,
      );
    };
    return first(candidates.keys(), (cell) => {
      const both = candidates[cell];
      if (bitCount(both) !== 2) return undefined;
      const having = [...candidates.keys()].filter((other) => (candidates[other] & both) === both);
      return search([cell], having, both);
    });
  };
}

/** Whether no unit of the next cell would have a third cell of the loop, or two with the same digit. */
function mayFollow({ layout: { unitsOf } }: Board, loop: readonly number[], next: number): boolean {
  return unitsOf[next].every((unit) => {
    const positions = [...loop.keys()].filter((k) => unitsOf[loop[k]].includes(unit));
    return positions.length < 2 && positions.every((k) => (k + loop.length) % 2 === 1);
  });
}

/** Whether each unit of the cells, which has no third of them, has a second. */
function isClosed({ layout: { unitsOf } }: Board, loop: readonly number[]): boolean {
  const units = loop.flatMap((cell) => unitsOf[cell]);
  return new Set(units).size * 2 === units.length;
}

function otherDigits({ candidates }: Board, cells: readonly number[], both: number): number {
  return cells.reduce((mask, cell) => mask | candidates[cell], 0) & ~both;
}

/** Two cells that have one of two other digits between them, and a cell with these digits: the rest of their unit loses them. */
function pairRemovals(board: Board, extra: readonly number[], both: number): Removal[] {
  const { candidates, layout } = board;
  const others = otherDigits(board, extra, both);
  if (extra.length !== 2 || bitCount(others) !== 2) return [];
  for (const unit of layout.unitsOf[extra[0]]) {
    const cells = layout.cells[unit];
    const pair = cells.find((cell) => candidates[cell] === others);
    if (pair === undefined || !cells.includes(extra[1])) continue;
    const removals = board.removals(
      cells.filter((cell) => cell !== pair && !extra.includes(cell)),
      others,
    );
    if (removals.length > 0) return removals;
  }
  return [];
}

function loopRemovals(board: Board, extra: readonly number[], both: number): Removal[] {
  if (extra.length === 1) return board.removals(extra, both);
  const others = otherDigits(board, extra, both);
  if (bitCount(others) === 1) return board.removalsSeenBy(extra, others);
  // Two cells: if one of the two digits has no other place in a unit, one of the cells has it, so neither has the other.
  for (const unit of board.layout.unitsOf[extra[0]]) {
    for (const digit of bitsOf(both)) {
      const cells = board.cellsWith(unit, digit);
      if (cells.length === 2 && cells.every((cell) => extra.includes(cell))) {
        return board.removals(extra, both & ~(1 << digit));
      }
    }
  }
  return [];
}

/**
 * All open cells have two candidates, and all digits two places in each unit, but for one further digit of some cells:
 * without it there would be two solutions or none, so one of these cells has it.
 *
 * @param least number of cells with a further digit
 * @param greatest number of these cells
 */
export function bivalueGrave(least: number, greatest: number): Find {
  return (board) => {
    const { candidates, places, layout, size } = board;
    const larger = [...candidates.keys()].filter((cell) => bitCount(candidates[cell]) > 2);
    if (larger.length < least || larger.length > greatest) return undefined;
    if (larger.some((cell) => bitCount(candidates[cell]) > 3)) return undefined;
    const common = larger.reduce((mask, cell) => mask & candidates[cell], board.all);
    return first(bitsOf(common), (digit) => {
      const isGrave = places.every((mask, index) => {
        const cells = index % size === digit ? layout.cells[Math.floor(index / size)] : [];
        return mask === 0 || bitCount(mask) === 2 + larger.filter((cell) => cells.includes(cell)).length;
      });
      if (!isGrave) return undefined;
      const [one, another] = larger;
      const removals =
        another === undefined
          ? board.removals([one], ~(1 << digit))
          : board.removalsSeenBy(larger, 1 << digit);
      return finding(larger, 1 << digit, removals);
    });
  };
}
