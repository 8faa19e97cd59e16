/** Reads a listing of done markers forward, and skips ranges of keys that no caller asks for. */
import type { ObjectStore } from '../../ports.ts';
import { compareUtf8 } from '../../storage/key-order.ts';

/** Markers read without a match before a new listing starts further on: two pages. */
const READ_BEFORE_JUMP = 2000;

export class MarkerCursor {
  readonly #store: ObjectStore;
  readonly #bucket: string;
  readonly #prefix: string;
  #keys: AsyncIterator<string> | undefined;
  /** The next marker; undefined before the first and after the last. */
  #next: string | undefined;
  #ended = false;
  #passed: string | undefined;

  /** @param after `passed` of an earlier cursor, to continue from there */
  constructor(store: ObjectStore, bucket: string, prefix: string, after?: string) {
    this.#store = store;
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#passed = after;
  }

  /** The last marker before this cursor; undefined at the beginning. */
  get passed(): string | undefined {
    return this.#passed;
  }

  /** Whether the marker exists. @param marker not before the marker of an earlier call */
  async has(marker: string): Promise<boolean> {
    for (let read = 0; !this.#ended; read++) {
      if (this.#next !== undefined) {
        const order = compareUtf8(this.#next, marker);
        if (order >= 0) return order === 0;
        this.#passed = this.#next;
      }
      if (read === READ_BEFORE_JUMP) {
        // Start just before the marker: the text without its last character sorts before it.
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
