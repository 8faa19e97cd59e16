/** Reads a stream in portions that the caller chooses, and takes bytes back. */
export class ByteReader {
  readonly #iterator: AsyncIterator<Uint8Array>;
  /** Bytes that were read ahead or given back. */
  #held: Uint8Array = new Uint8Array(0);

  /** @param stream it may reuse an array once the next is requested */
  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#iterator = stream[Symbol.asyncIterator]();
  }

  /** The next bytes, at least one; undefined at the end. The caller must not change them. */
  async chunk(): Promise<Uint8Array | undefined> {
    const held = this.#held;
    this.#held = new Uint8Array(0);
    return held.length > 0 ? held : this.#next();
  }

  /** The next `count` bytes, or all that are left, without taking them. */
  async peek(count: number): Promise<Uint8Array> {
    while (this.#held.length < count) {
      const next = await this.#next();
      if (next === undefined) break;
      this.#held = this.#held.length === 0 ? next : Buffer.concat([this.#held, next]);
    }
    return this.#held.subarray(0, count);
  }

  /** The next `count` bytes, or all that are left. */
  async take(count: number): Promise<Uint8Array> {
    const taken = await this.peek(count);
    this.#held = this.#held.subarray(taken.length);
    return taken;
  }

  /** Gives back the bytes that were taken last. */
  giveBack(bytes: Uint8Array): void {
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([bytes, this.#held]);
  }

  async close(): Promise<void> {
    await this.#iterator.return?.();
  }

  async #next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const next = await this.#iterator.next();
      if (next.done === true) return undefined;
      // The stream may reuse its array. (`slice` of a Buffer copies nothing.)
      if (next.value.length > 0) return new Uint8Array(next.value);
    }
  }
}
