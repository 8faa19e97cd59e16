/** Reads the first exceptions of a large job, for its report, from the beginning of its parts. */
import type { ObjectStore } from '../../ports.ts';
import { type ExceptionRecord, ExceptionSample } from '../../results/exception-sample.ts';
import { readRange } from '../../storage/object-source.ts';
import type { StoredInput } from './join-parts.ts';

/** Bytes read of a part: hundreds of ordinary exceptions, or a few of the largest. */
const HEAD_BYTES = 1024 * 1024;

/**
 * @param parts the parts of `exceptions.jsonl`, in order
 * @param total number of exceptions in all parts
 */
export async function firstExceptions(
  store: ObjectStore,
  bucket: string,
  parts: readonly StoredInput[],
  total: number,
): Promise<Pick<ExceptionSample, 'first' | 'total'>> {
  const sample = new ExceptionSample();
  for (const { key, bytes } of parts) {
    if (sample.full) break;
    if (bytes === 0) continue;
    const head = await readRange(store, { bucket, key, from: 0, to: Math.min(bytes, HEAD_BYTES) });
    const lines = new TextDecoder().decode(head).split('\n');
    // The text after the last line feed is empty or an incomplete line.
    for (const line of lines.slice(0, -1)) sample.add(JSON.parse(line) as ExceptionRecord);
    // The rest of this part is not read, so exceptions of later parts would not be the first ones.
    if (bytes > HEAD_BYTES) break;
  }
  return { first: sample.first, total };
}
