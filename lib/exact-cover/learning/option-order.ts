/**
 * The order in which options are guessed: those that took part in many recent failures first (VSIDS; Moskewicz et al. 2001).
 *
 * A binary heap. Equal options are in the order of their numbers, so that the search is the same everywhere.
 */

/** The share of its activity that an option keeps after a failure: instead, what is added grows. */
const KEPT = 0.95;
/** Activities are scaled down when one exceeds it. */
const MAX_ACTIVITY = 1e100;

export class OptionOrder {
  readonly #activity: Float64Array;
  readonly #heap: Int32Array;
  /** By option: its place in the heap, -1 if it is not there. */
  readonly #placeOf: Int32Array;
  #length = 0;
  #gain = 1;

  constructor(optionCount: number) {
    this.#activity = new Float64Array(optionCount);
    this.#heap = Int32Array.from({ length: optionCount }, (_, option) => option);
    this.#placeOf = this.#heap.slice();
    this.#length = optionCount;
  }

  /** Adds to the activity of the first `count` options. */
  reward(options: Int32Array, count: number): void {
    const activity = this.#activity;
    for (let k = 0; k < count; k++) {
      const option = options[k];
      activity[option] += this.#gain;
      if (activity[option] > MAX_ACTIVITY) this.#scaleDown();
      if (this.#placeOf[option] >= 0) this.#moveUp(option, this.#placeOf[option]);
    }
    this.#gain /= KEPT;
  }

  /** Puts an option back. */
  add(option: number): void {
    if (this.#placeOf[option] < 0) this.#moveUp(option, this.#length++);
  }

  /** Removes and returns the first option; -1 if there is none. */
  take(): number {
    if (this.#length === 0) return -1;
    const first = this.#heap[0];
    this.#placeOf[first] = -1;
    const last = this.#heap[--this.#length];
    if (this.#length > 0) this.#moveDown(last);
    return first;
  }

  #isBefore(a: number, b: number): boolean {
    const activity = this.#activity;
    return activity[a] > activity[b] || (activity[a] === activity[b] && a < b);
  }

  #moveUp(option: number, from: number): void {
    const heap = this.#heap;
    const placeOf = this.#placeOf;
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#isBefore(option, heap[parent])) break;
      heap[place] = heap[parent];
      placeOf[heap[place]] = place;
      place = parent;
    }
    heap[place] = option;
    placeOf[option] = place;
  }

  /** Moves an option down from the top. */
  #moveDown(option: number): void {
    const heap = this.#heap;
    const placeOf = this.#placeOf;
    let place = 0;
    for (let child = 1; child < this.#length; child = 2 * place + 1) {
      if (child + 1 < this.#length && this.#isBefore(heap[child + 1], heap[child])) child++;
      if (!this.#isBefore(heap[child], option)) break;
      heap[place] = heap[child];
      placeOf[heap[place]] = place;
      place = child;
    }
    heap[place] = option;
    placeOf[option] = place;
  }

  #scaleDown(): void {
    for (let option = 0; option < this.#activity.length; option++) this.#activity[option] /= MAX_ACTIVITY;
    this.#gain /= MAX_ACTIVITY;
  }
}
