/**
 * Finds the object that the shards of a large job read: the upload, or a plain copy, as compressed data cannot be cut,
 * and readers take UTF-8.
 */
import { HEAD_BYTES } from '../../../formats/reader.ts';
import type { FileError } from '../../job/file-error.ts';
import { FileRejection, type InputProgress, plainBytes, storedForm } from '../../job/input.ts';
import type { JobLimits } from '../../job-limits.ts';
import { deadlineReserveMs } from '../../limits.ts';
import type { ObjectStore, Unpacking } from '../../ports.ts';
import { type ObjectSource, openSource, readRange } from '../../storage/object-source.ts';
import { writeWhole } from '../../storage/whole-file.ts';

export interface UnpackDependencies {
  readonly store: ObjectStore;
  readonly resultsBucket: string;
  readonly unpacking: Unpacking;
  /** @default the limits for which no operator has set others */
  readonly jobLimits?: JobLimits;
  /** Milliseconds until this process is stopped. */
  remainingMs(): number;
}

/**
 * Returns the object to read and its first MiB.
 *
 * @param unpackedKey key of an unpacked copy, in the results bucket
 * @throws FileRejection for an unsupported container, or if unpacking takes too long
 */
export async function plainSource(
  stored: ObjectSource,
  unpackedKey: string,
  dependencies: UnpackDependencies,
): Promise<{ readonly source: ObjectSource; readonly head: Uint8Array }> {
  const front = await headOf(stored, dependencies);
  const { container, encoding } = storedForm(front);
  if (container === undefined && encoding === undefined) return { source: stored, head: front };
  const source = await plainCopy(stored, unpackedKey, dependencies);
  return { source, head: await headOf(source, dependencies) };
}

function headOf(source: ObjectSource, { store }: UnpackDependencies): Promise<Uint8Array> {
  return readRange(store, { ...source, from: 0, to: Math.min(source.bytes, HEAD_BYTES) });
}

/** Stores a plain copy of an upload. @throws FileRejection if that takes too long */
export async function plainCopy(
  stored: ObjectSource,
  key: string,
  { store, resultsBucket, unpacking, jobLimits, remainingMs }: UnpackDependencies,
): Promise<ObjectSource> {
  const progress: InputProgress = { storedBytes: 0, plainBytes: 0 };
  const object = await openSource(store, stored, 0, stored.bytes);
  const reserveMs = deadlineReserveMs(remainingMs());
  const writer = store.writer(resultsBucket, key, 'application/octet-stream');
  await writeWhole(writer, async () => {
    const limits = { maxBytes: jobLimits?.unpackedBytes, storedBytes: stored.bytes };
    for await (const bytes of plainBytes(object.body, unpacking, progress, {}, limits)) {
      await writer.write(bytes);
      if (remainingMs() < reserveMs) throw new FileRejection(unpackingTooLong(progress, stored.bytes));
    }
  });
  return { bucket: resultsBucket, key, bytes: progress.plainBytes };
}

function unpackingTooLong({ storedBytes }: InputProgress, totalBytes: number): FileError {
  return {
    code: 'too_large',
    message:
      `unpacking the file exceeds the time of one function: ${storedBytes} of ${totalBytes} bytes were unpacked; ` +
      'upload it as plain UTF-8 text, or split it',
  };
}
