/** The rating of a puzzle with its steps in words: names of cells, symbols of digits. */
import type { Geometry } from '../geometry/geometry.ts';
import { cellName } from '../names.ts';
import type { Placement } from './board.ts';
import { ratePuzzle, type Step } from './rate.ts';
import type { Rating } from './scale.ts';

interface NamedDigit {
  readonly cell: string;
  readonly digit: string;
}

/** A `Step` in words. */
export interface NamedStep extends Pick<Step, 'technique' | 'rating'> {
  readonly cells: readonly string[];
  readonly digits: readonly string[];
  readonly eliminations: readonly NamedDigit[];
  readonly placement?: NamedDigit;
}

/**
 * Rates a puzzle that has exactly one solution.
 *
 * @param cells 0 for a blank, 1 to the size for a given
 * @param symbols by digit; that of 0 is not used
 */
export function ratedPath(
  geometry: Geometry,
  cells: ArrayLike<number>,
  symbols: readonly string[],
): Rating & { readonly steps: readonly NamedStep[] } {
  const steps: NamedStep[] = [];
  const symbolOf = (digit: number) => symbols[digit] ?? '';
  const named = ({ cell, digit }: Placement) => ({ cell: cellName(geometry, cell), digit: symbolOf(digit) });
  const rating = ratePuzzle(geometry, cells, ({ cells, digits, eliminations, placement, ...step }) => {
    steps.push({
      ...step,
      cells: cells.map((cell) => cellName(geometry, cell)),
      digits: digits.map(symbolOf),
      eliminations: eliminations.map(named),
      placement: placement && named(placement),
    });
  });
  return { ...rating, steps };
}
