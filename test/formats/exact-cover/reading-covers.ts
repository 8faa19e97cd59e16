/** Reads an exact-cover file completely, with everything that a test may compare as plain values. */
import type { CoverFormatName, CoverRecord } from '../../../lib/formats/exact-cover/cover-record.ts';
import { optionLines } from '../../../lib/formats/exact-cover/cover-writer.ts';
import { openCoverReader } from '../../../lib/formats/formats.ts';

export interface ReadCover extends Omit<CoverRecord, 'cover'> {
  readonly primaryCount?: number;
  readonly secondaryCount?: number;
  /** Each option as its item numbers, with a colour's number after a colon. */
  readonly options?: readonly string[];
  readonly texts?: readonly string[];
  readonly lines?: readonly number[];
  readonly ignoredOptions?: number;
  /** Each as `least:most`. */
  readonly multiplicities?: readonly string[];
  readonly costs?: readonly number[];
}

/** Reads `text` in chunks that end at the offsets `cuts` (ascending). */
export function readCovers(
  text: string | Uint8Array,
  format: CoverFormatName = 'dlx',
  cuts: readonly number[] = [],
): ReadCover[] {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const reader = openCoverReader(format);
  const records: CoverRecord[] = [];
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    // A copy that is cleared afterwards: a reader must not keep its input.
    const chunk = bytes.slice(from, cut);
    records.push(...reader.push(chunk));
    chunk.fill(0);
    from = cut;
  }
  records.push(...reader.end());
  return records.map(plain);
}

function plain({ cover, ...record }: CoverRecord): ReadCover {
  if (cover === undefined) return record;
  const { problem, lineOf, ignoredOptions } = cover;
  const { primaryCount, secondaryCount, optionCount, optionStart, items, colours, multiplicities, costs } =
    problem;
  const numbers = Int32Array.from({ length: optionCount }, (_, option) => option);
  return {
    ...record,
    primaryCount,
    secondaryCount,
    options: Array.from(numbers, (option) =>
      Array.from(items.subarray(optionStart[option], optionStart[option + 1]), (item, k) => {
        const colour = colours?.[optionStart[option] + k] ?? 0;
        return colour === 0 ? `${item}` : `${item}:${colour}`;
      }).join(' '),
    ),
    texts: optionLines(cover, numbers),
    lines: [...lineOf],
    ignoredOptions,
    ...(multiplicities && {
      multiplicities: Array.from(
        multiplicities.least,
        (least, item) => `${least}:${multiplicities.most[item]}`,
      ),
    }),
    ...(costs && { costs: [...costs] }),
  };
}
