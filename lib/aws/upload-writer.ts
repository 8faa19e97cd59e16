/** Writes an object sequentially, in one PUT if it is small, otherwise in parts. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3 } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { FileWriter } from '../batch/ports.ts';
import { statusOf } from './store-errors.ts';

/** Size of a part; 10,000 parts limit an object to 80 GB. */
const PART_BYTES = 8 * 1024 * 1024;
/** Parts in memory at the same time. */
const CONCURRENT_PARTS = 2;

/** Waits before a small object is written again that another request is writing: an earlier one of this writer. */
const CONFLICT_DELAYS_MS = [500, 2000, 8000];

export class UploadWriter implements FileWriter {
  readonly #body = new PassThrough({ highWaterMark: 1024 * 1024 });
  readonly #done: Promise<void>;
  /** All bytes, while they fit into one PUT. */
  #small: Uint8Array[] | undefined = [];
  #bytes = 0;

  /** @param isOnly whether this is the only write of that key */
  constructor(s3: S3, bucket: string, key: string, contentType: string, isOnly = false) {
    // S3 refuses a request that takes effect after the object was stored (412), or while it is written or deleted (409).
    const condition = isOnly ? { IfNoneMatch: '*' } : {};
    const target = { Bucket: bucket, Key: key, ContentType: contentType, ...condition };
    const upload = new Upload({
      client: s3,
      params: { ...target, Body: this.#body },
      partSize: PART_BYTES,
      queueSize: CONCURRENT_PARTS,
    });
    const put = () => s3.putObject({ ...target, Body: Buffer.concat(this.#small!) });
    this.#done = upload
      .done()
      .catch((error: unknown) => (isOnly ? this.#resolveConflict(error, put) : Promise.reject(error)))
      .then(
        () => {},
        (error: unknown) => {
          // A writer that waits for the stream to drain must not wait forever.
          this.#body.destroy(error instanceof Error ? error : new Error(String(error)));
          throw error;
        },
      );
    // The failure is handled in `write` or `close`; until then it must not count as unhandled.
    this.#done.catch(() => {});
    this.#body.on('error', () => {});
  }

  /** Writes a small object again after a conflict. @throws the error of the last try if it is not stored */
  async #resolveConflict(error: unknown, put: () => Promise<unknown>): Promise<void> {
    let failure = error;
    for (const delayMs of CONFLICT_DELAYS_MS) {
      if (statusOf(failure) !== 409 || this.#small === undefined) break;
      await sleep(delayMs);
      try {
        await put();
        return;
      } catch (again) {
        failure = again;
      }
    }
    // The object is there by an earlier request, whose response was lost.
    if (statusOf(failure) !== 412) throw failure;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#body.destroyed) await this.#done;
    // A copy, as the stream may hold it when the caller overwrites its array.
    const copy = bytes.slice();
    this.#bytes += copy.length;
    if (this.#bytes >= PART_BYTES) this.#small = undefined;
    this.#small?.push(copy);
    if (this.#body.write(copy)) return;
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
