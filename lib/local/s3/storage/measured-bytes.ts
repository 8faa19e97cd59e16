/** Measures a stream as it passes: length, MD5 and checksums. */

import { createHash } from 'node:crypto';
import type { DataFile, StoredVersion } from './catalog.ts';
import { type Checksum, type ChecksumAlgorithm, startChecksum } from './checksums.ts';
import type { Digest } from './crc.ts';

/** Measurements of a complete stream. */
export interface Measure {
  readonly bytes: number;
  readonly md5: Buffer;
  /** Of the requested algorithms, in base64. */
  readonly checksums: ReadonlyMap<ChecksumAlgorithm, string>;
}

/** Forwards a stream, once, and measures it. */
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

  /** To be called after the stream has been read completely. */
  measure(): Measure {
    if (this.#measure === undefined) throw new Error('the stream has not been read to its end');
    return this.#measure;
  }
}

/** The checksum of an object or a part; `undefined` if the algorithm is, or was not measured. */
export function fullChecksum(
  measure: Measure,
  algorithm: ChecksumAlgorithm | undefined,
): Checksum | undefined {
  const value = algorithm === undefined ? undefined : measure.checksums.get(algorithm);
  return algorithm === undefined || value === undefined
    ? undefined
    : { algorithm, value, type: 'FULL_OBJECT' };
}

/** The content of an object or a part that was stored in one piece. */
export type StoredContent = Pick<StoredVersion, 'files' | 'bytes' | 'etag' | 'checksum'>;

export function storedContent(
  files: readonly DataFile[],
  { bytes, md5, checksum }: Pick<Measure, 'bytes' | 'md5'> & { readonly checksum: Checksum | undefined },
): StoredContent {
  return { files, bytes, etag: md5.toString('hex'), checksum };
}
