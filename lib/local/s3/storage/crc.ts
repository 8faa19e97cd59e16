/**
 * The cyclic redundancy checks of S3: CRC32 (zlib's), CRC32C (Castagnoli) and CRC64NVME.
 *
 * All three are reflected, start from all ones and end inverted, so they differ only in width and polynomial.
 * Polynomials are written reflected: the bit of x^(width-1) is the lowest one.
 *
 * `combineCrcs` needs only two checks: the check of A, pushed through |B| zero bytes, is A times x^(8|B|) modulo the
 * polynomial; the inversions cancel, so that this XOR the check of B is the check of AB (Mark Adler's crc32_combine in
 * zlib). S3 needs it for the full-object check of a multipart upload.
 */

import { crc32 } from 'node:zlib';

/** A digest of bytes that arrive in pieces; `digest` ends it. */
export interface Digest {
  update(bytes: Uint8Array): void;
  digest(): Buffer;
}

export interface CrcKind {
  readonly widthBits: 32 | 64;
  /** Reflected polynomial. */
  readonly polynomial: bigint;
}

export const CRC32: CrcKind = { widthBits: 32, polynomial: 0xedb88320n };
export const CRC32C: CrcKind = { widthBits: 32, polynomial: 0x82f63b78n };
export const CRC64NVME: CrcKind = { widthBits: 64, polynomial: 0x9a6c9329ac4bc9b5n };

/** A check of bytes that arrive in pieces. CRC32 is built into Node, and the SDK's default. */
export function startCrc(kind: CrcKind): Digest {
  return kind === CRC32 ? new ZlibCrc() : new TableCrc(kind);
}

class ZlibCrc implements Digest {
  #value = 0;

  update(bytes: Uint8Array): void {
    this.#value = crc32(bytes, this.#value);
  }

  digest(): Buffer {
    return crcBytes(CRC32, BigInt(this.#value));
  }
}

/** The state is in two halves, of which 32 bits use only the low one: BigInt would be a hundred times slower. */
class TableCrc implements Digest {
  readonly #kind: CrcKind;
  #low = 0xffffffff;
  #high = 0xffffffff;

  constructor(kind: CrcKind) {
    this.#kind = kind;
    if (kind.widthBits === 32) this.#high = 0;
  }

  update(bytes: Uint8Array): void {
    const { low: tableLow, high: tableHigh } = tablesOf(this.#kind);
    let low = this.#low;
    let high = this.#high;
    for (let i = 0; i < bytes.length; i++) {
      const index = (low ^ bytes[i]!) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ tableLow[index]!;
      high = (high >>> 8) ^ tableHigh[index]!;
    }
    this.#low = low;
    this.#high = high;
  }

  digest(): Buffer {
    const bytes = Buffer.alloc(8);
    bytes.writeInt32BE(~this.#high);
    bytes.writeInt32BE(~this.#low, 4);
    return bytes.subarray(-this.#kind.widthBits / 8);
  }
}

/** A check from 0 to 2^width, exclusive, as its bytes. */
export function crcBytes({ widthBits }: CrcKind, value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(widthBits / 4, '0'), 'hex');
}

/** The contribution of each byte value: entry i is i pushed through eight zero bits, in two halves. */
interface Tables {
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

const TABLES = new Map<CrcKind, Tables>();

function tablesOf(kind: CrcKind): Tables {
  let tables = TABLES.get(kind);
  if (tables === undefined) {
    tables = { low: new Uint32Array(256), high: new Uint32Array(256) };
    for (let byte = 0; byte < 256; byte++) {
      let entry = BigInt(byte);
      for (let bit = 0; bit < 8; bit++) entry = timesX(kind, entry);
      tables.low[byte] = Number(entry & 0xffffffffn);
      tables.high[byte] = Number(entry >> 32n);
    }
    TABLES.set(kind, tables);
  }
  return tables;
}

/** A remainder times x: a shift to the right, since it is reflected. */
function timesX(kind: CrcKind, remainder: bigint): bigint {
  return (remainder & 1n) === 0n ? remainder >> 1n : (remainder >> 1n) ^ kind.polynomial;
}

function multiply(kind: CrcKind, a: bigint, b: bigint): bigint {
  let product = 0n;
  let power = b;
  for (let bit = BigInt(kind.widthBits - 1); bit >= 0n; bit--) {
    if (((a >> bit) & 1n) === 1n) product ^= power;
    power = timesX(kind, power);
  }
  return product;
}

/** A cache of the last factor: most parts of an upload have the same length. */
let lastFactor: { kind: CrcKind; bytes: number; factor: bigint } | undefined;

/** x^(8 * bytes) modulo the polynomial, by repeated squaring. */
function factorOf(kind: CrcKind, bytes: number): bigint {
  if (lastFactor?.kind === kind && lastFactor.bytes === bytes) return lastFactor.factor;
  const one = 1n << BigInt(kind.widthBits - 1);
  let factor = one;
  let square = one;
  for (let i = 0; i < 8; i++) square = timesX(kind, square);
  for (let rest = bytes; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) factor = multiply(kind, factor, square);
    square = multiply(kind, square, square);
  }
  lastFactor = { kind, bytes, factor };
  return factor;
}

/** The check of a concatenation, from the check of each part and the length of the second. */
export function combineCrcs(kind: CrcKind, first: bigint, second: bigint, secondBytes: number): bigint {
  return multiply(kind, factorOf(kind, secondBytes), first) ^ second;
}
