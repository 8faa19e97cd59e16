/** The first exceptions of a large job, for its report: read from the front of its pieces' files. */
import { concatBytes } from '../job/input.ts';
import type { ObjectStore } from '../ports.ts';
import { type ExceptionRecord, ExceptionSample } from '../report/exception-sample.ts';
import type { StoredPiece } from './join-parts.ts';

/** Bytes read of a piece: hundreds of ordinary exceptions, or some of the largest. */
const FRONT_BYTES = 1024 * 1024;

/**
 * The first exceptions, and how many there are in all.
 *
 * @param pieces of `exceptions.jsonl`, in order
 * @param total exceptions of all pieces
 */
export async function firstExceptions(
  store: ObjectStore,
  bucket: string,
  pieces: readonly StoredPiece[],
  total: number,
): Promise<Pick<ExceptionSample, 'first' | 'total'>> {
  const sample = new ExceptionSample();
  for (const { key, bytes } of pieces) {
    if (sample.full) break;
    if (bytes === 0) continue;
    const front = await store.range(bucket, key, undefined, 0, Math.min(bytes, FRONT_BYTES));
    if (front === undefined) throw new Error(`${key} was deleted while its job ran`);
    const read: Uint8Array[] = [];
    for await (const part of front.body) read.push(part.slice());
    const lines = new TextDecoder().decode(concatBytes(read)).split('\n');
    // What follows the last line end is nothing, or a line that was cut off.
    for (const line of lines.slice(0, -1)) sample.add(JSON.parse(line) as ExceptionRecord);
    // Behind a gap others would not be the first ones.
    if (bytes > FRONT_BYTES) break;
  }
  return { first: sample.first, total };
}
