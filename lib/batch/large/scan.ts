/**
 * Finds the segments of a file by reading it from its beginning, for formats that cannot be read from the middle.
 *
 * Once the bytes of a shard are read and the reader is between two puzzles, the segment ends there. A scan may stop at such a
 * place, and another process continues from it.
 */
import { HEAD_BYTES } from '../../formats/reader.ts';
import { WorkMeter } from '../../formats/work-meter.ts';
import type { ObjectStore } from '../ports.ts';
import type { FunctionTime } from '../storage/function-time.ts';
import type { ShardPlan } from './large-job.ts';
import { countingReader, type Place, type Segment } from './segments.ts';

/** The place at which a scan continues; plain JSON. */
interface ScanPlace extends Place {
  /** Bytes that were examined before. */
  readonly examined: number;
}

export const SCAN_START: ScanPlace = { at: 0, examined: 0 };

/** What one invocation reads. */
export interface ScanSlice {
  readonly segments: readonly Segment[];
  /** Omitted if the end of the file was reached. */
  readonly next?: ScanPlace;
}

/** Bytes between two checks whether the reader is between two puzzles. */
const CHECK_BYTES = 64 * 1024;

/** @param time the slice ends at the end of a segment once it is short */
export async function scan(
  from: ScanPlace,
  plan: ShardPlan,
  store: ObjectStore,
  time: Pick<FunctionTime, 'isShort'>,
): Promise<ScanSlice> {
  const { source, shardBytes } = plan;
  // The limit of a function that reads the whole file, which gets the head at once.
  const work = new WorkMeter(undefined, Math.min(source.bytes, HEAD_BYTES));
  work.feed(from.at);
  work.spent = from.examined;
  const reader = await countingReader(plan, from, store, work);
  const segments: Segment[] = [];
  let begin = from.at;
  try {
    while (reader.at < source.bytes) {
      const wanted = begin + shardBytes;
      const next = reader.at < wanted ? wanted : reader.at + Math.min(CHECK_BYTES, shardBytes);
      await reader.readTo(Math.min(next, source.bytes));
      // Before the flush, which would cut text whose end the reader does not know yet, such as a page of words.
      const place = reader.place();
      if (place === undefined || place.at <= begin || place.at >= source.bytes) continue;
      reader.flush();
      segments.push(reader.segment(place));
      begin = place.at;
      if (time.isShort) return { segments, next: { ...place, examined: work.spent } };
    }
    reader.end();
    return { segments: [...segments, reader.segment()] };
  } finally {
    await reader.close();
  }
}
