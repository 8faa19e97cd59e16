/** A folder of a bucket as if it were the whole bucket: other programs may use the rest of the bucket. */
import type { JoinTarget, ObjectRange, ObjectStore } from '../ports.ts';

/**
 * Adds a prefix to every key in one bucket, and removes it from listed keys; other buckets are unchanged.
 *
 * @param prefix empty, or ends with a slash
 */
export function prefixedStore(store: ObjectStore, bucket: string, prefix: string): ObjectStore {
  if (prefix === '') return store;
  const full = (of: string, key: string) => (of === bucket ? prefix + key : key);
  const target = (of: JoinTarget): JoinTarget => ({ ...of, key: full(of.bucket, of.key) });
  const source = (of: Uint8Array | ObjectRange) =>
    of instanceof Uint8Array ? of : { ...of, key: full(of.bucket, of.key) };
  const listed = (of: string, key: string) => (of === bucket ? key.slice(prefix.length) : key);
  return {
    head: (of, key, versionId) => store.head(of, full(of, key), versionId),
    get: (of, key, versionId) => store.get(of, full(of, key), versionId),
    range: (of, key, versionId, from, to) => store.range(of, full(of, key), versionId, from, to),
    put: (of, key, body, contentType) => store.put(of, full(of, key), body, contentType),
    putIf: (of, key, body, contentType, condition) =>
      store.putIf(of, full(of, key), body, contentType, condition),
    writer: (of, key, contentType, isOnly) => store.writer(of, full(of, key), contentType, isOnly),
    beginJoin: (of, key, contentType) => store.beginJoin(of, full(of, key), contentType),
    joinPart: (of, part, from) => store.joinPart(target(of), part, source(from)),
    completeJoin: (of, partCount) => store.completeJoin(target(of), partCount),
    delete: (of, key) => store.delete(of, full(of, key)),
    async *list(of, under, after) {
      const start = after === undefined ? undefined : full(of, after);
      for await (const key of store.list(of, full(of, under), start)) yield listed(of, key);
    },
    async *listVersions(of, under, after) {
      const start = after === undefined ? undefined : { ...after, key: full(of, after.key) };
      for await (const version of store.listVersions(of, full(of, under), start)) {
        yield { ...version, key: listed(of, version.key) };
      }
    },
  };
}
