/**
 * The server's state on disk and in memory, and its changes.
 *
 * Every change happens in one turn of the event loop: check the condition, write the line to the journal, apply it to
 * the catalog, without an `await`. So no other request can run between a check and its write, and a reader sees a
 * change completely or not at all. Data files are written before the line that names them; a file that no line names is
 * left over from a process that was killed.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFolder } from '../../node/folder-lock.ts';
import { JournalFile } from '../journal-file.ts';
import {
  type Bucket,
  Catalog,
  type JournalRecord,
  type MultipartUpload,
  type MultipartUploadStart,
  type StoredVersion,
  type UploadedPart,
} from './catalog.ts';
import { S3Error } from './errors.ts';
import { ObjectFiles } from './object-files.ts';
import type { VersionEntry } from './version-index.ts';
import { NULL_VERSION_ID, newVersionId, nextSequence } from './versions.ts';

/** Locks the data folder: a second server would overwrite the first one's journal. */
const LOCK_NAME = 'server.pid';

/** A version without the fields that `put` assigns. */
export type NewVersion = Omit<StoredVersion, 'versionId' | 'sequence' | 'lastModifiedMs' | 'deleteMarker'>;

/** Throws if the current version of a key, which may be a delete marker, forbids a change. */
export type ChangeCondition = (current: StoredVersion | undefined) => void;

/** Result of a delete. */
export interface Deletion {
  /** The removed version, or the new delete marker. */
  readonly versionId: string | undefined;
  /** Whether `versionId` is a delete marker. */
  readonly deleteMarker: boolean;
}

type Journal = JournalFile<JournalRecord>;

/** Buckets, objects and uploads in one folder. */
export class Storage {
  readonly files: ObjectFiles;
  readonly #catalog: Catalog;
  readonly #journal: Journal;
  readonly #unlock: () => void;

  private constructor(files: ObjectFiles, catalog: Catalog, journal: Journal, unlock: () => void) {
    this.files = files;
    this.#catalog = catalog;
    this.#journal = journal;
    this.#unlock = unlock;
  }

  /**
   * Opens a folder with its data; the folder is created if missing.
   *
   * @param onFault called for errors outside a request
   * @throws Error if another process uses the folder, or it is damaged
   */
  static async open(dataDir: string, onFault: (error: unknown) => void): Promise<Storage> {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    // Folders of earlier versions were readable by all users, and had a file with a part of the catalog.
    await chmod(dataDir, 0o700);
    const unlock = lockFolder(dataDir, LOCK_NAME);
    try {
      await rm(join(dataDir, 'versions.scratch'), { force: true });
      const journal: Journal = new JournalFile(join(dataDir, 'journal.jsonl'), 'local S3 server');
      const read = (place: number) => journal.read(place) as JournalRecord & VersionEntry;
      const catalog = journal.load(() => new Catalog(read));
      const files = new ObjectFiles(join(dataDir, 'objects'), onFault);
      await files.removeUnknown(catalog.takeFileIds());
      return new Storage(files, catalog, journal, unlock);
    } catch (error) {
      unlock();
      throw error;
    }
  }

  /** Closes the storage and unlocks the folder; no request may be running. */
  close(): void {
    this.#journal.close();
    this.#unlock();
  }

  get buckets(): ReadonlyMap<string, Bucket> {
    return this.#catalog.buckets;
  }

  /** Unfinished uploads, by id. */
  get uploads(): ReadonlyMap<string, MultipartUpload> {
    return this.#catalog.uploads;
  }

  /** @throws S3Error NoSuchBucket */
  bucket(name: string): Bucket {
    const bucket = this.#catalog.buckets.get(name);
    if (bucket !== undefined) return bucket;
    throw new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist');
  }

  /** @throws S3Error NoSuchUpload if it was completed or aborted, or has another key */
  upload(bucketName: string, key: string, uploadId: string): MultipartUpload {
    this.bucket(bucketName);
    const upload = this.#catalog.uploads.get(uploadId);
    if (upload?.bucket === bucketName && upload.key === key) return upload;
    throw new S3Error(
      404,
      'NoSuchUpload',
      'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
    );
  }

  createBucket(name: string): void {
    this.#commit({ op: 'create-bucket', bucket: name, createdMs: Date.now() });
    this.bucket(name).versions.sort();
  }

  enableVersioning(name: string): void {
    if (!this.bucket(name).versioned) this.#commit({ op: 'enable-versioning', bucket: name });
  }

  /** Removes a bucket and its unfinished uploads. @throws S3Error BucketNotEmpty, also for delete markers only */
  deleteBucket(name: string): void {
    const { versions, versioned } = this.bucket(name);
    if (versions.size > 0) {
      const advice = versioned ? '. You must delete all versions in the bucket.' : '';
      throw new S3Error(409, 'BucketNotEmpty', `The bucket you tried to delete is not empty${advice}`);
    }
    this.#commit({ op: 'delete-bucket', bucket: name });
  }

  /**
   * Adds a current version.
   *
   * @param uploadId the upload that this completes
   * @throws S3Error as `condition` does, without any change
   */
  put(
    bucketName: string,
    key: string,
    version: NewVersion,
    condition?: ChangeCondition,
    uploadId?: string,
  ): StoredVersion {
    const bucket = this.bucket(bucketName);
    if (uploadId !== undefined) this.upload(bucketName, key, uploadId);
    condition?.(bucket.versions.current(key));
    const put = this.#numbered(bucket, { ...version, deleteMarker: false });
    this.#commit({ op: 'put', bucket: bucketName, key, version: put, uploadId });
    return put;
  }

  /**
   * Deletes as S3 does without a version id: adds a marker in a versioned bucket, otherwise removes permanently.
   *
   * @throws S3Error NoSuchBucket
   */
  delete(bucketName: string, key: string): Deletion {
    const bucket = this.bucket(bucketName);
    if (!bucket.versioned) {
      this.#commit({ op: 'remove', bucket: bucketName, key, versionId: NULL_VERSION_ID });
      return { versionId: undefined, deleteMarker: false };
    }
    const nothing = { bytes: 0, etag: '', files: [], system: {}, metadata: {} };
    const marker = this.#numbered(bucket, { ...nothing, deleteMarker: true });
    this.#commit({ op: 'put', bucket: bucketName, key, version: marker });
    return { versionId: marker.versionId, deleteMarker: true };
  }

  /** Permanently removes one version or delete marker; a missing one is not an error. */
  deleteVersion(bucketName: string, key: string, versionId: string): Deletion {
    const version = this.bucket(bucketName).versions.find(key, versionId);
    if (version === undefined) return { versionId, deleteMarker: false };
    this.#commit({ op: 'remove', bucket: bucketName, key, versionId });
    return { versionId, deleteMarker: version.deleteMarker };
  }

  /** Starts an upload and returns its id. */
  createUpload(upload: Omit<MultipartUploadStart, 'uploadId' | 'startedMs'>): string {
    const uploadId = randomBytes(24).toString('base64url');
    this.bucket(upload.bucket);
    this.#commit({ op: 'create-upload', upload: { ...upload, uploadId, startedMs: Date.now() } });
    return uploadId;
  }

  /** Adds a part, or replaces the one with its number. @throws S3Error NoSuchUpload */
  putPart(upload: MultipartUpload, part: Omit<UploadedPart, 'lastModifiedMs'>): UploadedPart {
    const { uploadId } = this.upload(upload.bucket, upload.key, upload.uploadId);
    const put = { ...part, lastModifiedMs: Date.now() };
    this.#commit({ op: 'put-part', uploadId, part: put });
    return put;
  }

  /** Ends an upload and removes its parts. */
  abortUpload({ uploadId }: MultipartUpload): void {
    this.#commit({ op: 'end-upload', uploadId });
  }

  #numbered(
    { versioned }: Bucket,
    version: Omit<StoredVersion, 'versionId' | 'sequence' | 'lastModifiedMs'>,
  ): StoredVersion {
    const lastModifiedMs = Date.now();
    const sequence = nextSequence(this.#catalog.sequence, lastModifiedMs);
    const versionId = versioned ? newVersionId(sequence) : NULL_VERSION_ID;
    return { ...version, versionId, sequence, lastModifiedMs };
  }

  #commit(record: JournalRecord): void {
    const place = this.#journal.append(record);
    this.files.remove(this.#catalog.apply(record, place));
  }
}
