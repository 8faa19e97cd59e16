/**
 * What the batch needs from the world: time, ids, hashes, objects. Node, AWS and the tests stand behind these;
 * nothing under lib/batch knows which.
 */

export interface Clock {
  /** Milliseconds that only grow, with fractions down to a microsecond or better. */
  monotonicMs(): number;
  /** The time of day as an ISO 8601 string in UTC. */
  timeOfDay(): string;
}

/** SHA-256 over bytes that arrive in pieces. */
export interface Hash {
  update(bytes: Uint8Array): void;
  /** 64 hex digits; the hash cannot be used afterwards. */
  hex(): string;
}

export interface Hashing {
  sha256(): Hash;
}

export interface RandomIds {
  /** A new id: unique among attempts everywhere, letters, digits and `-` only. */
  next(): string;
}

/** A random number from 0 (inclusive) to 1 (exclusive). */
export type RandomFraction = () => number;

/** A file being written from front to back. */
export interface FileWriter {
  /** The bytes may be overwritten as soon as this resolves: who still needs them then keeps a copy. */
  write(bytes: Uint8Array): Promise<void>;
  /** Everything is stored when this resolves. */
  close(): Promise<void>;
  /** Gives up: nothing of the file stays, as far as that can be had. */
  abort(): Promise<void>;
}

/** Where the files of one result set go; each name is opened once. */
export interface ResultFiles {
  open(name: string, contentType: string): FileWriter;
}

export interface ObjectInfo {
  readonly size: number;
  readonly etag: string;
  readonly versionId?: string;
  /** User metadata, names in lower case, without `x-amz-meta-`. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface StoredObject extends ObjectInfo {
  /** The bytes in order; a body that ends early throws. Leaving the loop closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface ListedVersion {
  readonly versionId: string;
  readonly deleteMarker: boolean;
}

/** A version with content, as a listing of many keys shows it. */
export interface ObjectVersion {
  readonly key: string;
  /** `null` where the bucket keeps no versions, or kept none when it was written. */
  readonly versionId: string;
  readonly bytes: number;
  /** Without quotes. */
  readonly etag: string;
  /** When it was written: ISO 8601 in UTC, whole seconds. */
  readonly lastModified: string;
  /** Whether nothing newer of its key is there, no delete marker either. */
  readonly latest: boolean;
}

/** A place in a listing of versions: it goes on behind this one, which need not be there any more. */
export type VersionPosition = Pick<ObjectVersion, 'key' | 'versionId'>;

/** A stretch of an object: bytes `from` (inclusive) to `to` (exclusive). */
export interface ObjectRange {
  readonly bucket: string;
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** An object that is being joined out of parts. */
export interface JoinTarget {
  readonly bucket: string;
  readonly key: string;
  /** What `beginJoin` gave. */
  readonly joinId: string;
}

/** What a conditional write came to. */
export type PutOutcome =
  | { readonly written: true; readonly etag: string }
  /** 412: something else is there already. */
  | { readonly written: false; readonly reason: 'precondition' }
  /** 409 or 404: another write is under way, or what was to be replaced is gone; try again. */
  | { readonly written: false; readonly reason: 'conflict' };

/** The condition under which an object may be written. */
export type PutCondition = { readonly ifAbsent: true } | { readonly ifMatch: string };

/**
 * Objects in buckets, with S3's rules: strong consistency, versions, conditional writes.
 *
 * "Missing" is `undefined`; every other trouble (access denied, throttling, a cut connection) throws, so that
 * the message is delivered again.
 */
export interface ObjectStore {
  head(bucket: string, key: string, versionId?: string): Promise<ObjectInfo | undefined>;
  get(bucket: string, key: string, versionId?: string): Promise<StoredObject | undefined>;
  /**
   * Bytes `from` (inclusive) to `to` (exclusive, at most the object's size) of an object; `from` lies before its end.
   * `size` is that of the whole object.
   */
  range(
    bucket: string,
    key: string,
    versionId: string | undefined,
    from: number,
    to: number,
  ): Promise<StoredObject | undefined>;
  put(bucket: string, key: string, body: Uint8Array, contentType: string): Promise<void>;
  putIf(
    bucket: string,
    key: string,
    body: Uint8Array,
    contentType: string,
    condition: PutCondition,
  ): Promise<PutOutcome>;
  /** An object of any size, in parts; it appears when `close` resolves. */
  writer(bucket: string, key: string, contentType: string): FileWriter;
  /** Begins an object whose parts need not pass through this process; it appears when the join is completed. */
  beginJoin(bucket: string, key: string, contentType: string): Promise<string>;
  /**
   * Stores a part, again where it is there already.
   *
   * @param part from 1, at most 10,000
   * @param source bytes, or a stretch of another object; 5 MiB to 5 GiB, the last part may be smaller
   */
  joinPart(target: JoinTarget, part: number, source: Uint8Array | ObjectRange): Promise<void>;
  /** Joins the parts 1 to `partCount`. @throws Error where one is missing, or the join is not there any more */
  completeJoin(target: JoinTarget, partCount: number): Promise<void>;
  /** Succeeds where there is nothing to delete. */
  delete(bucket: string, key: string): Promise<void>;
  /** Keys under a prefix in UTF-8 order. @param after only those behind this text, which need not be a key */
  list(bucket: string, prefix: string, after?: string): AsyncIterable<string>;
  /**
   * Versions of all keys under a prefix, page by page: keys in UTF-8 order, for each key the newest version first;
   * delete markers are left out.
   */
  listVersions(bucket: string, prefix: string, after?: VersionPosition): AsyncIterable<ObjectVersion>;
  /** Versions of exactly this key, newest first. */
  versions(bucket: string, key: string): AsyncIterable<ListedVersion>;
}

/** A queue that uploads wait in. */
export interface MessageQueue {
  /**
   * Sends messages, each once or more often.
   *
   * @param bodies at most 10
   * @returns indexes of those that were not taken and may be tried again
   */
  send(bodies: readonly string[]): Promise<number[]>;
}

/** Messages that a function has received and not yet deleted. */
export interface ReceivedMessages {
  /**
   * Hides a message from now on for this long, instead of for the rest of the queue's visibility timeout.
   *
   * @param seconds 0 to 43,200
   * @throws Error if it is not in flight any more, or the queue cannot be reached
   */
  hideFor(receiptHandle: string, seconds: number): Promise<void>;
}

/** Undoes a compression, streaming. */
export interface Unpacking {
  /**
   * The bytes inside a gzip stream (all members of it).
   *
   * Errors of `packed` itself pass through as they are; its arrays may be used again once the next is asked for.
   *
   * @throws CorruptInputError while iterating, where the stream is no valid gzip or ends too early
   */
  gunzip(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

/** The input's own bytes are damaged: trying again cannot help. */
export class CorruptInputError extends Error {
  override readonly name = 'CorruptInputError';
}
