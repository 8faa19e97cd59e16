/**
 * Finds shards by reading a file from its beginning, for formats that cannot be read from the middle.
 *
 * Nothing is solved. Once the bytes of a shard are read and the reader is between two puzzles, the shard ends there, and
 * the reader state is stored with the next one. A scan may stop at such a place, and another process continues from it.
 */
import { openReader } from '../../formats/formats.ts';
import { HEAD_BYTES, type ReaderState } from '../../formats/reader.ts';
import { WorkMeter } from '../../formats/work-meter.ts';
import { formatHints } from '../job/format-hints.ts';
import { optionsFromCanonical } from '../options.ts';
import type { ObjectStore } from '../ports.ts';
import { openSource } from '../storage/object-source.ts';
import type { Shard, ShardPlan } from './large-job.ts';
import { countingBlocks, countRecords } from './shard-reader.ts';

/** The place at which a scan continues; plain JSON. */
export interface ScanState {
  readonly at: number;
  /** Omitted at the beginning of the file. */
  readonly state?: ReaderState;
  /** Index of the next record, from 1, and number of the next shard, from 0. */
  readonly index: number;
  readonly shard: number;
  /** Bytes that were examined before. */
  readonly examined: number;
}

export const SCAN_START: ScanState = { at: 0, index: 1, shard: 0, examined: 0 };

/** The part of a scan that one invocation reads. */
export interface ScanSlice {
  readonly shards: readonly Shard[];
  /** Omitted if the end of the file was reached. */
  readonly next?: ScanState;
}

/** Bytes between two checks whether the reader is between two puzzles. */
const CHECK_BYTES = 64 * 1024;

/** @param canContinue called at the end of each shard; the slice ends if it returns false */
export async function scan(
  from: ScanState,
  plan: ShardPlan,
  store: ObjectStore,
  canContinue: () => boolean,
): Promise<ScanSlice> {
  const { source, shardBytes, detection } = plan;
  // The limit of a function that reads the whole file, which gets the head at once.
  const work = new WorkMeter(undefined, Math.min(source.bytes, HEAD_BYTES));
  work.feed(from.at);
  work.spent = from.examined;
  const hints = formatHints(optionsFromCanonical(plan.options));
  const reader = openReader(detection, hints, countingBlocks(), from.state, work);
  const shards: Shard[] = [];
  let begin: ScanState = from;
  let records = 0;
  let earlierComments = 0;
  const addShard = (to: number, last: boolean) => {
    const { at, state, index, shard } = begin;
    const comments = reader.comments?.count ?? 0;
    const commentLines = comments - earlierComments;
    earlierComments = comments;
    shards.push({ shard, from: at, to, state, firstIndex: index, records, commentLines, last });
  };
  let read = from.at;
  const { body } = await openSource(store, source, from.at, source.bytes);
  for await (const bytes of inChunks(body, Math.min(CHECK_BYTES, shardBytes))) {
    records += countRecords(reader.push(bytes));
    read += bytes.length;
    if (read - begin.at < shardBytes) continue;
    // A flush would cut text whose end the reader does not know yet, such as a page of words: so `rest` comes first.
    const rest = reader.checkpoint();
    const at = rest === undefined ? begin.at : read - rest.unreadBytes;
    if (rest === undefined || at <= begin.at || at >= source.bytes) continue;
    records += countRecords(reader.flush());
    addShard(at, false);
    begin = {
      at,
      state: rest.state,
      index: begin.index + records,
      shard: begin.shard + 1,
      examined: work.spent,
    };
    records = 0;
    if (!canContinue()) return { shards, next: begin };
  }
  records += countRecords(reader.end());
  addShard(source.bytes, true);
  return { shards };
}

/** The same bytes in chunks of at most `chunkBytes`. */
async function* inChunks(body: AsyncIterable<Uint8Array>, chunkBytes: number): AsyncIterable<Uint8Array> {
  for await (const bytes of body) {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
}
