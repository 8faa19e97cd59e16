/** Reads the records of one shard from the middle of a file. */
import { openReader } from '../../formats/formats.ts';
import type { FormatHints } from '../../formats/reader.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { unlimitedWork } from '../../formats/work-meter.ts';
import { readRecords } from '../job/record-source.ts';
import type { Clock, ObjectStore } from '../ports.ts';
import type { BlockPool } from '../solving/block-pool.ts';
import { openSource } from '../storage/object-source.ts';
import type { Shard, ShardPlan } from './large-job.ts';

interface ShardReading {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly pool: BlockPool;
  /** Milliseconds spent waiting for bytes, and parsing them: increased while blocks are read. */
  readonly times: { readMs: number; parseMs: number };
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
  { store, clock, pool, times }: ShardReading,
  from: number,
  to: number,
): AsyncGenerator<RecordBlock, void, void> {
  if (from >= to) return;
  const body = await openSource(store, source, shard.from, source.bytes);
  const reader = openReader(detection, hints, pool, shard.state, unlimitedWork());
  const text = timedReads(body, times, clock);
  let read = 0;
  for await (const block of readRecords<RecordBlock>(reader, text, times, clock)) {
    const first = read;
    read += block.count;
    if (read <= from) {
      pool.release(block);
      continue;
    }
    block.keepFirst(to - first);
    if (first < from) block.dropFirst(from - first);
    yield block;
    // Ends the request too, as the bytes after the shard are not needed.
    if (read >= to) return;
  }
  throw new Error(
    `shard ${shard.shard} has ${read} of ${shard.records} records: the object changed after it was planned`,
  );
}

/** Adds the time of waiting for bytes to `times`. */
async function* timedReads(
  body: AsyncIterable<Uint8Array>,
  times: { readMs: number },
  clock: Clock,
): AsyncGenerator<Uint8Array, void, void> {
  let startMs = clock.monotonicMs();
  for await (const bytes of body) {
    times.readMs += clock.monotonicMs() - startMs;
    yield bytes;
    startMs = clock.monotonicMs();
  }
  times.readMs += clock.monotonicMs() - startMs;
}
