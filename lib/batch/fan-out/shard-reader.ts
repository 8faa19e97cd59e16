/** Reading the puzzles of a stretch of a file: opened in its middle, and stopped at a number of records. */
import { openReader } from '../../formats/formats.ts';
import type { BlockSource, FormatHints, ReaderState, RecordReader } from '../../formats/reader.ts';
import { RecordBlock } from '../../formats/record-block.ts';
import type { Clock, ObjectStore, StoredObject } from '../ports.ts';
import type { Shard, ShardPlan, ShardSource } from './plan.ts';

/** Bytes of a source from a place to its end, or to `to`. @throws Error where the object is not there any more */
export async function openSource(
  store: ObjectStore,
  { bucket, key, versionId }: ShardSource,
  from: number,
  to: number,
): Promise<StoredObject> {
  const object = await store.range(bucket, key, versionId, from, to);
  if (object === undefined) throw new Error(`s3://${bucket}/${key} was deleted while its job ran`);
  return object;
}

/** Milliseconds spent waiting for bytes, and reading puzzles out of them. */
export interface ReadingTimes {
  readMs: number;
  parseMs: number;
}

export interface ShardReading {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly pool: BlockSource;
  /** Counted up while the blocks pass. */
  readonly times: ReadingTimes;
}

/**
 * The records of a shard, in blocks: exactly as many as the shard has, though the last of them may need bytes behind
 * its end to be understood.
 */
export async function* shardBlocks(
  { source, detection }: ShardPlan,
  hints: FormatHints,
  shard: Shard,
  reading: ShardReading,
): AsyncGenerator<RecordBlock, void, void> {
  if (shard.records === 0) return;
  const { body } = await openSource(reading.store, source, shard.from, source.bytes);
  const reader = openReader(detection, hints, reading.pool, shard.state);
  let left = shard.records;
  for await (const blocks of readSteps(body, reader, reading)) {
    for (const block of timed(blocks, reading)) {
      if (block.count > left) shorten(block, left);
      left -= block.count;
      yield block;
      if (left === 0) return;
    }
  }
  throw new Error(`shard ${shard.shard} ended ${left} records early: the object is not what was planned`);
}

/** What the reader makes of each piece of the body, and of its end. */
async function* readSteps(
  body: AsyncIterable<Uint8Array>,
  reader: RecordReader,
  { clock, times }: ShardReading,
): AsyncGenerator<Iterable<RecordBlock>, void, void> {
  let startMs = clock.monotonicMs();
  for await (const bytes of body) {
    times.readMs += clock.monotonicMs() - startMs;
    yield reader.push(bytes);
    startMs = clock.monotonicMs();
  }
  yield reader.end();
}

function* timed(blocks: Iterable<RecordBlock>, { clock, times }: ShardReading): Iterable<RecordBlock> {
  const iterator = blocks[Symbol.iterator]();
  for (;;) {
    const startMs = clock.monotonicMs();
    const next = iterator.next();
    times.parseMs += clock.monotonicMs() - startMs;
    if (next.done === true) return;
    yield next.value;
  }
}

function shorten(block: RecordBlock, count: number): void {
  block.count = count;
  for (const index of block.notes.keys()) if (index >= count) block.notes.delete(index);
}

/** Blocks for those who only count: one that is used again and again. */
export function countingBlocks(): BlockSource {
  let last: RecordBlock | undefined;
  return {
    acquire(layout) {
      if (last?.layout !== layout) last = new RecordBlock(layout, COUNTED_RECORDS);
      last.count = 0;
      last.notes.clear();
      return last;
    },
  };
}

const COUNTED_RECORDS = 512;

/** What a reader remembers without the number of its line, as text that can be compared. */
export function comparableState({ line: _, ...state }: ReaderState): string {
  return JSON.stringify(state);
}
