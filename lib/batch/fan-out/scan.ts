/**
 * Finding shards by reading a file from its front, for formats in which no place can be understood from the middle.
 *
 * Nothing is solved. Whenever a shard's bytes have passed and the reader rests between two puzzles, a shard ends there,
 * with what the reader remembers. A scan may end at such a place too, and go on from there in another process.
 */
import { openReader } from '../../formats/formats.ts';
import type { FormatHints, ReaderState } from '../../formats/reader.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import type { ObjectStore } from '../ports.ts';
import type { Shard, ShardPlan } from './plan.ts';
import { countingBlocks, openSource } from './shard-reader.ts';

/** Where a scan stands: plain data. */
export interface ScanState {
  readonly at: number;
  /** Left out at the file's front. */
  readonly state?: ReaderState;
  /** Index of the next record, from 1, and number of the next shard, from 0. */
  readonly index: number;
  readonly shard: number;
}

export const SCAN_START: ScanState = { at: 0, index: 1, shard: 0 };

export interface ScanStretch {
  readonly shards: readonly Shard[];
  /** Left out where the file's end was reached. */
  readonly next?: ScanState;
}

/** Bytes between two looks whether the reader rests. */
const LOOK_BYTES = 64 * 1024;

/**
 * Scans on from where a scan stands.
 *
 * @param mayGoOn asked at the end of each shard; the stretch ends where it says no
 */
export async function scan(
  from: ScanState,
  plan: ShardPlan,
  hints: FormatHints,
  store: ObjectStore,
  mayGoOn: () => boolean,
): Promise<ScanStretch> {
  const { source, shardBytes, detection } = plan;
  const reader = openReader(detection, hints, countingBlocks(), from.state);
  const shards: Shard[] = [];
  let begin: ScanState = from;
  let records = 0;
  const count = (blocks: Iterable<RecordBlock>) => {
    for (const block of blocks) records += block.count;
  };
  const enter = (to: number, last: boolean) => {
    const { at, state, index, shard } = begin;
    shards.push({ shard, from: at, to, state, firstIndex: index, records, last });
  };
  let read = from.at;
  const { body } = await openSource(store, source, from.at, source.bytes);
  for await (const bytes of inSteps(body, Math.min(LOOK_BYTES, shardBytes))) {
    count(reader.push(bytes));
    read += bytes.length;
    if (read - begin.at < shardBytes) continue;
    // What a reader holds until it knows where it ends, such as a page of text, a flush would end here.
    const rest = reader.checkpoint();
    const at = rest === undefined ? begin.at : read - rest.unreadBytes;
    if (rest === undefined || at <= begin.at || at >= source.bytes) continue;
    count(reader.flush());
    enter(at, false);
    begin = { at, state: rest.state, index: begin.index + records, shard: begin.shard + 1 };
    records = 0;
    if (!mayGoOn()) return { shards, next: begin };
  }
  count(reader.end());
  enter(source.bytes, true);
  return { shards };
}

/** The same bytes in pieces of at most `stepBytes`. */
async function* inSteps(body: AsyncIterable<Uint8Array>, stepBytes: number): AsyncIterable<Uint8Array> {
  for await (const bytes of body) {
    for (let at = 0; at < bytes.length; at += stepBytes) yield bytes.subarray(at, at + stepBytes);
  }
}
