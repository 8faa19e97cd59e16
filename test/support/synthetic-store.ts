/**
 * A store for jobs over terabytes: it generates the bytes of one large object on each read, and keeps only the sizes of
 * large objects that are written.
 */
import type { JoinTarget, ObjectInfo, ObjectRange, ObjectStore } from '../../lib/batch/ports.ts';
import { MemoryBuckets, memoryStore } from './memory-store.ts';

const MIN_PART_BYTES = 5 * 1024 * 1024;
const MAX_PART_BYTES = 5 * 1024 * 1024 * 1024;
const MAX_PARTS = 10_000;
const CHUNK_BYTES = 64 * 1024;

export class SyntheticStore {
  readonly buckets = new MemoryBuckets();
  /** Bytes read from generated objects. */
  readBytes = 0;
  /** Sizes of the objects whose bytes are not kept. */
  readonly sizes = new Map<string, number>();
  readonly #joins = new Map<string, Map<number, number>>();
  readonly #line: Uint8Array;

  /** @param bytes size of the object `inputKey`, whose content repeats `line` */
  constructor(inputKey: string, bytes: number, line: string) {
    this.#line = new TextEncoder().encode(line);
    this.sizes.set(inputKey, bytes);
  }

  /** The store; small objects are in `buckets`. */
  store(): ObjectStore {
    return Object.assign(Object.create(memoryStore(this.buckets)) as ObjectStore, this.#overrides());
  }

  #overrides(): Partial<ObjectStore> {
    const small = memoryStore(this.buckets);
    return {
      head: async (bucket, key, versionId) => this.#info(key) ?? small.head(bucket, key, versionId),
      get: (bucket, key, versionId) => small.get(bucket, key, versionId),
      put: (...request) => small.put(...request),
      putIf: (...request) => small.putIf(...request),
      writer: (...request) => small.writer(...request),
      delete: (...request) => small.delete(...request),
      list: (...request) => small.list(...request),
      listVersions: (...request) => small.listVersions(...request),
      range: async (bucket, key, versionId, from, to) => {
        if (this.#info(key) === undefined) return small.range(bucket, key, versionId, from, to);
        return this.#body(from, to);
      },
      beginJoin: async (_bucket, key) => {
        this.#joins.set(key, new Map());
        return key;
      },
      joinPart: async ({ key }: JoinTarget, part: number, source: Uint8Array | ObjectRange) => {
        const bytes = source instanceof Uint8Array ? source.length : source.to - source.from;
        this.#joins.get(key)!.set(part, bytes);
      },
      completeJoin: async ({ key }: JoinTarget, partCount: number) => {
        const parts = this.#joins.get(key)!;
        if (parts.size !== partCount || partCount > MAX_PARTS) throw new Error(`${key}: ${partCount} parts`);
        let size = 0;
        for (const [part, bytes] of parts) {
          if (part < partCount && bytes < MIN_PART_BYTES) throw new Error(`EntityTooSmall: ${key} ${part}`);
          if (bytes > MAX_PART_BYTES) throw new Error(`EntityTooLarge: ${key} ${part}`);
          size += bytes;
        }
        this.sizes.set(key, size);
      },
    };
  }

  #info(key: string): ObjectInfo | undefined {
    const size = this.sizes.get(key);
    return size === undefined ? undefined : { size, etag: '"synthetic"', versionId: 'v1', metadata: {} };
  }

  async *#body(from: number, to: number): AsyncIterable<Uint8Array> {
    const line = this.#line;
    for (let at = from; at < to; at += CHUNK_BYTES) {
      const bytes = new Uint8Array(Math.min(CHUNK_BYTES, to - at));
      for (let k = 0; k < bytes.length; k++) bytes[k] = line[(at + k) % line.length]!;
      this.readBytes += bytes.length;
      yield bytes;
    }
  }
}
