/** Finds the status of an input version under `status/`. */

import { STATUS_PREFIX } from '../names.ts';
import type { Hashing, ObjectStore } from '../ports.ts';
import { readJson } from '../storage/read-json.ts';
import { resultKeyPart } from './result-keys.ts';
import type { StatusDocument } from './status-document.ts';

/** The latest status of the jobs of a version; undefined if there is none. */
export async function findStatus(
  ...where: Parameters<typeof statusesOf>
): Promise<StatusDocument | undefined> {
  let last: StatusDocument | undefined;
  for await (const status of statusesOf(...where)) {
    if (last === undefined || status.updatedAt > last.updatedAt) last = status;
  }
  return last;
}

/** The statuses of the jobs of a version. */
export async function* statusesOf(
  store: ObjectStore,
  resultsBucket: string,
  inputKey: string,
  versionId: string,
  hashing: Hashing,
): AsyncIterable<StatusDocument> {
  const prefix = `${STATUS_PREFIX}${resultKeyPart(inputKey, hashing)}/`;
  for await (const key of store.list(resultsBucket, prefix)) {
    // The listing includes statuses of keys under this one.
    if (!/^[0-9a-f]{16}\.json$/.test(key.slice(prefix.length))) continue;
    const status = await readJson<StatusDocument>({ store, resultsBucket }, key);
    if (status?.input.versionId === versionId) yield status;
  }
}
