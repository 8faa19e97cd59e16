/**
 * Counts the puzzles of one shard of a file of lines without solving any, and finds where the shard begins and ends.
 *
 *     range      |----- 1 -----|----- 2 -----|----- 3 -----|
 *     file       1.3..\n..2.4\n5....\n# many comments .....\n.6..7\n8....\n
 *     cuts              ^ of 1       (none in 2)                   ^ of 3
 *     shards     range 1 reads from its own cut to that of range 3; range 2 has no cut and reads nothing
 *
 * A reader that begins in the middle does not know what came before. So it first reads the line before the cut, whose
 * record belongs to the previous shard, and its state after that line is `start`. The reader of the previous shard ends
 * at the same byte with the state `end`. If the two agree at every cut, the shards read one by one give the records of
 * the whole file: see `index-counts.ts`.
 */
import { openReader } from '../../formats/formats.ts';
import type { ReaderState, RecordReader } from '../../formats/reader.ts';
import { WorkLimitError, WorkMeter } from '../../formats/work-meter.ts';
import { formatHints } from '../job/format-hints.ts';
import { optionsFromCanonical } from '../options.ts';
import { openSource } from '../storage/object-source.ts';
import { putJson } from '../storage/write-json.ts';
import {
  isCoverPlan,
  type LargeDependencies,
  type RangeItem,
  readPlan,
  type ShardPlan,
} from './large-job.ts';
import { type Cut, LineCut } from './line-cut.ts';
import { countingBlocks, countRecords } from './shard-reader.ts';
import type { CountInput } from './steps.ts';

/** The result of counting one range. */
export type RangeCount =
  /** No shard begins in it. */
  | { readonly shard: number; readonly kind: 'none' }
  /** It cannot be read on its own; `why` is the first reason. */
  | { readonly shard: number; readonly kind: 'unclear'; readonly why: string }
  | {
      readonly shard: number;
      readonly kind: 'counted';
      readonly from: number;
      readonly to: number;
      readonly records: number;
      readonly commentLines: number;
      /** Lines from `from` to `to`; 0 if the shard ends with the file. */
      readonly lines: number;
      /** Bytes that its reader examined. */
      readonly examined: number;
      /** Reader state at `from`; omitted at the beginning of the file. */
      readonly start?: ReaderState;
      /** Reader state at `to`; omitted at the end of the file. */
      readonly end?: ReaderState;
    };

/** The reader state assumed in the middle of a file before any line is read. */
const MIDDLE: ReaderState = {
  // Not the first line: no byte-order mark and no table header is expected.
  line: 2,
  text: { begun: true },
  headerSeen: true,
  sink: { allowed: [], decoder: [] },
};

/** Counts one range of a planned file and stores the count for the index. */
export async function countShard(input: CountInput, dependencies: LargeDependencies): Promise<void> {
  const { plan, keys } = await readPlan(input, dependencies);
  if (isCoverPlan(plan)) throw new Error(`job ${plan.jobId} is planned as an exact-cover file`);
  const { store, resultsBucket } = dependencies;
  const count = await countRange(input.shard as RangeItem, plan, store);
  await putJson(store, resultsBucket, keys.count(input.shard.shard), count);
}

type Store = LargeDependencies['store'];

export async function countRange(range: RangeItem, plan: ShardPlan, store: Store): Promise<RangeCount> {
  const { shard, from, to } = range;
  const begin = from === 0 ? undefined : await cutIn(from, to, plan, store);
  if (begin === undefined && from > 0) return { shard, kind: 'none' };
  let end: Cut | undefined;
  for (let at = to; at < plan.source.bytes && end === undefined; at += plan.shardBytes) {
    end = await cutIn(at, Math.min(at + plan.shardBytes, plan.source.bytes), plan, store);
  }
  try {
    return await countBetween(shard, begin, end?.at, plan, store);
  } catch (error) {
    if (!(error instanceof WorkLimitError)) throw error;
    // The limit is one of the whole file: a scan decides.
    return { shard, kind: 'unclear', why: error.message };
  }
}

/** The cut of the range from a byte to another: the first one whose lines end before the latter. */
async function cutIn(
  from: number,
  to: number,
  { source }: ShardPlan,
  store: Store,
): Promise<Cut | undefined> {
  const search = new LineCut(from);
  const { body } = await openSource(store, source, from, to);
  for await (const bytes of body) {
    const cut = search.push(bytes);
    if (cut !== undefined) return cut;
  }
  return undefined;
}

/** Counts a shard from its cut, or from the beginning of the file, to a byte, or to the end of the file. */
async function countBetween(
  shard: number,
  begin: Cut | undefined,
  to: number | undefined,
  { source, detection, options }: ShardPlan,
  store: Store,
): Promise<RangeCount> {
  const work = new WorkMeter();
  const hints = formatHints(optionsFromCanonical(options));
  const reader = openReader(detection, hints, countingBlocks(), begin && MIDDLE, work);
  const unclear = (why: string): RangeCount => ({ shard, kind: 'unclear', why });
  let start: ReaderState | undefined;
  let earlierComments = 0;
  if (begin !== undefined) {
    // The line before the cut must be one complete puzzle.
    const records =
      (await readTo(reader, begin.lineBefore, begin.at, source, store)) + countRecords(reader.flush());
    const rest = reader.checkpoint();
    if (rest === undefined || rest.unreadBytes > 0 || records !== 1) {
      return unclear(`the line at byte ${begin.lineBefore} is not a complete puzzle`);
    }
    start = rest.state;
    earlierComments = reader.comments?.count ?? 0;
  }
  const from = begin?.at ?? 0;
  let records = await readTo(reader, from, to ?? source.bytes, source, store);
  records += countRecords(to === undefined ? reader.end() : reader.flush());
  const commentLines = (reader.comments?.count ?? 0) - earlierComments;
  const counted = { shard, kind: 'counted', from, records, commentLines, start } as const;
  if (to === undefined) return { ...counted, to: source.bytes, lines: 0, examined: work.spent };
  const rest = reader.checkpoint();
  if (rest === undefined || rest.unreadBytes > 0) return unclear(`byte ${to} is inside a puzzle`);
  const lines = rest.state.line - (start?.line ?? 1);
  return { ...counted, to, lines, examined: work.spent, end: rest.state };
}

/** Reads bytes from one (inclusive) to another (exclusive). @returns how many records they complete */
async function readTo(
  reader: RecordReader,
  from: number,
  to: number,
  source: ShardPlan['source'],
  store: Store,
): Promise<number> {
  if (from === to) return 0;
  let records = 0;
  const { body } = await openSource(store, source, from, to);
  for await (const bytes of body) records += countRecords(reader.push(bytes));
  return records;
}
