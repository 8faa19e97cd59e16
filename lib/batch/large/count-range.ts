/**
 * Counts the puzzles of one range of a file of lines without solving any, and finds where its segment begins and ends.
 *
 *     range      |----- 1 -----|----- 2 -----|----- 3 -----|
 *     file       1.3..\n..2.4\n5....\n# many comments .....\n.6..7\n8....\n
 *     cuts              ^ of 1       (none in 2)                   ^ of 3
 *     segments   range 1 reads from its own cut to that of range 3; range 2 has no cut and reads nothing
 *
 * A reader that begins in the middle does not know what came before. So it first reads the line before the cut, whose
 * record belongs to the segment before.
 */
import { CELL, KINDS } from '../../formats/bytes/byte-kinds.ts';
import type { ReaderState } from '../../formats/reader.ts';
import { WORK_PER_BYTE, WorkLimitError, WorkMeter } from '../../formats/work-meter.ts';
import type { ObjectStore } from '../ports.ts';
import { openSource } from '../storage/object-source.ts';
import { putJson } from '../storage/write-json.ts';
import {
  isCoverPlan,
  type LargeDependencies,
  type RangeItem,
  readPlan,
  type Shard,
  type ShardPlan,
} from './large-job.ts';
import { countingReader, type Segment, shardsOf } from './segments.ts';
import type { CountInput } from './steps.ts';

/** The count of one range, JSON: the segment that begins in it, if one does; `unclear` if it cannot be read on its own. */
export type RangeCount = { readonly segments: readonly Segment[] } | 'unclear';

/** The reader state assumed in the middle of a file before any line is read. */
const MIDDLE: ReaderState = {
  // Not the first line: no byte-order mark and no table header is expected.
  line: 2,
  text: { begun: true },
  headerSeen: true,
  sink: { allowed: [], decoder: [] },
};

/** Counts one range of a planned file and stores the count. */
export async function countShard(input: CountInput, dependencies: LargeDependencies): Promise<void> {
  const { plan, keys } = await readPlan(input, dependencies);
  if (isCoverPlan(plan)) throw new Error(`job ${plan.jobId} is planned as an exact-cover file`);
  const count = await countRange(input.shard as RangeItem, plan, dependencies.store);
  await putJson(dependencies, keys.count(input.shard.shard), count);
}

/** The shards of all ranges; undefined if they cannot be read independently. @param counts in file order */
export function shardsOfCounts(counts: readonly RangeCount[]): Shard[] | undefined {
  const segments: Segment[] = [];
  let examined = 0;
  for (const count of counts) {
    if (count === 'unclear') return undefined;
    for (const segment of count.segments) {
      segments.push(segment);
      examined += segment.examined;
      // Each range may be below a limit that the ranges before it have used up.
      if (examined > segment.to * WORK_PER_BYTE) return undefined;
    }
  }
  return shardsOf(segments);
}

export async function countRange(
  { from, to }: RangeItem,
  plan: ShardPlan,
  store: ObjectStore,
): Promise<RangeCount> {
  const { shardBytes, source } = plan;
  const findCut = async (first: number, end: number) =>
    cutIn(await openSource(store, source, first, end), first);
  const begin = from === 0 ? undefined : await findCut(from, to);
  if (begin === undefined && from > 0) return { segments: [] };
  let end: Cut | undefined;
  for (let at = to; at < source.bytes && end === undefined; at += shardBytes) {
    end = await findCut(at, Math.min(at + shardBytes, source.bytes));
  }
  try {
    return await countBetween(begin, end?.at, plan, store);
  } catch (error) {
    if (!(error instanceof WorkLimitError)) throw error;
    // The limit is one of the whole file: a scan decides.
    return 'unclear';
  }
}

/** Counts a segment from its cut, or from the beginning of the file, to a byte, or to the end of the file. */
async function countBetween(
  begin: Cut | undefined,
  to: number | undefined,
  plan: ShardPlan,
  store: ObjectStore,
): Promise<RangeCount> {
  const place = begin === undefined ? { at: 0 } : { at: begin.lineBefore, state: MIDDLE };
  const reader = await countingReader(plan, place, store, new WorkMeter());
  try {
    if (begin !== undefined) {
      await reader.readTo(begin.at);
      reader.flush();
      const start = reader.place();
      // The line before the cut must be one complete puzzle.
      if (start?.at !== begin.at || reader.records !== 1) return 'unclear';
      reader.segment(start);
    }
    await reader.readTo(to ?? plan.source.bytes);
    if (to === undefined) {
      reader.end();
      return { segments: [reader.segment()] };
    }
    reader.flush();
    const end = reader.place();
    return end?.at === to ? { segments: [reader.segment(end)] } : 'unclear';
  } finally {
    await reader.close();
  }
}

const LF = 10;
/** Consecutive cell characters that make a line look like a puzzle: those of a 9x9. */
const PUZZLE_CELLS = 81;

interface Cut {
  /** Start of the line before the cut. */
  readonly lineBefore: number;
  /** The cut: the start of the line after it. */
  readonly at: number;
}

/**
 * Finds the first cut in a range that begins at a byte: between the first two adjacent whole lines that look like puzzles, if both
 * end in the range.
 *
 *     ...39.7.4..\n# comment\n..3.2.6..9..3.5..1\n4.....8.5.3.........\n8.....
 *        ^ from                                  ^ cut
 *
 * It depends only on the bytes from there on, so the functions on both sides of the cut find the same byte.
 */
async function cutIn(range: AsyncIterable<Uint8Array>, from: number): Promise<Cut | undefined> {
  let at = from;
  // Starts of the current line and of the one before it. The line in which the search begins does not count.
  let line = from;
  let lineBefore = from;
  let isFirst = true;
  let isPuzzleBefore = false;
  let isPuzzle = false;
  /** Cell characters directly before the next byte. */
  let cells = 0;
  for await (const bytes of range) {
    for (const byte of bytes) {
      at++;
      if (byte !== LF) {
        if ((KINDS[byte]! & CELL) === 0) cells = 0;
        else if (++cells === PUZZLE_CELLS) isPuzzle = true;
        continue;
      }
      isPuzzle &&= !isFirst;
      if (isPuzzle && isPuzzleBefore) return { lineBefore, at: line };
      lineBefore = line;
      line = at;
      isPuzzleBefore = isPuzzle;
      isPuzzle = false;
      isFirst = false;
      cells = 0;
    }
  }
  return undefined;
}
