/** A growing byte buffer that is filled, emptied and reused. */
export class ByteBuffer {
  /** The memory, at least `length` bytes; replaced when it grows, so read it again after `ensure`. */
  bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  /** @param capacity initial, in bytes */
  constructor(capacity = 64 * 1024) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Grows the memory to at least `length + more` bytes. */
  ensure(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.ensure(1);
    this.bytes[this.length++] = value;
  }

  /** Appends a byte `count` times; a negative count is none. */
  repeat(value: number, count: number): void {
    for (let k = 0; k < count; k++) this.byte(value);
  }

  /** Appends the bytes `from` to `to` (exclusive). */
  append(bytes: Uint8Array, from: number, to: number): void {
    this.ensure(to - from);
    const into = this.bytes;
    let length = this.length;
    // Most are a few bytes, for which a call of `set` takes longer.
    for (let at = from; at < to; at++) into[length++] = bytes[at];
    this.length = length;
  }

  /** Appends text as UTF-8. */
  text(value: string): void {
    this.ensure(value.length * 3);
    this.length += encoder.encodeInto(value, this.bytes.subarray(this.length)).written;
  }

  /** @returns the content without a copy; the buffer continues, empty, in `memory` */
  exchange(memory: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const filled = this.bytes.subarray(0, this.length);
    this.bytes = memory;
    this.length = 0;
    return filled;
  }

  /** @returns a copy of the content; the buffer is empty afterwards */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }
}

const encoder = new TextEncoder();
