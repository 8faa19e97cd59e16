// Covering and uncovering, as in ../covering.ts.

import {
  COLOURED, COVERED, DOWN, ENTRIES, HEAD, HEADS_BYTES, ENTRY_COLOURS, ITEM, LEFT, NEXT, PATH, RIGHT, ROOT, SIZE, STACK, TRAIL, UP, UPDATES,
  WEIGHT,
} from "./memory";

/** Ends of path and trail. */
export let pathEnd: usize = 0;
export let trailEnd: usize = 0;
/** Whether an item has failed since `beginCovering`. */
export let weighted: bool = false;
/** Whether failed items get weights. */
export let learning: bool = true;

export function beginCovering(learn: bool): void {
  learning = learn;
  pathEnd = load<usize>(PATH);
  trailEnd = load<usize>(TRAIL);
  weighted = false;
}

/** Selects every item that is forced at the root; false if an item has no option. */
export function settleRoot(): bool {
  let top = load<usize>(STACK);
  const end = ROOT + load<usize>(HEADS_BYTES);
  // No branches, because processors cannot predict them: every item is written, and kept if its size is 0 or 1; `none`
  // is negative at the end if any size is 0.
  let none: i32 = 0;
  for (let item = ROOT + HEAD; item < end; item += HEAD) {
    const size = load<i32>(item, SIZE);
    store<usize>(top, item);
    top += (<u32>(size - 2) >> 31) << 2;
    none |= size - 1;
  }
  if (none < 0) return false;
  return select(0, top);
}

/** Selects the option of a node (0: none), then every forced option; false if an item has no option left. */
export function select(first: usize, stackEnd: usize): bool {
  return load<u32>(COLOURED) != 0 ? selectWith(first, stackEnd, true) : selectWith(first, stackEnd, false);
}

// Compiled twice, so that a problem without colours never reads one.
@inline
function selectWith(first: usize, stackEnd: usize, coloured: bool): bool {
  const stack = load<usize>(STACK);
  const trailStart = trailEnd;
  let top = stackEnd;
  let path = pathEnd;
  let trail = trailStart;
  let none: i32 = 0;
  let selected = first;
  while (true) {
    while (selected == 0 && top > stack) {
      top -= 4;
      const item = load<usize>(top);
      if (load<i32>(item, SIZE) == 1) selected = load<usize>(item, DOWN);
    }
    if (selected == 0) break;
    let covered = path;
    let entry = selected;
    do {
      const item = load<usize>(entry, ITEM);
      if (!coloured || !isSettled(entry, item)) {
        store<usize>(path, entry);
        path += 4;
        const above = load<usize>(entry, UP), below = load<usize>(entry, DOWN);
        store<usize>(above, below, DOWN);
        store<usize>(below, above, UP);
        const before = load<usize>(item, LEFT), after = load<usize>(item, RIGHT);
        store<usize>(before, after, RIGHT);
        store<usize>(after, before, LEFT);
        store<i32>(item, load<i32>(item, SIZE) + COVERED - 1, SIZE);
      }
      entry = load<usize>(entry, NEXT);
    } while (entry != selected);
    for (; covered < path; covered += 4) {
      const node = load<usize>(covered);
      const item = load<usize>(node, ITEM);
      const colour = coloured ? colourOf(node) : 0;
      for (let across = load<usize>(item, DOWN); across != item; across = load<usize>(across, DOWN)) {
        if (colour != 0 && colourOf(across) == colour) continue;
        for (let gone = load<usize>(across, NEXT); gone != across; gone = load<usize>(gone, NEXT)) {
          const above = load<usize>(gone, UP), below = load<usize>(gone, DOWN), lost = load<usize>(gone, ITEM);
          store<usize>(trail, gone);
          trail += 4;
          store<usize>(above, below, DOWN);
          store<usize>(below, above, UP);
          const left = load<i32>(lost, SIZE) - 1;
          store<i32>(lost, left, SIZE);
          // No branches here either.
          store<usize>(top, lost);
          top += (<u32>(left - 2) >> 31) << 2;
          none |= left - 1;
        }
        if (none < 0 && !learning) {
          covered = path;
          break;
        }
      }
    }
    if (none < 0) {
      if (learning) blame(top);
      break;
    }
    selected = 0;
  }
  pathEnd = path;
  trailEnd = trail;
  store<f64>(UPDATES, load<f64>(UPDATES) + <f64>((trail - trailStart) >> 2));
  return none >= 0;
}

/** Gives weight to the last item below the end of the stack that has no option left. */
function blame(top: usize): void {
  let failed = top - 4;
  while (load<i32>(load<usize>(failed), SIZE) != 0) failed -= 4;
  failed = load<usize>(failed);
  store<i32>(failed, load<i32>(failed, WEIGHT) + 1, WEIGHT);
  weighted = true;
}

/** From now on, failed items get weights. */
export function learn(): void {
  learning = true;
}

/** Uncovers and unhides down to these ends of path and trail. */
export function undoTo(path: usize, trail: usize): void {
  for (let k = trailEnd; k > trail; ) {
    k -= 4;
    const node = load<usize>(k);
    store<usize>(load<usize>(node, UP), node, DOWN);
    store<usize>(load<usize>(node, DOWN), node, UP);
    const item = load<usize>(node, ITEM);
    store<i32>(item, load<i32>(item, SIZE) + 1, SIZE);
  }
  trailEnd = trail;
  for (let k = pathEnd; k > path; ) {
    k -= 4;
    const node = load<usize>(k);
    const item = load<usize>(node, ITEM);
    store<usize>(load<usize>(node, UP), node, DOWN);
    store<usize>(load<usize>(node, DOWN), node, UP);
    store<usize>(load<usize>(item, LEFT), item, RIGHT);
    store<usize>(load<usize>(item, RIGHT), item, LEFT);
    store<i32>(item, load<i32>(item, SIZE) - COVERED + 1, SIZE);
  }
  pathEnd = path;
}

/** Whether a node with a colour finds its item settled. */
function isSettled(node: usize, item: usize): bool {
  return colourOf(node) != 0 && load<i32>(item, SIZE) >= 2 * COVERED;
}

function colourOf(node: usize): u32 {
  return load<u32>(load<usize>(ENTRY_COLOURS) + ((node - load<usize>(ENTRIES)) >> 2));
}
