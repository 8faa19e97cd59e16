/** An object written from front to back, in one PUT where it is small and in parts where it is not. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { S3 } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { FileWriter } from '../batch/ports.ts';

/** 10,000 parts of this size hold 80 GB; two of them are in memory at once. */
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_AT_ONCE = 2;

export class UploadWriter implements FileWriter {
  readonly #body = new PassThrough({ highWaterMark: 1024 * 1024 });
  readonly #done: Promise<void>;

  constructor(s3: S3, bucket: string, key: string, contentType: string) {
    const upload = new Upload({
      client: s3,
      params: { Bucket: bucket, Key: key, Body: this.#body, ContentType: contentType },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    });
    this.#done = upload.done().then(
      () => {},
      (error: unknown) => {
        // Whoever waits for the stream to drain must not wait for ever.
        this.#body.destroy(error instanceof Error ? error : new Error(String(error)));
        throw error;
      },
    );
    // The failure is met in `write` or `close`; until then it must not count as unhandled.
    this.#done.catch(() => {});
    this.#body.on('error', () => {});
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#body.destroyed) await this.#done;
    // A copy: the stream may still hold it when the caller writes into its own again.
    if (this.#body.write(bytes.slice())) return;
    await Promise.race([once(this.#body, 'drain'), this.#done]);
  }

  async close(): Promise<void> {
    this.#body.end();
    await this.#done;
  }

  async abort(): Promise<void> {
    // `Upload.abort` does not wait for what it cleans up, and a function may be frozen before that is done. A body
    // that fails makes the upload end by itself: parts under way first, then the removal of all of them.
    this.#body.destroy(new Error('the file was given up'));
    await Promise.allSettled([this.#done]);
  }
}
