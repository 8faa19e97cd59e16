/** Everything that a stack has stored on its disk, read without the stack. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bucket, Catalog, type JournalRecord, type StoredVersion } from '../../lib/local/s3/catalog.ts';
import type { VersionEntry } from '../../lib/local/s3/version-index.ts';
import { LOCAL_STACK } from '../../lib/local/stack-names.ts';
import { byKey } from '../support/version-groups.ts';

const BUCKETS = { input: LOCAL_STACK.inputBucket, results: LOCAL_STACK.resultsBucket } as const;
type BucketName = keyof typeof BUCKETS;

export class StoredData {
  readonly #folder: string;
  readonly #catalog: Catalog;

  /** @param dataDir the data folder of a stack */
  constructor(dataDir: string) {
    this.#folder = join(dataDir, 's3');
    const lines = readFileSync(join(this.#folder, 'journal.jsonl'), 'utf8').split('\n');
    // The last line is empty, or truncated by a kill.
    const records = lines.slice(0, -1).map((line) => JSON.parse(line) as JournalRecord);
    this.#catalog = new Catalog((place) => records[place] as JournalRecord & VersionEntry);
    for (const [place, record] of records.entries()) if ('op' in record) this.#catalog.apply(record, place);
    this.#catalog.endReplay();
  }

  versions(bucket: BucketName): Bucket['versions'] {
    return this.#catalog.buckets.get(BUCKETS[bucket])!.versions;
  }

  /** All versions of all keys of a bucket, oldest first for each key. */
  byKey(bucket: BucketName): ReturnType<typeof byKey> {
    return byKey(this.versions(bucket));
  }

  /** The current versions that are not delete markers, by key. */
  current(bucket: BucketName): Map<string, StoredVersion> {
    const found = new Map<string, StoredVersion>();
    for (const [key, versions] of this.byKey(bucket)) {
      const last = versions.at(-1)!;
      if (!last.deleteMarker) found.set(key, last);
    }
    return found;
  }

  bytes(version: StoredVersion): Buffer {
    return Buffer.concat(
      version.files.map(({ id }) => readFileSync(join(this.#folder, 'objects', id.slice(0, 2), id))),
    );
  }

  /** @throws Error if there is no such object */
  object(bucket: BucketName, key: string): Buffer {
    const version = this.versions(bucket).current(key);
    if (version === undefined || version.deleteMarker) throw new Error(`there is no ${key}`);
    return this.bytes(version);
  }

  json<Document>(bucket: BucketName, key: string): Document {
    return JSON.parse(this.object(bucket, key).toString());
  }

  sha256(bucket: BucketName, key: string): string {
    return createHash('sha256').update(this.object(bucket, key)).digest('hex');
  }

  /** Number of multipart uploads that are neither completed nor aborted, by bucket. */
  unfinishedUploads(bucket: BucketName): number {
    return [...this.#catalog.uploads.values()].filter((upload) => upload.bucket === BUCKETS[bucket]).length;
  }

  /** Data files that no object refers to. */
  unknownFiles(): string[] {
    const known = new Set<string>();
    for (const bucket of this.#catalog.buckets.values())
      for (const [, versions] of byKey(bucket.versions))
        for (const { files } of versions) for (const { id } of files) known.add(id);
    for (const { parts } of this.#catalog.uploads.values())
      for (const { files } of parts.values()) for (const { id } of files) known.add(id);
    return readdirSync(join(this.#folder, 'objects'), { recursive: true, encoding: 'utf8' })
      .map((path) => path.slice(3))
      .filter((id) => id !== '' && !known.has(id));
  }
}
