/**
 * The stack on which `doctor --live` works: uploads, messages and waits, and the removal of what they made. All objects are
 * under prefixes with the id of one examination.
 *
 *     inbox/<id>/  scheduled/<id>/                        uploads
 *     results/, rejects/, done/ and status/ of these keys       what their jobs write
 *     work/<jobId>/  runs/<runId>/  work/runs/<runId>/          shards, the bulk run
 */
import { removeVersions } from '../../aws/object-versions.ts';
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
import { JobList } from '../remote/jobs.ts';
import { pollOutcome } from '../remote/outcomes.ts';
import { sendFile } from '../remote/send-file.ts';
import type { LiveFile } from './live-files.ts';

/** How much `doctor --live` does and how long it waits. Tests do less. */
export const liveSettings = {
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

export class LiveStack {
  readonly connection: Connection;
  readonly id: string;
  readonly runId: string;

  /** @throws CommandError if the id is not one of an examination */
  constructor(id: string, connection: Connection) {
    const runId = ID.exec(id)?.[1];
    if (runId === undefined) {
      throw new CommandError(`option "--remove" is "${id}": expected the id that doctor --live printed`);
    }
    this.connection = connection;
    this.id = id;
    this.runId = runId;
  }

  /** Uploads a file. @param prefix `inbox/`, where it is solved at once, or `scheduled/` */
  async upload({ name, bytes, options }: LiveFile, prefix = INBOX_PREFIX): Promise<Sent> {
    const key = `${prefix}${this.id}/${name}`;
    const sentMs = performance.now();
    const source = { key, bytes: bytes.length, open: () => bytes };
    const { versionId } = await sendFile(this.connection, source, options);
    if (versionId !== undefined) return { key, versionId, sentMs };
    throw new CommandError(`${this.connection.inputBucket} has no versioning: turn it on`);
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
    const { runId } = this;
    const runs = await bulkRuns(this.connection);
    const request = { runId, prefix, graceMinutes: 0 };
    await this.connection.retries.request(() => startRun(runs, request));
    const ended = await this.until(liveSettings.runSeconds, async () => {
      const record = await readRun(this.connection, runId);
      // The status is written after the report.
      if (record.report !== undefined && record.status?.state === 'done') return record;
      return (await runs.describe(runId))?.status === 'failed' ? { runId } : undefined;
    });
    return ended?.report === undefined ? undefined : ended;
  }

  /** @throws CommandError if the job fails, or takes longer */
  async outcome(sent: Sent, maxSeconds: number): Promise<VersionOutcome> {
    const found = await this.until(maxSeconds, async () => {
      const each = await pollOutcome(this.connection, sent);
      return each.kind === 'pending' ? undefined : each;
    });
    if (found === undefined) throw new CommandError(`${sent.key} has no result after ${maxSeconds} s`);
    if (found.kind === 'failed') throw new CommandError(`${sent.key}: ${found.message}`);
    return found.outcome;
  }

  status({ key, versionId }: Sent): Promise<StatusDocument | undefined> {
    const { store, resultsBucket } = this.connection;
    return findStatus(store, resultsBucket, key, versionId, systemHashing);
  }

  /** Polls until there is a value. @returns undefined if there is none after the time */
  until<Value>(maxSeconds: number, poll: () => Promise<Value | undefined>): Promise<Value | undefined> {
    return polled(this.connection, poll, { maxSeconds, maxDelayMs: MAX_DELAY_MS });
  }

  /** Waits for all jobs and the bulk run, which would otherwise write after the removal. @returns what has not finished */
  async settle(): Promise<string[]> {
    let unfinished: string[] = [];
    await this.until(liveSettings.settleSeconds, async () => {
      // A failed job may be tried again.
      const jobs = (await this.#jobs(INBOX_PREFIX)).filter(({ state }) => !/done|rejected/.test(state));
      const { status } = await readRun(this.connection, this.runId);
      const isRunning = status !== undefined && status.state !== 'done';
      unfinished = [...jobs.map(({ key }) => key), ...(isRunning ? [`bulk run ${this.runId}`] : [])];
      return unfinished.length === 0 ? true : undefined;
    });
    return unfinished;
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
    const uploads = [INBOX_PREFIX, SCHEDULED_PREFIX];
    const jobs = (await Promise.all(uploads.map((prefix) => this.#jobs(prefix)))).flat();
    const folders = uploads.map((prefix) => `${prefix}${this.id}/`);
    const places = [
      ...[`${RUNS_PREFIX}${this.runId}/`, `${WORK_PREFIX}runs/${this.runId}/`],
      ...jobs.flatMap(({ jobId }) => (jobId === undefined ? [] : [`${WORK_PREFIX}${jobId}/`])),
      // The statuses are last, as they have the ids of the jobs, which a repeated removal needs.
      ...[RESULTS_PREFIX, REJECTS_PREFIX, DONE_PREFIX, STATUS_PREFIX].flatMap((prefix) =>
        folders.map((folder) => prefix + folder),
      ),
    ];
    let removed = 0;
    for (const folder of folders) removed += await removeVersions(s3, inputBucket, folder);
    for (const place of places) removed += await removeVersions(s3, resultsBucket, place);
    return removed;
  }

  #jobs(prefix: string) {
    return new JobList(this.connection).list({ prefix: `${prefix}${this.id}/` }, Date.now());
  }
}
