/**
 * Joins a file from inputs: S3 copies large inputs itself; smaller ones pass through this process, because every part of a
 * joined object but the last must have at least 5 MiB.
 *
 *     inputs   |  20 MiB  |\n| 1 MiB | 2 MiB |     30 MiB     | 3 MiB |
 *     parts    |  copy 1  |       gather 2      |    copy 3     |   4   |
 *                                        ^ the first 2 MiB of the fourth input fill part 2
 */
import { inParallel } from '../in-parallel.ts';
import { concatBytes } from '../job/input.ts';
import type { ObjectRange } from '../ports.ts';
import type { FunctionTime } from '../storage/function-time.ts';
import { readRange } from '../storage/object-source.ts';
import type { ResultStorage } from '../storage/read-json.ts';

/** Bytes in memory, or a stored object. */
export type JoinInput = Uint8Array | { readonly key: string; readonly bytes: number };

/** Bytes in memory, or a range of a stored object. */
type PartSource = Uint8Array | StoredRange;

type StoredRange = Omit<ObjectRange, 'bucket'>;

/** A part: its bytes one after the other. */
type JoinPart = readonly PartSource[];

/** Limits of S3; the minimum does not apply to the last part. */
const MIN_JOIN_PART_BYTES = 5 * 1024 * 1024;
const MAX_PART_BYTES = 5 * 1024 * 1024 * 1024;
const MAX_JOIN_PARTS = 10_000;

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
    parts.push(sources);
    sources = [];
    gathered = 0;
  };
  for (const input of inputs) {
    if (input instanceof Uint8Array) {
      if (input.length > 0) gather(input);
      continue;
    }
    const { key, bytes } = input;
    for (let from = 0; from < bytes; ) {
      // A part that has begun is filled up; the rest is copied.
      const to = Math.min(bytes, from + (gathered > 0 ? minPartBytes - gathered : MAX_PART_BYTES));
      gather({ key, from, to });
      from = to;
    }
  }
  if (sources.length > 0) parts.push(sources);
  return parts;
}

export function sourceBytes(source: PartSource): number {
  return source instanceof Uint8Array ? source.length : source.to - source.from;
}

/** The range of a part that S3 copies; undefined for a part whose bytes this process gathers. */
export function copiedRange(part: JoinPart, minPartBytes = MIN_JOIN_PART_BYTES): StoredRange | undefined {
  const [source] = part;
  const isCopied = part.length === 1 && source !== undefined && sourceBytes(source) >= minPartBytes;
  return isCopied && !(source instanceof Uint8Array) ? source : undefined;
}

/** A file and what it is joined from. */
export interface FileToJoin {
  readonly contentType: string;
  readonly inputs: readonly JoinInput[];
  readonly bytes: number;
}

interface JoinDependencies extends ResultStorage {
  /** Minimum size of every part but the last. @default 5 MiB, the limit of S3 */
  readonly minPartBytes?: number;
}

/** The place at which a later call continues a join: its id and the number of parts stored. */
export interface JoinProgress {
  readonly joinId: string;
  readonly parts: number;
}

/** Parts stored in parallel. */
const PARTS_AT_ONCE = 8;
/** Parts between two checks of the remaining time. */
const PARTS_PER_CHECK = 64;

/**
 * Joins a file, unless the object already exists with its size.
 *
 * @param from where an earlier call stopped
 * @returns where a later call continues if the time is short, else undefined
 * @throws Error if an input is missing, or there are more parts than S3 allows
 */
export async function joinFile(
  { inputs, bytes, contentType }: FileToJoin,
  key: string,
  from: Partial<JoinProgress>,
  time: Pick<FunctionTime, 'isShort'>,
  { store, resultsBucket: bucket, minPartBytes }: JoinDependencies,
): Promise<JoinProgress | undefined> {
  // The response to an earlier completion may be lost.
  if ((await store.head(bucket, key))?.size === bytes) return undefined;
  const bytesOf = async (part: JoinPart) => {
    const pieces: Uint8Array[] = [];
    for (const source of part) {
      pieces.push(source instanceof Uint8Array ? source : await readRange(store, { bucket, ...source }));
    }
    return concatBytes(pieces);
  };
  const parts = joinParts(inputs, minPartBytes);
  if (parts.length <= 1) {
    await store.put(bucket, key, await bytesOf(parts[0] ?? []), contentType);
    return undefined;
  }
  if (parts.length > MAX_JOIN_PARTS) {
    throw new Error(`${key} needs ${parts.length} parts; S3 joins at most ${MAX_JOIN_PARTS}`);
  }
  const { parts: firstPart = 0, joinId = await store.beginJoin(bucket, key, contentType) } = from;
  const target = { bucket, key, joinId };
  for (let done = firstPart; done < parts.length; done += PARTS_PER_CHECK) {
    if (time.isShort && done > firstPart) return { joinId, parts: done };
    await inParallel(parts.slice(done, done + PARTS_PER_CHECK), PARTS_AT_ONCE, async (part, k) => {
      const copied = copiedRange(part, minPartBytes);
      await store.joinPart(target, done + k + 1, copied ? { bucket, ...copied } : await bytesOf(part));
    });
  }
  await store.completeJoin(target, parts.length);
  return undefined;
}
