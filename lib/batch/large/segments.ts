/**
 * Segments of a file of puzzles: ranges that begin and end between two puzzles, whose records are counted without solving any.
 *
 *     file         | segment 0 | segment 1     | segment 2 |      one after the other from the beginning: scan.ts
 *     state        ^           ^ end = start   ^                  or each by a function of its own: count-range.ts
 *
 * A segment that was counted on its own was read by a reader that knew nothing of the bytes before it. If each begins at the byte
 * and in the state in which the one before it ends, all together have the records of one reader of the whole file.
 */
import { openReader } from '../../formats/formats.ts';
import type { BlockSource, ReaderState } from '../../formats/reader.ts';
import { RecordBlock } from '../../formats/records/record-block.ts';
import type { WorkMeter } from '../../formats/work-meter.ts';
import { formatHints } from '../job/format-hints.ts';
import { optionsFromCanonical } from '../options.ts';
import type { ObjectStore } from '../ports.ts';
import { openSource } from '../storage/object-source.ts';
import type { Shard, ShardPlan } from './large-job.ts';

/** A place between two puzzles. */
export interface Place {
  readonly at: number;
  /** Omitted at the beginning of the file. */
  readonly state?: ReaderState;
}

export interface Segment {
  /** First byte, and end (exclusive). */
  readonly from: number;
  readonly to: number;
  readonly records: number;
  readonly commentLines: number;
  /** Bytes that its reader examined. */
  readonly examined: number;
  /** Reader states at its ends; omitted at the beginning and at the end of the file. Line numbers are relative. */
  readonly start?: ReaderState;
  readonly end?: ReaderState;
}

const COUNTED_RECORDS = 512;

/** Reads a file from a place on, and counts its records. */
export async function countingReader(
  { source, detection, options }: ShardPlan,
  from: Place,
  store: ObjectStore,
  work: WorkMeter,
) {
  const hints = formatHints(optionsFromCanonical(options));
  const records = openReader(detection, hints, oneBlock(), from.state, work);
  const body = await openSource(store, source, from.at, source.bytes);
  const chunks = body[Symbol.asyncIterator]();
  let unread: Uint8Array = new Uint8Array(0);
  /** The beginning of the next segment, and what was counted before it. */
  let begin = from;
  let comments = 0;
  let examined = work.spent;
  let counted = 0;
  let { at } = from;
  const count = (blocks: Iterable<RecordBlock>): void => {
    for (const block of blocks) counted += block.count;
  };
  return {
    /** Records since the last segment. */
    get records() {
      return counted;
    },
    /** All bytes before this one are read. */
    get at() {
      return at;
    },

    /** Reads on to a byte (exclusive). */
    async readTo(to: number): Promise<void> {
      while (at < to) {
        if (unread.length === 0) {
          const next = await chunks.next();
          if (next.done === true) return;
          unread = next.value;
        }
        const bytes = unread.subarray(0, to - at);
        count(records.push(bytes));
        unread = unread.subarray(bytes.length);
        at += bytes.length;
      }
    },

    /** Counts the records that are complete so far; text whose end the reader does not know yet is cut. */
    flush: (): void => count(records.flush()),

    /** Counts what is left at the end of the file. */
    end: (): void => count(records.end()),

    /** The place at which another reader can continue; undefined inside a puzzle. */
    place(): Required<Place> | undefined {
      const rest = records.checkpoint();
      return rest && { at: at - rest.unreadBytes, state: rest.state };
    },

    /** What was counted since the last segment. @param end its end. @default that of the file */
    segment(end: Place = { at }): Segment {
      const allComments = records.comments?.count ?? 0;
      const segment: Segment = {
        from: begin.at,
        to: end.at,
        records: counted,
        commentLines: allComments - comments,
        examined: work.spent - examined,
        start: begin.state,
        end: end.state,
      };
      counted = 0;
      comments = allComments;
      examined = work.spent;
      begin = end;
      return segment;
    },

    /** Ends the request, as the bytes after the last place are not needed. */
    close: async () => void (await chunks.return?.()),
  };
}

/** A block source that uses one block again and again. */
function oneBlock(): BlockSource {
  let block: RecordBlock | undefined;
  return {
    acquire(layout) {
      if (block?.layout !== layout) block = new RecordBlock(layout, COUNTED_RECORDS);
      block.count = 0;
      block.notes.clear();
      return block;
    },
  };
}

/**
 * Makes segments the shards of a file: sums over those before give each its first record and line.
 *
 * @returns undefined if one does not begin as the one before it ends, so that the file has to be read from its beginning
 */
export function shardsOf(segments: readonly Segment[]): Shard[] | undefined {
  const shards: Shard[] = [];
  let index = 1;
  let line = 1;
  let at = 0;
  let end: string | undefined;
  for (const [shard, { from, to, records, commentLines, ...states }] of segments.entries()) {
    if (from !== at || textOf(states.start) !== end) return undefined;
    const state = states.start && { ...states.start, line };
    const last = shard === segments.length - 1;
    shards.push({ shard, from, to, state, firstIndex: index, records, commentLines, last });
    index += records;
    line += (states.end?.line ?? 0) - (states.start?.line ?? 1);
    at = to;
    end = textOf(states.end);
  }
  return shards;
}

/** Reader state without its line number, as text for comparison. */
function textOf(state: ReaderState | undefined): string | undefined {
  return state && JSON.stringify({ ...state, line: undefined });
}
