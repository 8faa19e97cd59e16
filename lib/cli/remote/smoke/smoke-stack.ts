/** The stack that `smoke` checks: uploads, waits and messages, all under the prefixes of one run. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { uploadObject } from '../../../aws/upload-object.ts';
import { messageFor } from '../../../batch/bulk-run/planned-version.ts';
import { startRun } from '../../../batch/bulk-run/start-run.ts';
import type { BulkRun } from '../../../batch/bulk-run/steps.ts';
import type { Executions } from '../../../batch/delivery/executions.ts';
import { findStatus } from '../../../batch/delivery/find-status.ts';
import type { VersionOutcome } from '../../../batch/delivery/result-set.ts';
import type { StatusDocument } from '../../../batch/delivery/status-document.ts';
import { INBOX_PREFIX, SCHEDULED_PREFIX } from '../../../batch/names.ts';
import type { MessageQueue, ObjectVersion } from '../../../batch/ports.ts';
import { systemHashing } from '../../../node/system.ts';
import { CommandError } from '../../exit.ts';
import type { Connection } from '../connection.ts';
import { pollOutcome } from '../jobs/wait-for-outcome.ts';
import type { SmokeFile } from './smoke-files.ts';
import { smokeSettings } from './smoke-settings.ts';

/** An uploaded version. */
export interface Sent {
  readonly key: string;
  readonly versionId: string;
  readonly sentMs: number;
}

/** An outcome, and how long it took from the upload. */
export interface Received {
  readonly outcome: VersionOutcome;
  readonly seconds: number;
}

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 2_000;

export class SmokeStack {
  readonly connection: Connection;
  readonly runs: Executions;
  /** Name of this run, a part of every key that it makes. */
  readonly id: string;
  /** Uploads for which a message was sent. */
  readonly messaged: Sent[] = [];
  /** Whether uploads cause no events, so that they are sent to the queue. */
  sendsMessages = false;
  /** Whether its bulk run was started. */
  startedRun = false;
  /** Milliseconds since 1970. */
  readonly startedMs = Date.now();
  readonly #queue: MessageQueue;

  constructor(id: string, connection: Connection, queue: MessageQueue, runs: Executions) {
    this.id = id;
    this.connection = connection;
    this.runs = runs;
    this.#queue = queue;
  }

  /** The same run with another connection. */
  withConnection(connection: Connection): SmokeStack {
    const stack = new SmokeStack(this.id, connection, this.#queue, this.runs);
    stack.messaged.push(...this.messaged);
    stack.startedRun = this.startedRun;
    return stack;
  }

  /** Uploads a file that is solved at once. */
  async upload(file: SmokeFile): Promise<Sent> {
    const sent = await this.#put(`${INBOX_PREFIX}${this.id}/`, file);
    if (this.sendsMessages) await this.send(sent);
    return sent;
  }

  /** Uploads a file that waits for a bulk run or a message. */
  schedule(file: SmokeFile): Promise<Sent> {
    return this.#put(`${SCHEDULED_PREFIX}${this.id}/`, file);
  }

  async #put(prefix: string, { name, bytes, options }: SmokeFile): Promise<Sent> {
    const { s3, inputBucket, retries } = this.connection;
    const key = `${prefix}${name}`;
    const token = randomUUID();
    const sentMs = performance.now();
    const settings = { retries, token, replacedEtag: null, bytes: bytes.length };
    const versionId = await uploadObject(s3, inputBucket, key, bytes, options, settings);
    if (versionId === undefined) throw new CommandError(`${inputBucket} has no versioning: turn it on`);
    return { key, versionId, sentMs };
  }

  /** Sends a message for an upload to the queue, as `resend` does. */
  async send(sent: Sent): Promise<void> {
    const { key, versionId } = sent;
    const { store, inputBucket, retries } = this.connection;
    let version: ObjectVersion | undefined;
    for await (const each of store.listVersions(inputBucket, key)) {
      if (each.versionId === versionId) version = each;
    }
    if (version === undefined) throw new CommandError(`${key} is not in ${inputBucket}`);
    await this.#begin(
      async () => {
        const refused = await retries.request(() => this.#queue.send([messageFor(version, inputBucket)]));
        if (refused.length > 0) throw new CommandError('the queue did not accept a message');
      },
      () => this.messaged.push(sent),
    );
  }

  /** Starts a bulk run, one at most. */
  startRun(run: BulkRun): Promise<void> {
    const { retries } = this.connection;
    return this.#begin(
      () => retries.request(() => startRun(this.runs, run)),
      () => {
        this.startedRun = true;
      },
    );
  }

  /** Begins work of the stack. @param note called if it has begun, or may have, as the request was interrupted */
  async #begin(request: () => Promise<unknown>, note: () => void): Promise<void> {
    try {
      await request();
      note();
    } catch (error) {
      if (this.connection.retries.signal.aborted) note();
      throw error;
    }
  }

  /** @throws CommandError if the job fails, or takes longer */
  async outcome(sent: Sent, maxSeconds = smokeSettings.outcomeSeconds): Promise<Received> {
    const found = await this.until(maxSeconds, async () => {
      const polled = await pollOutcome(this.connection, sent.key, sent.versionId);
      return polled.kind === 'pending' ? undefined : polled;
    });
    if (found === undefined) throw new CommandError(`${sent.key} has no result after ${maxSeconds} s`);
    if (found.kind === 'failed') throw new CommandError(`${sent.key}: ${found.message}`);
    return { outcome: found.outcome, seconds: (performance.now() - sent.sentMs) / 1000 };
  }

  status({ key, versionId }: Pick<Sent, 'key' | 'versionId'>): Promise<StatusDocument | undefined> {
    const { store, resultsBucket } = this.connection;
    return findStatus(store, resultsBucket, key, versionId, systemHashing);
  }

  /**
   * Polls until there is a value.
   *
   * @returns undefined if there is none after the time
   * @throws the reason if the connection is aborted
   */
  async until<Value>(maxSeconds: number, poll: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const { retries } = this.connection;
    const endMs = performance.now() + maxSeconds * 1000;
    for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 1.5, MAX_DELAY_MS)) {
      const value = await retries.operation(poll);
      if (value !== undefined) return value;
      if (performance.now() > endMs) return undefined;
      await sleep(delayMs, undefined, { signal: retries.signal });
    }
  }
}
