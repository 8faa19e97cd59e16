/**
 * The objects that a run of `smoke` makes, all under prefixes with its id, and their removal.
 *
 *     inbox/<id>/  scheduled/<id>/                                        uploads
 *     results/, rejects/, done/ and status/ of these keys                 what their jobs write
 *     work/<id>/  work/<jobId>/  runs/<runId>/  work/runs/<runId>/        races, shards, the bulk run
 */

import { removeVersions } from '../../../aws/object-versions.ts';
import {
  DONE_PREFIX,
  INBOX_PREFIX,
  REJECTS_PREFIX,
  RESULTS_PREFIX,
  RUNS_PREFIX,
  SCHEDULED_PREFIX,
  STATUS_PREFIX,
  WORK_PREFIX,
} from '../../../batch/names.ts';
import { counted } from '../../../batch/quantities.ts';
import { isFixable } from '../../exit.ts';
import { type Finding, fail, ok } from '../../terminal/finding.ts';
import type { Connection } from '../connection.ts';
import { remoteError } from '../remote-error.ts';

const ID = /^smoke-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-[0-9a-f]{6})$/;

export function isSmokeId(text: string): boolean {
  return ID.test(text);
}

/** The id of a run of `smoke` by that of its bulk run. */
export function smokeIdOf(runId: string): string {
  return `smoke-${runId}`;
}

export function runIdOf(id: string): string {
  return ID.exec(id)![1]!;
}

/** Key of an object for races; it expires by itself, as all objects under `work/`. */
export function raceKey(id: string, race: number): string {
  return `${WORK_PREFIX}${id}/race-${race}`;
}

interface Removal {
  readonly removed: number;
  /** Prefixes that could not be emptied, and why. */
  readonly left: readonly string[];
}

/** Removes everything, and continues after a prefix that fails. */
async function removeAll(connection: Connection, id: string): Promise<Removal> {
  const { s3, inputBucket, resultsBucket } = connection;
  let removed = 0;
  const left: string[] = [];
  const attempt = async (doing: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      const failure = remoteError(error, doing);
      if (!isFixable(failure)) throw failure;
      left.push((failure as Error).message);
    }
  };
  const remove = (bucket: string, prefix: string) =>
    attempt(`removing s3://${bucket}/${prefix}`, async () => {
      removed += await removeVersions(s3, bucket, prefix);
    });
  const folders = [INBOX_PREFIX, SCHEDULED_PREFIX].map((prefix) => `${prefix}${id}/`);
  const runId = runIdOf(id);
  const results = [`${WORK_PREFIX}${id}/`, `${RUNS_PREFIX}${runId}/`, `${WORK_PREFIX}runs/${runId}/`];
  await attempt(`listing the jobs of ${id}`, async () => {
    for (const jobId of await jobIds(connection, folders)) results.push(`${WORK_PREFIX}${jobId}/`);
  });
  for (const folder of folders) {
    await remove(inputBucket, folder);
    for (const prefix of [RESULTS_PREFIX, REJECTS_PREFIX, DONE_PREFIX]) results.push(`${prefix}${folder}`);
  }
  for (const prefix of results) await remove(resultsBucket, prefix);
  // The last ones, as they have the ids of the jobs, which a repeated removal needs.
  if (left.length === 0) {
    for (const folder of folders) await remove(resultsBucket, `${STATUS_PREFIX}${folder}`);
  }
  return { removed, left };
}

async function jobIds(
  { store, resultsBucket }: Connection,
  folders: readonly string[],
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const folder of folders) {
    for await (const key of store.list(resultsBucket, `${STATUS_PREFIX}${folder}`)) {
      const jobId = /\/([0-9a-f]{16})\.json$/.exec(key)?.[1];
      if (jobId !== undefined) found.add(jobId);
    }
  }
  return found;
}

/** A job may write its last object after its outcome. */
const MAX_ROUNDS = 5;

/**
 * Removes everything that a run has made, until nothing is found.
 *
 * @param unfinished uploads whose jobs may still write
 * @param command that repeats the removal
 */
export async function removeObjects(
  connection: Connection,
  id: string,
  unfinished: readonly string[],
  command: string,
): Promise<Finding> {
  let removed = 0;
  for (let round = 1; ; round++) {
    const { removed: count, left } = await removeAll(connection, id);
    removed += count;
    if (left.length > 0 || count === 0) return removalFinding({ id, removed, left, unfinished, command });
    if (round === MAX_ROUNDS) {
      const writing = ['new ones appeared during the removal'];
      return removalFinding({ id, removed, left: writing, unfinished, command });
    }
  }
}

export interface RemovalFacts {
  readonly id: string;
  readonly removed: number;
  readonly left: readonly string[];
  readonly unfinished: readonly string[];
  readonly command: string;
}

export function removalFinding({ id, removed, left, unfinished, command }: RemovalFacts): Finding {
  const what = 'removal';
  if (left.length > 0) {
    return fail(
      what,
      `objects with ${id} in their keys are left (${left.join('; ')})`,
      `to remove them: ${command}`,
    );
  }
  if (unfinished.length > 0) {
    const jobs = counted(unfinished.length, 'job');
    return fail(
      what,
      `${jobs} had no outcome, and may write again: ${firstNames(unfinished)}`,
      `when they have ended, such as tomorrow: ${command}`,
    );
  }
  return ok(what, `${removed} objects and versions, nothing is left`);
}

const MAX_NAMES = 3;

function firstNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
