/**
 * Solutions of subproblems as bytes: those of a part one after the other, in the order of the search.
 *
 *     | length: uint32 | nodes, guesses, updates: 3 float64 | options: uint32 each |     little-endian
 */
import type { FoundSolution } from '../../exact-cover/split/split-search.ts';
import type { ByteBuffer } from '../../formats/bytes/byte-buffer.ts';
import { concatBytes } from '../job/input.ts';

const COUNTS = ['nodes', 'guesses', 'updates'] as const;
const HEADER_BYTES = 4 + 8 * COUNTS.length;

/** A solution at which a search paused: the first `selectedCount` of its options. */
interface PausedSearch {
  readonly selected: Int32Array;
  readonly selectedCount: number;
  readonly nodes: number;
  readonly guesses: number;
  readonly updates: number;
}

/** The text of a solution has at least this part of its packed bytes: an option of a letter and a line feed has half of 4. */
export const WRITTEN_SHARE = 1 / 2;

/** Bytes of a solution. */
export function packedBytes(options: number): number {
  return HEADER_BYTES + 4 * options;
}

export function packSolution(out: ByteBuffer, search: PausedSearch): void {
  const { selected, selectedCount } = search;
  const bytes = packedBytes(selectedCount);
  out.ensure(bytes);
  const view = new DataView(out.bytes.buffer, out.bytes.byteOffset + out.length, bytes);
  view.setUint32(0, selectedCount, true);
  for (const [k, name] of COUNTS.entries()) view.setFloat64(4 + 8 * k, search[name], true);
  for (let k = 0; k < selectedCount; k++) view.setUint32(HEADER_BYTES + 4 * k, selected[k]!, true);
  out.length += bytes;
}

/** Reads packed solutions from a stream. */
export class PackedSolutions {
  readonly #body: AsyncIterator<Uint8Array>;
  #bytes = new Uint8Array(0);
  #at = 0;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#body = body[Symbol.asyncIterator]();
  }

  /** The next solution; undefined if more bytes have to be read. */
  take(): FoundSolution | undefined {
    const left = this.#bytes.length - this.#at;
    if (left < HEADER_BYTES) return undefined;
    const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset + this.#at, left);
    const count = view.getUint32(0, true);
    const bytes = packedBytes(count);
    if (left < bytes) return undefined;
    this.#at += bytes;
    const [nodes, guesses, updates] = COUNTS.map((_, k) => view.getFloat64(4 + 8 * k, true));
    const options = Int32Array.from({ length: count }, (_, k) => view.getUint32(HEADER_BYTES + 4 * k, true));
    return { options, nodes: nodes!, guesses: guesses!, updates: updates! };
  }

  /** Reads more bytes. @returns false at the end */
  async read(): Promise<boolean> {
    const next = await this.#body.next();
    if (next.done === true) return false;
    this.#bytes = concatBytes([this.#bytes.subarray(this.#at), next.value]);
    this.#at = 0;
    return true;
  }

  async close(): Promise<void> {
    await this.#body.return?.();
  }
}
