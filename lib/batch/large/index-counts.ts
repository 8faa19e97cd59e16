/**
 * Turns counts into shards: sums over the previous shards give each shard its first record and line.
 *
 * Each shard was counted by a reader that knew nothing of the bytes before it. If it begins at the byte and in the
 * state in which the reader of the previous shard ended, and so on from the beginning of the file, all shards together
 * give the records of one reader of the whole file.
 */
import type { ReaderState } from '../../formats/reader.ts';
import { WORK_PER_BYTE } from '../../formats/work-meter.ts';
import type { RangeCount } from './count-range.ts';
import type { Shard } from './large-job.ts';

export type IndexedShards =
  | { readonly kind: 'shards'; readonly shards: readonly Shard[] }
  /** The file cannot be read in independent shards; `why` is the reason. */
  | { readonly kind: 'unclear'; readonly why: string };

/** @param counts one for each range, in file order; the one of range 0 is never `none` */
export function indexCounts(counts: readonly RangeCount[]): IndexedShards {
  const shards: Shard[] = [];
  let index = 1;
  let line = 1;
  let end: ReaderState | undefined;
  let at = 0;
  let examined = 0;
  for (const count of counts) {
    if (count.kind === 'unclear') return count;
    if (count.kind === 'none') continue;
    const { from, to, start, records, commentLines } = count;
    examined += count.examined;
    // Each range may be below a limit that the ranges before it have used up.
    if (examined > to * WORK_PER_BYTE) return { kind: 'unclear', why: `${examined} bytes were examined` };
    if (from !== at) return { kind: 'unclear', why: `bytes ${at} to ${from} belong to no shard` };
    if ((end === undefined) !== (start === undefined)) {
      return { kind: 'unclear', why: `the file ends before byte ${from}` };
    }
    if (end !== undefined && start !== undefined && comparableState(end) !== comparableState(start)) {
      return { kind: 'unclear', why: `reading at byte ${from} depends on earlier bytes` };
    }
    shards.push({
      shard: shards.length,
      from,
      to,
      state: start && { ...start, line },
      firstIndex: index,
      records,
      commentLines,
      last: false,
    });
    index += records;
    line += count.lines;
    end = count.end;
    at = to;
  }
  const last = shards.length - 1;
  return { kind: 'shards', shards: shards.map((shard, k) => ({ ...shard, last: k === last })) };
}

/** Reader state without its line number, as text for comparison. */
function comparableState({ line: _, ...state }: ReaderState): string {
  return JSON.stringify(state);
}
