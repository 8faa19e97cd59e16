/**
 * Objects in memory with S3's rules: versions, delete markers, ETags, conditional writes, keys in UTF-8 order.
 *
 * `MemoryBuckets` is the shared storage; `memoryStore` is the client of one process. The process's hooks run before and
 * after each of its calls takes effect, so that a test can crash the process, lose a response, or run another process
 * first (see `faults.ts` and `interleave.ts`).
 */
import { createHash } from 'node:crypto';
import type {
  FileWriter,
  JoinTarget,
  ObjectInfo,
  ObjectRange,
  ObjectStore,
  ObjectVersion,
  PutCondition,
  StoredObject,
  VersionPosition,
} from '../../lib/batch/ports.ts';
import { compareUtf8 } from '../../lib/batch/storage/key-order.ts';
import { checkFile } from './result-schemas.ts';

interface Version {
  readonly versionId: string;
  /** Undefined for a delete marker. */
  readonly body: Uint8Array | undefined;
  readonly etag: string;
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly lastModified: string;
}

/** An object that is being joined. */
interface Join {
  readonly contentType: string;
  readonly parts: Map<number, Uint8Array>;
}

export class MemoryBuckets {
  /** Versions by bucket and key, oldest first. */
  readonly #buckets = new Map<string, Map<string, Version[]>>();
  readonly #joins = new Map<string, Join>();
  /** Minimum size of all parts but the last. */
  readonly minPartBytes: number;
  /** Modification time of the next writes. */
  now = '2025-03-01T00:00:00.000Z';
  #written = 0;
  #begun = 0;

  constructor(minPartBytes = 5 * 1024 * 1024) {
    this.minPartBytes = minPartBytes;
  }

  /** Stores a new version of an object. */
  write(
    bucket: string,
    key: string,
    body: Uint8Array | string,
    metadata: Readonly<Record<string, string>> = {},
    contentType = 'application/octet-stream',
  ): Version {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body.slice();
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
    return this.#append(bucket, key, { body: bytes, etag, contentType, metadata });
  }

  /** Adds a delete marker, as S3 does in a versioned bucket. */
  markDeleted(bucket: string, key: string): void {
    this.#append(bucket, key, { body: undefined, etag: '', contentType: '', metadata: {} });
  }

  /** Removes one version permanently. */
  deleteVersion(bucket: string, key: string, versionId: string): void {
    const versions = this.#versions(bucket, key);
    versions.splice(
      versions.findIndex((version) => version.versionId === versionId),
      1,
    );
  }

  /** A version, by default the newest; undefined if it does not exist or is a delete marker. */
  find(bucket: string, key: string, versionId?: string): (Version & { body: Uint8Array }) | undefined {
    const versions = this.#versions(bucket, key);
    const found =
      versionId === undefined ? versions.at(-1) : versions.find((version) => version.versionId === versionId);
    return found?.body === undefined ? undefined : { ...found, body: found.body };
  }

  /** Keys of the existing objects, in UTF-8 order. */
  keys(bucket: string, prefix = ''): string[] {
    return [...(this.#buckets.get(bucket)?.keys() ?? [])]
      .filter((key) => key.startsWith(prefix) && this.find(bucket, key) !== undefined)
      .sort(compareUtf8);
  }

  /** Versions of a key, newest first, delete markers included. */
  list(bucket: string, key: string): { readonly versionId: string; readonly deleteMarker: boolean }[] {
    return this.#versions(bucket, key)
      .map(({ versionId, body }) => ({ versionId, deleteMarker: body === undefined }))
      .reverse();
  }

  /** Versions with content under a prefix, in the order of a listing: keys in UTF-8 order, newest version first. */
  listAll(bucket: string, prefix: string): ObjectVersion[] {
    const keys = [...(this.#buckets.get(bucket)?.keys() ?? [])].filter((key) => key.startsWith(prefix));
    return keys.sort(compareUtf8).flatMap((key) => {
      const versions = this.#versions(bucket, key);
      return versions
        .map(({ versionId, body, etag, lastModified }, index) => ({
          key,
          versionId,
          bytes: body?.length ?? -1,
          etag: etag.replaceAll('"', ''),
          lastModified,
          latest: index === versions.length - 1,
        }))
        .filter(({ bytes }) => bytes >= 0)
        .reverse();
    });
  }

  /** An object's text. */
  text(bucket: string, key: string): string {
    const object = this.find(bucket, key);
    if (object === undefined)
      throw new Error(`${bucket} has no ${key}; it has ${this.keys(bucket).join(', ')}`);
    return new TextDecoder().decode(object.body);
  }

  /** An object's JSON. */
  json<Document>(bucket: string, key: string): Document {
    return JSON.parse(this.text(bucket, key));
  }

  beginJoin(contentType: string): string {
    const joinId = `join-${++this.#begun}`;
    this.#joins.set(joinId, { contentType, parts: new Map() });
    return joinId;
  }

  /** @throws Error if the join is completed, or was never begun */
  join({ joinId }: JoinTarget): Join {
    const join = this.#joins.get(joinId);
    if (join === undefined) throw new Error(`NoSuchUpload: ${joinId}`);
    return join;
  }

  /** Completes a join as S3 does: all parts but the last must have the minimum size. */
  completeJoin(target: JoinTarget, partCount: number): void {
    const { contentType, parts } = this.join(target);
    const bodies = Array.from({ length: partCount }, (_, k) => parts.get(k + 1));
    for (const [k, body] of bodies.entries()) {
      if (body === undefined) throw new Error(`InvalidPart: ${k + 1}`);
      if (k + 1 < partCount && body.length < this.minPartBytes) throw new Error(`EntityTooSmall: ${k + 1}`);
    }
    this.#joins.delete(target.joinId);
    this.write(target.bucket, target.key, Buffer.concat(bodies as Uint8Array[]), {}, contentType);
  }

  /** The texts of all existing objects, by key. */
  texts(bucket: string): Record<string, string> {
    return Object.fromEntries(this.keys(bucket).map((key) => [key, this.text(bucket, key)]));
  }

  #versions(bucket: string, key: string): Version[] {
    return this.#buckets.get(bucket)?.get(key) ?? [];
  }

  #append(bucket: string, key: string, content: Omit<Version, 'versionId' | 'lastModified'>): Version {
    this.#written++;
    const versionId = `v${String(this.#written).padStart(6, '0')}`;
    const version = { ...content, versionId, lastModified: this.now };
    const keys = this.#buckets.get(bucket) ?? new Map<string, Version[]>();
    this.#buckets.set(bucket, keys.set(key, [...(keys.get(key) ?? []), version]));
    return version;
  }
}

export type StoreOperation =
  | 'head'
  | 'get'
  | 'read'
  | 'range'
  | 'beginJoin'
  | 'joinPart'
  | 'completeJoin'
  | 'put'
  | 'putIf'
  | 'write'
  | 'close'
  | 'abort'
  | 'delete'
  | 'list'
  | 'listVersions';

/** One call of a process; each chunk read from or written to a body is a call too. */
export interface StoreCall {
  /** From 0, over all calls of the process. */
  readonly index: number;
  readonly operation: StoreOperation;
  readonly bucket: string;
  readonly key: string;
}

/** Runs before and after every call of a process. */
export interface CallHooks {
  /** May wait. If it throws, the call never takes effect. An outcome replaces a conditional write. */
  before?(call: StoreCall): Promise<boolean | undefined>;
  /** Runs after the call took effect. If it throws, the response is lost. An outcome replaces that of a conditional write. */
  after?(call: StoreCall): Promise<boolean | undefined>;
}

const CHUNK_BYTES = 64 * 1024;

/** Versions in a page of a listing. */
const PAGE_VERSIONS = 1000;

/** The store of one process. */
export function memoryStore(buckets: MemoryBuckets, hooks: CallHooks = {}): ObjectStore {
  return new MemoryStore(buckets, hooks);
}

class MemoryStore implements ObjectStore {
  readonly #buckets: MemoryBuckets;
  readonly #hooks: CallHooks;
  #calls = 0;

  constructor(buckets: MemoryBuckets, hooks: CallHooks) {
    this.#buckets = buckets;
    this.#hooks = hooks;
  }

  head(bucket: string, key: string, versionId?: string): Promise<ObjectInfo | undefined> {
    return this.#call('head', bucket, key, () => this.#info(bucket, key, versionId));
  }

  async get(bucket: string, key: string, versionId?: string): Promise<StoredObject | undefined> {
    const found = await this.#call('get', bucket, key, () => {
      const info = this.#info(bucket, key, versionId);
      return info === undefined
        ? undefined
        : { info, bytes: this.#buckets.find(bucket, key, versionId)!.body };
    });
    if (found === undefined) return undefined;
    return { ...found.info, body: this.#body(bucket, key, found.bytes) };
  }

  async range(
    bucket: string,
    key: string,
    versionId: string | undefined,
    from: number,
    to: number,
  ): Promise<AsyncIterable<Uint8Array> | undefined> {
    const found = await this.#call('range', bucket, key, () => {
      const info = this.#info(bucket, key, versionId);
      if (info === undefined) return undefined;
      if (from >= info.size || to <= from) throw new Error(`bytes ${from} to ${to} are not in ${key}`);
      return this.#buckets.find(bucket, key, versionId)!.body.slice(from, to);
    });
    return found && this.#body(bucket, key, found);
  }

  beginJoin(bucket: string, key: string, contentType: string): Promise<string> {
    return this.#call('beginJoin', bucket, key, () => this.#buckets.beginJoin(contentType));
  }

  joinPart(target: JoinTarget, part: number, source: Uint8Array | ObjectRange): Promise<void> {
    return this.#call('joinPart', target.bucket, target.key, () => {
      const bytes =
        source instanceof Uint8Array
          ? source.slice()
          : this.#buckets.find(source.bucket, source.key)!.body.slice(source.from, source.to);
      this.#buckets.join(target).parts.set(part, bytes);
    });
  }

  completeJoin(target: JoinTarget, partCount: number): Promise<void> {
    return this.#call('completeJoin', target.bucket, target.key, () =>
      this.#buckets.completeJoin(target, partCount),
    );
  }

  async put(bucket: string, key: string, body: Uint8Array, contentType: string): Promise<void> {
    await this.#call('put', bucket, key, () => this.#write(bucket, key, body, contentType));
  }

  async putIf(
    bucket: string,
    key: string,
    body: Uint8Array,
    contentType: string,
    condition: PutCondition,
  ): Promise<boolean> {
    const call = this.#next('putIf', bucket, key);
    const refused = await this.#hooks.before?.(call);
    if (refused !== undefined) return refused;
    const outcome = this.#putIf(bucket, key, body, contentType, condition);
    return (await this.#hooks.after?.(call)) ?? outcome;
  }

  writer(bucket: string, key: string, contentType: string): FileWriter {
    const pieces: Uint8Array[] = [];
    return {
      write: async (bytes) => {
        await this.#call('write', bucket, key, () => pieces.push(bytes.slice()));
      },
      close: async () => {
        await this.#call('close', bucket, key, () =>
          this.#write(bucket, key, Buffer.concat(pieces), contentType),
        );
      },
      abort: () => this.#call('abort', bucket, key, () => {}),
    };
  }

  delete(bucket: string, key: string): Promise<void> {
    return this.#call('delete', bucket, key, () => this.#buckets.markDeleted(bucket, key));
  }

  async *list(bucket: string, prefix: string, after = ''): AsyncIterable<string> {
    const keys = await this.#call('list', bucket, prefix, () => this.#buckets.keys(bucket, prefix));
    for (const key of keys) if (compareUtf8(key, after) > 0) yield key;
  }

  async *listVersions(bucket: string, prefix: string, after?: VersionPosition): AsyncIterable<ObjectVersion> {
    let place = after;
    for (;;) {
      const page = await this.#call('listVersions', bucket, prefix, () => {
        const all = this.#buckets.listAll(bucket, prefix);
        const from = place === undefined ? 0 : indexAfter(all, place);
        return all.slice(from, from + PAGE_VERSIONS);
      });
      yield* page;
      place = page.at(-1);
      if (page.length < PAGE_VERSIONS) return;
    }
  }

  /** What the program writes has the fields that users read of. */
  #write(bucket: string, key: string, body: Uint8Array, contentType: string): Version {
    checkFile(key, body);
    return this.#buckets.write(bucket, key, body, {}, contentType);
  }

  #info(bucket: string, key: string, versionId: string | undefined): ObjectInfo | undefined {
    const found = this.#buckets.find(bucket, key, versionId);
    if (found === undefined) return undefined;
    const { etag, metadata } = found;
    return { size: found.body.length, etag, metadata, versionId: found.versionId };
  }

  #putIf(
    bucket: string,
    key: string,
    body: Uint8Array,
    contentType: string,
    condition: PutCondition,
  ): boolean {
    const existing = this.#buckets.find(bucket, key);
    const met = 'ifMatch' in condition ? existing?.etag === condition.ifMatch : existing === undefined;
    if (met) this.#write(bucket, key, body, contentType);
    return met;
  }

  async *#body(bucket: string, key: string, bytes: Uint8Array): AsyncIterable<Uint8Array> {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      yield await this.#call('read', bucket, key, () => bytes.slice(at, at + CHUNK_BYTES));
    }
  }

  #next(operation: StoreOperation, bucket: string, key: string): StoreCall {
    return { index: this.#calls++, operation, bucket, key };
  }

  async #call<Result>(
    operation: StoreOperation,
    bucket: string,
    key: string,
    effect: () => Result,
  ): Promise<Result> {
    const call = this.#next(operation, bucket, key);
    await this.#hooks.before?.(call);
    const result = effect();
    await this.#hooks.after?.(call);
    return result;
  }
}

/** Index of the first version after a position, even if the version at that position was removed. */
function indexAfter(versions: readonly ObjectVersion[], place: VersionPosition): number {
  const index = versions.findIndex(
    ({ key, versionId }) =>
      compareUtf8(key, place.key) > 0 || (key === place.key && versionId < place.versionId),
  );
  return index < 0 ? versions.length : index;
}
