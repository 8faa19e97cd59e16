/** Reading the puzzles of a stretch of a file: opened in its middle, and stopped at a number of records. */
import { openReader } from '../../formats/formats.ts';
import type { BlockSource, FormatHints, ReaderState, RecordReader } from '../../formats/reader.ts';
import { RecordBlock } from '../../formats/records/record-block.ts';
import type { Clock, ObjectStore } from '../ports.ts';
import { openSource } from '../storage/object-source.ts';
import type { Shard, ShardPlan } from './shard-plan.ts';

/** Milliseconds spent waiting for bytes, and reading puzzles out of them. */
export interface ReadingTimes {
  readMs: number;
  parseMs: number;
}

/** The blocks that a shard is read into. */
export interface ReusedBlocks extends BlockSource {
  /** Takes back a block that nothing uses any more. */
  release(block: RecordBlock): void;
}

export interface ShardReading {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly pool: ReusedBlocks;
  /** Counted up while the blocks pass. */
  readonly times: ReadingTimes;
}

/**
 * Records of a shard, in blocks: from its record `from` (0 is the first) up to `to` (exclusive), or to its end.
 *
 * The shard is read from its front, since no other place in it can be understood, and skipped by records: blocks have
 * other sizes each time. Its last records may need bytes after its end to be understood.
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
  const reader = openReader(detection, hints, reading.pool, shard.state);
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
    `shard ${shard.shard} has ${read} of ${shard.records} records: the object is not what was planned`,
  );
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
