/**
 * Interfaces of lib/batch to its environment: time, ids, hashes, objects. Node, AWS and the tests implement them;
 * lib/batch does not depend on the implementation.
 */

import type { EventType } from './names.ts';

export interface Clock {
  /** Milliseconds of a monotonic clock, with a resolution of a microsecond or better. */
  monotonicMs(): number;
  /** The time of day as an ISO 8601 string in UTC. */
  timeOfDay(): string;
}

/** Incremental SHA-256. */
export interface Hash {
  update(bytes: Uint8Array): void;
  /** 64 hex digits; ends the use of the hash. */
  hex(): string;
}

export interface Hashing {
  sha256(): Hash;
}

export interface RandomIds {
  /** A new globally unique id of letters, digits and `-`. */
  next(): string;
}

/** A file that is written sequentially. */
export interface FileWriter {
  /** The caller may overwrite the bytes after this resolves: an implementation that needs them longer copies them. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves after all bytes are stored. */
  close(): Promise<void>;
  /** Removes the file if the storage can. */
  abort(): Promise<void>;
}

/** Storage for the files of one result set; each name is opened once. */
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
  /** The bytes in order; a body that ends early throws. Ending the iteration early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** A version with content, from a listing of many keys. */
export interface ObjectVersion {
  /** The key of the upload. */
  readonly key: string;
  /** The text `null` if versioning was off or suspended when the object was written. */
  readonly versionId: string;
  /** The size of the upload. */
  readonly bytes: number;
  /** The ETag, without quotes. */
  readonly etag: string;
  /** Time of the write: ISO 8601 in UTC, whole seconds. */
  readonly lastModified: string;
  /** Whether its key has no newer version and no newer delete marker. */
  readonly latest: boolean;
}

/** A position in a listing of versions: the listing continues after this version, which may have been deleted. */
export type VersionPosition = Pick<ObjectVersion, 'key' | 'versionId'>;

/** Bytes `from` (inclusive) to `to` (exclusive) of an object. */
export interface ObjectRange {
  readonly bucket: string;
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** An object that is being joined from parts. */
export interface JoinTarget {
  readonly bucket: string;
  readonly key: string;
  /** The result of `beginJoin`. */
  readonly joinId: string;
}

/** The condition of a conditional write. */
export type PutCondition = { readonly ifAbsent: true } | { readonly ifMatch: string };

/**
 * Objects in buckets, with S3's rules: strong consistency, versions, conditional writes.
 *
 * A missing object is `undefined`; every other failure (access denied, throttling, a broken connection) throws, so that
 * the message is delivered again.
 */
export interface ObjectStore {
  head(bucket: string, key: string, versionId?: string): Promise<ObjectInfo | undefined>;
  get(bucket: string, key: string, versionId?: string): Promise<StoredObject | undefined>;
  /**
   * Bytes of an object, as the body of a `StoredObject`.
   *
   * @param from inclusive, less than the object's size
   * @param to exclusive, at most the object's size
   */
  range(
    bucket: string,
    key: string,
    versionId: string | undefined,
    from: number,
    to: number,
  ): Promise<StoredObject['body'] | undefined>;
  put(bucket: string, key: string, body: Uint8Array, contentType: string): Promise<void>;
  /**
   * Writes on a condition.
   *
   * @returns whether it was written: not if the object exists or has another ETag (412), if another write is in progress (409), or
   *   if the object to replace was deleted (404)
   */
  putIf(
    bucket: string,
    key: string,
    body: Uint8Array,
    contentType: string,
    condition: PutCondition,
  ): Promise<boolean>;
  /**
   * Writes an object of any size, in parts; it exists once `close` has resolved.
   *
   * @param isOnly whether this is the only write of that key, ever: then a repeated request that takes effect late, after
   *   the object was deleted, creates nothing. @default false
   */
  writer(bucket: string, key: string, contentType: string, isOnly?: boolean): FileWriter;
  /** Begins an object whose parts the store itself can copy; it exists once the join is completed. */
  beginJoin(bucket: string, key: string, contentType: string): Promise<string>;
  /**
   * Stores a part, or replaces it.
   *
   * @param part number of the part, 1 to 10,000
   * @param source bytes, or a range of another object: 5 MiB to 5 GiB; the last part may be smaller
   */
  joinPart(target: JoinTarget, part: number, source: Uint8Array | ObjectRange): Promise<void>;
  /** Joins the parts 1 to `partCount`. @throws Error if a part is missing, or the join no longer exists */
  completeJoin(target: JoinTarget, partCount: number): Promise<void>;
  /** Deletes an object; succeeds if there is none. */
  delete(bucket: string, key: string): Promise<void>;
  /** Keys under a prefix in UTF-8 order. @param after only keys after this text, which need not be a key */
  list(bucket: string, prefix: string, after?: string): AsyncIterable<string>;
  /**
   * Versions of all keys under a prefix without delete markers: keys in UTF-8 order, for each key the newest version
   * first.
   */
  listVersions(bucket: string, prefix: string, after?: VersionPosition): AsyncIterable<ObjectVersion>;
}

/** A bus that gives events to the rules of its users. */
export interface EventBus {
  /**
   * Sends an event, at least once.
   *
   * @param detail at most 250 KB of JSON
   * @throws Error if the bus has not accepted it after a few seconds
   */
  send(type: EventType, detail: object): Promise<void>;
}

/** The queue of uploads. */
export interface MessageQueue {
  /**
   * Sends messages, each at least once.
   *
   * @param bodies at most 10
   * @returns indexes of the messages that failed and may be sent again
   */
  send(bodies: readonly string[]): Promise<number[]>;
}

/** The messages that failed in every attempt, or could not be delivered. */
export interface DeadLetters {
  /** Moves those that are there now back to the queue of uploads, or begins to. Without effect if they are moving already. */
  moveBack(): Promise<void>;
}

/** Messages that a function has received and not deleted. */
export interface ReceivedMessages {
  /**
   * Changes the visibility timeout of a message.
   *
   * @param seconds from now, 0 to 43,200
   * @throws Error if the message is no longer in flight, or the queue cannot be reached
   */
  hideFor(receiptHandle: string, seconds: number): Promise<void>;
}

/** Containers that are unpacked. */
export type PackedFormat = 'gzip' | 'zip' | 'zstd';

/** Streaming decompression. */
export interface Unpacking {
  /**
   * The uncompressed bytes: of all members of gzip data, of all frames of Zstandard data, of the only file in a ZIP archive.
   *
   * @param packed the stream; its errors pass through unchanged, and it may reuse an array once the next is requested
   * @throws FileRejection while iterating, if the stream is damaged or truncated, or a ZIP archive is not one file that can be
   *   read: another attempt cannot help
   */
  unpack(format: PackedFormat, packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}
