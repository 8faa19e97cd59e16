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
  /** The same call with the whole key. */
  const keyed =
    <Rest extends unknown[], Result>(call: (of: string, key: string, ...rest: Rest) => Result) =>
    (of: string, key: string, ...rest: Rest): Result =>
      call.call(store, of, full(of, key), ...rest);
  return {
    head: keyed(store.head),
    get: keyed(store.get),
    range: keyed(store.range),
    put: keyed(store.put),
    putIf: keyed(store.putIf),
    writer: keyed(store.writer),
    beginJoin: keyed(store.beginJoin),
    delete: keyed(store.delete),
    joinPart: (of, part, from) => store.joinPart(target(of), part, source(from)),
    completeJoin: (of, partCount) => store.completeJoin(target(of), partCount),
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
