/** Detects UTF-16, with and without a byte-order mark, and converts it to UTF-8. */

export type Utf16 = 'utf-16le' | 'utf-16be';

/** Bytes of the head that decide if there is no byte-order mark. */
export const ENCODING_SAMPLE_BYTES = 4096;

/** Least part of the characters that are text, and that are ASCII, if there is no byte-order mark. */
const MIN_TEXT = 0.95;
const MIN_ASCII = 0.01;

/** @returns undefined for any other encoding, and for binary data */
export function utf16Of(head: Uint8Array): Utf16 | undefined {
  const [a, b, c, d] = head;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? undefined : 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  const sample = head.subarray(0, Math.min(head.length, ENCODING_SAMPLE_BYTES) & ~1);
  if (isText(sample, 1, 0)) return 'utf-16le';
  if (isText(sample, 0, 1)) return 'utf-16be';
  return undefined;
}

/** Whether the bytes are text in UTF-16 with the high and the low byte of each unit at these offsets. */
function isText(bytes: Uint8Array, high: number, low: number): boolean {
  // Zeros fill the last block of some files.
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0 && bytes[end - 2] === 0) end -= 2;
  const units = end / 2;
  let ascii = 0;
  let text = 0;
  for (let at = 0; at < end; at += 2) {
    const unit = (bytes[at + high] << 8) | bytes[at + low];
    if (isAsciiText(unit)) ascii++;
    else if (isDrawing(unit)) text++;
  }
  return ascii > 0 && ascii >= units * MIN_ASCII && ascii + text >= units * MIN_TEXT;
}

function isAsciiText(unit: number): boolean {
  return (unit >= 32 && unit < 127) || (unit >= 9 && unit <= 13) || unit === 0x1a;
}

/** Letters with accents, punctuation, box drawing, full-width characters. */
function isDrawing(unit: number): boolean {
  return (
    (unit >= 0xa0 && unit < 0x250) ||
    (unit >= 0x2000 && unit < 0x2800) ||
    unit === 0x3000 ||
    (unit >= 0xff01 && unit <= 0xff5e) ||
    unit === 0xfeff
  );
}

/** Converts UTF-16 in chunks of any size to UTF-8 without a byte-order mark; half a surrogate pair becomes U+FFFD. */
export class Utf16Converter {
  readonly #decoder: InstanceType<typeof TextDecoder>;
  readonly #encoder = new TextEncoder();

  constructor(encoding: Utf16) {
    this.#decoder = new TextDecoder(encoding);
  }

  convert(bytes: Uint8Array): Uint8Array {
    return this.#encoder.encode(this.#decoder.decode(bytes, { stream: true }));
  }

  /** @returns U+FFFD if the file ends within a character */
  end(): Uint8Array {
    return this.#encoder.encode(this.#decoder.decode());
  }
}
