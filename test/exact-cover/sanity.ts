/** Checks every invariant of the links, after Knuth's `sanity()`: slow, for tests and debugging. */
import type { LinkArrays } from './link-arrays.ts';

/**
 * Lists the faults in the links of a solver (`linkArraysOf` its memory).
 *
 * Call it after the first `run`; before that, a solver has no links. After a failure, which includes a pause at a
 * solution or a limit, active items of size 0 are allowed.
 *
 * @returns one sentence for each fault; empty if the links are consistent
 */
export function sanity(links: LinkArrays): string[] {
  return [...itemListFaults(links), ...optionListFaults(links), ...optionFaults(links)];
}

function itemListFaults(links: LinkArrays): string[] {
  const { left, right, active } = links;
  const itemCount = active.length - 1;
  const faults: string[] = [];
  const seen = new Uint8Array(itemCount + 1);
  let item = 0;
  let steps = 0;
  do {
    const next = right[item];
    if (left[next] !== item) {
      faults.push(`item ${next} follows item ${item}, but its left is ${left[next]}`);
    }
    item = next;
    seen[item] = 1;
  } while (item !== 0 && ++steps <= itemCount);
  for (let other = 1; other <= itemCount; other++) {
    if (seen[other] !== active[other]) {
      faults.push(
        `item ${other} is ${seen[other] ? '' : 'not '}in the list of items, but active is ${active[other]}`,
      );
    }
  }
  return faults;
}

function optionListFaults(links: LinkArrays): string[] {
  const { up, down, size, itemOf } = links;
  const itemCount = size.length - 1;
  const nodeCount = up.length;
  const faults: string[] = [];
  for (let item = 1; item <= itemCount; item++) {
    let length = 0;
    let node = item;
    do {
      const next = down[node];
      if (up[next] !== node) {
        faults.push(`node ${next} follows node ${node}, but its up is ${up[next]}`);
      }
      if (itemOf[next] !== item) {
        faults.push(`node ${next} of item ${itemOf[next]} is in the list of item ${item}`);
      }
      node = next;
      length += node === item ? 0 : 1;
    } while (node !== item && length <= nodeCount);
    if (length !== size[item]) {
      faults.push(`item ${item} has size ${size[item]}, but its list has ${length} nodes`);
    }
  }
  return faults;
}

function optionFaults(links: LinkArrays): string[] {
  const { down, active, itemOf, nodeStart } = links;
  const itemCount = active.length - 1;
  const nodeCount = down.length;
  const listed = new Uint8Array(nodeCount);
  for (let item = 1; item <= itemCount; item++) {
    for (let node = down[item], steps = 0; node !== item && steps < nodeCount; node = down[node], steps++) {
      listed[node] = 1;
    }
  }
  const faults: string[] = [];
  for (let option = 0; option + 1 < nodeStart.length; option++) {
    const states = new Set<number>();
    for (let node = nodeStart[option]; node < nodeStart[option + 1]; node++) {
      if (active[itemOf[node]] === 1) {
        states.add(listed[node]);
      }
    }
    if (states.size > 1) {
      faults.push(`option ${option} is in the lists of some of its active items only`);
    }
  }
  return faults;
}
