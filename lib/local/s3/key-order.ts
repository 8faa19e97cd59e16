/**
 * The order in which S3 lists keys: by their UTF-8 bytes.
 *
 * JavaScript compares strings by UTF-16 units, which differs in one place: a character above U+FFFF is a pair
 * of surrogates, D800-DFFF, and so sorts before U+E000-U+FFFF, while its UTF-8 bytes (F0 and more) sort after
 * theirs (EE, EF). Moving the surrogates above them makes the two orders equal.
 */

/** Negative, zero or positive, as the UTF-8 bytes of `a` come before, equal or come after those of `b`. */
export function compareUtf8(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const unitA = a.charCodeAt(i);
    const unitB = b.charCodeAt(i);
    if (unitA !== unitB) return rank(unitA) - rank(unitB);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Keys in S3's order, each once; finding is a binary search, adding behind all others costs nothing. */
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

  /** Index of the first key that is `key` or comes after it; `length` if there is none. */
  indexFrom(key: string): number {
    return this.#firstIndex((candidate) => compareUtf8(candidate, key) >= 0);
  }

  /** Index of the first key that comes after `key`. */
  indexAfter(key: string): number {
    return this.#firstIndex((candidate) => compareUtf8(candidate, key) > 0);
  }

  /** Index of the first key that comes after every key, present or not, that begins with `prefix`. */
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
