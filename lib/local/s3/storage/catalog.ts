/**
 * The server's state: buckets, the versions of each key, and unfinished multipart uploads.
 *
 * The catalog is a fold over the journal: `apply` takes the records in order, at a start the existing ones, later each
 * new one after it was written. Nothing else changes a catalog, so a restart restores the same state.
 *
 * ```
 * bucket.versions:  'a' -> [v1, v2, v3]     oldest first; the last one is current
 *                   'b' -> [null]           keys in UTF-8 order
 * ```
 */

import type { Checksum, ChecksumAlgorithm, ChecksumType } from './checksums.ts';
import { KeyVersions, versionPages } from './key-versions.ts';
import type { ScratchFile } from './scratch-file.ts';

/** Pages of 64 versions in memory: at most about 6 MB. */
const MAX_PAGES = 64;

/** A file in the data folder; an object's bytes are those of its files, concatenated. */
export interface DataFile {
  readonly id: string;
  readonly bytes: number;
}

export interface ObjectHeaders {
  /** Headers stored and returned unchanged, such as `content-type`; names in lower case. */
  readonly system: Readonly<Record<string, string>>;
  /** User metadata, names in lower case, without `x-amz-meta-`. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** One version of a key: an object, or a delete marker (without bytes, headers and ETag). */
export interface StoredVersion extends ObjectHeaders {
  /** `null` if the bucket was not versioned at the write. */
  readonly versionId: string;
  /** Increases with every write to the server: the order of versions and of events. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly lastModifiedMs: number;
  readonly deleteMarker: boolean;
  readonly bytes: number;
  /** Without quotes. */
  readonly etag: string;
  readonly files: readonly DataFile[];
  readonly checksum?: Checksum;
  /** Of an upload in parts; versions of older programs have none. */
  readonly upload?: {
    readonly id: string;
    readonly partBytes: readonly number[];
    /** None if the checksum of the object is not one of its parts' checksums. */
    readonly partChecksums?: readonly string[];
  };
}

/** A part of an unfinished upload. */
export interface UploadedPart {
  /** From 1 to 10,000, inclusive. */
  readonly number: number;
  readonly bytes: number;
  /** MD5 in hex, without quotes. */
  readonly etag: string;
  readonly lastModifiedMs: number;
  readonly files: readonly DataFile[];
  readonly checksum?: Checksum;
}

/** A multipart upload that is neither completed nor aborted. */
export interface MultipartUploadStart extends ObjectHeaders {
  readonly uploadId: string;
  readonly bucket: string;
  readonly key: string;
  /** Milliseconds since 1970; uploads of older programs have none. */
  readonly startedMs?: number;
  readonly checksum?: { readonly algorithm: ChecksumAlgorithm; readonly type: ChecksumType };
  /** Whether its key was written or deleted since it began. */
  readonly keyChanged?: boolean;
}

/** An unfinished upload with its parts so far. */
export interface MultipartUpload extends MultipartUploadStart {
  readonly parts: ReadonlyMap<number, UploadedPart>;
}

/** One line of the journal; each is applied completely or not at all. */
export type JournalRecord =
  | { readonly op: 'sequence'; readonly sequence: number }
  | { readonly op: 'create-bucket'; readonly bucket: string; readonly createdMs: number }
  | { readonly op: 'enable-versioning'; readonly bucket: string }
  | { readonly op: 'delete-bucket'; readonly bucket: string }
  /** A new current version; `uploadId` is the upload that ends with it. */
  | {
      readonly op: 'put';
      readonly bucket: string;
      readonly key: string;
      readonly version: StoredVersion;
      readonly uploadId?: string;
    }
  | { readonly op: 'remove'; readonly bucket: string; readonly key: string; readonly versionId: string }
  | { readonly op: 'create-upload'; readonly upload: MultipartUploadStart }
  | { readonly op: 'put-part'; readonly uploadId: string; readonly part: UploadedPart }
  | { readonly op: 'end-upload'; readonly uploadId: string };

/** A read-only view of a bucket. */
export interface Bucket {
  readonly name: string;
  readonly createdMs: number;
  readonly versioned: boolean;
  readonly versions: Omit<KeyVersions<StoredVersion>, 'add' | 'remove'>;
}

interface MutableBucket extends Bucket {
  versioned: boolean;
  readonly versions: KeyVersions<StoredVersion>;
}

interface MutableUpload extends MultipartUpload {
  keyChanged?: boolean;
  readonly parts: Map<number, UploadedPart>;
}

/** The object that a read without a version id finds. */
export function currentObject({ versions }: Bucket, key: string): StoredVersion | undefined {
  const version = versions.current(key);
  return version?.deleteMarker === true ? undefined : version;
}

/** The state of the server. */
export class Catalog {
  readonly #pages: ReturnType<typeof versionPages<StoredVersion>>;
  readonly #buckets = new Map<string, MutableBucket>();
  readonly #uploads = new Map<string, MutableUpload>();
  #sequence = 0;

  /** @param scratch for versions that need not stay in memory @default all are in memory */
  constructor(scratch?: ScratchFile) {
    this.#pages = versionPages(scratch, MAX_PAGES);
  }

  /** Number of pages of versions in memory. */
  get loadedPages(): number {
    return this.#pages.loadedPages;
  }

  /** The highest sequence of any version so far, 0 at the start. */
  get sequence(): number {
    return this.#sequence;
  }

  get buckets(): ReadonlyMap<string, Bucket> {
    return this.#buckets;
  }

  get uploads(): ReadonlyMap<string, MultipartUpload> {
    return this.#uploads;
  }

  /**
   * Applies one record.
   *
   * @returns the files that are no longer referenced
   * @throws Error if the record contradicts the state: the journal is damaged, or this code has a defect
   */
  apply(record: JournalRecord): readonly DataFile[] {
    switch (record.op) {
      case 'sequence':
        this.#sequence = Math.max(this.#sequence, record.sequence);
        return [];
      case 'create-bucket':
        this.#createBucket(record.bucket, record.createdMs);
        return [];
      case 'enable-versioning':
        this.#bucket(record.bucket).versioned = true;
        return [];
      case 'delete-bucket':
        return this.#deleteBucket(record.bucket);
      case 'put':
        return this.#put(record.bucket, record.key, record.version, record.uploadId);
      case 'remove':
        return this.#remove(record.bucket, record.key, record.versionId);
      case 'create-upload':
        this.#uploads.set(record.upload.uploadId, { ...record.upload, parts: new Map() });
        return [];
      case 'put-part':
        return this.#putPart(record.uploadId, record.part);
      case 'end-upload':
        return this.#endUpload(record.uploadId);
    }
  }

  /** The shortest journal of this catalog. */
  *records(): Generator<JournalRecord> {
    yield { op: 'sequence', sequence: this.#sequence };
    for (const bucket of this.#buckets.values()) {
      yield { op: 'create-bucket', bucket: bucket.name, createdMs: bucket.createdMs };
      if (bucket.versioned) yield { op: 'enable-versioning', bucket: bucket.name };
      for (const [key, versions] of bucket.versions) {
        for (const version of versions) yield { op: 'put', bucket: bucket.name, key, version };
      }
    }
    for (const { parts, ...upload } of this.#uploads.values()) {
      yield { op: 'create-upload', upload };
      for (const part of parts.values()) yield { op: 'put-part', uploadId: upload.uploadId, part };
    }
  }

  #createBucket(name: string, createdMs: number): void {
    if (this.#buckets.has(name)) throw new Error(`bucket ${name} is created twice`);
    this.#buckets.set(name, {
      name,
      createdMs,
      versioned: false,
      versions: new KeyVersions(this.#pages),
    });
  }

  #deleteBucket(name: string): DataFile[] {
    this.#buckets.delete(name);
    const uploads = [...this.#uploads.values()].filter((upload) => upload.bucket === name);
    return uploads.flatMap((upload) => this.#endUpload(upload.uploadId));
  }

  #bucket(name: string): MutableBucket {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) throw new Error(`bucket ${name} was not created`);
    return bucket;
  }

  #put(bucketName: string, key: string, version: StoredVersion, uploadId: string | undefined): DataFile[] {
    const { versions } = this.#bucket(bucketName);
    const replaced = version.versionId === 'null' ? this.#remove(bucketName, key, 'null') : [];
    const released = uploadId === undefined ? [] : this.#endUpload(uploadId);
    this.#noteChange(bucketName, key);
    versions.add(key, version);
    this.#sequence = Math.max(this.#sequence, version.sequence);
    const inUse = new Set(version.files.map((file) => file.id));
    return [...replaced, ...released].filter((file) => !inUse.has(file.id));
  }

  #remove(bucketName: string, key: string, versionId: string): readonly DataFile[] {
    const { versions } = this.#bucket(bucketName);
    const removed = versions.find(key, versionId);
    if (removed === undefined) return [];
    this.#noteChange(bucketName, key);
    versions.remove(key, removed);
    return removed.files;
  }

  #noteChange(bucketName: string, key: string): void {
    for (const upload of this.#uploads.values()) {
      if (upload.bucket === bucketName && upload.key === key) upload.keyChanged = true;
    }
  }

  #putPart(uploadId: string, part: UploadedPart): readonly DataFile[] {
    const upload = this.#uploads.get(uploadId);
    if (upload === undefined) throw new Error(`a part belongs to upload ${uploadId}, which does not exist`);
    const replaced = upload.parts.get(part.number);
    upload.parts.set(part.number, part);
    return replaced?.files ?? [];
  }

  #endUpload(uploadId: string): DataFile[] {
    const parts = this.#uploads.get(uploadId)?.parts.values() ?? [];
    this.#uploads.delete(uploadId);
    return [...parts].flatMap((part) => part.files);
  }
}
