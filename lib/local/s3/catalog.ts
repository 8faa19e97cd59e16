/**
 * The server's state: buckets, the versions of each key, and unfinished multipart uploads.
 *
 * The catalog is a fold over the journal: `apply` takes the records in order, at a start the existing ones, later each
 * new one after it was written. Nothing else changes a catalog, so a restart restores the same state.
 */
import type { Checksum } from './checksums.ts';
import { EntryReader, type VersionEntry, VersionIndex } from './version-index.ts';

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
  readonly upload?: { readonly id: string };
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
  /** Of the current version of its key at the start, 0 for none: it differs if the key has been written since. */
  readonly before?: number;
}

/** An unfinished upload with its parts so far. */
export interface MultipartUpload extends MultipartUploadStart {
  readonly parts: Map<number, UploadedPart>;
}

/** One line of the journal; each is applied completely or not at all. */
export type JournalRecord =
  | { readonly op: 'sequence'; readonly sequence: number }
  | { readonly op: 'create-bucket'; readonly bucket: string; readonly createdMs: number }
  | { readonly op: 'enable-versioning'; readonly bucket: string }
  | { readonly op: 'delete-bucket'; readonly bucket: string }
  /** A new current version; `uploadId` is the upload that ends with it. */
  | ({ readonly op: 'put'; readonly bucket: string; readonly uploadId?: string } & VersionEntry)
  | { readonly op: 'remove'; readonly bucket: string; readonly key: string; readonly versionId: string }
  | { readonly op: 'create-upload'; readonly upload: MultipartUploadStart }
  | { readonly op: 'put-part'; readonly uploadId: string; readonly part: UploadedPart }
  | { readonly op: 'end-upload'; readonly uploadId: string };

export interface Bucket {
  readonly name: string;
  readonly createdMs: number;
  versioned: boolean;
  readonly versions: VersionIndex;
}

export class Catalog {
  readonly buckets = new Map<string, Bucket>();
  readonly uploads = new Map<string, MultipartUpload>();
  /** The highest sequence of any version so far, 0 at the start. */
  sequence = 0;
  readonly #entries: EntryReader;

  /** @param read reads a record of kind `put` again, by its place in the journal */
  constructor(read: (place: number) => VersionEntry) {
    this.#entries = new EntryReader(read);
  }

  /** To be called when all records of earlier runs have been applied. */
  endReplay(): void {
    for (const { versions } of this.buckets.values()) versions.sort();
  }

  /**
   * Applies one record.
   *
   * @param place of the record
   * @returns the files that are no longer referenced
   * @throws Error if the record contradicts the state: the journal is damaged, or this code has a defect
   */
  apply(record: JournalRecord, place: number): readonly DataFile[] {
    switch (record.op) {
      case 'sequence':
        this.sequence = Math.max(this.sequence, record.sequence);
        return [];
      case 'create-bucket': {
        const { bucket: name, createdMs } = record;
        if (this.buckets.has(name)) throw new Error(`bucket ${name} is created twice`);
        const versions = new VersionIndex(this.#entries);
        this.buckets.set(name, { name, createdMs, versioned: false, versions });
        return [];
      }
      case 'enable-versioning':
        this.#bucket(record.bucket).versioned = true;
        return [];
      case 'delete-bucket': {
        this.buckets.delete(record.bucket);
        const uploads = [...this.uploads.values()].filter(({ bucket }) => bucket === record.bucket);
        return uploads.flatMap(({ uploadId }) => this.#endUpload(uploadId));
      }
      case 'put': {
        const { key, version, uploadId } = record;
        const { versions } = this.#bucket(record.bucket);
        const replaced = version.versionId === 'null' ? this.#remove(record.bucket, key, 'null') : [];
        const released = uploadId === undefined ? [] : this.#endUpload(uploadId);
        versions.add(key, version, place);
        this.sequence = Math.max(this.sequence, version.sequence);
        const inUse = new Set(version.files.map(({ id }) => id));
        return [...replaced, ...released].filter(({ id }) => !inUse.has(id));
      }
      case 'remove':
        return this.#remove(record.bucket, record.key, record.versionId);
      case 'create-upload':
        this.uploads.set(record.upload.uploadId, { ...record.upload, parts: new Map() });
        return [];
      case 'put-part': {
        const { uploadId, part } = record;
        const parts = this.uploads.get(uploadId)?.parts;
        if (parts === undefined)
          throw new Error(`a part belongs to upload ${uploadId}, which does not exist`);
        const replaced = parts.get(part.number);
        parts.set(part.number, part);
        return replaced?.files ?? [];
      }
      case 'end-upload':
        return this.#endUpload(record.uploadId);
    }
  }

  /** The shortest journal of this catalog. */
  *records(): Generator<JournalRecord> {
    yield { op: 'sequence', sequence: this.sequence };
    for (const { name: bucket, createdMs, versioned, versions } of this.buckets.values()) {
      yield { op: 'create-bucket', bucket, createdMs };
      if (versioned) yield { op: 'enable-versioning', bucket };
      for (const { key, version } of versions.from(0)) yield { op: 'put', bucket, key, version };
    }
    for (const { parts, ...upload } of this.uploads.values()) {
      yield { op: 'create-upload', upload };
      for (const part of parts.values()) yield { op: 'put-part', uploadId: upload.uploadId, part };
    }
  }

  #bucket(name: string): Bucket {
    const bucket = this.buckets.get(name);
    if (bucket === undefined) throw new Error(`bucket ${name} was not created`);
    return bucket;
  }

  #remove(bucketName: string, key: string, versionId: string): readonly DataFile[] {
    const { versions } = this.#bucket(bucketName);
    const removed = versions.find(key, versionId);
    if (removed === undefined) return [];
    versions.remove(key, removed);
    return removed.files;
  }

  #endUpload(uploadId: string): DataFile[] {
    const parts = this.uploads.get(uploadId)?.parts.values() ?? [];
    this.uploads.delete(uploadId);
    return [...parts].flatMap(({ files }) => files);
  }
}
