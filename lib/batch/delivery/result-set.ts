/** Reads results: the outcome of a version, and its files, checked against the manifest. */

import type { FileWriter, Hashing } from '../ports.ts';
import { type ResultStorage, readJson } from '../storage/read-json.ts';
import { writeWhole } from '../storage/whole-file.ts';
import { FileChecksum } from './file-checksum.ts';
import type { InputVersion, Manifest, ManifestFile } from './manifest.ts';
import { jobKeys } from './result-keys.ts';
import type { DoneMarker, RejectDocument } from './status-document.ts';

export type VersionOutcome =
  | { readonly kind: 'completed'; readonly key: string; readonly manifest: Manifest }
  | { readonly kind: 'rejected'; readonly key: string; readonly reject: RejectDocument };

/** The outcome of an input version; undefined if it has none yet. */
export async function findOutcome(
  storage: ResultStorage,
  { key, versionId }: InputVersion,
  hashing: Hashing,
): Promise<VersionOutcome | undefined> {
  const doneKey = jobKeys(key, versionId, '', hashing).done;
  const done = await readJson<DoneMarker>(storage, doneKey);
  if (done === undefined) return undefined;
  const { manifest: manifestKey, reject: rejectKey } = jobKeys(key, versionId, done.jobId, hashing);
  if (done.outcome === 'completed') {
    const found = await readJson<Manifest>(storage, manifestKey);
    return found && { kind: 'completed', key: manifestKey, manifest: found };
  }
  const found = await readJson<RejectDocument>(storage, rejectKey);
  return found && { kind: 'rejected', key: rejectKey, reject: found };
}

/** A file that differs from its manifest. */
export class ChecksumError extends Error {
  override readonly name = 'ChecksumError';
}

/**
 * Copies a file of a result set, and checks it against the manifest before it closes `to`.
 *
 * @throws ChecksumError if its bytes differ from the manifest; `to` is then aborted
 */
export async function fetchFile(
  { store, resultsBucket }: ResultStorage,
  file: ManifestFile,
  to: FileWriter,
  hashing: Hashing,
): Promise<void> {
  const object = file.key === undefined ? undefined : await store.get(resultsBucket, file.key);
  if (object === undefined)
    throw new ChecksumError(`${file.key ?? file.name} is in the manifest but does not exist`);
  const checksum = new FileChecksum(file, hashing);
  await writeWhole(to, async () => {
    for await (const bytes of object.body) {
      checksum.update(bytes);
      await to.write(bytes);
    }
    const problem = checksum.problem();
    if (problem !== undefined) throw new ChecksumError(problem);
  });
}
