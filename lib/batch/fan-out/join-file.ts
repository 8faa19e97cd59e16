/** Joins a file from its pieces: by the storage itself where they are large enough, streamed together where not. */

import { inParallel } from '../in-parallel.ts';
import { concatBytes } from '../job/input.ts';
import type { ObjectStore } from '../ports.ts';
import { type JoinPart, joinParts, MAX_PARTS } from './join-parts.ts';
import type { JoinedFile } from './joined-files.ts';

export interface JoinMachinery {
  readonly store: ObjectStore;
  readonly resultsBucket: string;
  /** Milliseconds until this process is stopped. */
  remainingMs(): number;
  /** Least size of a part that is not the last one. @default 5 MiB, as S3 has it */
  readonly minPartBytes?: number;
}

/** Where a join stands that ran out of time: its id, and how many of its parts are stored. */
export interface JoinProgress {
  readonly joinId: string;
  readonly parts: number;
}

/** Parts stored at one time. */
const PARTS_AT_ONCE = 8;
/** Parts between two looks at the time. */
const PARTS_A_STRIDE = 64;
/** Time that is kept for what comes behind. */
const RESERVE_MS = 60_000;
const NO_BYTES = new Uint8Array(0);

/**
 * Joins a file; one that stands with its size is not joined once more.
 *
 * @param from where an earlier call stopped
 * @returns where it stands, if the time ran out
 * @throws Error where a piece is gone, or there are more parts than S3 takes
 */
export async function joinFile(
  { pieces, bytes, contentType }: JoinedFile,
  key: string,
  from: JoinProgress | undefined,
  machinery: JoinMachinery,
): Promise<JoinProgress | undefined> {
  const { store, resultsBucket, remainingMs, minPartBytes } = machinery;
  // A join whose completion was not heard of stands already.
  if ((await store.head(resultsBucket, key))?.size === bytes) return undefined;
  const parts = joinParts(pieces, minPartBytes);
  if (parts.length <= 1) {
    const body = parts.length === 0 ? NO_BYTES : await bytesOf(parts[0]!, machinery);
    await store.put(resultsBucket, key, body, contentType);
    return undefined;
  }
  if (parts.length > MAX_PARTS) {
    throw new Error(`${key} would be joined from ${parts.length} parts, and S3 takes ${MAX_PARTS}`);
  }
  const begun = from?.parts ?? 0;
  const joinId = from?.joinId ?? (await store.beginJoin(resultsBucket, key, contentType));
  const target = { bucket: resultsBucket, key, joinId };
  for (let done = begun; done < parts.length; done += PARTS_A_STRIDE) {
    if (remainingMs() < RESERVE_MS && done > begun) return { joinId, parts: done };
    const stride = parts.slice(done, done + PARTS_A_STRIDE);
    await inParallel(stride, PARTS_AT_ONCE, async (part, k) => {
      const source =
        part.kind === 'copy' ? { bucket: resultsBucket, ...part } : await bytesOf(part, machinery);
      await store.joinPart(target, done + k + 1, source);
    });
  }
  await store.completeJoin(target, parts.length);
  return undefined;
}

async function bytesOf(part: JoinPart, { store, resultsBucket }: JoinMachinery): Promise<Uint8Array> {
  const slices = part.kind === 'copy' ? [part] : part.slices;
  const bytes: Uint8Array[] = [];
  for (const slice of slices) {
    if (slice instanceof Uint8Array) {
      bytes.push(slice);
      continue;
    }
    const object = await store.range(resultsBucket, slice.key, undefined, slice.from, slice.to);
    if (object === undefined) throw new Error(`${slice.key} was deleted while its job ran`);
    for await (const piece of object.body) bytes.push(piece.slice());
  }
  return concatBytes(bytes);
}
