/**
 * A long work in steps, each of which one function does: it continues from the document of the step before, until its time is
 * short, and stores its own, unless another attempt was faster.
 *
 *     00000.json <- 00001.json <- 00002.json ...       plans, parts of shards, bulk runs
 *
 * A step may run twice, even at the same time, and how far it comes depends on time: every attempt continues from what is stored.
 */
import { FunctionTime, type RemainingTime } from './function-time.ts';
import { type ResultStorage, readJson, readWrittenJson } from './read-json.ts';
import { putIfAbsent } from './write-json.ts';

/**
 * The document of a step, which is done now unless it is stored.
 *
 * @param keyOf the key of the document of a step, by its index from 0
 * @param beginning what the first step continues from
 */
export async function step<Document>(
  storage: ResultStorage & RemainingTime,
  keyOf: (index: number) => string,
  index: number,
  beginning: Document,
  work: (before: Document, time: FunctionTime) => Promise<Document>,
): Promise<Document> {
  const stored = await readJson<Document>(storage, keyOf(index));
  if (stored !== undefined) return stored;
  const time = new FunctionTime(storage);
  const before = index === 0 ? beginning : await readWrittenJson<Document>(storage, keyOf(index - 1));
  return putIfAbsent(storage, keyOf(index), await work(before, time));
}
