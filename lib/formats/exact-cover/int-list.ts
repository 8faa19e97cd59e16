/** A growing list of 32-bit integers. */
export class IntList {
  length = 0;
  #values = new Int32Array(16);

  at(index: number): number {
    return this.#values[index];
  }

  push(value: number): void {
    if (this.length === this.#values.length) this.#grow();
    this.#values[this.length++] = value;
  }

  #grow(): void {
    const larger = new Int32Array(this.#values.length * 2);
    larger.set(this.#values);
    this.#values = larger;
  }

  /** @returns a copy of the first `count` values */
  take(count = this.length): Int32Array<ArrayBuffer> {
    return this.#values.slice(0, count);
  }
}
