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
import { openReader } from '../../../formats/formats.ts';
import type { FormatHints, ReaderState, RecordReader } from '../../../formats/reader.ts';
import type { RecordBlock } from '../../../formats/records/record-block.ts';
import { WorkLimitError, WorkMeter } from '../../../formats/work-meter.ts';
import { concatBytes } from '../../job/input.ts';
import type { ObjectStore } from '../../ports.ts';
import { openSource } from '../../storage/object-source.ts';
import type { RangeItem, ShardPlan } from '../shard-plan.ts';
import { countingBlocks } from '../shard-reader.ts';
import { type Cut, LineCut } from './line-cut.ts';

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

export async function countRange(
  range: RangeItem,
  plan: ShardPlan,
  hints: FormatHints,
  store: ObjectStore,
): Promise<RangeCount> {
  const { body } = await openSource(store, plan.source, range.from, plan.source.bytes);
  const counter = new RangeCounter(range, plan, hints);
  try {
    for await (const bytes of body) {
      const count = counter.push(bytes);
      if (count !== undefined) return count;
    }
    return counter.end();
  } catch (error) {
    if (!(error instanceof WorkLimitError)) throw error;
    // The limit is one of the whole file: a scan decides.
    return { shard: range.shard, kind: 'unclear', why: error.message };
  }
}

/** The search for the cut of one range. */
interface CutSearch {
  readonly cut: LineCut;
  readonly from: number;
  readonly until: number;
}

class RangeCounter {
  readonly #range: RangeItem;
  readonly #plan: ShardPlan;
  readonly #hints: FormatHints;
  readonly #work = new WorkMeter();
  /** The reader of the shard, once its beginning is found. */
  #reader: RecordReader | undefined;
  /** Offset in the file of the next byte. */
  #at: number;
  /** Bytes received but not yet read, from offset `#heldFrom`. */
  #held: Uint8Array = new Uint8Array(0);
  #heldFrom: number;
  /** First for the shard's beginning, then for its end; undefined if the shard ends with the file. */
  #search: CutSearch | undefined;
  #from = 0;
  #start: ReaderState | undefined;
  #records = 0;
  /** Comment lines that the reader read before `#from`. */
  #earlierComments = 0;

  constructor(range: RangeItem, plan: ShardPlan, hints: FormatHints) {
    this.#range = range;
    this.#plan = plan;
    this.#hints = hints;
    this.#at = range.from;
    this.#heldFrom = range.from;
    if (range.shard > 0) {
      this.#search = { cut: new LineCut(range.from), from: range.from, until: range.to };
      return;
    }
    this.#reader = openReader(plan.detection, hints, countingBlocks(), undefined, this.#work);
    this.#search = this.#searchFrom(range.to);
  }

  /** Takes the next bytes. @returns the count, as soon as it is known */
  push(bytes: Uint8Array): RangeCount | undefined {
    this.#held = this.#held.length === 0 ? bytes.slice() : concatBytes([this.#held, bytes]);
    const end = this.#at + bytes.length;
    while (this.#at < end) {
      const at = this.#at;
      const search = this.#search;
      const until = search === undefined ? end : at < search.from ? search.from : search.until;
      const to = Math.min(until, end);
      const cut =
        search === undefined || at < search.from
          ? undefined
          : search.cut.push(bytes.subarray(bytes.length - (end - at), bytes.length - (end - to)));
      this.#at = to;
      if (cut !== undefined) {
        const count = this.#takeCut(cut);
        if (count !== undefined) return count;
      } else if (to === search?.until) {
        if (this.#reader === undefined) return { shard: this.#range.shard, kind: 'none' };
        this.#search = this.#searchFrom(to);
      }
    }
    if (this.#reader === undefined) this.#drop(this.#search!.cut.keepFrom);
    else this.#read(this.#search === undefined ? end : Math.min(end, this.#search.cut.notBefore));
    return undefined;
  }

  /** Counts the shard that ends with the file. */
  end(): RangeCount {
    const { shard } = this.#range;
    const reader = this.#reader;
    if (reader === undefined) return { shard, kind: 'none' };
    this.#read(this.#at);
    this.#count(reader.end());
    const [from, to, records, start] = [this.#from, this.#at, this.#records, this.#start];
    const commentLines = this.#commentLines;
    const examined = this.#work.spent;
    return { shard, kind: 'counted', from, to, records, commentLines, lines: 0, examined, start };
  }

  /** The search for the cut of the range that begins at `from`; undefined at the file's end. */
  #searchFrom(from: number): CutSearch | undefined {
    const { shardBytes, source } = this.#plan;
    if (from >= source.bytes) return undefined;
    return { cut: new LineCut(from), from, until: Math.min(from + shardBytes, source.bytes) };
  }

  #takeCut(cut: Cut): RangeCount | undefined {
    return this.#reader === undefined ? this.#begin(cut) : this.#finish(cut.at);
  }

  /** Begins the shard at a cut, if the line before the cut is one complete puzzle. */
  #begin({ lineBefore, at }: Cut): RangeCount | undefined {
    this.#reader = openReader(this.#plan.detection, this.#hints, countingBlocks(), MIDDLE, this.#work);
    this.#drop(lineBefore);
    this.#read(at);
    this.#count(this.#reader.flush());
    const rest = this.#reader.checkpoint();
    if (rest === undefined || rest.unreadBytes > 0 || this.#records !== 1) {
      const why = `the line at byte ${lineBefore} is not a complete puzzle`;
      return { shard: this.#range.shard, kind: 'unclear', why };
    }
    this.#records = 0;
    this.#earlierComments = this.#reader.comments?.count ?? 0;
    this.#from = at;
    this.#start = rest.state;
    this.#search = this.#searchFrom(this.#range.to);
    return undefined;
  }

  #finish(to: number): RangeCount {
    const { shard } = this.#range;
    const reader = this.#reader!;
    this.#read(to);
    this.#count(reader.flush());
    const rest = reader.checkpoint();
    if (rest === undefined || rest.unreadBytes > 0) {
      return { shard, kind: 'unclear', why: `byte ${to} is inside a puzzle` };
    }
    const [from, records, start] = [this.#from, this.#records, this.#start];
    const lines = rest.state.line - (start?.line ?? 1);
    const commentLines = this.#commentLines;
    const examined = this.#work.spent;
    const end = rest.state;
    return { shard, kind: 'counted', from, to, records, commentLines, lines, examined, start, end };
  }

  /** Comment lines of the shard so far. */
  get #commentLines(): number {
    return (this.#reader?.comments?.count ?? 0) - this.#earlierComments;
  }

  #count(blocks: Iterable<RecordBlock>): void {
    for (const block of blocks) this.#records += block.count;
  }

  /** Reads held bytes up to an offset. */
  #read(until: number): void {
    const length = until - this.#heldFrom;
    if (length <= 0) return;
    this.#count(this.#reader!.push(this.#held.subarray(0, length)));
    this.#drop(until);
  }

  /** Drops held bytes before an offset. */
  #drop(before: number): void {
    const length = before - this.#heldFrom;
    if (length <= 0) return;
    this.#held = this.#held.subarray(length);
    this.#heldFrom = before;
  }
}
