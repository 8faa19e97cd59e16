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

/** An examination: its id, which has that of its bulk run, in a stack. */
export interface Examination {
  readonly id: string;
  readonly runId: string;
  readonly connection: Connection;
}

/** @throws CommandError if the id is not one of an examination */
export function examination(id: string, connection: Connection): Examination {
  const [, runId] = /^doctor-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-(?:\d{3})?[0-9a-f]{6})$/.exec(id) ?? [];
  if (runId !== undefined) return { id, runId, connection };
  throw new CommandError(`option "--remove" is "${id}": expected the id that doctor --live printed`);
}

/** Waits for all jobs and the bulk run, which would otherwise write after the removal. @returns what has not finished */
export async function settle(of: Examination, maxSeconds: number): Promise<string[]> {
  const { connection, runId } = of;
  let unfinished: string[] = [];
  const poll = async () => {
    // A failed job may be tried again.
    const jobs = (await jobsOf(of, INBOX_PREFIX)).filter(({ state }) => !/done|rejected/.test(state));
    const { status } = await readRun(connection, runId);
    const isRunning = status !== undefined && status.state !== 'done';
    unfinished = [...jobs.map(({ key }) => key), ...(isRunning ? [`bulk run ${runId}`] : [])];
    return unfinished.length === 0 ? true : undefined;
  };
  await polled(connection, poll, { maxSeconds });
  return unfinished;
}

/** Removes everything that was made, until nothing is found. @returns what it has removed */
export async function removeAll(of: Examination): Promise<string> {
  let removed = 0;
  // A job may write its last object after its outcome.
  for (let count = -1; count !== 0; removed += count) count = await removeOnce(of);
  return `${removed} objects and versions, nothing is left`;
}

async function removeOnce(of: Examination): Promise<number> {
  const { id, runId, connection } = of;
  const { s3, inputBucket, resultsBucket } = connection;
  const uploads = [INBOX_PREFIX, SCHEDULED_PREFIX];
  const jobs = (await Promise.all(uploads.map((prefix) => jobsOf(of, prefix)))).flat();
  const folders = uploads.map((prefix) => `${prefix}${id}/`);
  const places = [
    ...[`${RUNS_PREFIX}${runId}/`, `${WORK_PREFIX}runs/${runId}/`],
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

function jobsOf({ id, connection }: Examination, prefix: string): Promise<Job[]> {
  return new JobList(connection).list({ prefix: `${prefix}${id}/` }, Date.now());
}
