/**
 * The server's state: buckets, the versions of each key, and unfinished multipart uploads.
 *
 * The catalog is a fold over the journal: `apply` takes the records in order, at a start the existing ones, later each
 * new one after it was written. Nothing else changes a catalog, so a restart restores the same state.
 */
import type { JournalState } from '../journal-file.ts';
import type { StoredContent } from './body.ts';
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

/** The bytes of an object or a part, where they are, and since when. */
interface StoredBytes extends StoredContent {
  readonly files: readonly DataFile[];
  /** Milliseconds since 1970. */
  readonly lastModifiedMs: number;
}

/** One version of a key: an object, or a delete marker (without bytes, headers and ETag). */
export interface StoredVersion extends ObjectHeaders, StoredBytes {
  /** `null` if the bucket was not versioned at the write. */
  readonly versionId: string;
  /** Increases with every write to the server: the order of versions and of events. */
  readonly sequence: number;
  readonly deleteMarker: boolean;
  /** Of an upload in parts; versions of older programs have none. */
  readonly upload?: { readonly id: string };
}

/** A part of an unfinished upload. */
export interface UploadedPart extends StoredBytes {
  /** From 1 to 10,000, inclusive. */
  readonly number: number;
}

/** A multipart upload that is neither completed nor aborted. */
export interface MultipartUploadStart extends ObjectHeaders {
  readonly uploadId: string;
  readonly bucket: string;
  readonly key: string;
  /** Milliseconds since 1970; uploads of older programs have none. */
  readonly startedMs?: number;
}

/** An unfinished upload with its parts so far. */
export interface MultipartUpload extends MultipartUploadStart {
  readonly parts: Map<number, UploadedPart>;
}

/** One line of the journal; each is applied completely or not at all. */
export type JournalRecord =
  /** The first line of journals of older programs. */
  | { readonly op?: undefined; readonly schema: string }
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

const OLD_SCHEMA = 'dlx-batch/local-s3-journal@1';

export class Catalog implements JournalState<JournalRecord> {
  readonly buckets = new Map<string, Bucket>();
  readonly uploads = new Map<string, MultipartUpload>();
  /** The highest sequence of any version so far, 0 at the start. */
  sequence = 0;
  readonly #entries: EntryReader;
  /** Ids of all files in use, during the replay. */
  #fileIds: Set<string> | undefined = new Set();

  /** @param read reads a record of kind `put` again, by its place in the journal */
  constructor(read: (place: number) => VersionEntry) {
    this.#entries = new EntryReader(read);
  }

  endReplay(): void {
    for (const { versions } of this.buckets.values()) versions.sort();
  }

  /** Ids of all files in use; to be called once, after the replay. */
  takeFileIds(): ReadonlySet<string> {
    const ids = this.#fileIds!;
    this.#fileIds = undefined;
    return ids;
  }

  /** Number of versions. */
  get size(): number {
    return [...this.buckets.values()].reduce((sum, { versions }) => sum + versions.size, 0);
  }

  /**
   * Applies one record.
   *
   * @param place of the record
   * @returns the files that are no longer referenced
   * @throws Error if the record contradicts the state: the journal is damaged, or this code has a defect
   */
  apply(record: JournalRecord, place: number): readonly DataFile[] {
    const released = this.#apply(record, place);
    const added =
      record.op === 'put' ? record.version.files : record.op === 'put-part' ? record.part.files : [];
    for (const { id } of added) this.#fileIds?.add(id);
    for (const { id } of released) this.#fileIds?.delete(id);
    return released;
  }

  #apply(record: JournalRecord, place: number): readonly DataFile[] {
    switch (record.op) {
      case undefined:
        if (record.schema !== OLD_SCHEMA) throw new Error('this is not a journal of this server');
        return [];
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
  *entries(): Generator<JournalRecord> {
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
