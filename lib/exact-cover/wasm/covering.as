// The dance, as in ../kernel.ts.
//
// The functions are generic in the kind of the search, `Once` or `Several`, as that is the condition that AssemblyScript decides
// when it compiles them: a module has one of both, and where items are contained once, nothing asks whether one may be taken again.

import { at, colourOf, Entry, Item, ITEM_BYTES, optionOf, ROOT } from "./memory";

/** Every item is contained once, and all options of an item are tried (Algorithms X and C). */
export type Once = i32;
/** Items may be contained several times, and options are in or out (Algorithm M). */
export type Several = bool;

/** Ends of path and trail. */
export let pathEnd: usize = 0;
export let trailEnd: usize = 0;
/** Whether an item has failed since `beginCovering`. */
export let weighted: bool = false;
/** Whether failed items get weights. */
export let learning: bool = true;

export function beginCovering(learn: bool): void {
  learning = learn;
  pathEnd = at.path;
  trailEnd = at.trail;
  weighted = false;
}

/** Selects every option that is forced at the root; false if an item has failed. */
export function settleRoot<Kind>(): bool {
  let top = at.stack;
  const end = ROOT + at.headsBytes;
  // No branches, because processors cannot predict them: every item is written, and kept if it is forced or has failed;
  // `failed` is negative at the end if any item has.
  let failed: i32 = 0;
  for (let address = ROOT + ITEM_BYTES; address < end; address += ITEM_BYTES) {
    const spare = changetype<Item>(address).spare;
    store<usize>(top, address);
    top += (<u32>(spare - 1) >> 31) << 2;
    failed |= spare;
  }
  return failed >= 0 && select<Kind>(0, top);
}

/** Selects the option of an entry (0: none), then every option that becomes forced; false if an item has failed. */
export function select<Kind>(first: usize, stackEnd: usize): bool {
  const several = isBoolean<Kind>();
  const coloured = at.coloured != 0;
  const stack = at.stack;
  const trailStart = trailEnd;
  let top = stackEnd;
  let path = pathEnd;
  let trail = trailStart;
  let failed: i32 = 0;
  let selected = first;
  while (true) {
    while (selected == 0 && top > stack) {
      top -= 4;
      const item = load<Item>(top);
      if (item.spare != 0) continue;
      selected = changetype<usize>(item.down);
      if (several) {
        // It may need another option; if it needs none, its list is empty.
        if (selected != changetype<usize>(item)) top += 4;
        else selected = 0;
      }
    }
    if (selected == 0) break;
    let covered = path;
    let entry = changetype<Entry>(selected);
    if (several && at.priced != 0) pay(path, entry);
    do {
      const item = entry.item;
      if (!coloured || !isPure(entry)) {
        store<Entry>(path, entry);
        path += 4;
        const above = entry.up, below = entry.down;
        above.down = below;
        below.up = above;
        if (several) {
          // The list changes until the item is covered, so its entries must come back in their order.
          store<Entry>(trail, entry);
          trail += 4;
          item.spare -= 1;
          item.commit();
        } else item.cover();
      }
      entry = entry.next;
    } while (changetype<usize>(entry) != selected);
    for (; covered < path; covered += 4) {
      const node = load<Entry>(covered);
      const item = node.item;
      if (several && item.most > 0) continue;
      const colour = coloured ? colourOf(node) : 0;
      for (let across = changetype<Entry>(item.down); across != item; across = changetype<Entry>(across.down)) {
        if (colour != 0 && colourOf(across) == colour) continue;
        for (let gone = across.next; gone != across; gone = gone.next) {
          const above = gone.up, below = gone.down, lost = gone.item;
          store<Entry>(trail, gone);
          trail += 4;
          above.down = below;
          below.up = above;
          const spare = lost.spare - 1;
          lost.spare = spare;
          // No branches here either.
          store<Item>(top, lost);
          top += (<u32>(spare - 1) >> 31) << 2;
          failed |= spare;
        }
        if (failed < 0 && (several || !learning)) {
          covered = path;
          break;
        }
      }
    }
    if (failed < 0) {
      if (!several && learning) blame(top);
      break;
    }
    selected = 0;
  }
  const came = several ? path - pathEnd : 0;
  at.updates += <f64>((trail - trailStart - came) >> 2);
  pathEnd = path;
  trailEnd = trail;
  return failed >= 0;
}

/** Takes the option of an entry out, and selects every option that becomes forced; false if an item has failed. */
export function remove(first: Entry): bool {
  let top = at.stack;
  let failed: i32 = 0;
  if (at.priced != 0) store<f64>(pathCostAt(pathEnd), at.cost);
  store<usize>(pathEnd, ~changetype<usize>(first));
  pathEnd += 4;
  let gone = first;
  do {
    const above = gone.up, below = gone.down, lost = gone.item;
    store<Entry>(trailEnd, gone);
    trailEnd += 4;
    above.down = below;
    below.up = above;
    const spare = lost.spare - 1;
    lost.spare = spare;
    store<Item>(top, lost);
    top += (<u32>(spare - 1) >> 31) << 2;
    failed |= spare;
    at.updates += 1;
    gone = gone.next;
  } while (gone != first);
  return failed >= 0 && select<Several>(0, top);
}

/** Gives weight to the last item below the end of the stack that has failed. */
function blame(top: usize): void {
  let word = top - 4;
  while (load<Item>(word).spare >= 0) word -= 4;
  const failed = load<Item>(word);
  failed.weight += 1;
  weighted = true;
}

/** From now on, failed items get weights. */
export function learn(): void {
  learning = true;
}

/** Undoes all that was done since path and trail had these ends. */
export function undoTo<Kind>(path: usize, trail: usize): void {
  const several = isBoolean<Kind>();
  for (let k = trailEnd; k > trail; ) {
    k -= 4;
    const node = load<Entry>(k);
    const item = node.item;
    node.up.down = node;
    node.down.up = node;
    item.spare += 1;
  }
  trailEnd = trail;
  if (several && at.priced != 0 && path < pathEnd) at.cost = load<f64>(pathCostAt(path));
  for (let k = pathEnd; k > path; ) {
    k -= 4;
    const node = load<Entry>(k);
    if (several) {
      if (changetype<isize>(node) >= 0) node.item.uncommit();
    } else {
      const item = node.item;
      node.up.down = node;
      node.down.up = node;
      item.uncover();
    }
  }
  pathEnd = path;
}

/** Notes what the options that are in cost before this one, and with it. */
function pay(path: usize, entry: Entry): void {
  store<f64>(pathCostAt(path), at.cost);
  at.cost += load<f64>(at.optionCosts + 8 * optionOf(entry));
}

/** The cost of the options that were in before what is at an address of the path. */
@inline
function pathCostAt(path: usize): usize {
  return at.pathCosts + 2 * (path - at.path);
}

/** Whether an entry with a colour finds its item purified: its option changes nothing there. */
@inline
function isPure(entry: Entry): bool {
  return colourOf(entry) != 0 && entry.item.isPurified;
}
