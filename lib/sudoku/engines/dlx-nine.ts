/**
 * The `dlx` engine's search of an ordinary 9x9: dancing links choose and branch, bitmasks say what follows.
 *
 * What is forced never comes near a link: dlx-propagation.ts propagates the givens, and most puzzles end there. For the
 * others the options that are left get links, as in Knuth's Algorithm X, and the search goes:
 *
 *     choose an item with the fewest options (its list, its size)
 *     for each option of its list:
 *         propagate the option on bitmasks          contradiction: next option, no link was touched
 *                                                   solved:        a solution, no link was touched
 *         otherwise bring the links up to date:
 *             cover the items of each option that is now settled
 *             hide each option that is now excluded
 *         go on one level deeper, and come back by undoing both in reverse order
 *
 * More than half of all nodes are contradictions, and they cost no link anything. That is the whole difference to
 * exact-cover/dancing-links.ts, which finds forced moves in the sizes of the lists while it covers.
 *
 *     option   27 * word + bit: the very bit of the board in dlx-propagation.ts
 *     item     1-81 cell, 82-162 row-digit, 163-243 column-digit, 244-324 box-digit
 *     node     0 root | 1 .. 324 items, heads of their lists | 325 + 4 * option + k: the option's k-th item
 *
 *     boards   | level 0 | level 1 | ...     36 words and 4 of open cells, as they stood when the level began
 *     trail    options hidden (>= 0) or covered (~option), oldest first; a level knows its height
 *
 * Tried and dropped (nodes a puzzle on a file of 375 hard sudokus, where this file needs 290): comparing the first 10
 * ties, 309, or 6, 351, and not 16: no gain in time. With weaker rules on the masks, no triads, where it needed 318:
 * the first item of least size, 553, 1.3 times the time; the least shared one, 799; the digit in most cells of two
 * candidates first, 388, about the same time; size / failures, which halves the exact-cover core's trees, 331, 1.1
 * times: the masks see trouble coming before an item runs out of options. Masks in TypeScript instead of WebAssembly:
 * half the speed.
 *
 * Invariants between nodes: an option has its four nodes in their lists if it is a candidate of an open cell of the
 * level's board, and in none otherwise; size[i] is the length of item i's list; items with a list are linked.
 */
import { type RunLimits, SearchStop } from '../../exact-cover/dancing-links.ts';
import { CELL_OF_PLACE } from './bitboard/board.ts';
import { BOARD_WORDS, createPropagation, Outcome, type Propagation } from './dlx-propagation.ts';

/** Bits of a board: 729 options, and 27 behind each digit that stand for none. */
const OPTIONS = 27 * BOARD_WORDS;
const ITEMS = 324;
const FIRST_NODE = 1 + ITEMS;
const NODES = FIRST_NODE + 4 * OPTIONS;
/** Words a level: the board, then its open cells. */
const LEVEL_WORDS = BOARD_WORDS + 4;
/** Each level settles a cell. */
const MOST_LEVELS = 82;
/** How many items of least size are compared before one is chosen. */
const TIES = 16;

const Phase = { root: 0, choose: 1, enter: 2, backtrack: 3, done: 4 } as const;

// Fixed for all puzzles, made with the first one. 4,213 nodes fit in 16 bits, and all links in the first-level cache:
// 0.98 of the time that 32 bits take.
const itemOf = new Int16Array(NODES);
const CELL_OF_OPTION = new Uint8Array(OPTIONS);

/** One search at a time, resumable; its counts are those of the exact-cover core. */
export class NineSearch {
  nodes = 0;
  guesses = 0;
  solutions = 0;

  private readonly up = new Int16Array(NODES);
  private readonly down = new Int16Array(NODES);
  private readonly left = new Int16Array(FIRST_NODE);
  private readonly right = new Int16Array(FIRST_NODE);
  private readonly size = new Int16Array(FIRST_NODE);
  private readonly boards = new Int32Array(MOST_LEVELS * LEVEL_WORDS);
  private readonly trail = new Int32Array(OPTIONS + 81);
  private trailEnd = 0;
  private readonly levelNode = new Int32Array(MOST_LEVELS);
  private readonly levelTrail = new Int32Array(MOST_LEVELS);
  private depth = 0;
  private phase: number = Phase.done;
  /** The solution found last, as a board. */
  private readonly solved = new Int32Array(BOARD_WORDS);
  private puzzle: Uint8Array = new Uint8Array(0);
  private puzzleAt = 0;

  private readonly propagation: Propagation;

  /** @param propagation says what follows without a guess; by default the fastest one there is */
  constructor(propagation: Propagation = createPropagation()) {
    nameNodes();
    this.propagation = propagation;
  }

  /** Begins with the puzzle whose 81 cells stand at `at`; the array must not change until the first `run`. */
  begin(cells: Uint8Array, at: number): void {
    this.nodes = 0;
    this.guesses = 0;
    this.solutions = 0;
    this.puzzle = cells;
    this.puzzleAt = at;
    this.phase = Phase.root;
  }

  /** As DancingLinks.run. */
  run(limits: RunLimits): SearchStop {
    const { maxSolutions, maxNodes, pauseAtSolution } = limits;
    const sliceEnd = this.nodes + limits.sliceNodes;
    if (this.solutions >= maxSolutions) {
      return SearchStop.solutionLimit;
    }
    for (;;) {
      let outcome: Outcome;
      switch (this.phase) {
        case Phase.choose:
          this.openLevel();
          this.phase = Phase.enter;
          continue;
        case Phase.backtrack:
          if (this.depth === 0) {
            this.phase = Phase.done;
            return SearchStop.exhausted;
          }
          this.undoTo(this.levelTrail[this.depth]);
          this.levelNode[this.depth] = this.down[this.levelNode[this.depth]];
          this.phase = Phase.enter;
          continue;
        case Phase.enter:
          if (this.nodes >= maxNodes) {
            return SearchStop.nodeLimit;
          }
          if (this.nodes >= sliceEnd) {
            return SearchStop.slice;
          }
          this.nodes++;
          outcome = this.tryOption();
          break;
        case Phase.root:
          if (this.nodes >= maxNodes) {
            return SearchStop.nodeLimit;
          }
          this.nodes++;
          outcome = this.enterRoot();
          break;
        default:
          return SearchStop.exhausted;
      }
      if (outcome === Outcome.open) {
        this.phase = Phase.choose;
        continue;
      }
      this.phase = Phase.backtrack;
      if (outcome === Outcome.solved) {
        this.solved.set(this.propagation.words);
        this.solutions++;
        if (this.solutions >= maxSolutions) {
          return SearchStop.solutionLimit;
        }
        if (pauseAtSolution) {
          return SearchStop.solution;
        }
      }
    }
  }

  /** Writes the solution found last: 81 digits from `at` on. */
  writeSolution(cells: Uint8Array, at: number): void {
    for (let w = 0; w < BOARD_WORDS; w++) {
      const digit = (w >> 2) + 1;
      for (let bits = this.solved[w]; bits !== 0; bits &= bits - 1) {
        cells[at + CELL_OF_OPTION[27 * w + 31 - Math.clz32(bits & -bits)]] = digit;
      }
    }
  }

  private enterRoot(): Outcome {
    this.depth = 0;
    this.trailEnd = 0;
    const { propagation, puzzle, puzzleAt } = this;
    if (!propagation.begin(puzzle, puzzleAt)) {
      throw new RangeError(
        `the puzzle at cell ${puzzleAt} has digit ${Math.max(...puzzle.subarray(puzzleAt, puzzleAt + 81))}: expected 0 to 9`,
      );
    }
    const outcome = propagation.settle();
    if (outcome === Outcome.open) {
      this.saveBoard(1);
      this.link();
    }
    return outcome;
  }

  /** Tries the level's option on the bitmasks; where that leaves something open, on the links too. */
  private tryOption(): Outcome {
    const { levelNode, boards, down, propagation } = this;
    const board = propagation.words;
    const level = this.depth;
    const node = levelNode[level];
    const from = level * LEVEL_WORDS;
    if (down[node] === itemOf[node]) {
      // The last option of its item: nothing to come back to.
      this.depth--;
    } else {
      this.guesses++;
    }
    const option = (node - FIRST_NODE) >> 2;
    const word = Math.floor(option / 27);
    const bit = 1 << (option % 27);
    for (let w = 0; w < BOARD_WORDS; w++) {
      board[w] = boards[from + w];
    }
    for (let w = word & 3; w < BOARD_WORDS; w += 4) {
      if (w !== word) {
        board[w] &= ~bit;
      }
    }
    const outcome = propagation.settle();
    if (outcome === Outcome.open) {
      this.follow(from);
      this.saveBoard(this.depth + 1);
    }
    return outcome;
  }

  private saveBoard(level: number): void {
    const { boards, propagation } = this;
    const { words: board, open } = propagation;
    const at = level * LEVEL_WORDS;
    for (let w = 0; w < BOARD_WORDS; w++) {
      boards[at + w] = board[w];
    }
    boards[at + BOARD_WORDS] = open[0];
    boards[at + BOARD_WORDS + 1] = open[1];
    boards[at + BOARD_WORDS + 2] = open[2];
  }

  /** Links the candidates of the open cells of `board`, and the items that they have. */
  private link(): void {
    const { up, down, left, right, size } = this;
    const { words: board, open } = this.propagation;
    for (let item = 1; item < FIRST_NODE; item++) {
      up[item] = item;
      down[item] = item;
      size[item] = 0;
    }
    for (let w = 0, k = 0; w < BOARD_WORDS; w++, k = (k + 1) & 3) {
      for (let bits = board[w] & open[k]; bits !== 0; bits &= bits - 1) {
        const first = FIRST_NODE + 4 * (27 * w + 31 - Math.clz32(bits & -bits));
        for (let node = first; node < first + 4; node++) {
          const item = itemOf[node];
          const bottom = up[item];
          up[node] = bottom;
          down[bottom] = node;
          down[node] = item;
          up[item] = node;
          size[item]++;
        }
      }
    }
    let last = 0;
    for (let item = 1; item < FIRST_NODE; item++) {
      if (size[item] !== 0) {
        left[item] = last;
        right[last] = item;
        last = item;
      }
    }
    left[0] = last;
    right[last] = 0;
  }

  /** Covers and hides on the links what `board` has settled and excluded since the board at `from`. */
  private follow(from: number): void {
    const { up, down, left, right, size, boards, trail } = this;
    const { words: board, open } = this.propagation;
    let trailEnd = this.trailEnd;
    for (let w = 0, k = 0; w < BOARD_WORDS; w++, k = (k + 1) & 3) {
      const before = boards[from + w];
      const now = board[w];
      const closed = boards[from + BOARD_WORDS + k] & ~open[k];
      for (let bits = before & ~now; bits !== 0; bits &= bits - 1) {
        const option = 27 * w + 31 - Math.clz32(bits & -bits);
        trail[trailEnd++] = option;
        const first = FIRST_NODE + 4 * option;
        for (let node = first; node < first + 4; node++) {
          const above = up[node];
          const below = down[node];
          down[above] = below;
          up[below] = above;
          size[itemOf[node]]--;
        }
      }
      for (let bits = now & closed; bits !== 0; bits &= bits - 1) {
        const option = 27 * w + 31 - Math.clz32(bits & -bits);
        trail[trailEnd++] = ~option;
        const first = FIRST_NODE + 4 * option;
        for (let node = first; node < first + 4; node++) {
          const item = itemOf[node];
          right[left[item]] = right[item];
          left[right[item]] = left[item];
        }
      }
    }
    this.trailEnd = trailEnd;
  }

  /** Uncovers and unhides, backwards, down to a height of the trail. */
  private undoTo(height: number): void {
    const { up, down, left, right, size, trail } = this;
    for (let k = this.trailEnd - 1; k >= height; k--) {
      const entry = trail[k];
      if (entry >= 0) {
        const first = FIRST_NODE + 4 * entry;
        for (let node = first + 3; node >= first; node--) {
          down[up[node]] = node;
          up[down[node]] = node;
          size[itemOf[node]]++;
        }
      } else {
        const first = FIRST_NODE + 4 * ~entry;
        for (let node = first + 3; node >= first; node--) {
          const item = itemOf[node];
          right[left[item]] = item;
          left[right[item]] = item;
        }
      }
    }
    this.trailEnd = height;
  }

  private openLevel(): void {
    this.depth++;
    this.levelNode[this.depth] = this.down[this.chooseItem()];
    this.levelTrail[this.depth] = this.trailEnd;
  }

  /**
   * An item of least size. Among the first of them the one whose options share their items with the most others,
   * since selecting either of them hides the most: this halves the tree of hard puzzles, and looking at no more
   * than the first few costs next to nothing.
   */
  private chooseItem(): number {
    const { down, right, size } = this;
    let best = 0;
    let least = 10;
    let mostShared = 0;
    let seen = 0;
    for (let item = right[0]; item !== 0; item = right[item]) {
      const itemSize = size[item];
      if (itemSize > least) {
        continue;
      }
      if (itemSize < least) {
        least = itemSize;
        mostShared = 0;
        seen = 0;
      }
      if (seen === TIES) {
        if (least === 2) {
          break;
        }
        continue;
      }
      seen++;
      let shared = 0;
      for (let node = down[item]; node !== item; node = down[node]) {
        const first = node - ((node - FIRST_NODE) & 3);
        shared +=
          size[itemOf[first]] + size[itemOf[first + 1]] + size[itemOf[first + 2]] + size[itemOf[first + 3]];
      }
      if (shared > mostShared) {
        mostShared = shared;
        best = item;
      }
    }
    return best;
  }
}

function nameNodes(): void {
  if (itemOf[1] !== 0) {
    return;
  }
  for (let item = 1; item <= ITEMS; item++) {
    itemOf[item] = item;
  }
  for (let option = 0; option < OPTIONS; option++) {
    const word = Math.floor(option / 27);
    if ((word & 3) === 3) {
      continue;
    }
    const cell = CELL_OF_PLACE[27 * (word & 3) + (option % 27)];
    const digit = word >> 2;
    const row = Math.floor(cell / 9);
    const column = cell % 9;
    const box = 3 * Math.floor(row / 3) + Math.floor(column / 3);
    const first = FIRST_NODE + 4 * option;
    CELL_OF_OPTION[option] = cell;
    itemOf[first] = 1 + cell;
    itemOf[first + 1] = 82 + 9 * row + digit;
    itemOf[first + 2] = 163 + 9 * column + digit;
    itemOf[first + 3] = 244 + 9 * box + digit;
  }
}
