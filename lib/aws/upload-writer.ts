/** Writes an object sequentially, in one PUT if it is small, otherwise in parts. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { S3 } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { FileWriter } from '../batch/ports.ts';
import { statusOf } from './store-errors.ts';

/** Size of a part; 10,000 parts limit an object to 80 GB. */
const PART_BYTES = 8 * 1024 * 1024;
/** Parts in memory at the same time. */
const CONCURRENT_PARTS = 2;

export class UploadWriter implements FileWriter {
  readonly #body = new PassThrough({ highWaterMark: 1024 * 1024 });
  readonly #done: Promise<void>;

  /** @param isOnly whether this is the only write of that key */
  constructor(s3: S3, bucket: string, key: string, contentType: string, isOnly = false) {
    // S3 refuses a request that takes effect after the object was stored (412), or while it was deleted (409).
    const condition = isOnly ? { IfNoneMatch: '*' } : {};
    const upload = new Upload({
      client: s3,
      params: { Bucket: bucket, Key: key, Body: this.#body, ContentType: contentType, ...condition },
      partSize: PART_BYTES,
      queueSize: CONCURRENT_PARTS,
    });
    this.#done = upload.done().then(
      () => {},
      (error: unknown) => {
        // The object is there by an earlier request, whose response was lost.
        if (isOnly && statusOf(error) === 412) return;
        // A writer that waits for the stream to drain must not wait forever.
        this.#body.destroy(error instanceof Error ? error : new Error(String(error)));
        throw error;
      },
    );
    // The failure is handled in `write` or `close`; until then it must not count as unhandled.
    this.#done.catch(() => {});
    this.#body.on('error', () => {});
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#body.destroyed) await this.#done;
    // A copy, as the stream may hold it when the caller overwrites its array.
    if (this.#body.write(bytes.slice())) return;
    await Promise.race([once(this.#body, 'drain'), this.#done]);
  }

  async close(): Promise<void> {
    this.#body.end();
    await this.#done;
  }

  async abort(): Promise<void> {
    // `Upload.abort` does not wait for its cleanup, and a function may be frozen before that is done. After an error of
    // the body, the upload finishes the parts in progress, then removes all parts.
    this.#body.destroy(new Error('the file was aborted'));
    await Promise.allSettled([this.#done]);
  }
}
