/**
 * Finds the versions that have a done marker: joins two sorted listings in one pass, without a request for each object.
 *
 * Versions are listed in the order of their keys; the order of the markers differs in two ways:
 *
 *     keys      a            a!           a/b             <- UTF-8 order
 *     markers   done/a!/v1   done/a/V2    done/a/b/v3     done/a/v4       <- `/` comes after `!`, and V2 < b < v4
 *
 * and keys over 800 bytes are cut and end in a hash there. So versions wait in a list, sorted by their markers, until
 * no later key can have a marker before theirs (`markerPrefix`). A version waits only while the current key begins with
 * its key, or shares its first 797 bytes; so the list has few entries, however many keys there are.
 *
 *     current key a/b: lowest marker done/a/b     list: done/a/v4 | done/a/V2
 *                                                       waits       settled
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
  /** By first marker, descending: the last entry is settled next. */
  readonly #waiting: WaitingEntry<Entry>[] = [];

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
    for (const entry of waiting) this.add(entry);
  }

  /** Entries not settled yet. */
  get waiting(): readonly WaitingEntry<Entry>[] {
    return this.#waiting;
  }

  add(waiting: WaitingEntry<Entry>): void {
    const list = this.#waiting;
    let from = 0;
    for (let to = list.length; from < to; ) {
      const middle = (from + to) >>> 1;
      if (compareUtf8(list[middle]!.markers[0]!, waiting.markers[0]!) >= 0) from = middle + 1;
      else to = middle;
    }
    list.splice(from, 0, waiting);
  }

  /** Settles the entries with markers before `limit`. @default all entries */
  async settleBefore(limit?: string): Promise<void> {
    for (;;) {
      const first = this.#waiting.at(-1);
      if (first === undefined) return;
      if (limit !== undefined && compareUtf8(first.markers[0]!, limit) >= 0) return;
      this.#waiting.pop();
      const [marker, ...others] = first.markers;
      const done = await this.#markers.has(marker!);
      if (!done && others.length > 0) this.add({ entry: first.entry, markers: others });
      else await this.#settle(first.entry, done);
    }
  }
}
