/** Finds the status of an input version under `status/`. */

import { STATUS_PREFIX } from '../names.ts';
import type { Hashing } from '../ports.ts';
import { type ResultStorage, readJson } from '../storage/read-json.ts';
import type { InputVersion } from './manifest.ts';
import { resultKeyPart } from './result-keys.ts';
import type { StatusDocument } from './status-document.ts';

/** The latest status of the jobs of a version; undefined if there is none. */
export async function findStatus(
  ...where: Parameters<typeof statusesOf>
): Promise<StatusDocument | undefined> {
  const statuses = await statusesOf(...where);
  return statuses.sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0];
}

/** The statuses of the jobs of a version. */
export async function statusesOf(
  storage: ResultStorage,
  { key: inputKey, versionId }: InputVersion,
  hashing: Hashing,
): Promise<StatusDocument[]> {
  const found: StatusDocument[] = [];
  const prefix = `${STATUS_PREFIX}${resultKeyPart(inputKey, hashing)}/`;
  for await (const key of storage.store.list(storage.resultsBucket, prefix)) {
    // The listing includes statuses of keys under this one.
    if (!/^[0-9a-f]{16}\.json$/.test(key.slice(prefix.length))) continue;
    const status = await readJson<StatusDocument>(storage, key);
    if (status?.input.versionId === versionId) found.push(status);
  }
  return found;
}
