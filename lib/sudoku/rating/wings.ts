/** Wings: cells that have one digit more than there are cells, and a cell with two of these digits. */
import { type Find, type Finding, finding, first } from './finding.ts';
import { bitCount, bitsOf } from './layout.ts';

/**
 * Cells that see each other and have one digit more than there are cells, and a cell with two of these digits, x and z, that
 * sees all their x: one of them is z, so cells that see all z of the pattern lose it. If the cell sees all z too, the pattern
 * has each of its digits, and each is removed where all its cells are seen.
 *
 * @param largest numbers of candidates that the largest of the cells may have
 */
export function wing(size: number, largest: readonly number[]): Find {
  return (board) => {
    const { candidates } = board;
    const { peersOf } = board.layout;
    const few = [...candidates.keys()].filter(
      (cell) => bitCount(candidates[cell]) <= size + 1 && candidates[cell] !== 0,
    );
    const pairs = few.filter((cell) => bitCount(candidates[cell]) === 2);
    const complete = (cells: readonly number[], union: number) => {
      if (!largest.includes(Math.max(...cells.map((cell) => bitCount(candidates[cell]))))) return undefined;
      const having = (digits: number) => cells.filter((cell) => (candidates[cell] & digits) !== 0);
      return first(pairs, (pair) => {
        const both = candidates[pair];
        if ((both & ~union) !== 0 || cells.includes(pair)) return undefined;
        const seen = bitsOf(both)
          .map((digit) => 1 << digit)
          .filter((digit) => having(digit).every((cell) => peersOf[pair].has(cell)));
        const removals = seen.flatMap((x) => board.removalsSeenBy([pair, ...having(both & ~x)], both & ~x));
        const others = seen.length === 2 ? bitsOf(union & ~both).map((digit) => 1 << digit) : [];
        removals.push(...others.flatMap((digit) => board.removalsSeenBy(having(digit), digit)));
        return finding([...cells, pair], union, removals);
      });
    };
    const search = (cells: readonly number[], union: number): Finding | undefined => {
      if (cells.length === size) return bitCount(union) === size + 1 ? complete(cells, union) : undefined;
      return first(few, (cell) => {
        const wider = union | candidates[cell];
        if (cell <= (cells.at(-1) ?? -1) || bitCount(wider) > size + 1) return undefined;
        return cells.every((other) => peersOf[cell].has(other)) ? search([...cells, cell], wider) : undefined;
      });
    };
    return search([], 0);
  };
}
