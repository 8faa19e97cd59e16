/**
 * Finds the versions that have a done marker: joins two sorted listings in one pass, without a request for each object.
 *
 * Versions are listed in the order of their keys; the order of the markers differs in two ways:
 *
 *     keys      a            a!           a/b             <- UTF-8 order
 *     markers   done/a!/v1   done/a/V2    done/a/b/v3     done/a/v4       <- `/` comes after `!`, and V2 < b < v4
 *
 * and keys over 800 bytes are cut and end in a hash there. So versions wait in a heap, ordered by their markers, until
 * no later key can have a marker before theirs (`markerPrefix`). A version waits only while the current key begins with
 * its key, or shares its first 797 bytes; so the heap has few entries, however many keys there are.
 *
 *     current key a/b: lowest marker done/a/b     heap: done/a/V2 | done/a/v4
 *                                                       settled     waits
 */
import { compareUtf8 } from '../../storage/key-order.ts';
import type { MarkerCursor } from './marker-cursor.ts';

/** An entry with markers that are not checked yet. */
export interface WaitingEntry<Entry> {
  readonly entry: Entry;
  /** In UTF-8 order; the first is checked next. */
  readonly markers: readonly string[];
}

export class MarkerJoin<Entry> {
  readonly #markers: MarkerCursor;
  readonly #settle: (entry: Entry, done: boolean) => Promise<void> | void;
  /** A binary heap by first marker: the children of index k are 2k + 1 and 2k + 2. */
  readonly #heap: WaitingEntry<Entry>[] = [];

  /**
   * @param settle called once for each entry, in the order of their last markers
   * @param waiting `waiting` of an earlier join, if its marker cursor is continued too
   */
  constructor(
    markers: MarkerCursor,
    settle: (entry: Entry, done: boolean) => Promise<void> | void,
    waiting: readonly WaitingEntry<Entry>[] = [],
  ) {
    this.#markers = markers;
    this.#settle = settle;
    for (const entry of waiting) this.#push(entry);
  }

  /** Entries not settled yet. */
  get waiting(): readonly WaitingEntry<Entry>[] {
    return this.#heap;
  }

  add(waiting: WaitingEntry<Entry>): void {
    this.#push(waiting);
  }

  /** Settles the entries with markers before `limit`. @default all entries */
  async settleBefore(limit?: string): Promise<void> {
    for (;;) {
      const first = this.#heap[0];
      if (first === undefined) return;
      if (limit !== undefined && compareUtf8(first.markers[0]!, limit) >= 0) return;
      this.#pop();
      const [marker, ...others] = first.markers;
      const done = await this.#markers.has(marker!);
      if (!done && others.length > 0) this.#push({ entry: first.entry, markers: others });
      else await this.#settle(first.entry, done);
    }
  }

  #push(waiting: WaitingEntry<Entry>): void {
    const heap = this.#heap;
    let at = heap.push(waiting) - 1;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    heap[0] = last;
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && this.#isBefore(child, least)) least = child;
      }
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    return compareUtf8(this.#heap[a]!.markers[0]!, this.#heap[b]!.markers[0]!) < 0;
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap;
    const held = heap[a]!;
    heap[a] = heap[b]!;
    heap[b] = held;
  }
}
