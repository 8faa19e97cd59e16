/**
 * Counting the puzzles of one stretch of a file of lines, without solving any: where it really begins and ends, how
 * many records and lines it has, and what readers remember at both ends.
 *
 *     range      |----- 1 -----|----- 2 -----|----- 3 -----|
 *     file       1.3..\n..2.4\n5....\n# many comments .....\n.6..7\n8....\n
 *     cuts              ^ of 1       (none in 2)                   ^ of 3
 *     stretch    range 1 reads from its cut up to that of range 3; range 2 has none, and reads nothing
 *
 * A reader that begins in the middle knows nothing of what came before. So it is shown the line before the cut first,
 * whose record belongs to the stretch before, and then remembers what `start` says. The reader of the stretch before
 * ends at the same place and remembers what `end` says. Where the two agree all along the file, the stretches read one
 * by one give what one reader gives for the whole: see `index-counts.ts`.
 */
import { openReader } from '../../formats/formats.ts';
import type { FormatHints, ReaderState, RecordReader } from '../../formats/reader.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { joined } from '../job/input.ts';
import type { ObjectStore } from '../ports.ts';
import { type Cut, LineCut } from './line-cut.ts';
import type { RangeItem, ShardPlan } from './plan.ts';
import { countingBlocks, openSource } from './shard-reader.ts';

/** What was counted in a range. */
export type RangeCount =
  /** No stretch begins in it. */
  | { readonly shard: number; readonly kind: 'none' }
  /** It cannot be read on its own; `why` names the first reason. */
  | { readonly shard: number; readonly kind: 'unclear'; readonly why: string }
  | {
      readonly shard: number;
      readonly kind: 'counted';
      readonly from: number;
      readonly to: number;
      readonly records: number;
      /** Lines from the stretch's first to that behind its end. */
      readonly lines: number;
      /** Left out at the file's front. */
      readonly start?: ReaderState;
      /** Left out at the file's end. */
      readonly end?: ReaderState;
    };

/** What is assumed in the middle of a file before a line of it was read. */
const MIDDLE: ReaderState = {
  // Not the first one: no byte-order mark is looked for, and no header of a table.
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
  for await (const bytes of body) {
    const count = counter.push(bytes);
    if (count !== undefined) return count;
  }
  return counter.end();
}

/** Where a cut is looked for: from the front of a range up to its end. */
interface CutSearch {
  readonly cut: LineCut;
  readonly from: number;
  readonly until: number;
}

class RangeCounter {
  readonly #range: RangeItem;
  readonly #plan: ShardPlan;
  readonly #hints: FormatHints;
  /** Of the stretch, once its front was found. */
  #reader: RecordReader | undefined;
  /** Offset in the file of the next byte that comes. */
  #at: number;
  /** Bytes that came and were not shown to the reader yet, from offset `#heldFrom` on. */
  #held: Uint8Array = new Uint8Array(0);
  #heldFrom: number;
  /** For the stretch's front, and then for its end; undefined where it ends with the file. */
  #search: CutSearch | undefined;
  #from = 0;
  #start: ReaderState | undefined;
  #records = 0;

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
    this.#reader = openReader(plan.detection, hints, countingBlocks());
    this.#search = this.#searchFrom(range.to);
  }

  /** Takes the next bytes; the count, where it is known. */
  push(bytes: Uint8Array): RangeCount | undefined {
    this.#held = this.#held.length === 0 ? bytes.slice() : joined([this.#held, bytes]);
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
    else this.#show(this.#search === undefined ? end : Math.min(end, this.#search.cut.notBefore));
    return undefined;
  }

  /** The file is over. */
  end(): RangeCount {
    const { shard } = this.#range;
    const reader = this.#reader;
    if (reader === undefined) return { shard, kind: 'none' };
    this.#show(this.#at);
    this.#count(reader.end());
    const [from, to, records, start] = [this.#from, this.#at, this.#records, this.#start];
    return { shard, kind: 'counted', from, to, records, lines: 0, start };
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

  /** The stretch begins at a cut, if the line before it is read as it would be from the file's front. */
  #begin({ lineBefore, at }: Cut): RangeCount | undefined {
    this.#reader = openReader(this.#plan.detection, this.#hints, countingBlocks(), MIDDLE);
    this.#drop(lineBefore);
    this.#show(at);
    this.#count(this.#reader.flush());
    const rest = this.#reader.rest();
    if (rest === undefined || rest.unreadBytes > 0 || this.#records !== 1) {
      const why = `the line at byte ${lineBefore} is no puzzle of its own`;
      return { shard: this.#range.shard, kind: 'unclear', why };
    }
    this.#records = 0;
    this.#from = at;
    this.#start = rest.state;
    this.#search = this.#searchFrom(this.#range.to);
    return undefined;
  }

  #finish(to: number): RangeCount {
    const { shard } = this.#range;
    const reader = this.#reader!;
    this.#show(to);
    this.#count(reader.flush());
    const rest = reader.rest();
    if (rest === undefined || rest.unreadBytes > 0) {
      return { shard, kind: 'unclear', why: `at byte ${to} a puzzle is not over` };
    }
    const [from, records, start] = [this.#from, this.#records, this.#start];
    const lines = rest.state.line - (start?.line ?? 1);
    return { shard, kind: 'counted', from, to, records, lines, start, end: rest.state };
  }

  #count(blocks: Iterable<RecordBlock>): void {
    for (const block of blocks) this.#records += block.count;
  }

  /** Shows held bytes to the reader, up to an offset. */
  #show(until: number): void {
    const length = until - this.#heldFrom;
    if (length <= 0) return;
    this.#count(this.#reader!.push(this.#held.subarray(0, length)));
    this.#drop(until);
  }

  /** Lets go of held bytes before an offset. */
  #drop(before: number): void {
    const length = before - this.#heldFrom;
    if (length <= 0) return;
    this.#held = this.#held.subarray(length);
    this.#heldFrom = before;
  }
}
