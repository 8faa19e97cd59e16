import {
  COVERED,
  DOWN,
  ENTRY_WORDS,
  HEAD_WORDS,
  ITEM,
  LEFT,
  LINKED_END,
  NEXT,
  RIGHT,
  ROOT,
  type SearchMemory,
  SPARE,
  UP,
} from '../../lib/exact-cover/search-memory.ts';

/**
 * The links of a search as textbooks draw them, one array for each field. Nodes are numbered from 0: the root, the
 * items, then the entries of the linked options.
 */
export interface LinkArrays {
  /** By node: its neighbours in the list of its item. */
  readonly up: Int32Array;
  readonly down: Int32Array;
  /** By node: the item of its list, from 1. */
  readonly itemOf: Int32Array;
  /** By item: length of its list. */
  readonly size: Int32Array;
  /** By item, 0 is the root: its neighbours in the list of active items. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** By item: 1 for each primary item that is not covered, else 0. */
  readonly active: Int32Array;
  /** By linked option, and one more: its first node. */
  readonly nodeStart: Int32Array;
}

/** Reads the links from the memory of a search. */
export function linkArraysOf({ words, at, addressUnit, problem }: SearchMemory): LinkArrays {
  const itemCount = problem.primaryCount + problem.secondaryCount;
  const entryCount = (words[LINKED_END] / addressUnit - at.entries) / ENTRY_WORDS;
  const nodeAt = (address: number) => {
    const word = address / addressUnit;
    return word < at.entries ? (word - ROOT) / HEAD_WORDS : 1 + itemCount + (word - at.entries) / ENTRY_WORDS;
  };
  const items = Array.from({ length: itemCount + 1 }, (_, item) => ROOT + HEAD_WORDS * item);
  const entries = Array.from({ length: entryCount }, (_, k) => at.entries + ENTRY_WORDS * k);
  const links = (records: readonly number[], field: number) =>
    Int32Array.from(records, (record) => nodeAt(words[record + field]));
  const starts = entries.filter(
    (record, k) => k === 0 || words[record - ENTRY_WORDS + NEXT] / addressUnit < record,
  );
  return {
    up: links([...items, ...entries], UP),
    down: links([...items, ...entries], DOWN),
    itemOf: Int32Array.from([...items.keys(), ...links(entries, ITEM)]),
    size: Int32Array.from(items, (record, item) => {
      const spare = words[record + SPARE];
      // A covered item needs no option.
      const isCovered = spare >= (item > problem.primaryCount ? 2 * COVERED : COVERED);
      return (isCovered ? spare : spare + 1) % COVERED;
    }),
    left: links(items, LEFT),
    right: links(items, RIGHT),
    active: Int32Array.from(items, (record, item) =>
      Number(item > 0 && item <= problem.primaryCount && words[record + SPARE] < COVERED),
    ),
    nodeStart: Int32Array.from([...starts, at.entries + ENTRY_WORDS * entryCount], (word) =>
      nodeAt(addressUnit * word),
    ),
  };
}
