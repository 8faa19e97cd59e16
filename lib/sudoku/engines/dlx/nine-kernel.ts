/**
 * The search of an ordinary 9x9: dancing links choose and branch, bitmasks say what follows.
 *
 * It is Knuth's Algorithm X on dancing links (TAOCP 7.2.2.1; the links go back to H. Hitotumatu and K. Noshita, 1979),
 * with one change: what is forced never comes near a link. A board of bitmasks (bitboard/board.ts) is carried along
 * with the links, and bitboard/propagation.ts settles on it all that needs no guess. Most puzzles end there. For the
 * others, the options that are left get links, and the search goes:
 *
 *     choose an item with the fewest options                            nine-choice.ts
 *     for each option of its list:
 *         copy the board, select the option on the copy, and propagate it
 *             contradiction: next option, no link was touched
 *             solved:        a solution, no link was touched
 *         otherwise bring the links up to date:                         nine-links.ts
 *             hide each option that is now excluded
 *             cover the items of each option that is now settled
 *         go on one level deeper, and come back by undoing both in reverse order
 *
 * So links hold what is open, and say where to branch and over what; the board says what an option leads to. Half of
 * all nodes are contradictions, which cost no link anything. exact-cover/dancing-links.ts, which has no board, finds
 * forced moves in the sizes of the lists while it covers.
 *
 *     boards   | level 0 | level 1 | ... | one above    |      27 words each, as they stood when the level began
 *     opens    | level 0 | level 1 | ...                       3 words each: its cells with two candidates or more
 *     nextNode, hiddenEnd, coveredEnd [level]                  what it tries next; the ends of the trails at its begin
 *
 * The selected options are not kept: a solved board is the solution.
 *
 * This one is for everywhere, and to be read. The one in simd/ is the same in WebAssembly, node for node: 4.5 times as
 * fast on the hardest puzzles, 5 times on 17-clue ones (test/bench/results). Links in TypeScript that called the
 * propagation in WebAssembly for each node took 2.6 times as long as links in WebAssembly, and 1.95 times on 17-clue
 * ones, in the same trees: a search is better not cut in two.
 *
 * A 17-clue puzzle takes 1.8 nodes in the mean, and 78 in 100 are over at the root; one of the hardest takes 171.
 *
 * Invariants between nodes: an option has its four nodes in their lists if it is a candidate of an open cell of the
 * level's board, and in none otherwise; an item is in the list of items if its list has options, and they are two or
 * more, as many as its size says.
 */
import { type SearchLimits, Stop } from '../../engine.ts';
import { BOARD_WORDS } from '../bitboard/board.ts';
import { open, propagate } from '../bitboard/propagation.ts';
import { placeGivens, setDigit, writeSolution } from '../bitboard/scalar-kernel.ts';
import type { Kernel } from '../kernel.ts';
import { chooseNineItem } from './nine-choice.ts';
import { bitOfOption, digitOfOption, FIRST_NODE, itemOf, NineLinks, wordOfOption } from './nine-links.ts';

/** A kernel of its own state; several may live side by side. */
export function createNineKernel(): Kernel {
  return new NineKernel();
}

/** Each level settles a cell; the last board above them is a solution. */
const MAX_BOARDS = 82;

const Phase = { root: 0, search: 1, done: 2 } as const;

class NineKernel implements Kernel {
  nodes = 0;
  guesses = 0;
  solutions = 0;
  readonly #links = new NineLinks();
  readonly #boards = new Int32Array(MAX_BOARDS * BOARD_WORDS);
  readonly #opens = new Int32Array(MAX_BOARDS * 3);
  readonly #nextNode = new Int32Array(MAX_BOARDS);
  readonly #hiddenEnd = new Int32Array(MAX_BOARDS);
  readonly #coveredEnd = new Int32Array(MAX_BOARDS);
  readonly #solution = new Uint8Array(81);
  /** The deepest level; -1 before the root has opened one. */
  #level = -1;
  #phase: number = Phase.done;

  begin(cells: Uint8Array, offset: number): boolean {
    this.nodes = 0;
    this.guesses = 0;
    this.solutions = 0;
    this.#level = -1;
    this.#phase = Phase.root;
    return placeGivens(this.#boards, cells, offset);
  }

  search(limits: SearchLimits): Stop {
    const { maxSolutions, maxNodes, pauseAtSolution } = limits;
    const sliceEnd = this.nodes + limits.sliceNodes;
    while (this.#phase !== Phase.done) {
      if (this.nodes >= maxNodes) return Stop.nodeLimit;
      if (this.nodes >= sliceEnd) return Stop.paused;
      this.nodes++;
      const isPossible = this.#phase === Phase.root ? this.#enterRoot() : this.#enterOption();
      if (isPossible && isOpen()) {
        this.#openLevel();
        continue;
      }
      if (isPossible) {
        this.solutions++;
        if (this.solutions === 1 || pauseAtSolution) {
          writeSolution(this.#boards, (this.#level + 1) * BOARD_WORDS, this.#solution);
        }
      }
      this.#backUp();
      if (isPossible && this.solutions >= maxSolutions) return Stop.solutionLimit;
      if (isPossible && pauseAtSolution) return Stop.paused;
    }
    return Stop.exhausted;
  }

  readSolution(cells: Uint8Array, offset: number): void {
    cells.set(this.#solution, offset);
  }

  /** Propagates the givens; what that leaves open gets links. Returns false for a contradiction. */
  #enterRoot(): boolean {
    this.#phase = Phase.search;
    if (!propagate(this.#boards, 0)) return false;
    if (isOpen()) this.#links.link(this.#boards, open);
    return true;
  }

  /** Tries the level's next option on the board above; where that leaves something open, on the links too. */
  #enterOption(): boolean {
    const links = this.#links;
    const boards = this.#boards;
    const from = this.#level * BOARD_WORDS;
    const to = from + BOARD_WORDS;
    const node = this.#nextNode[this.#level];
    const option = (node - FIRST_NODE) >> 2;
    if (links.down[node] !== itemOf[node]) this.guesses++;
    boards.copyWithin(to, from, to);
    setDigit(boards, to, digitOfOption[option], wordOfOption[option], bitOfOption[option]);
    if (!propagate(boards, to)) return false;
    if (isOpen()) links.follow(boards, from, this.#opens, 3 * this.#level, open);
    return true;
  }

  /** One level deeper, with the board that was propagated last. */
  #openLevel(): void {
    const links = this.#links;
    const level = ++this.#level;
    const item = chooseNineItem(links, this.#boards, level * BOARD_WORDS);
    this.#opens.set(open, 3 * level);
    this.#nextNode[level] = links.down[item];
    this.#hiddenEnd[level] = links.hiddenEnd;
    this.#coveredEnd[level] = links.coveredEnd;
  }

  /** To the next option of the deepest level that has one left, links and all. */
  #backUp(): void {
    const links = this.#links;
    for (; this.#level >= 0; this.#level--) {
      const level = this.#level;
      links.undoTo(this.#hiddenEnd[level], this.#coveredEnd[level]);
      const node = this.#nextNode[level];
      const next = links.down[node];
      if (next !== itemOf[node]) {
        this.#nextNode[level] = next;
        return;
      }
    }
    this.#phase = Phase.done;
  }
}

/** Whether the board that was propagated last has cells with two candidates or more. */
function isOpen(): boolean {
  return (open[0] | open[1] | open[2]) !== 0;
}
