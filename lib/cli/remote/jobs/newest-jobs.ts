/**
 * The newest jobs of a stack and the sums of all, for a page that polls: the same jobs as those of `JobList`, read key by
 * key. So a poll holds only the jobs of some keys at a time, and between polls about 100 bytes of each finished upload,
 * where `JobList` holds its status. Each key takes two or three listings, so the store must be of this process.
 *
 *     versions of a key --> all have done markers, and were read before --> counted
 *                       \-> otherwise: status/<key>/*.json --> jobs
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { resultKeyPart } from '../../../batch/delivery/result-keys.ts';
import type { StatusDocument } from '../../../batch/delivery/status-document.ts';
import { inParallel } from '../../../batch/in-parallel.ts';
import { STATUS_PREFIX } from '../../../batch/names.ts';
import { readJson } from '../../../batch/storage/read-json.ts';
import { systemHashing } from '../../../node/system.ts';
import type { Connection } from '../connection.ts';
import {
  byInput,
  doneKey,
  type InputVersion,
  identityOf,
  inputVersion,
  isFinal,
  isUpload,
  jobsOfKey,
  type RemoteJob,
  WATCHED_PREFIXES,
  withoutInput,
} from './job-list.ts';
import { JobSums, type PuzzleSums } from './job-text.ts';

/** Keys that are read in parallel, before other requests get a turn. */
const PARALLEL_KEYS = 32;

/** Objects that are shared by equal entries. */
const MAX_DISTINCT = 1000;

/** What a poll remembers of a version with a done marker; equal ones are one object. */
interface Finished {
  /** Number of its status documents. */
  readonly statuses: number;
  /** Omitted for versions that were not the newest of their key. */
  readonly job?: { readonly state: RemoteJob['state']; readonly puzzles?: PuzzleSums };
}

/** A job, with the totals that are summed up. */
type FoundJob = Omit<RemoteJob, 'puzzles'> & { readonly puzzles?: PuzzleSums };

/** A poll in progress. */
interface Poll {
  readonly nowMs: number;
  readonly sums: JobSums;
  /** The newest jobs so far, and others. */
  newest: RemoteJob[];
  readonly finished: Map<string, Finished>;
  readonly withoutInput: Map<string, StatusDocument>;
}

export interface FoundJobs {
  /** Newest first, without their totals. */
  readonly newest: readonly RemoteJob[];
  /** Of all jobs. */
  readonly sums: JobSums;
}

export class NewestJobs {
  readonly #connection: Connection;
  readonly #max: number;
  /** By version id; those of the last poll, so that deleted ones are forgotten. */
  #finished = new Map<string, Finished>();
  /** Most small uploads have the same few sums. */
  readonly #distinct = new Map<string, Finished>();
  /** Statuses in a final state whose uploads were deleted, by key; of the last poll. */
  #withoutInput = new Map<string, StatusDocument>();

  /** @param max number of jobs that are returned */
  constructor(connection: Connection, max: number) {
    this.#connection = connection;
    this.#max = max;
  }

  /** Number of uploads that this remembers. */
  get remembered(): number {
    return this.#finished.size;
  }

  async poll(nowMs: number): Promise<FoundJobs> {
    const poll: Poll = {
      nowMs,
      sums: new JobSums(),
      newest: [],
      finished: new Map(),
      withoutInput: new Map(),
    };
    await this.#ofKeys(poll, this.#versionsByKey(), (versions) => this.#jobs(versions, poll));
    await this.#ofKeys(poll, this.#statusFolders(), (folder) => this.#jobsWithoutInput(folder, poll));
    this.#finished = poll.finished;
    this.#withoutInput = poll.withoutInput;
    return { newest: newestOf(poll.newest, this.#max), sums: poll.sums };
  }

  /** Adds the jobs of keys, in the order of the keys. */
  async #ofKeys<Key>(
    poll: Poll,
    keys: AsyncIterable<Key>,
    jobsOf: (key: Key) => Promise<readonly FoundJob[]>,
  ): Promise<void> {
    let some: Key[] = [];
    const add = async () => {
      for (const job of (await inParallel(some, PARALLEL_KEYS, jobsOf)).flat()) {
        poll.sums.add(job);
        poll.newest.push({ ...job, puzzles: undefined });
      }
      some = [];
      if (poll.newest.length > 2 * this.#max) poll.newest = newestOf(poll.newest, this.#max);
      await nextTurn();
    };
    for await (const key of keys) if (some.push(key) === PARALLEL_KEYS) await add();
    await add();
  }

  /** The uploaded versions of each key, newest first. */
  async *#versionsByKey(): AsyncGenerator<InputVersion[]> {
    const { store, inputBucket } = this.#connection;
    for (const prefix of WATCHED_PREFIXES) {
      let versions: InputVersion[] = [];
      for await (const version of store.listVersions(inputBucket, prefix)) {
        if (!isUpload(version)) continue;
        if (versions.length > 0 && versions[0]!.key !== version.key) {
          yield versions;
          versions = [];
        }
        versions.push(inputVersion(version));
      }
      if (versions.length > 0) yield versions;
    }
  }

  /** @param versions of one key, newest first */
  async #jobs(versions: readonly InputVersion[], poll: Poll): Promise<readonly FoundJob[]> {
    const statusKeys = await this.#statusKeys(resultKeyPart(versions[0]!.key, systemHashing));
    const done = new Set<InputVersion>();
    for (const version of versions) if (await this.#exists(doneKey(version))) done.add(version);
    const isDone = (version: InputVersion) => done.has(version);
    const known = versions.map((version) =>
      isDone(version) ? this.#finished.get(version.versionId) : undefined,
    );
    const knownStatuses = known.reduce((sum, each) => sum + (each?.statuses ?? Number.NaN), 0);
    const newest = known[0]?.job;
    // Another document may be that of a version whose object was deleted.
    if (newest !== undefined && knownStatuses === statusKeys.length) {
      for (const [k, { versionId }] of versions.entries()) poll.finished.set(versionId, known[k]!);
      // The older versions are finished too, so they are not listed.
      return [{ ...versions[0]!, ...newest }];
    }
    const documents = await Promise.all(statusKeys.map((key) => this.#document(key)));
    const statuses = byInput(documents.filter((status) => status?.input.key === versions[0]!.key));
    const listed = [...versions, ...withoutInput(versions, statuses)];
    const jobs = await jobsOfKey(this.#connection, listed, statuses, isDone, poll.nowMs);
    for (const version of done) {
      const { length } = statuses.get(identityOf(version)) ?? [];
      const job = version === versions[0] ? jobs[0] : undefined;
      poll.finished.set(version.versionId, this.#finishedOf(length, job));
    }
    return jobs;
  }

  /** The folders of `status/` whose keys have no uploaded version. */
  async *#statusFolders(): AsyncGenerator<string> {
    const { store, resultsBucket } = this.#connection;
    let last: string | undefined;
    for await (const key of store.list(resultsBucket, STATUS_PREFIX)) {
      const folder = key.slice(STATUS_PREFIX.length, Math.max(STATUS_PREFIX.length, key.lastIndexOf('/')));
      if (folder !== last && !(await this.#hasUpload(folder))) yield folder;
      last = folder;
    }
  }

  #finishedOf(statuses: number, job: RemoteJob | undefined): Finished {
    const name = JSON.stringify([statuses, job?.state, job?.puzzles?.total, job?.puzzles?.solved]);
    const known = this.#distinct.get(name);
    if (known !== undefined) return known;
    const puzzles = job?.puzzles && { total: job.puzzles.total, solved: job.puzzles.solved };
    const finished = { statuses, job: job && { state: job.state, puzzles } };
    if (this.#distinct.size < MAX_DISTINCT) this.#distinct.set(name, finished);
    return finished;
  }

  /** The jobs whose statuses are in a folder, and whose uploads were deleted. */
  async #jobsWithoutInput(folder: string, poll: Poll): Promise<readonly RemoteJob[]> {
    const documents: StatusDocument[] = [];
    for (const key of await this.#statusKeys(folder)) {
      const status = this.#withoutInput.get(key) ?? (await this.#document(key));
      // The name of the folder is not that of the upload if its key is too long.
      if (status === undefined || (await this.#hasUpload(status.input.key))) continue;
      if (isFinal(status)) poll.withoutInput.set(key, status);
      documents.push(status);
    }
    const statuses = byInput(documents);
    const versions = withoutInput([], statuses);
    const done = new Set<InputVersion>();
    for (const version of versions) if (await this.#exists(doneKey(version))) done.add(version);
    return jobsOfKey(this.#connection, versions, statuses, (version) => done.has(version), poll.nowMs);
  }

  /** @param folder the part of an input key in the results bucket */
  async #statusKeys(folder: string): Promise<string[]> {
    const { store, resultsBucket } = this.#connection;
    const prefix = `${STATUS_PREFIX}${folder}/`;
    const keys: string[] = [];
    for await (const key of store.list(resultsBucket, prefix)) {
      if (!key.includes('/', prefix.length)) keys.push(key);
    }
    return keys;
  }

  async #document(key: string): Promise<StatusDocument | undefined> {
    const { store, resultsBucket } = this.#connection;
    return (await readJson<StatusDocument>(store, resultsBucket, key))?.document;
  }

  /** Whether the results bucket has an object. */
  async #exists(key: string): Promise<boolean> {
    const { store, resultsBucket } = this.#connection;
    for await (const found of store.list(resultsBucket, key)) return found === key;
    return false;
  }

  async #hasUpload(key: string): Promise<boolean> {
    if (!WATCHED_PREFIXES.some((prefix) => key.startsWith(prefix))) return false;
    const { store, inputBucket } = this.#connection;
    for await (const version of store.listVersions(inputBucket, key)) {
      if (version.key !== key) return false;
      if (isUpload(version)) return true;
    }
    return false;
  }
}

function newestOf(jobs: readonly RemoteJob[], max: number): RemoteJob[] {
  return jobs.toSorted((a, b) => timeOf(b).localeCompare(timeOf(a))).slice(0, max);
}

function timeOf({ uploadedAt, updatedAt }: RemoteJob): string {
  return uploadedAt ?? updatedAt ?? '';
}
