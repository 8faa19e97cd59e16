/** A growing run of bytes that is filled, handed on and used again; no strings on the way. */
export class ByteBuffer {
  /** Room for more than `length` bytes; replaced when it grows, so read it again after `ensure`. */
  bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  /** @param capacity bytes of room at the start */
  constructor(capacity = 64 * 1024) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Makes room for `more` bytes behind `length`. */
  ensure(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  /** Appends one byte. */
  byte(value: number): void {
    if (this.length === this.bytes.length) this.ensure(1);
    this.bytes[this.length++] = value;
  }

  /** Appends text as UTF-8. */
  text(value: string): void {
    this.ensure(value.length * 3);
    this.length += encoder.encodeInto(value, this.bytes.subarray(this.length)).written;
  }

  /** What is there, as it lies; the buffer goes on, empty, in other memory. */
  exchange(memory: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const filled = this.bytes.subarray(0, this.length);
    this.bytes = memory;
    this.length = 0;
    return filled;
  }

  /** A copy of what is there; the buffer is empty afterwards. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }
}

const encoder = new TextEncoder();
