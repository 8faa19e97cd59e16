/** The versions of a bucket of the local S3 server, key by key. */
import type { StoredVersion } from '../../lib/local/s3/catalog.ts';
import type { VersionIndex } from '../../lib/local/s3/version-index.ts';

/** Each key with its versions, oldest first; may be continued after other changes. */
export function* byKey(index: VersionIndex): Generator<[key: string, versions: readonly StoredVersion[]]> {
  for (let entry = index.at(0); entry !== undefined; entry = index.at(index.positionAfter(entry.key))) {
    yield [entry.key, [...index.newestFirst(entry.key)].reverse()];
  }
}
