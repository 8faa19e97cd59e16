/** The keys of a bucket, in S3's listing order. */
import { compareUtf8 } from '../../../batch/storage/key-order.ts';

/** Distinct keys in S3's order; lookup is a binary search, and appending after the last key is cheap. */
export class SortedKeys {
  readonly #keys: string[] = [];

  get length(): number {
    return this.#keys.length;
  }

  /** @param index from 0 to `length`, exclusive */
  at(index: number): string {
    return this.#keys[index]!;
  }

  add(key: string): void {
    const index = this.indexFrom(key);
    if (this.#keys[index] === key) return;
    if (index === this.#keys.length) this.#keys.push(key);
    else this.#keys.splice(index, 0, key);
  }

  remove(key: string): void {
    const index = this.indexFrom(key);
    if (this.#keys[index] === key) this.#keys.splice(index, 1);
  }

  /** Index of the first key at or after `key`; `length` if there is none. */
  indexFrom(key: string): number {
    return this.#firstIndex((candidate) => compareUtf8(candidate, key) >= 0);
  }

  /** Index of the first key after `key`. */
  indexAfter(key: string): number {
    return this.#firstIndex((candidate) => compareUtf8(candidate, key) > 0);
  }

  /** Index of the first key after all possible keys with `prefix`. */
  indexAfterPrefix(prefix: string): number {
    return this.#firstIndex(
      (candidate) => compareUtf8(candidate, prefix) > 0 && !candidate.startsWith(prefix),
    );
  }

  #firstIndex(isAtOrPast: (key: string) => boolean): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isAtOrPast(this.#keys[middle]!)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
