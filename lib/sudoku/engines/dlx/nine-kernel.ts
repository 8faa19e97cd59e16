/**
 * The search of an ordinary 9x9: it begins on boards of bitmasks, and dancing links finish it.
 *
 * The first 128 nodes are those of the `bitboard` engine (bitboard/scalar-kernel.ts), which solve all but the hardest
 * puzzles. Then the links take over: each open board is linked and searched to its end, the latest one first. So links are
 * not built for puzzles that need few guesses, nor for almost empty ones, whose hundreds of options would all be linked.
 *
 *     boards   | board 0 | board 1 | board 2 |                         stack of open boards after 128 nodes
 *                                       root of the first linked search; then board 1, then board 0
 *
 * The linked search is Knuth's Algorithm X on dancing links (TAOCP 7.2.2.1; the links go back to H. Hitotumatu and K.
 * Noshita, 1979) with one change: forced moves never use the links. A board accompanies the links, and
 * bitboard/propagation.ts settles on it the cells that need no guess:
 *
 *     choose an item with the fewest options                            nine-choice.ts
 *     for each option of its list:
 *         copy the board, select the option on the copy, and propagate it
 *             contradiction: next option, no link has changed
 *             solved:        a solution, no link has changed
 *         otherwise update the links:                                   nine-links.ts
 *             hide each option that is now excluded
 *             cover the items of each option that is now settled
 *         continue one level deeper, and undo both in reverse order
 *
 * So the links contain the open options and determine where to branch; the board gives the consequences of an option.
 * Half of all nodes are contradictions, which change no link. exact-cover/dancing-links.ts, which has no board, finds
 * forced moves in the sizes of the lists while it covers.
 *
 *     boards   | open boards ... | level 0 | level 1 | ... | the next one |      27 words each
 *     opens                      | level 0 | level 1 | ...              3 words each: its cells with two candidates or more
 * nextNode, hiddenEnd, coveredEnd [level]                  the next node to try; the ends of the trails at its start
 *
 * The selected options are not stored: a solved board is the solution.
 *
 * When the links take over (mean nodes per puzzle, and time relative to `bitboard`):
 *
 *     after            1 node            32             128             512
 *     magictour        14.1  1.71    17.5  1.10      17.9  1.02      17.9  1.01
 *     hardest 1905    119.8  2.00   126.8  1.80     142.7  1.22     149.9  1.00
 *     hardest 1106    166.9  1.73   175.7  1.61     207.3  1.36     249.3  1.01
 *     16-clue          15.9  3.76    12.1  1.04      12.2  1.00      12.2  1.00
 *
 * The links see more: the places of a digit in rows, columns and boxes, not only the candidates of cells. They take a
 * third fewer nodes on the hardest puzzles, and more than twice the time for each. Their choice is the steadier one: of
 * 5,904 hard puzzles, the longest search takes 807 nodes with `bitboard`, 610 here. 128 nodes keep this for the searches
 * that are long, and cost the others nothing.
 *
 * This kernel runs everywhere and is meant to be read. The one in simd/ does the same in WebAssembly, node for node. A
 * search should not be split between the two: links in TypeScript that called the propagation in WebAssembly took 2.6 times
 * as long as links in WebAssembly, and 1.95 times on 17-clue puzzles, in the same trees.
 *
 * Invariants between nodes: the four nodes of an option are all in their lists if it is a candidate of an open cell
 * of the level's board, else none is; an item is in the list of items if its list has options, and its size is their
 * number. An item whose last option was hidden may remain in the list, with size 0; the next propagation finds the
 * contradiction.
 */
import { type SearchLimits, Stop } from '../../engine.ts';
import { BOARD_WORDS } from '../bitboard/board.ts';
import { open, propagate } from '../bitboard/propagation.ts';
import { ScalarKernel, setDigit, writeSolution } from '../bitboard/scalar-kernel.ts';
import type { Kernel } from '../kernel.ts';
import { chooseNineItem } from './nine-choice.ts';
import { bitOfOption, digitOfOption, FIRST_NODE, itemOf, NineLinks, wordOfOption } from './nine-links.ts';

/** Nodes after which the links take over. */
export const LINKED_AFTER = 128;

/**
 * Creates a kernel with its own state; several may exist at once.
 *
 * @param linkedAfter nodes after which the links take over
 */
export function createNineKernel(linkedAfter = LINKED_AFTER): Kernel {
  return new NineKernel(linkedAfter);
}

/** Each of 81 levels settles a cell; the board above them is a solution. */
const MAX_LEVELS = 82;

class NineKernel extends ScalarKernel {
  readonly #links = new NineLinks();
  readonly #opens = new Int32Array(MAX_LEVELS * 3);
  readonly #nextNode = new Int32Array(MAX_LEVELS);
  readonly #hiddenEnd = new Int32Array(MAX_LEVELS);
  readonly #coveredEnd = new Int32Array(MAX_LEVELS);
  /** The deepest level, whose board is the top one; -1 if no board is linked. */
  #level = -1;
  #isTaken = false;
  readonly #linkedAfter: number;

  constructor(linkedAfter: number) {
    super();
    this.#linkedAfter = linkedAfter;
  }

  override get bytes(): number {
    // Six words for each level.
    return super.bytes + this.#links.bytes + 4 * 6 * MAX_LEVELS;
  }

  override begin(cells: Uint8Array, offset: number): boolean {
    this.#level = -1;
    this.#isTaken = false;
    return super.begin(cells, offset);
  }

  override search(limits: SearchLimits): Stop {
    const sliceEnd = this.nodes + limits.sliceNodes;
    if (!this.#isTaken) {
      const stop = super.search({ ...limits, maxNodes: Math.min(limits.maxNodes, this.#linkedAfter) });
      if (stop !== Stop.nodeLimit || limits.maxNodes <= this.#linkedAfter) return stop;
      this.#isTaken = true;
    }
    return this.#searchLinks(limits, sliceEnd);
  }

  #searchLinks({ maxSolutions, maxNodes, pauseAtSolution }: SearchLimits, sliceEnd: number): Stop {
    while (this.top >= 0) {
      if (this.nodes >= maxNodes) return Stop.nodeLimit;
      if (this.nodes >= sliceEnd) return Stop.paused;
      this.nodes++;
      const isPossible = this.#level < 0 ? this.#enterBoard() : this.#enterOption();
      if (isPossible && isOpen()) {
        this.#openLevel();
        continue;
      }
      if (isPossible) {
        this.solutions++;
        if (this.solutions === 1 || pauseAtSolution) {
          writeSolution(this.boards, this.top + BOARD_WORDS, this.solution);
        }
      }
      this.#backUp();
      if (isPossible && this.solutions >= maxSolutions) return Stop.solutionLimit;
      if (isPossible && pauseAtSolution) return Stop.paused;
    }
    return Stop.exhausted;
  }

  /** Propagates the top board and links its options, or discards it if no cells stay open; false for a contradiction. */
  #enterBoard(): boolean {
    const isPossible = propagate(this.boards, this.top, true);
    if (isPossible && isOpen()) this.#links.link(this.boards, this.top, open);
    else this.top -= BOARD_WORDS;
    return isPossible;
  }

  /**
   * Tries the next option of the level on the next board and, if cells stay open, on the links; false for a
   * contradiction.
   */
  #enterOption(): boolean {
    const links = this.#links;
    const { boards, top: from } = this;
    const to = from + BOARD_WORDS;
    const node = this.#nextNode[this.#level];
    const option = (node - FIRST_NODE) >> 2;
    if (links.down[node] !== itemOf[node]) this.guesses++;
    boards.copyWithin(to, from, to);
    setDigit(boards, to, digitOfOption[option], wordOfOption[option], bitOfOption[option]);
    if (!propagate(boards, to, true)) return false;
    if (isOpen()) {
      links.follow(boards, from, this.#opens, 3 * this.#level, open);
      this.top = to;
    }
    return true;
  }

  /** Opens the next level with the board that was propagated last. */
  #openLevel(): void {
    const links = this.#links;
    const level = ++this.#level;
    const item = chooseNineItem(links, this.boards, this.top);
    this.#opens.set(open, 3 * level);
    this.#nextNode[level] = links.down[item];
    this.#hiddenEnd[level] = links.hiddenEnd;
    this.#coveredEnd[level] = links.coveredEnd;
  }

  /** Restores the links and goes to the next option of the deepest level that has one left. */
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
      this.top -= BOARD_WORDS;
    }
  }
}

/** Whether the board that was propagated last has cells with two candidates or more. */
function isOpen(): boolean {
  return (open[0] | open[1] | open[2]) !== 0;
}
