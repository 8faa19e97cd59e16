/**
 * Finds the object that the shards of a large job read: the upload, or a plain copy, as compressed data cannot be cut,
 * and readers take UTF-8.
 */
import { HEAD_BYTES } from '../../formats/reader.ts';
import { FileRejection, type InputProgress, plainBytes, storedForm } from '../job/input.ts';
import { FunctionTime } from '../storage/function-time.ts';
import { type ObjectSource, openSource, readRange } from '../storage/object-source.ts';
import { writeWhole } from '../storage/whole-file.ts';
import type { LargeDependencies } from './large-job.ts';

/**
 * Returns the object to read and its first MiB.
 *
 * @param copyKey key of a plain copy, in the results bucket
 * @throws FileRejection for an unsupported container, or if unpacking takes too long
 */
export async function plainSource(
  stored: ObjectSource,
  copyKey: string,
  dependencies: LargeDependencies,
): Promise<{ readonly source: ObjectSource; readonly head: Uint8Array }> {
  const headOf = (source: ObjectSource) =>
    readRange(dependencies.store, { ...source, from: 0, to: Math.min(source.bytes, HEAD_BYTES) });
  const front = await headOf(stored);
  const { container, encoding } = storedForm(front);
  if (container === undefined && encoding === undefined) return { source: stored, head: front };
  const source = await plainCopy(stored, copyKey, dependencies);
  return { source, head: await headOf(source) };
}

/** Stores a plain copy of an upload. @throws FileRejection if that takes too long */
export async function plainCopy(
  stored: ObjectSource,
  key: string,
  dependencies: LargeDependencies,
): Promise<ObjectSource> {
  const { store, resultsBucket, unpacking, jobLimits } = dependencies;
  const progress: InputProgress = { storedBytes: 0, plainBytes: 0 };
  const { body } = await openSource(store, stored, 0, stored.bytes);
  const time = new FunctionTime(dependencies);
  const writer = store.writer(resultsBucket, key, 'application/octet-stream');
  await writeWhole(writer, async () => {
    const limits = { maxBytes: jobLimits?.unpackedBytes, storedBytes: stored.bytes };
    for await (const bytes of plainBytes(body, unpacking, progress, {}, limits)) {
      await writer.write(bytes);
      if (!time.isShort) continue;
      throw new FileRejection({
        code: 'too_large',
        message:
          `unpacking the file exceeds the time of one function: ${progress.storedBytes} of ${stored.bytes} bytes were unpacked; ` +
          'upload it as plain UTF-8 text, or split it',
      });
    }
  });
  return { bucket: resultsBucket, key, bytes: progress.plainBytes };
}
