// The root of a search, as `link` of ../kernel.ts.

import { at, Entry, ENTRY_BYTES, Item, Node, placeOf, ROOT } from "./memory";

/** Links the options that the preselected decisions leave; false if two of these clash. */
export function linkOptions(): bool {
  memory.copy(ROOT, at.template, at.headsBytes);
  memory.fill(at.alive, 1, at.optionCount);
  at.linkedEnd = at.entries;
  const last = at.preselected + 4 * at.preselectedCount;
  for (let word = at.preselected; word < last; word += 4) {
    const decision = load<i32>(word);
    if (decision < 0) store<u8>(at.alive + ~decision, 0);
    else if (!preselect(decision)) return false;
  }
  const optionStart = at.optionStart, optionHeads = at.optionHeads;
  let node = at.entries;
  for (let block: usize = 0; block < at.optionCount; block += 64) {
    for (let left = aliveOf64(at.alive + block); left != 0; left &= left - 1) {
      const option = block + <usize>ctz(left);
      const start = 4 * load<usize>(optionStart + 4 * option), end = 4 * load<usize>(optionStart + 4 * option, 4);
      const first = node;
      for (let k = start; k < end; k += 4) {
        const item = load<Item>(optionHeads + k);
        const bottom = item.up;
        // Two fields in one store: up and down, item and next.
        const head = <u64>changetype<usize>(item);
        store<u64>(node, <u64>changetype<usize>(bottom) | (head << 32), offsetof<Entry>("up"));
        store<u64>(node, head | (<u64>(node + ENTRY_BYTES) << 32), offsetof<Entry>("item"));
        bottom.down = changetype<Node>(node);
        item.up = changetype<Node>(node);
        item.spare += 1;
        node += ENTRY_BYTES;
      }
      changetype<Entry>(node - ENTRY_BYTES).next = changetype<Entry>(first);
      store<usize>(at.optionOf + placeOf(changetype<Entry>(first), 4), option);
    }
  }
  at.linkedEnd = node;
  if (at.coloured != 0) copyColours();
  at.updates += <f64>(load<usize>(optionStart + 4 * at.optionCount) - (node - at.entries) / ENTRY_BYTES);
  return true;
}

/** Covers the items of an option and excludes all options that clash with it; false if it is already excluded. */
function preselect(option: usize): bool {
  if (load<u8>(at.alive + option) == 0) return false;
  const coloured = at.coloured != 0;
  const start = at.optionStart + 4 * option;
  const end = 4 * load<usize>(start, 4);
  for (let k = 4 * load<usize>(start); k < end; k += 4) {
    const colour = coloured ? load<u32>(at.optionColours + k) : 0;
    const item = load<Item>(at.optionHeads + k);
    // With another colour than that of the purified item, the option would be excluded.
    if (colour != 0 && item.isPurified) continue;
    item.commit();
    if (item.most > 0) continue;
    const index = at.itemStart + item.placeIn(4);
    const last = 4 * load<usize>(index);
    for (let m = 4 * load<usize>(index - 4); m < last; m += 4) {
      if (colour == 0 || load<u32>(at.itemColours + m) != colour) store<u8>(at.alive + load<usize>(at.itemOptions + m), 0);
    }
  }
  store<u8>(at.alive + option, 0);
  return true;
}

function copyColours(): void {
  let to = at.entryColours;
  for (let option: usize = 0; option < at.optionCount; option++) {
    if (load<u8>(at.alive + option) == 0) continue;
    const start = 4 * load<usize>(at.optionStart + 4 * option), end = 4 * load<usize>(at.optionStart + 4 * option, 4);
    memory.copy(to, at.optionColours + start, end - start);
    to += end - start;
  }
}

/** Returns one bit for each of 64 options. */
function aliveOf64(address: usize): u64 {
  return aliveOf16(address) | (aliveOf16(address + 16) << 16) | (aliveOf16(address + 32) << 32) | (aliveOf16(address + 48) << 48);
}

function aliveOf16(address: usize): u64 {
  return <u64>i8x16.bitmask(i8x16.ne(v128.load(address), i8x16.splat(0)));
}
