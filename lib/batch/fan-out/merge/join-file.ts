/** Joins a file from its inputs: S3 copies large inputs itself; small ones are streamed through this process. */
import { inParallel } from '../../in-parallel.ts';
import { concatBytes } from '../../job/input.ts';
import type { ObjectStore } from '../../ports.ts';
import { readRange } from '../../storage/object-source.ts';
import { type JoinPart, joinParts, MAX_JOIN_PARTS } from './join-parts.ts';
import type { JoinedFile } from './joined-files.ts';

export interface JoinDependencies {
  readonly store: ObjectStore;
  readonly resultsBucket: string;
  /** Milliseconds until this process is stopped. */
  remainingMs(): number;
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
/** Time reserved for the steps after the join. */
const RESERVE_MS = 60_000;
const NO_BYTES = new Uint8Array(0);

/**
 * Joins a file, unless the object already exists with its size.
 *
 * @param from where an earlier call stopped
 * @returns where a later call continues if the time ran out, else undefined
 * @throws Error if a input is missing, or there are more parts than S3 allows
 */
export async function joinFile(
  { inputs, bytes, contentType }: JoinedFile,
  key: string,
  from: JoinProgress | undefined,
  dependencies: JoinDependencies,
): Promise<JoinProgress | undefined> {
  const { store, resultsBucket, remainingMs, minPartBytes } = dependencies;
  // The response to an earlier completion may be lost.
  if ((await store.head(resultsBucket, key))?.size === bytes) return undefined;
  const parts = joinParts(inputs, minPartBytes);
  if (parts.length <= 1) {
    const body = parts.length === 0 ? NO_BYTES : await bytesOf(parts[0]!, dependencies);
    await store.put(resultsBucket, key, body, contentType);
    return undefined;
  }
  if (parts.length > MAX_JOIN_PARTS) {
    throw new Error(`${key} needs ${parts.length} parts; S3 joins at most ${MAX_JOIN_PARTS}`);
  }
  const firstPart = from?.parts ?? 0;
  const joinId = from?.joinId ?? (await store.beginJoin(resultsBucket, key, contentType));
  const target = { bucket: resultsBucket, key, joinId };
  for (let done = firstPart; done < parts.length; done += PARTS_PER_CHECK) {
    if (remainingMs() < RESERVE_MS && done > firstPart) return { joinId, parts: done };
    const chunk = parts.slice(done, done + PARTS_PER_CHECK);
    await inParallel(chunk, PARTS_AT_ONCE, async (part, k) => {
      const source =
        part.kind === 'copy' ? { bucket: resultsBucket, ...part } : await bytesOf(part, dependencies);
      await store.joinPart(target, done + k + 1, source);
    });
  }
  await store.completeJoin(target, parts.length);
  return undefined;
}

async function bytesOf(part: JoinPart, { store, resultsBucket }: JoinDependencies): Promise<Uint8Array> {
  const sources = part.kind === 'copy' ? [part] : part.sources;
  const bytes: Uint8Array[] = [];
  for (const source of sources) {
    if (source instanceof Uint8Array) bytes.push(source);
    else bytes.push(await readRange(store, { bucket: resultsBucket, ...source }));
  }
  return concatBytes(bytes);
}
