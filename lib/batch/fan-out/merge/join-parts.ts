/**
 * Plans the join of a file from inputs: S3 copies large inputs itself; smaller ones pass through this process, because
 * every part but the last must have at least 5 MiB.
 *
 *     inputs   |  20 MiB  |\n| 1 MiB | 2 MiB |     30 MiB     | 3 MiB |
 *     parts    |  copy 1  |       gather 2      |    copy 3     |   4   |
 *                                        ^ the first 2 MiB of the fourth input fill part 2
 */

/** Bytes in memory, or a stored object. */
export type JoinInput = Uint8Array | StoredInput;

export interface StoredInput {
  readonly key: string;
  readonly bytes: number;
}

/** Bytes in memory, or a range of a stored object. */
export type PartSource = Uint8Array | { readonly key: string; readonly from: number; readonly to: number };

/** A part: one range that S3 copies, or sources whose bytes this process gathers. */
export type JoinPart =
  | { readonly kind: 'copy'; readonly key: string; readonly from: number; readonly to: number }
  | { readonly kind: 'gather'; readonly sources: readonly PartSource[] };

/** Limits of S3; the minimum does not apply to the last part. */
export const MIN_JOIN_PART_BYTES = 5 * 1024 * 1024;
const MAX_PART_BYTES = 5 * 1024 * 1024 * 1024;
export const MAX_JOIN_PARTS = 10_000;

/**
 * Returns the parts of a joined file, in order; none for an empty file.
 *
 * @param minPartBytes minimum size of every part but the last
 */
export function joinParts(inputs: readonly JoinInput[], minPartBytes = MIN_JOIN_PART_BYTES): JoinPart[] {
  const parts: JoinPart[] = [];
  let sources: PartSource[] = [];
  let gathered = 0;
  const gather = (source: PartSource) => {
    sources.push(source);
    gathered += sourceBytes(source);
    if (gathered < minPartBytes) return;
    parts.push({ kind: 'gather', sources });
    sources = [];
    gathered = 0;
  };
  for (const input of inputs) {
    if (input instanceof Uint8Array) {
      if (input.length > 0) gather(input);
      continue;
    }
    const { key, bytes } = input;
    let from = 0;
    if (gathered > 0) {
      from = Math.min(bytes, minPartBytes - gathered);
      if (from > 0) gather({ key, from: 0, to: from });
    }
    while (bytes - from >= minPartBytes) {
      const to = Math.min(bytes, from + MAX_PART_BYTES);
      parts.push({ kind: 'copy', key, from, to });
      from = to;
    }
    if (from < bytes) gather({ key, from, to: bytes });
  }
  if (sources.length > 0) parts.push({ kind: 'gather', sources });
  return parts;
}

export function sourceBytes(source: PartSource): number {
  return source instanceof Uint8Array ? source.length : source.to - source.from;
}
