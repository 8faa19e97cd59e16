/** A listing of done markers that is read forward, and skips stretches in which nothing is asked for. */

import type { ObjectStore } from '../../ports.ts';
import { compareUtf8 } from '../../storage/key-order.ts';

/** Markers passed in vain before the listing is asked to begin anew further on: two pages of it. */
const PASSED_BEFORE_JUMP = 2000;

export class MarkerCursor {
  readonly #store: ObjectStore;
  readonly #bucket: string;
  readonly #prefix: string;
  #keys: AsyncIterator<string> | undefined;
  /** The next marker; undefined before the first is read, and behind the last. */
  #next: string | undefined;
  #ended = false;
  #passed: string | undefined;

  /** @param after where an earlier cursor was, from its `passed` */
  constructor(store: ObjectStore, bucket: string, prefix: string, after?: string) {
    this.#store = store;
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#passed = after;
  }

  /** All markers up to here, inclusive, are behind this cursor; undefined at the beginning. */
  get passed(): string | undefined {
    return this.#passed;
  }

  /** Whether there is such a marker. @param marker not before any that was asked for earlier */
  async has(marker: string): Promise<boolean> {
    for (let passed = 0; !this.#ended; passed++) {
      if (this.#next !== undefined) {
        const order = compareUtf8(this.#next, marker);
        if (order >= 0) return order === 0;
        this.#passed = this.#next;
      }
      if (passed === PASSED_BEFORE_JUMP) {
        // Just before the marker that is sought: what ends one character earlier comes before it.
        this.#keys = undefined;
        this.#passed = marker.slice(0, -1);
      }
      await this.#read();
    }
    return false;
  }

  async #read(): Promise<void> {
    this.#keys ??= this.#store.list(this.#bucket, this.#prefix, this.#passed)[Symbol.asyncIterator]();
    const read = await this.#keys.next();
    this.#ended = read.done === true;
    this.#next = read.done === true ? undefined : read.value;
  }
}
