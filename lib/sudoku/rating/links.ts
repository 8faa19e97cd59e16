/** Chains of links between candidates: of one digit through units, and short ones of any digits. */
import type { Board } from './board.ts';
import type { Find, Finding } from './finding.ts';
import { bitCount, bitsOf, type Layout } from './layout.ts';

/** A digit of a unit is at one of two ends: a cell, or several cells that are in a second unit too. */
interface StrongLink {
  readonly unit: number;
  readonly start: readonly number[];
  readonly end: readonly number[];
  /** A bit for a row, a column, another unit, and for an end of several cells. */
  readonly shape: number;
}

/** What the shapes of all links of a chain may be together. */
const SHAPES = {
  parallel: [1, 2],
  crossed: [3],
  block: [4, 5, 6, 7],
  grouped: [8, 9, 10, 11, 12, 13, 14, 15],
} as const;

const GROUPED = 8;

/**
 * Strong links of one digit, each end of which shares a unit with the start of the next: the digit is at the first start or
 * at the last end, so cells that see both lose it.
 */
export function strongLinks(count: number, shapes: keyof typeof SHAPES): Find {
  const accepted: readonly number[] = SHAPES[shapes];
  const mayBecome = (shape: number) => accepted.some((other) => (shape & ~other) === 0);
  return (board) => {
    for (let digit = 0; digit < board.size; digit++) {
      const links = linksOf(board, digit).filter(({ shape }) => mayBecome(shape));
      const startsIn = new Map<number, StrongLink[]>();
      for (const link of links) {
        for (const unit of unitsWith(board.layout, link.start)) {
          startsIn.set(unit, [...(startsIn.get(unit) ?? []), link]);
        }
      }
      const search = (chain: readonly StrongLink[], shape: number): Finding | undefined => {
        const { end } = chain[chain.length - 1];
        if (chain.length === count) {
          if (!accepted.includes(shape)) return undefined;
          const cells = chain.flatMap((link) => [...link.start, ...link.end]);
          const removals = board
            .removalsSeenBy([...chain[0].start, ...end], 1 << digit)
            .filter(({ cell }) => !cells.includes(cell));
          return removals.length === 0 ? undefined : { cells, digits: 1 << digit, removals };
        }
        for (const unit of unitsWith(board.layout, end)) {
          for (const next of startsIn.get(unit) ?? []) {
            if (!mayBecome(shape | next.shape) || chain.some((link) => overlap(link, next))) continue;
            const found = search([...chain, next], shape | next.shape);
            if (found !== undefined) return found;
          }
        }
        return undefined;
      };
      for (const link of links) {
        const found = search([link], link.shape);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
}

function overlap(one: StrongLink, other: StrongLink): boolean {
  const has = (cell: number) => one.start.includes(cell) || one.end.includes(cell);
  return other.start.some(has) || other.end.some(has);
}

/** The units that have all these cells. */
function unitsWith({ unitsOf }: Layout, cells: readonly number[]): number[] {
  return unitsOf[cells[0]].filter((unit) => cells.every((cell) => unitsOf[cell].includes(unit)));
}

/** All strong links of a digit, in both directions. */
function linksOf(board: Board, digit: number): StrongLink[] {
  const { places, size, layout } = board;
  return layout.order.flatMap((unit) => {
    const at = places[unit * size + digit];
    const kind = layout.kinds[unit];
    const shape = kind === 'row' ? 1 : kind === 'column' ? 2 : 4;
    const link = (slots: number, grouped: number) => {
      const [start, end] = [board.cellsAt(unit, slots), board.cellsAt(unit, at & ~slots)];
      return [
        { unit, start, end, shape: shape | grouped },
        { unit, start: end, end: start, shape: shape | grouped },
      ];
    };
    if (bitCount(at) === 2) return link(at & -at, 0);
    const crossings = layout.crossingsFrom[unit];
    return crossings.flatMap(({ inFrom }) => {
      const rest = at & ~inFrom;
      const isLink = rest !== 0 && rest !== at && crossings.some((other) => (rest & ~other.inFrom) === 0);
      return isLink ? link(at & inFrom, GROUPED) : [];
    });
  });
}

/** The most candidates of a chain. */
const MAX_CHAIN = 12;

/** A candidate from which follows, link by link, that it is none. */
export function chain(board: Board): Finding | undefined {
  for (let cell = 0; cell < board.candidates.length; cell++) {
    for (const digit of bitsOf(board.candidates[cell])) {
      const path = refutation(board, cell, digit);
      if (path !== undefined) {
        const digits = path.reduce((mask, one) => mask | (1 << (one % board.size)), 0);
        const cells = [...new Set(path.map((one) => Math.floor(one / board.size)))];
        return { cells, digits, removals: [{ cell, digits: 1 << digit }] };
      }
    }
  }
  return undefined;
}

/**
 * Returns the shortest chain from a candidate to its own removal. Candidates are numbered cell * size + digit; those at odd
 * positions of the chain are removed by the one before, those at even positions follow as the last of a pair.
 */
function refutation(board: Board, cell: number, digit: number): number[] | undefined {
  const { size } = board;
  const start = cell * size + digit;
  const reached = [new Set<number>(), new Set<number>()];
  let paths: number[][] = [[start]];
  for (let length = 1; length < MAX_CHAIN && paths.length > 0; length++) {
    const isOn = length % 2 === 1;
    const longer: number[][] = [];
    for (const path of paths) {
      const last = path[length - 1];
      const followers = isOn ? removedBy(board, last) : followingFrom(board, last);
      for (const next of followers) {
        if (isOn && next === start) return path;
        if (reached[length % 2].has(next)) continue;
        reached[length % 2].add(next);
        longer.push([...path, next]);
      }
    }
    paths = longer;
  }
  return undefined;
}

function removedBy({ candidates, layout, size }: Board, candidate: number): number[] {
  const digit = candidate % size;
  const cell = (candidate - digit) / size;
  const others = bitsOf(candidates[cell] & ~(1 << digit)).map((other) => cell * size + other);
  const peers = layout.peersOf[cell].filter((peer) => ((candidates[peer] >>> digit) & 1) === 1);
  return [...others, ...peers.map((peer) => peer * size + digit)];
}

function followingFrom({ candidates, layout, places, size }: Board, candidate: number): number[] {
  const digit = candidate % size;
  const cell = (candidate - digit) / size;
  const rest = bitsOf(candidates[cell] & ~(1 << digit));
  const following = rest.length === 1 ? [cell * size + rest[0]] : [];
  for (const [k, unit] of layout.unitsOf[cell].entries()) {
    const others = places[unit * size + digit] & ~(1 << layout.slotsOf[cell][k]);
    if (bitCount(others) === 1) following.push(layout.cells[unit][bitsOf(others)[0]] * size + digit);
  }
  return following;
}
