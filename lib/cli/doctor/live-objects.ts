/**
 * What `doctor --live` makes in a stack, and its removal. All objects are under prefixes with the id of one examination.
 *
 *     inbox/<id>/  scheduled/<id>/                        uploads
 *     results/, rejects/, done/ and status/ of these keys       what their jobs write
 *     work/<jobId>/  runs/<runId>/  work/runs/<runId>/          shards, the bulk run
 */
import { removeVersions } from '../../aws/object-versions.ts';
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
import { readRun } from '../commands/run.ts';
import { CommandError } from '../exit.ts';
import { type Connection, polled } from '../remote/connection.ts';
import { type Job, JobList } from '../remote/jobs.ts';

/** A job may write its last object after its outcome. */
const MAX_ROUNDS = 5;
/** The id of an examination has that of its bulk run. */
const ID = /^doctor-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-(?:\d{3})?[0-9a-f]{6})$/;

export class LiveObjects {
  readonly id: string;
  readonly runId: string;
  readonly #connection: Connection;

  /** @throws CommandError if the id is not one of an examination */
  constructor(id: string, connection: Connection) {
    const runId = ID.exec(id)?.[1];
    if (runId === undefined) {
      throw new CommandError(`option "--remove" is "${id}": expected the id that doctor --live printed`);
    }
    this.id = id;
    this.runId = runId;
    this.#connection = connection;
  }

  /** Waits for all jobs and the bulk run, which would otherwise write after the removal. @returns what has not finished */
  async settle(maxSeconds: number): Promise<string[]> {
    let unfinished: string[] = [];
    const poll = async () => {
      // A failed job may be tried again.
      const jobs = (await this.#jobs(INBOX_PREFIX)).filter(({ state }) => !/done|rejected/.test(state));
      const { status } = await readRun(this.#connection, this.runId);
      const isRunning = status !== undefined && status.state !== 'done';
      unfinished = [...jobs.map(({ key }) => key), ...(isRunning ? [`bulk run ${this.runId}`] : [])];
      return unfinished.length === 0 ? true : undefined;
    };
    await polled(this.#connection, poll, { maxSeconds });
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
    const { s3, inputBucket, resultsBucket } = this.#connection;
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

  #jobs(prefix: string): Promise<Job[]> {
    return new JobList(this.#connection).list({ prefix: `${prefix}${this.id}/` }, Date.now());
  }
}
