/** Chains of links between candidates: of one digit through units, and short ones of any digits. */
import type { Board } from './board.ts';
import { type Find, type Finding, finding, first } from './finding.ts';
import { bitCount, bitsOf } from './layout.ts';

/** One end of a strong link: a cell, or several cells that are in a second unit too. */
interface End {
  /** The units that have all its cells. */
  readonly units: readonly number[];
  /** Other cells with the digit that see all its cells. */
  readonly seen: readonly number[];
}

/** A digit of a unit is at one of two ends. */
interface StrongLink {
  readonly start: End;
  readonly end: End;
  readonly cells: readonly number[];
  /** A bit for a row, a column, another unit, and for an end of several cells. */
  readonly shape: number;
  /** Links whose start shares a unit with the end. */
  followers?: readonly StrongLink[];
}

/** The least and the greatest shape of all links of a chain together. */
const SHAPES = { parallel: [1, 2], crossed: [3, 3], block: [4, 7], mixed: [3, 7], grouped: [8, 15] } as const;

const GROUPED = 8;

/**
 * Strong links of one digit, each end of which shares a unit with the start of the next: the digit is at the first start or
 * at the last end, so cells that see both lose it.
 */
export function strongLinks(count: number, shapes: keyof typeof SHAPES): Find {
  const [least, greatest] = SHAPES[shapes];
  return (board) =>
    first(Array(board.size).keys(), (digit) => {
      const links = board.layout.order
        .flatMap((unit) => linksIn(board, unit, digit, greatest > GROUPED))
        .filter(({ shape }) => shape <= greatest);
      const search = (chain: readonly StrongLink[], cells: readonly number[]): Finding | undefined => {
        const last = chain[chain.length - 1];
        if (chain.length === count) {
          const lost = last.end.seen.filter(
            (cell) => chain[0].start.seen.includes(cell) && !cells.includes(cell),
          );
          const shape = chain.reduce((together, link) => together | link.shape, 0);
          if (shape < least || shape > greatest) return undefined;
          return finding(cells, 1 << digit, board.removals(lost, 1 << digit));
        }
        last.followers ??= links.filter(({ start }) =>
          start.units.some((unit) => last.end.units.includes(unit)),
        );
        return first(last.followers, (next) =>
          next.cells.some((cell) => cells.includes(cell))
            ? undefined
            : search([...chain, next], [...cells, ...next.cells]),
        );
      };
      return first(links, (link) => search([link], link.cells));
    });
}

/** The strong links of a digit in a unit, in both directions. */
function linksIn(board: Board, unit: number, digit: number, grouped: boolean): StrongLink[] {
  const { kinds, crossings } = board.layout;
  const at = board.places[unit * board.size + digit];
  const isPair = bitCount(at) === 2;
  // The places at one end of each link; the others are at its other end.
  const ends = isPair ? [at & -at] : [];
  const crossing = grouped && !isPair ? crossings.filter(({ from }) => from === unit) : [];
  for (const { inFrom } of crossing) {
    const rest = at & ~inFrom;
    const isEnd = rest !== at && crossing.some((other) => (rest & ~other.inFrom) === 0);
    if (rest !== 0 && isEnd && !ends.includes(at & inFrom)) ends.push(rest);
  }
  const shape = (kinds[unit] === 'row' ? 1 : kinds[unit] === 'column' ? 2 : 4) | (isPair ? 0 : GROUPED);
  return ends.flatMap((slots) => {
    const [start, end] = [slots, at & ~slots].map((part) => endOf(board, board.cellsAt(unit, part), digit));
    const link = { cells: board.cellsAt(unit, at), shape };
    return [
      { ...link, start, end },
      { ...link, start: end, end: start },
    ];
  });
}

function endOf(board: Board, cells: readonly number[], digit: number): End {
  const { unitsOf } = board.layout;
  return {
    units: unitsOf[cells[0]].filter((unit) => cells.every((cell) => unitsOf[cell].includes(unit))),
    seen: board.removalsSeenBy(cells, 1 << digit).map(({ cell }) => cell),
  };
}

/** The most candidates of a chain. */
const MAX_CHAIN = 6;

/**
 * A candidate from which follows, link by link, that it is none. Candidates are numbered cell * size + digit; each one in a
 * chain excludes one half of a pair, of which the next is the other half, and the last excludes the first.
 */
export function chain(board: Board): Finding | undefined {
  const { candidates, size } = board;
  return first(candidates.keys(), (cell) =>
    first(bitsOf(candidates[cell]), (digit) => {
      const start = cell * size + digit;
      const reached = new Set([start]);
      let paths = [[start]];
      for (let length = 1; length <= MAX_CHAIN; length++) {
        const longer: number[][] = [];
        for (const path of paths) {
          const excluded = excludedBy(board, path[path.length - 1]);
          if (excluded.includes(start)) {
            const digits = path.reduce((mask, one) => mask | (1 << (one % size)), 0);
            const cells = path.map((one) => Math.floor(one / size));
            return finding(cells, digits, [{ cell, digits: 1 << digit }]);
          }
          for (const next of excluded.flatMap((one) => otherHalves(board, one))) {
            if (!reached.has(next)) longer.push([...path, next]);
            reached.add(next);
          }
        }
        paths = longer;
      }
      return undefined;
    }),
  );
}

/** The candidates that a digit excludes: others of its cell, and the digit in the cells that see it. */
function excludedBy({ candidates, layout, size }: Board, candidate: number): number[] {
  const digit = candidate % size;
  const cell = (candidate - digit) / size;
  const others = bitsOf(candidates[cell] & ~(1 << digit)).map((other) => cell * size + other);
  const peers = [...layout.peersOf[cell]].filter((peer) => ((candidates[peer] >>> digit) & 1) === 1);
  return [...others, ...peers.map((peer) => peer * size + digit)];
}

/** The candidates that are the only others of their cell, or of the digit in a unit. */
function otherHalves(board: Board, candidate: number): number[] {
  const { candidates, layout, size } = board;
  const digit = candidate % size;
  const cell = (candidate - digit) / size;
  const others = bitsOf(candidates[cell] & ~(1 << digit)).map((other) => cell * size + other);
  const inUnits = layout.unitsOf[cell].map((unit) =>
    board.cellsWith(unit, digit).flatMap((other) => (other === cell ? [] : [other * size + digit])),
  );
  return [others, ...inUnits].flatMap((halves) => (halves.length === 1 ? halves : []));
}
