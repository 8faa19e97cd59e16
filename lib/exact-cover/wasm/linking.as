// The root of a search, as in ../linking.ts.

import {
  ALIVE, COLOURED, COVERED, DOWN, ENTRIES, ENTRY, ENTRY_COLOURS, HEADS_BYTES, ITEM, ITEM_COLOURS, ITEM_OPTIONS,
  ITEM_START, LEFT, LINKED_END, NEXT, OPTION_COLOURS, OPTION_COUNT, OPTION_HEADS, OPTION_OF, OPTION_START, PRESELECTED,
  PRESELECTED_COUNT, RIGHT, ROOT, SIZE, TEMPLATE, UP, UPDATES,
} from "./memory";

/** Links the options that the preselected ones leave; false if two preselected options clash. */
export function linkOptions(): bool {
  const alive = load<usize>(ALIVE), entries = load<usize>(ENTRIES), optionCount = load<usize>(OPTION_COUNT);
  memory.copy(ROOT, load<usize>(TEMPLATE), load<usize>(HEADS_BYTES));
  memory.fill(alive, 1, optionCount);
  store<usize>(LINKED_END, entries);
  const preselected = load<usize>(PRESELECTED);
  const last = preselected + 4 * load<usize>(PRESELECTED_COUNT);
  for (let at = preselected; at < last; at += 4) {
    if (!preselect(load<usize>(at))) return false;
  }
  const optionStart = load<usize>(OPTION_START), optionHeads = load<usize>(OPTION_HEADS);
  const optionOf = load<usize>(OPTION_OF) - entries / 4;
  let node = entries;
  for (let block: usize = 0; block < optionCount; block += 64) {
    for (let left = aliveOf64(alive + block); left != 0; left &= left - 1) {
      const option = block + <usize>ctz(left);
      const start = 4 * load<usize>(optionStart + 4 * option), end = 4 * load<usize>(optionStart + 4 * option, 4);
      const first = node;
      for (let k = start; k < end; k += 4) {
        const head = load<usize>(optionHeads + k);
        const bottom = load<usize>(head, UP);
        // Two fields in one store: UP and DOWN, ITEM and NEXT.
        store<u64>(node, <u64>bottom | (<u64>head << 32), UP);
        store<u64>(node, <u64>head | (<u64>(node + ENTRY) << 32), ITEM);
        store<usize>(bottom, node, DOWN);
        store<usize>(head, node, UP);
        store<i32>(head, load<i32>(head, SIZE) + 1, SIZE);
        node += ENTRY;
      }
      store<usize>(node - ENTRY, first, NEXT);
      store<usize>(optionOf + first / 4, option);
    }
  }
  store<usize>(LINKED_END, node);
  if (load<u32>(COLOURED) != 0) copyColours();
  store<f64>(UPDATES, <f64>(load<usize>(optionStart + 4 * optionCount) - (node - entries) / ENTRY));
  return true;
}

/** Covers the items of an option and excludes all options that clash with it; false if it is already excluded. */
function preselect(option: usize): bool {
  const alive = load<usize>(ALIVE);
  if (load<u8>(alive + option) == 0) return false;
  const coloured = load<u32>(COLOURED) != 0;
  const itemOptions = load<usize>(ITEM_OPTIONS), itemColours = load<usize>(ITEM_COLOURS);
  const start = load<usize>(OPTION_START) + 4 * option;
  const end = 4 * load<usize>(start, 4);
  for (let k = 4 * load<usize>(start); k < end; k += 4) {
    const colour = coloured ? load<u32>(load<usize>(OPTION_COLOURS) + k) : 0;
    const item = load<usize>(load<usize>(OPTION_HEADS) + k);
    const size = load<i32>(item, SIZE);
    if (colour != 0 && size >= 2 * COVERED) continue;
    store<i32>(item, size + COVERED, SIZE);
    const before = load<usize>(item, LEFT), after = load<usize>(item, RIGHT);
    store<usize>(before, after, RIGHT);
    store<usize>(after, before, LEFT);
    // A head has eight words; an entry of ITEM_START has one.
    const index = load<usize>(ITEM_START) + (item - ROOT) / 8;
    const last = 4 * load<usize>(index);
    for (let m = 4 * load<usize>(index - 4); m < last; m += 4) {
      if (colour == 0 || load<u32>(itemColours + m) != colour) store<u8>(alive + load<usize>(itemOptions + m), 0);
    }
  }
  store<u8>(alive + option, 0);
  return true;
}

function copyColours(): void {
  const alive = load<usize>(ALIVE), optionCount = load<usize>(OPTION_COUNT);
  const optionStart = load<usize>(OPTION_START), colours = load<usize>(OPTION_COLOURS);
  let to = load<usize>(ENTRY_COLOURS);
  for (let option: usize = 0; option < optionCount; option++) {
    if (load<u8>(alive + option) == 0) continue;
    const start = 4 * load<usize>(optionStart + 4 * option), end = 4 * load<usize>(optionStart + 4 * option, 4);
    memory.copy(to, colours + start, end - start);
    to += end - start;
  }
}

/** Returns one bit for each of 64 options. */
function aliveOf64(at: usize): u64 {
  return aliveOf16(at) | (aliveOf16(at + 16) << 16) | (aliveOf16(at + 32) << 32) | (aliveOf16(at + 48) << 48);
}

function aliveOf16(at: usize): u64 {
  return <u64>i8x16.bitmask(i8x16.ne(v128.load(at), i8x16.splat(0)));
}
