/**
 * How a file is joined from pieces: which are copied where they lie, and which must pass through here because S3 takes
 * no part below 5 MiB but the last.
 *
 *     pieces   |  20 MiB  |\n| 1 MiB | 2 MiB |     30 MiB     | 3 MiB |
 *     parts    |  copy 1  |       gather 2      |    copy 3     |   4   |
 *                                        ^ the first 2 MiB of the fourth piece fill the part up
 */

/** Bytes at hand, or a stored object of so many bytes. */
export type JoinPiece = Uint8Array | StoredPiece;

export interface StoredPiece {
  readonly key: string;
  readonly bytes: number;
}

/** Bytes at hand, or a stretch of a stored object. */
export type PartSource = Uint8Array | { readonly key: string; readonly from: number; readonly to: number };

/** A part: one stretch that is copied, or slices whose bytes are gathered. */
export type JoinPart =
  | { readonly kind: 'copy'; readonly key: string; readonly from: number; readonly to: number }
  | { readonly kind: 'gather'; readonly slices: readonly PartSource[] };

/** Smallest part that is not the last one, and largest, as S3 has them. */
export const MIN_JOIN_PART_BYTES = 5 * 1024 * 1024;
const MAX_PART_BYTES = 5 * 1024 * 1024 * 1024;
export const MAX_JOIN_PARTS = 10_000;

/**
 * The parts of a joined file, in order; none for an empty one.
 *
 * @param minPartBytes least size of a part that is not the last one
 */
export function joinParts(pieces: readonly JoinPiece[], minPartBytes = MIN_JOIN_PART_BYTES): JoinPart[] {
  const parts: JoinPart[] = [];
  let slices: PartSource[] = [];
  let gathered = 0;
  const gather = (slice: PartSource) => {
    slices.push(slice);
    gathered += sourceBytes(slice);
    if (gathered < minPartBytes) return;
    parts.push({ kind: 'gather', slices });
    slices = [];
    gathered = 0;
  };
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) {
      if (piece.length > 0) gather(piece);
      continue;
    }
    const { key, bytes } = piece;
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
  if (slices.length > 0) parts.push({ kind: 'gather', slices });
  return parts;
}

export function sourceBytes(slice: PartSource): number {
  return slice instanceof Uint8Array ? slice.length : slice.to - slice.from;
}
