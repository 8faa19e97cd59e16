/** A stream that is measured while it passes: its length, its MD5, its checksums. */

import { createHash } from 'node:crypto';
import { type Checksum, type ChecksumAlgorithm, type Digest, startChecksum } from './checksums.ts';

/** What is known of a stream when it has passed. */
export interface Measure {
  readonly bytes: number;
  readonly md5: Buffer;
  /** Of the algorithms that were asked for, in base64. */
  readonly checksums: ReadonlyMap<ChecksumAlgorithm, string>;
}

/** Passes a stream on, once, and measures it. */
export class MeasuredBytes implements AsyncIterable<Uint8Array> {
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #digests: ReadonlyMap<ChecksumAlgorithm, Digest>;
  #measure: Measure | undefined;

  constructor(source: AsyncIterable<Uint8Array>, algorithms: readonly ChecksumAlgorithm[]) {
    this.#source = source;
    this.#digests = new Map(algorithms.map((algorithm) => [algorithm, startChecksum(algorithm)]));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const md5 = createHash('md5');
    let bytes = 0;
    for await (const piece of this.#source) {
      bytes += piece.length;
      md5.update(piece);
      for (const digest of this.#digests.values()) digest.update(piece);
      yield piece;
    }
    const checksums = new Map(
      [...this.#digests].map(([name, digest]) => [name, digest.digest().toString('base64')]),
    );
    this.#measure = { bytes, md5: md5.digest(), checksums };
  }

  /** To be called when the stream has been read to its end. */
  measure(): Measure {
    if (this.#measure === undefined) throw new Error('the stream has not been read to its end');
    return this.#measure;
  }
}

/** The checksum of an object or a part, out of its measure; `undefined` where none is kept. */
export function fullChecksum(
  measure: Measure,
  algorithm: ChecksumAlgorithm | undefined,
): Checksum | undefined {
  const value = algorithm === undefined ? undefined : measure.checksums.get(algorithm);
  return algorithm === undefined || value === undefined
    ? undefined
    : { algorithm, value, type: 'FULL_OBJECT' };
}
