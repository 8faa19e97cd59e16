import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BOARD_WORDS, CELL_OF_PLACE } from '../../../../lib/sudoku/engines/bitboard/board.ts';
import { open, propagate } from '../../../../lib/sudoku/engines/bitboard/propagation.ts';
import { placeGivens, setDigit } from '../../../../lib/sudoku/engines/bitboard/scalar-kernel.ts';
import {
  bitOfOption,
  digitOfOption,
  FIRST_NODE,
  ITEMS,
  itemOf,
  itemsOf,
  NineLinks,
  wordOfOption,
} from '../../../../lib/sudoku/engines/dlx/nine-links.ts';
import { standardGeometry } from '../../../../lib/sudoku/geometry/geometry.ts';
import { puzzleOf } from '../../random-puzzles.ts';

/** The options in each item's list, read downwards. An item without options left can remain in the list of items. */
function read(links: NineLinks) {
  const lists: number[][] = [];
  for (let item = links.right[0]; item !== 0; item = links.right[item]) {
    const list = [item];
    for (let node = links.down[item]; node !== item; node = links.down[node]) {
      expect(links.up[links.down[node]]).toBe(node);
      list.push((node - FIRST_NODE) >> 2);
    }
    expect(links.size[item]).toBe(list.length - 1);
    if (list.length > 1) lists.push(list);
  }
  return lists;
}

/** The expected lists of a board: by item its number, then the candidates of open cells, ascending. */
function listsOf(board: Int32Array, at: number, openCells: Int32Array): number[][] {
  const lists = Array.from({ length: ITEMS + 1 }, (_, item) => [item]);
  for (let option = 0; option < 729; option++) {
    const word = wordOfOption[option];
    const bits = board[at + 3 * digitOfOption[option] + word] & openCells[word];
    if (((bits >>> bitOfOption[option]) & 1) === 0) continue;
    const cell = CELL_OF_PLACE[option % 81];
    for (const item of itemsOf(cell, digitOfOption[option])) lists[item].push(option);
  }
  return lists.filter((list) => list.length > 1);
}

const everything = (links: NineLinks) =>
  structuredClone({
    lists: read(links),
    left: links.left,
    right: links.right,
    up: links.up,
    down: links.down,
    size: links.size,
  });

describe('the links of a 9x9', () => {
  test('have four items for each option, numbered as in textbooks', () => {
    // Row 4, column 2, digit 7: 29, 115, 178, 277.
    expect(itemsOf(3 * 9 + 1, 6)).toEqual([29, 115, 178, 277]);
    const all = Array.from({ length: 729 }, (_, option) =>
      itemsOf(CELL_OF_PLACE[option % 81], Math.floor(option / 81)),
    );
    expect(all.flat()).toEqual([...itemOf.subarray(FIRST_NODE)]);
    const counts = Map.groupBy(all.flat(), (item) => item);
    expect([counts.size, new Set([...counts.values()].map((options) => options.length))]).toEqual([
      324,
      new Set([9]),
    ]);
  });

  test('contain the candidates of open cells, follow a choice, and are restored exactly', () => {
    let followed = 0;
    fc.assert(
      fc.property(
        puzzleOf(standardGeometry(9)),
        fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
        (cells, choices) => {
          const boards = new Int32Array(6 * BOARD_WORDS);
          const links = new NineLinks();
          placeGivens(boards, cells, 0);
          if (!propagate(boards, 0, true) || (open[0] | open[1] | open[2]) === 0) return;
          links.link(boards, 0, open);
          expect(read(links)).toEqual(listsOf(boards, 0, open));
          const levels = [{ state: everything(links), hiddenEnd: 0, coveredEnd: 0 }];
          for (const [level, choice] of choices.entries()) {
            const [from, to] = [level * BOARD_WORDS, (level + 1) * BOARD_WORDS];
            const before = open.slice();
            const options = levels[level].state.lists.flatMap(([, ...list]) => list);
            const option = options[choice % options.length];
            boards.copyWithin(to, from, to);
            setDigit(boards, to, digitOfOption[option], wordOfOption[option], bitOfOption[option]);
            if (!propagate(boards, to, true) || (open[0] | open[1] | open[2]) === 0) break;
            links.follow(boards, from, before, 0, open);
            followed++;
            expect(read(links)).toEqual(listsOf(boards, to, open));
            levels.push({
              state: everything(links),
              hiddenEnd: links.hiddenEnd,
              coveredEnd: links.coveredEnd,
            });
          }
          for (const { state, hiddenEnd, coveredEnd } of levels.reverse()) {
            links.undoTo(hiddenEnd, coveredEnd);
            expect(everything(links)).toEqual(state);
          }
        },
      ),
    );
    expect(followed).toBeGreaterThan(0);
  });
});
