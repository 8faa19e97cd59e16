/** Singles, locked candidates, naked and hidden sets, and fish: what follows from the units of a board. */
import type { Board, Placement } from './board.ts';
import { type Find, type Finding, finding, first, subset } from './finding.ts';
import { bitCount, bitsOf } from './layout.ts';

function placing(cell: number, digit: number): Finding {
  return { cells: [cell], digits: 1 << (digit - 1), removals: [], placement: { cell, digit } };
}

/** The only place of a digit in a unit. */
export function hiddenSingle(accepts: (board: Board, unit: number) => boolean): Find {
  return (board) => {
    const { places, size, layout } = board;
    for (const unit of layout.order) {
      if (!accepts(board, unit)) continue;
      for (let digit = 0; digit < size; digit++) {
        const at = places[unit * size + digit];
        if (at !== 0 && (at & (at - 1)) === 0) return placing(board.cellsAt(unit, at)[0], digit + 1);
      }
    }
    return undefined;
  };
}

export function nakedSingle({ candidates }: Board): Finding | undefined {
  const cell = candidates.findIndex((digits) => bitCount(digits) === 1);
  return cell < 0 ? undefined : placing(cell, bitsOf(candidates[cell])[0] + 1);
}

/** The cell that a digit (from 0) has in a unit once it loses some of its places there; undefined if it keeps all. */
function singleWithout(
  board: Board,
  unit: number,
  digit: number,
  lost: readonly number[],
): Placement | undefined {
  const cells = board.cellsWith(unit, digit);
  const left = cells.filter((cell) => !lost.includes(cell));
  return left.length === 1 && cells.length > 1 ? { cell: left[0], digit: digit + 1 } : undefined;
}

/**
 * All places of a digit in one unit are in a second one, which loses its other places of the digit.
 *
 * @param pointing from a block into a line; otherwise all other pairs of units
 * @param direct only if a third unit, of the kind of the first, is left one place
 */
export function locked(pointing: boolean, direct: boolean): Find {
  return (board) => {
    const { places, size, layout } = board;
    for (const { from, into, inFrom, inInto } of layout.crossings) {
      if ((layout.isBlock[from] && !layout.isBlock[into]) !== pointing) continue;
      for (let digit = 0; digit < size; digit++) {
        const at = places[from * size + digit];
        const outside = places[into * size + digit] & ~inInto;
        if (at === 0 || (at & ~inFrom) !== 0 || outside === 0) continue;
        const lost = board.cellsAt(into, outside);
        const placement = first(direct ? layout.order : [], (third) =>
          layout.kinds[third] === layout.kinds[from] ? singleWithout(board, third, digit, lost) : undefined,
        );
        if (direct && placement === undefined) continue;
        const removals = board.removals(lost, 1 << digit);
        return { cells: board.cellsAt(from, at), digits: 1 << digit, removals, placement };
      }
    }
    return undefined;
  };
}

/** Cells of a unit that have together as many digits as there are cells: the others lose these digits. */
export function nakedSet(size: number): Find {
  return (board) =>
    first(board.layout.order, (unit) => {
      const cells = board.layout.cells[unit];
      const masks = cells.map((cell) => board.candidates[cell]);
      return subset(masks, size, (members, digits) =>
        finding(
          board.cellsAt(unit, members),
          digits,
          board.removals(board.cellsAt(unit, ~members & board.all), digits),
        ),
      );
    });
}

/**
 * Digits that have together as many places in a unit as there are digits: their cells lose all others.
 *
 * @param direct only if another digit of the unit is left one place
 */
export function hiddenSet(size: number, direct: boolean): Find {
  return (board) =>
    first(board.layout.order, (unit) => {
      const masks = board.places.subarray(unit * board.size, (unit + 1) * board.size);
      return subset(masks, size, (digits, slots) => {
        const cells = board.cellsAt(unit, slots);
        const found = finding(cells, digits, board.removals(cells, ~digits));
        if (!direct || found === undefined) return found;
        const placement = first(bitsOf(~digits & board.all), (digit) =>
          singleWithout(board, unit, digit, cells),
        );
        return placement && { ...found, placement };
      });
    });
}

/** Parallel lines in which a digit has its places in as many crossing lines: these lose its other places. */
export function fish(size: number): Find {
  return (board) =>
    first(board.layout.grids, ([lines, others]) =>
      first(Array(board.size).keys(), (digit) => {
        const masks = lines.map((line) => board.places[line * board.size + digit]);
        return subset(masks, size, (members, union) => {
          const cells = bitsOf(members).flatMap((k) => board.cellsWith(lines[k], digit));
          const lost = bitsOf(union).flatMap((k) => board.cellsWith(others[k], digit));
          return finding(
            cells,
            1 << digit,
            board.removals(
              lost.filter((cell) => !cells.includes(cell)),
              1 << digit,
            ),
          );
        });
      }),
    );
}
