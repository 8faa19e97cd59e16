// The links of an ordinary 9x9: four nodes for each digit that is still possible in an open cell.
//
//     option   81 * digit + place, 0 .. 728: the digit's bit of a board (../../bitboard/board.ts)
//     item     1-81 cell, 82-162 row-digit, 163-243 column-digit, 244-324 box-digit; 0 is the root of their list
//     node     item: the head of its list | FIRST_NODE + 4 * option + k: the option's k-th item, in this order
//
// A grid in which only r1c1 and r1c2 are open, for the digits 1 and 2, both in box 1. Items are linked left and
// right, and below each item is its list, whose last node is linked to the head at the top:
//
//           root <-> r1c1 <-> r1c2 <-> r1#1 <-> r1#2 <-> c1#1 <-> c1#2 <-> c2#1 <-> c2#2 <-> b1#1 <-> b1#2 <-> root
//     1 in r1c1       o                 o                 o                                   o
//     1 in r1c2                o        o                                   o                 o
//     2 in r1c1       o                          o                 o                                   o
//     2 in r1c2                o                 o                                   o                 o
//     size            2        2        2        2        1        1        1        1        2        2
//
// (In a search, lists as short as that of c1#1 are rare: mostly their option has been propagated.) Selecting 1 in r1c1
// excludes the second and the third option, which are removed from all four lists. The last option is then settled
// too, and the items of both are removed from the list of items, which is empty: a solution.
//
//     hidden   | options removed from their lists, oldest first             |        up, down, size
//     covered  | options whose items are removed from the list of items     |        left, right
//
// Every hidden option is removed from all its lists, including those of covered items, in which Knuth's `cover`
// leaves it. So no list is walked, and each trail has its own links. Each trail is undone in reverse order; the order
// between the two does not matter.
//
// The number of a node has 16 bits, enough for 3,241 nodes.
//
// In the module's memory:
//
//     LINKS   | root | item 1 | ... | item 324 |                 16 bytes each: up, down, size, left, right
//             | option 0: 4 nodes | option 1 | ... | option 863 |  8 bytes a node: up, down, item, and one more
//
// All fields have 16 bits, and a link is an offset in bytes from LINKS, so an address needs no arithmetic. Each word
// of a digit has 32 options here, so an option is 96 * digit + its bit in the lowest 96 bits of the vector.

import { and, any, without } from "../../bitboard/wasm/vectors";

const ITEMS: usize = 324;
const HEAD: usize = 16;
const OPTION: usize = 32;
/** Options of a digit, and of all. */
const OF_DIGIT: usize = 96;
const OPTIONS: usize = 9 * OF_DIGIT;
/** Offset of the first option; a multiple of OPTION, so that a node's offset without its last bits is its option. */
const FIRST: usize = 5216;

const LINKS: usize = memory.data(FIRST + OPTIONS * OPTION, 16);
/** Filled by the host: the heads of empty lists, the start of every puzzle; items, digit and place of the options. */
export const EMPTY_HEADS: usize = memory.data(FIRST, 16);
export const LINKED_OPTIONS: usize = LINKS + FIRST;

// Fields.
const UP: usize = LINKS;
const DOWN: usize = LINKS + 2;
const ITEM: usize = LINKS + 4;
const SIZE: usize = LINKS + 4;
const LEFT: usize = LINKS + 6;
const RIGHT: usize = LINKS + 8;
/** In an option's first node: 16 * digit; in its second: 16 * place. */
const DIGIT: usize = LINKS + 6;
const PLACE: usize = LINKS + 14;

/** Options hidden, and options whose items are covered, oldest first. */
const HIDDEN: usize = memory.data(2 * OPTIONS, 16);
const COVERED: usize = memory.data(2 * 81, 16);
/** Ends of both trails. */
export let hiddenEnd: usize = HIDDEN;
export let coveredEnd: usize = COVERED;

@inline export function up(node: usize): usize { return load<u16>(node, UP); }
@inline export function down(node: usize): usize { return load<u16>(node, DOWN); }
@inline export function right(item: usize): usize { return load<u16>(item, RIGHT); }
@inline export function size(item: usize): u32 { return load<u16>(item, SIZE); }
/** The head of a node's list. */
@inline export function itemOf(node: usize): usize { return load<u16>(node, ITEM); }
/** The first node of a node's option: the one in the list of its cell. */
@inline export function optionOf(node: usize): usize { return node & ~(OPTION - 1); }
/** Offset of the vector of the option's digit in a board; of its place in a table by place. */
@inline export function digitOf(option: usize): usize { return load<u16>(option, DIGIT); }
@inline export function placeOf(option: usize): usize { return load<u16>(option, PLACE); }

@inline function optionAt(digit: usize, bit: u64): usize { return FIRST + OPTION * (OF_DIGIT * digit + <usize>bit); }

/** Links the candidates of a board's open cells, and the items with candidates. */
export function link(board: usize, open: v128): void {
  memory.copy(LINKS, EMPTY_HEADS, FIRST);
  hiddenEnd = HIDDEN;
  coveredEnd = COVERED;
  for (let digit: usize = 0; digit < 9; digit++) {
    const options = and(v128.load(board + 16 * digit), open);
    for (let bits: u64 = i64x2.extract_lane(options, 0); bits != 0; bits &= bits - 1) append(optionAt(digit, ctz(bits)));
    for (let bits: u64 = i64x2.extract_lane(options, 1); bits != 0; bits &= bits - 1) append(optionAt(digit, 64 + ctz(bits)));
  }
  // Each item is linked after the last one with options, and stays there if it has options too. No branch is needed.
  let last: usize = 0;
  for (let item = HEAD; item <= HEAD * ITEMS; item += HEAD) {
    store<u16>(item, <u16>last, LEFT);
    store<u16>(last, <u16>item, RIGHT);
    last = size(item) != 0 ? item : last;
  }
  store<u16>(last, 0, RIGHT);
  store<u16>(0, <u16>last, LEFT);
}

/** Hides the options that a board excludes, compared with `before`, and covers those it settles in `closed` cells. */
export function follow(before: usize, board: usize, closed: v128): void {
  let hidden = hiddenEnd, covered = coveredEnd;
  for (let digit: usize = 0; digit < 9; digit++) {
    const was = v128.load(before + 16 * digit), is = v128.load(board + 16 * digit);
    const gone = without(was, is);
    if (any(gone)) {
      hidden = hideAll(digit, 0, i64x2.extract_lane(gone, 0), hidden);
      hidden = hideAll(digit, 64, i64x2.extract_lane(gone, 1), hidden);
    }
    const settled = and(is, closed);
    if (any(settled)) {
      covered = coverAll(digit, 0, i64x2.extract_lane(settled, 0), covered);
      covered = coverAll(digit, 64, i64x2.extract_lane(settled, 1), covered);
    }
  }
  hiddenEnd = hidden;
  coveredEnd = covered;
}

/** Hides the options of a digit whose bits are set, from bit `first` on; returns the new end of the trail. */
@inline function hideAll(digit: usize, first: u64, bits: u64, end: usize): usize {
  for (; bits != 0; bits &= bits - 1) {
    const option = optionAt(digit, first + ctz(bits));
    store<u16>(end, <u16>option);
    end += 2;
    hide(option);
  }
  return end;
}

/** As `hideAll`, but covers the items of the options. */
@inline function coverAll(digit: usize, first: u64, bits: u64, end: usize): usize {
  for (; bits != 0; bits &= bits - 1) {
    const option = optionAt(digit, first + ctz(bits));
    store<u16>(end, <u16>option);
    end += 2;
    cover(option);
  }
  return end;
}

/** Unhides and uncovers backwards, down to these ends. The two trails share no links, so their order is free. */
export function undoTo(hidden: usize, covered: usize): void {
  let end = hiddenEnd;
  while (end > hidden) {
    end -= 2;
    unhide(load<u16>(end));
  }
  hiddenEnd = end;
  end = coveredEnd;
  while (end > covered) {
    end -= 2;
    uncover(load<u16>(end));
  }
  coveredEnd = end;
}

/** Appends an option to its four lists. */
@inline function append(option: usize): void {
  appendNode(option); appendNode(option + 8); appendNode(option + 16); appendNode(option + 24);
}
@inline function appendNode(node: usize): void {
  const item = itemOf(node);
  const bottom = up(item);
  store<u16>(node, <u16>bottom, UP);
  store<u16>(bottom, <u16>node, DOWN);
  store<u16>(node, <u16>item, DOWN);
  store<u16>(item, <u16>node, UP);
  store<u16>(item, <u16>(size(item) + 1), SIZE);
}

/** Removes an option from its four lists. */
@inline function hide(option: usize): void {
  hideNode(option); hideNode(option + 8); hideNode(option + 16); hideNode(option + 24);
}
@inline function hideNode(node: usize): void {
  const above = up(node), below = down(node), item = itemOf(node);
  store<u16>(above, <u16>below, DOWN);
  store<u16>(below, <u16>above, UP);
  store<u16>(item, <u16>(size(item) - 1), SIZE);
}
@inline function unhide(option: usize): void {
  unhideNode(option + 24); unhideNode(option + 16); unhideNode(option + 8); unhideNode(option);
}
@inline function unhideNode(node: usize): void {
  const item = itemOf(node);
  store<u16>(up(node), <u16>node, DOWN);
  store<u16>(down(node), <u16>node, UP);
  store<u16>(item, <u16>(size(item) + 1), SIZE);
}

/** Removes an option's items from the list of items. */
@inline function cover(option: usize): void {
  coverItem(itemOf(option)); coverItem(itemOf(option + 8)); coverItem(itemOf(option + 16)); coverItem(itemOf(option + 24));
}
@inline function coverItem(item: usize): void {
  const before: usize = load<u16>(item, LEFT), after = right(item);
  store<u16>(before, <u16>after, RIGHT);
  store<u16>(after, <u16>before, LEFT);
}
@inline function uncover(option: usize): void {
  uncoverItem(itemOf(option + 24)); uncoverItem(itemOf(option + 16)); uncoverItem(itemOf(option + 8)); uncoverItem(itemOf(option));
}
@inline function uncoverItem(item: usize): void {
  store<u16>(load<u16>(item, LEFT), <u16>item, RIGHT);
  store<u16>(right(item), <u16>item, LEFT);
}
