/** What techniques return, and what they are made of. They see cells, units and candidates, so they serve every geometry. */
import type { Board, Placement, Removal } from './board.ts';
import { bitCount } from './layout.ts';

/** What a technique found on a board. */
export interface Finding {
  /** The cells of the pattern. */
  readonly cells: readonly number[];
  /** The digits of the pattern, as a mask. */
  readonly digits: number;
  readonly removals: readonly Removal[];
  readonly placement?: Placement | undefined;
}

export type Find = (board: Board) => Finding | undefined;

/** Returns the first result. */
export function first<T, R>(list: Iterable<T>, test: (one: T) => R | undefined): R | undefined {
  for (const one of list) {
    const found = test(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A finding, unless it changes nothing. */
export function finding(
  cells: readonly number[],
  digits: number,
  removals: readonly Removal[],
): Finding | undefined {
  return removals.length === 0 ? undefined : { cells, digits, removals };
}

/** Searches `size` of the masks that have `size` bits together: a naked or hidden set, or a fish. */
export function subset<R>(
  masks: ArrayLike<number>,
  size: number,
  test: (members: number, union: number) => R | undefined,
): R | undefined {
  const search = (from: number, left: number, members: number, union: number): R | undefined => {
    if (left === 0) return bitCount(union) === size ? test(members, union) : undefined;
    for (let k = from; k <= masks.length - left; k++) {
      const wider = union | masks[k];
      if (masks[k] === 0 || bitCount(wider) > size) continue;
      const found = search(k + 1, left - 1, members | (1 << k), wider);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return search(0, size, 0, 0);
}
