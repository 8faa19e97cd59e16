/**
 * The server's state on disk and in memory, and its changes.
 *
 * Every change happens in one turn of the event loop: check the condition, write the line to the journal, apply it to
 * the catalog, without an `await`. So no other request can run between a check and its write, and a reader sees a
 * change completely or not at all.
 */

import { randomBytes } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFolder } from '../../../node/folder-lock.ts';
import { S3Error } from '../http/errors.ts';
import { ConditionalWrites, type WriteGuard } from '../operations/conditions.ts';
import type {
  Bucket,
  Catalog,
  DataFile,
  JournalRecord,
  MultipartUpload,
  MultipartUploadStart,
  StoredVersion,
  UploadedPart,
} from './catalog.ts';
import { type Journal, openJournal } from './journal.ts';
import { ObjectFiles } from './object-files.ts';
import { ScratchFile } from './scratch-file.ts';
import { NULL_VERSION_ID, newVersionId, nextSequence } from './versions.ts';

/** Locks the data folder: a second server would overwrite the first one's journal. */
const LOCK_NAME = 'server.pid';
/** Parts of the catalog that are not in memory, while the server runs. */
const SCRATCH_NAME = 'versions.scratch';

/** A version without the fields that `put` assigns. */
export type NewVersion = Omit<StoredVersion, 'versionId' | 'sequence' | 'lastModifiedMs' | 'deleteMarker'>;

/** Result of a delete. */
export interface Deletion {
  /** The removed version, or the new delete marker. */
  readonly versionId: string | undefined;
  /** Whether `versionId` is a delete marker. */
  readonly deleteMarker: boolean;
}

/** Buckets, objects and uploads in one folder. */
export class Storage {
  readonly files: ObjectFiles;
  readonly conditionalWrites = new ConditionalWrites();
  readonly #catalog: Catalog;
  readonly #journal: Journal;
  /** Closes the scratch file and unlocks the folder. */
  readonly #release: () => void;

  private constructor(files: ObjectFiles, catalog: Catalog, journal: Journal, release: () => void) {
    this.files = files;
    this.#catalog = catalog;
    this.#journal = journal;
    this.#release = release;
  }

  /**
   * Opens a folder with its data; the folder is created if missing.
   *
   * @param onFault called for errors outside a request
   * @throws Error if another process uses the folder, or it is damaged
   */
  static async open(dataDir: string, onFault: (error: unknown) => void): Promise<Storage> {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    // Folders of earlier versions were readable by all users.
    await chmod(dataDir, 0o700);
    const unlock = lockFolder(dataDir, LOCK_NAME);
    let scratch: ScratchFile | undefined;
    const release = () => {
      scratch?.close();
      unlock();
    };
    try {
      scratch = new ScratchFile(join(dataDir, SCRATCH_NAME));
      const { journal, catalog } = openJournal(dataDir, scratch);
      const files = new ObjectFiles(join(dataDir, 'objects'), onFault);
      await files.removeUnknown(idsOfFiles(catalog));
      return new Storage(files, catalog, journal, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Closes the storage and unlocks the folder; no request may be running. */
  async close(): Promise<void> {
    await this.files.settled();
    this.#journal.close();
    this.#release();
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
    throw new S3Error('NoSuchBucket', 'The specified bucket does not exist', {
      fields: { BucketName: name },
    });
  }

  /** @throws S3Error NoSuchUpload if it was completed or aborted, or has another key */
  upload(bucketName: string, key: string, uploadId: string): MultipartUpload {
    this.bucket(bucketName);
    const upload = this.#catalog.uploads.get(uploadId);
    if (upload?.bucket === bucketName && upload.key === key) return upload;
    throw new S3Error(
      'NoSuchUpload',
      'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
      { fields: { UploadId: uploadId } },
    );
  }

  createBucket(name: string): void {
    this.#commit({ op: 'create-bucket', bucket: name, createdMs: Date.now() });
  }

  enableVersioning(name: string): void {
    if (!this.bucket(name).versioned) this.#commit({ op: 'enable-versioning', bucket: name });
  }

  /** Removes a bucket and its unfinished uploads. @throws S3Error BucketNotEmpty, also for delete markers only */
  deleteBucket(name: string): void {
    const { versions, versioned } = this.bucket(name);
    if (!versions.isEmpty) {
      const advice = versioned ? '. You must delete all versions in the bucket.' : '';
      throw new S3Error('BucketNotEmpty', `The bucket you tried to delete is not empty${advice}`, {
        fields: { BucketName: name },
      });
    }
    this.#commit({ op: 'delete-bucket', bucket: name });
  }

  /**
   * Adds a current version if its condition is met.
   *
   * @param uploadId the upload that this completes
   * @throws S3Error as `guard` does, without any change
   */
  put(
    bucketName: string,
    key: string,
    version: NewVersion,
    guard: WriteGuard,
    uploadId?: string,
  ): StoredVersion {
    const bucket = this.bucket(bucketName);
    if (uploadId !== undefined) this.upload(bucketName, key, uploadId);
    guard.check(bucket);
    const put = this.#numbered(bucket, { ...version, deleteMarker: false });
    this.#commit({ op: 'put', bucket: bucketName, key, version: put, uploadId });
    return put;
  }

  /**
   * Deletes as S3 does without a version id: adds a marker in a versioned bucket, otherwise removes permanently.
   *
   * @throws S3Error as `guard` does, without any change
   */
  delete(bucketName: string, key: string, guard: Pick<WriteGuard, 'check'>): Deletion {
    const bucket = this.bucket(bucketName);
    guard.check(bucket);
    this.conditionalWrites.noteDelete(bucketName, key);
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
    const bucket = this.bucket(bucketName);
    const version = bucket.versions.find(key, versionId);
    if (version === undefined) return { versionId, deleteMarker: false };
    if (bucket.versions.current(key)?.versionId === versionId)
      this.conditionalWrites.noteDelete(bucketName, key);
    this.#commit({ op: 'remove', bucket: bucketName, key, versionId });
    return { versionId, deleteMarker: version.deleteMarker };
  }

  /** Starts an upload and returns its id. */
  createUpload(upload: Omit<MultipartUploadStart, 'uploadId'>): string {
    this.bucket(upload.bucket);
    const uploadId = randomBytes(24).toString('base64url');
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
  abortUpload(upload: MultipartUpload): void {
    this.#commit({ op: 'end-upload', uploadId: upload.uploadId });
  }

  #numbered(
    bucket: Bucket,
    version: Omit<StoredVersion, 'versionId' | 'sequence' | 'lastModifiedMs'>,
  ): StoredVersion {
    const lastModifiedMs = Date.now();
    const sequence = nextSequence(this.#catalog.sequence, lastModifiedMs);
    const versionId = bucket.versioned ? newVersionId(sequence) : NULL_VERSION_ID;
    return { ...version, versionId, sequence, lastModifiedMs };
  }

  #commit(record: JournalRecord): void {
    this.#journal.append(record);
    this.files.remove(this.#catalog.apply(record));
  }
}

function idsOfFiles(catalog: Catalog): Set<string> {
  const ids = new Set<string>();
  const add = (files: readonly DataFile[]) => {
    for (const file of files) ids.add(file.id);
  };
  for (const bucket of catalog.buckets.values()) {
    for (const [, versions] of bucket.versions) for (const version of versions) add(version.files);
  }
  for (const upload of catalog.uploads.values()) for (const part of upload.parts.values()) add(part.files);
  return ids;
}
