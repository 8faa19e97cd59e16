/**
 * The object that the shards of a large job read: the upload itself, or where that is gzip data, which cannot be cut, an
 * unpacked copy.
 */
import { HEAD_BYTES } from '../../formats/reader.ts';
import type { FileError } from '../job/file-error.ts';
import {
  collectBytes,
  FileRejection,
  type InputProgress,
  isGzip,
  plainBytes,
  rejectUnsupportedCompression,
} from '../job/input.ts';
import { deadlineReserveMs } from '../limits.ts';
import type { ObjectStore, Unpacking } from '../ports.ts';
import type { ShardSource } from './plan.ts';
import { openSource } from './shard-reader.ts';

/** What unpacking needs. */
export interface UnpackMachinery {
  readonly store: ObjectStore;
  readonly resultsBucket: string;
  readonly unpacking: Unpacking;
  /** Milliseconds until this process is stopped. */
  remainingMs(): number;
}

/**
 * What is to be read, and its first MiB.
 *
 * @param unpackedKey where an unpacked copy goes, in the results bucket
 * @throws FileRejection for compressions that are not read, and where unpacking takes too long
 */
export async function plainSource(
  stored: ShardSource,
  unpackedKey: string,
  machinery: UnpackMachinery,
): Promise<{ readonly source: ShardSource; readonly head: Uint8Array }> {
  const front = await headOf(stored, machinery);
  rejectUnsupportedCompression(front);
  if (!isGzip(front)) return { source: stored, head: front };
  const source = await unpack(stored, unpackedKey, machinery);
  return { source, head: await headOf(source, machinery) };
}

async function headOf(source: ShardSource, { store }: UnpackMachinery): Promise<Uint8Array> {
  const { body } = await openSource(store, source, 0, Math.min(source.bytes, HEAD_BYTES));
  return collectBytes(body);
}

async function unpack(
  stored: ShardSource,
  key: string,
  { store, resultsBucket, unpacking, remainingMs }: UnpackMachinery,
): Promise<ShardSource> {
  const progress: InputProgress = { storedBytes: 0, plainBytes: 0 };
  const object = await openSource(store, stored, 0, stored.bytes);
  const reserveMs = deadlineReserveMs(remainingMs());
  const writer = store.writer(resultsBucket, key, 'application/octet-stream');
  try {
    for await (const bytes of plainBytes(object.body, unpacking, progress)) {
      await writer.write(bytes);
      if (remainingMs() < reserveMs) throw new FileRejection(unpackingTooLong(progress, stored.bytes));
    }
  } catch (error) {
    await writer.abort();
    throw error;
  }
  await writer.close();
  return { bucket: resultsBucket, key, bytes: progress.plainBytes };
}

function unpackingTooLong({ storedBytes }: InputProgress, totalBytes: number): FileError {
  return {
    code: 'too_large',
    message:
      `the gzip data takes longer to unpack than one function has: ${storedBytes} of ${totalBytes} bytes were unpacked; ` +
      'upload it unpacked, or in several files',
  };
}
