/** Reads the records of one shard from the middle of a file. */
import { openReader } from '../../formats/formats.ts';
import type { BlockSource, FormatHints, ReaderState, RecordReader } from '../../formats/reader.ts';
import { RecordBlock } from '../../formats/records/record-block.ts';
import { unlimitedWork } from '../../formats/work-meter.ts';
import type { Clock, ObjectStore } from '../ports.ts';
import type { BlockPool } from '../solving/block-pool.ts';
import { openSource } from '../storage/object-source.ts';
import type { Shard, ShardPlan } from './shard-plan.ts';

/** Milliseconds spent waiting for bytes, and parsing them. */
export interface ReadingTimes {
  readMs: number;
  parseMs: number;
}

export interface ShardReading {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly pool: BlockPool;
  /** Increased while blocks are read. */
  readonly times: ReadingTimes;
}

/**
 * Reads the records of a shard in blocks, from record `from` (0 is the first) to `to` (exclusive).
 *
 * The shard is always read from its beginning, the only place where the reader state is known. Records before `from` are
 * skipped one by one, because block sizes differ each time. Its last records may need bytes after its end. The work of
 * reading was limited when the shards were counted.
 *
 * @throws Error if the shard has fewer records than planned
 */
export async function* shardBlocks(
  { source, detection }: ShardPlan,
  hints: FormatHints,
  shard: Shard,
  reading: ShardReading,
  from = 0,
  to = shard.records,
): AsyncGenerator<RecordBlock, void, void> {
  if (from >= to) return;
  const { body } = await openSource(reading.store, source, shard.from, source.bytes);
  const reader = openReader(detection, hints, reading.pool, shard.state, unlimitedWork());
  let read = 0;
  for await (const blocks of readSteps(body, reader, reading)) {
    for (const block of timed(blocks, reading)) {
      const first = read;
      read += block.count;
      if (read <= from) {
        reading.pool.release(block);
        continue;
      }
      block.keepFirst(to - first);
      if (first < from) block.dropFirst(from - first);
      yield block;
      if (read >= to) return;
    }
  }
  throw new Error(
    `shard ${shard.shard} has ${read} of ${shard.records} records: the object changed after it was planned`,
  );
}

/** Yields the blocks that the reader makes from each chunk of the body, and at its end. */
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

/** A block source for counting: it reuses one block. */
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

/** Reader state without its line number, as text for comparison. */
export function comparableState({ line: _, ...state }: ReaderState): string {
  return JSON.stringify(state);
}
