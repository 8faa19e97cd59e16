/**
 * The stack on which `doctor --live` works: uploads, messages and waits, and the removal of what they made. All objects are
 * under prefixes with the id of one examination.
 *
 *     inbox/<id>/  scheduled/<id>/                        uploads
 *     results/, rejects/, done/ and status/ of these keys       what their jobs write
 *     work/<jobId>/  runs/<runId>/  work/runs/<runId>/          shards, the bulk run
 */
import { randomUUID } from 'node:crypto';
import { removeVersions } from '../../aws/object-versions.ts';
import { uploadObject } from '../../aws/upload-object.ts';
import { messageFor } from '../../batch/bulk-run/planned-version.ts';
import { startRun } from '../../batch/bulk-run/start-run.ts';
import { findStatus } from '../../batch/delivery/find-status.ts';
import type { VersionOutcome } from '../../batch/delivery/result-set.ts';
import type { StatusDocument } from '../../batch/delivery/status-document.ts';
import {
  DONE_PREFIX,
  INBOX_PREFIX,
  REJECTS_PREFIX,
  RESULTS_PREFIX,
  RUNS_PREFIX,
  SCHEDULED_PREFIX,
  STATUS_PREFIX,
  WORK_PREFIX,
} from '../../batch/names.ts';
import { systemHashing } from '../../node/system.ts';
import { storedVersion } from '../commands/retry.ts';
import { bulkRuns, type RunRecord, readRun } from '../commands/run.ts';
import { CommandError } from '../exit.ts';
import { type Connection, polled } from '../remote/connection.ts';
import { pollOutcome } from '../remote/outcomes.ts';
import type { LiveFile } from './live-files.ts';

/** How much `doctor --live` does and how long it waits. Tests do less. */
export const liveSettings = {
  /** Without an event for so long, uploads are sent to the queue. */
  eventSeconds: 60,
  outcomeSeconds: 180,
  largeSeconds: 480,
  runSeconds: 300,
  /** Jobs that are not finished are awaited before their objects are removed. */
  settleSeconds: 60,
  /** 16 MB of puzzles, for which a stack expects several minutes. It makes a shard for each minute. */
  largePuzzles: 200_000,
};

/** An uploaded version. */
export interface Sent {
  readonly key: string;
  readonly versionId: string;
  readonly sentMs: number;
}

const MAX_DELAY_MS = 2_000;
/** A job may write its last object after its outcome. */
const MAX_ROUNDS = 5;
const ID = /^doctor-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-(?:\d{3})?[0-9a-f]{6})$/;

/** The id of an examination by that of its bulk run. */
export function liveIdOf(runId: string): string {
  return `doctor-${runId}`;
}

export function isLiveId(text: string): boolean {
  return ID.test(text);
}

export class LiveStack {
  readonly connection: Connection;
  readonly id: string;
  /** Uploads whose jobs may write. */
  readonly uploads: Sent[] = [];
  /** Whether uploads cause no events, so that they are sent to the queue. */
  sendsMessages = false;
  /** Whether its bulk run was started, or may have been. */
  startedRun = false;

  constructor(id: string, connection: Connection) {
    this.id = id;
    this.connection = connection;
  }

  get runId(): string {
    return ID.exec(this.id)![1]!;
  }

  /** Uploads a file that is solved at once. */
  async upload(file: LiveFile): Promise<Sent> {
    const sent = await this.#put(INBOX_PREFIX, file);
    if (this.sendsMessages) await this.send(sent);
    return sent;
  }

  /** Uploads a file that waits for a bulk run. */
  schedule(file: LiveFile): Promise<Sent> {
    return this.#put(SCHEDULED_PREFIX, file);
  }

  async #put(prefix: string, { name, bytes, options }: LiveFile): Promise<Sent> {
    const { s3, inputBucket, retries } = this.connection;
    const key = `${prefix}${this.id}/${name}`;
    const sentMs = performance.now();
    const settings = { retries, token: randomUUID(), replacedEtag: null, bytes: bytes.length };
    const versionId = await uploadObject(s3, inputBucket, key, bytes, options, settings);
    if (versionId === undefined) throw new CommandError(`${inputBucket} has no versioning: turn it on`);
    const sent = { key, versionId, sentMs };
    this.uploads.push(sent);
    return sent;
  }

  /** Sends a message for an upload to the queue, as `retry` does. */
  async send(sent: Sent): Promise<void> {
    const { inputBucket, retries } = this.connection;
    const version = await storedVersion(this.connection, sent);
    if (version === undefined) throw new CommandError(`${sent.key} is not in ${inputBucket}`);
    const queue = await this.connection.queue();
    const refused = await retries.request(() => queue.send([messageFor(version, inputBucket)]));
    if (refused.length > 0) throw new CommandError('the queue did not accept a message');
  }

  /** Runs a bulk run of the uploads under a prefix. @returns its record; undefined if it failed, or takes too long */
  async run(prefix: string): Promise<RunRecord | undefined> {
    const { retries } = this.connection;
    const { runId } = this;
    const runs = await bulkRuns(this.connection);
    this.startedRun = true;
    await retries.request(() => startRun(runs, { runId, prefix, graceMinutes: 0 }));
    const ended = await this.until(liveSettings.runSeconds, async () => {
      const record = await readRun(this.connection, runId);
      // The status is written after the report.
      if (record.report !== undefined && record.status?.state === 'done') return record;
      return (await runs.describe(runId))?.status === 'failed' ? { runId } : undefined;
    });
    return ended?.report === undefined ? undefined : ended;
  }

  /** @throws CommandError if the job fails, or takes longer */
  async outcome(
    sent: Sent,
    maxSeconds = liveSettings.outcomeSeconds,
  ): Promise<{ readonly outcome: VersionOutcome; readonly seconds: number }> {
    const found = await this.until(maxSeconds, async () => {
      const each = await pollOutcome(this.connection, sent);
      return each.kind === 'pending' ? undefined : each;
    });
    if (found === undefined) throw new CommandError(`${sent.key} has no result after ${maxSeconds} s`);
    if (found.kind === 'failed') throw new CommandError(`${sent.key}: ${found.message}`);
    return { outcome: found.outcome, seconds: (performance.now() - sent.sentMs) / 1000 };
  }

  status({ key, versionId }: Pick<Sent, 'key' | 'versionId'>): Promise<StatusDocument | undefined> {
    const { store, resultsBucket } = this.connection;
    return findStatus(store, resultsBucket, key, versionId, systemHashing);
  }

  /** Polls until there is a value. @returns undefined if there is none after the time */
  until<Value>(maxSeconds: number, poll: () => Promise<Value | undefined>): Promise<Value | undefined> {
    return polled(this.connection, poll, { maxSeconds, maxDelayMs: MAX_DELAY_MS });
  }

  /** Waits for all jobs and the bulk run, which would otherwise write after the removal. @returns what has not finished */
  async settle(): Promise<string[]> {
    const { store, inputBucket } = this.connection;
    const unfinished = new Map<string, string>();
    // Listed, as an upload may be stored whose answer was lost.
    for await (const { key, versionId } of store.listVersions(inputBucket, `${INBOX_PREFIX}${this.id}/`)) {
      unfinished.set(versionId, key);
    }
    let isRunning = this.startedRun;
    await this.until(liveSettings.settleSeconds, async () => {
      for (const [versionId, key] of unfinished) {
        const state = (await this.status({ key, versionId }))?.state;
        if (state === 'done' || state === 'rejected') unfinished.delete(versionId);
      }
      if (isRunning) isRunning = (await readRun(this.connection, this.runId)).status?.state !== 'done';
      return unfinished.size === 0 && !isRunning ? true : undefined;
    });
    return [...unfinished.values(), ...(isRunning ? [`bulk run ${this.runId}`] : [])];
  }

  /** Removes everything that was made, until nothing is found. @returns the number of objects and versions */
  async remove(): Promise<number> {
    let removed = 0;
    for (let round = 1; round <= MAX_ROUNDS; round++) {
      const count = await this.#removeOnce();
      if (count === 0) return removed;
      removed += count;
    }
    throw new CommandError('new objects appeared during the removal');
  }

  async #removeOnce(): Promise<number> {
    const { s3, inputBucket, resultsBucket } = this.connection;
    const folders = [INBOX_PREFIX, SCHEDULED_PREFIX].map((prefix) => `${prefix}${this.id}/`);
    const work = [`${RUNS_PREFIX}${this.runId}/`, `${WORK_PREFIX}runs/${this.runId}/`];
    for (const jobId of await this.#jobIds(folders)) work.push(`${WORK_PREFIX}${jobId}/`);
    // The statuses are last, as they have the ids of the jobs, which a repeated removal needs.
    const results = [RESULTS_PREFIX, REJECTS_PREFIX, DONE_PREFIX, STATUS_PREFIX].flatMap((prefix) =>
      folders.map((folder) => prefix + folder),
    );
    let removed = 0;
    for (const folder of folders) removed += await removeVersions(s3, inputBucket, folder);
    for (const prefix of [...work, ...results]) removed += await removeVersions(s3, resultsBucket, prefix);
    return removed;
  }

  async #jobIds(folders: readonly string[]): Promise<Set<string>> {
    const { store, resultsBucket } = this.connection;
    const found = new Set<string>();
    for (const folder of folders) {
      for await (const key of store.list(resultsBucket, STATUS_PREFIX + folder)) {
        const jobId = /\/([0-9a-f]{16})\.json$/.exec(key)?.[1];
        if (jobId !== undefined) found.add(jobId);
      }
    }
    return found;
  }
}
