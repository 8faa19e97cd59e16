/** What `status/` says of an input version. */

import { STATUS_PREFIX } from '../names.ts';
import type { Hashing, ObjectStore } from '../ports.ts';
import { readJson } from '../storage/read-json.ts';
import { resultKeyPart } from './result-keys.ts';
import type { StatusDocument } from './status-document.ts';

/** The status that was written last of the jobs of a version; undefined where there is none. */
export async function findStatus(
  store: ObjectStore,
  resultsBucket: string,
  inputKey: string,
  versionId: string,
  hashing: Hashing,
): Promise<StatusDocument | undefined> {
  const prefix = `${STATUS_PREFIX}${resultKeyPart(inputKey, hashing)}/`;
  let last: StatusDocument | undefined;
  for await (const key of store.list(resultsBucket, prefix)) {
    // Statuses of keys below this one lie among them.
    if (!/^[0-9a-f]{16}\.json$/.test(key.slice(prefix.length))) continue;
    const status = (await readJson<StatusDocument>(store, resultsBucket, key))?.document;
    if (status?.input.versionId !== versionId) continue;
    if (last === undefined || status.updatedAt > last.updatedAt) last = status;
  }
  return last;
}
