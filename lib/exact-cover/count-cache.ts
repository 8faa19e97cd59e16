/**
 * A cache from residual problems to their numbers of solutions, in bounded memory.
 *
 *     slot     0   1   2   3 | 4   5   6   7 | ...      buckets of four
 *     keys     keyWords words for each slot             the whole residual state (residual-state.ts)
 *     nodes    search nodes below it; 0: empty slot
 *     counts   its number of solutions; -1 for one of 2^53 or more
 *     large    those, by slot
 *
 * A hash of the key chooses the bucket, and the key is compared in full. If a bucket is full, the table doubles; at its
 * largest size, the new entry replaces the one of the bucket with the fewest nodes, which costs the least to search
 * again. So the cache never forgets the top of the tree for the many small problems at its bottom.
 *
 * Measured in nodes: the empty 6x6 sudoku with a table of 64 MiB 2.42 million, of 16 MiB 2.66, of 8 MiB 3.32; Latin squares of
 * order 6 with 112 MiB 23 million, with 56 MiB 45. Tried and dropped, on the empty 6x6 with 8 MiB: replacing the first slot
 * of the bucket, 6.8 million; no new entries once the table is full, over 20 million.
 */
import type { SolutionCount } from './solution-count.ts';

const BUCKET = 4;
const FIRST_BUCKETS = 16;
/** Bytes of a large count without its digits: its object and its place in the array. */
const LARGE_BYTES = 48;
/** The part of the bytes that the table may take; the rest is left for large counts, which are few and worth the most. */
const TABLE_PART = 7 / 8;

export class CountCache {
  readonly #keyWords: number;
  readonly #maxBytes: number;
  #keys!: Int32Array;
  #nodes!: Float32Array;
  #counts!: Float64Array;
  #buckets = FIRST_BUCKETS;
  #entries = 0;
  #large = new Map<number, bigint>();
  #largeBytes = 0;

  /**
   * @param keyWords words of a key
   * @param maxBytes bytes that the cache may take; while it grows, half as many in addition
   */
  constructor(keyWords: number, maxBytes: number) {
    this.#keyWords = keyWords;
    this.#maxBytes = maxBytes;
    this.#allocate();
  }

  get bytes(): number {
    return this.#bytesOf(this.#buckets) + this.#largeBytes;
  }

  /** The slot of a key; -1 if it has none. */
  slotOf(key: Int32Array): number {
    const first = this.#bucketOf(key, 0);
    for (let slot = first; slot < first + BUCKET; slot++) {
      if (this.#nodes[slot] === 0) return -1;
      if (this.#hasKey(slot, key)) return slot;
    }
    return -1;
  }

  countAt(slot: number): SolutionCount {
    const count = this.#counts[slot];
    return count < 0 ? this.#large.get(slot)! : count;
  }

  nodesAt(slot: number): number {
    return this.#nodes[slot];
  }

  /** Adds a key that has no slot. @param nodes search nodes below it, at least 1 */
  add(key: Int32Array, count: SolutionCount, nodes: number): void {
    if (typeof count === 'bigint' && this.bytes + bytesOfLarge(count) > this.#maxBytes) return;
    let slot = this.#slotFor(key);
    while (this.#nodes[slot] !== 0 && this.#grow()) slot = this.#slotFor(key);
    if (this.#nodes[slot] === 0) this.#entries++;
    else if (this.#counts[slot] < 0) {
      this.#largeBytes -= bytesOfLarge(this.#large.get(slot)!);
      this.#large.delete(slot);
    }
    this.#copyKey(key, 0, slot);
    this.#nodes[slot] = nodes;
    this.#counts[slot] = typeof count === 'number' ? count : -1;
    if (typeof count === 'number') return;
    this.#large.set(slot, count);
    this.#largeBytes += bytesOfLarge(count);
  }

  /** Copies a key to a slot. Word by word: views and `set` take twice the time for these few words. */
  #copyKey(words: Int32Array, from: number, slot: number): void {
    const to = slot * this.#keyWords;
    for (let k = 0; k < this.#keyWords; k++) this.#keys[to + k] = words[from + k];
  }

  /** The first empty slot of the key's bucket, else the slot with the fewest nodes. */
  #slotFor(key: Int32Array): number {
    const first = this.#bucketOf(key, 0);
    let best = first;
    for (let slot = first; slot < first + BUCKET; slot++) {
      if (this.#nodes[slot] < this.#nodes[best]) best = slot;
    }
    return best;
  }

  /** Doubles the table; false at its largest size. */
  #grow(): boolean {
    // Some buckets of a sparse table are full too, by chance: they are no reason to double it.
    if (
      this.#entries * 8 < this.#buckets * BUCKET * 3 ||
      this.#bytesOf(2 * this.#buckets) + this.#largeBytes > TABLE_PART * this.#maxBytes
    )
      return false;
    const keys = this.#keys;
    const nodes = this.#nodes;
    const counts = this.#counts;
    const large = this.#large;
    const words = this.#keyWords;
    this.#buckets *= 2;
    this.#allocate();
    for (let slot = 0; slot < nodes.length; slot++) {
      if (nodes[slot] === 0) continue;
      // The two buckets that a bucket becomes get its entries only, so each finds a place.
      let to = this.#bucketOf(keys, slot * words);
      while (this.#nodes[to] !== 0) to++;
      this.#copyKey(keys, slot * words, to);
      this.#nodes[to] = nodes[slot];
      this.#counts[to] = counts[slot];
      if (counts[slot] < 0) this.#large.set(to, large.get(slot)!);
    }
    return true;
  }

  /** Makes an empty table. */
  #allocate(): void {
    const slots = this.#buckets * BUCKET;
    this.#keys = new Int32Array(slots * this.#keyWords);
    this.#nodes = new Float32Array(slots);
    this.#counts = new Float64Array(slots);
    this.#large = new Map();
  }

  #bytesOf(buckets: number): number {
    return buckets * BUCKET * (4 * this.#keyWords + 4 + 8);
  }

  #bucketOf(words: Int32Array, from: number): number {
    let hash = 0;
    for (let k = from; k < from + this.#keyWords; k++) {
      hash = Math.imul(hash ^ words[k], 0x9e37_79b1);
      hash ^= hash >>> 15;
    }
    hash = Math.imul(hash, 0x85eb_ca6b);
    hash ^= hash >>> 13;
    return (hash & (this.#buckets - 1)) * BUCKET;
  }

  #hasKey(slot: number, key: Int32Array): boolean {
    const from = slot * this.#keyWords;
    for (let k = 0; k < this.#keyWords; k++) {
      if (this.#keys[from + k] !== key[k]) return false;
    }
    return true;
  }
}

function bytesOfLarge(count: bigint): number {
  return LARGE_BYTES + count.toString(16).length / 2;
}
