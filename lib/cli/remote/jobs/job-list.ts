/**
 * The jobs of a stack: each uploaded version and its state.
 *
 *     input bucket     versions of keys ----------+
 *     results bucket   status/<key>/<jobId>.json -+--> one job per version
 *                      done/<key>/<version id> ---+
 *
 * A done marker takes precedence over every status: it is written after the commit, and a status is advisory. A version
 * with neither is `queued`; one that is `running` past its deadline is `stalled`.
 */
import { UNVERSIONED } from '../../../batch/bulk-run/sweep/version-markers.ts';
import type { InputIdentity } from '../../../batch/delivery/manifest.ts';
import { jobKeys, resultKeyPart } from '../../../batch/delivery/result-keys.ts';
import { findOutcome } from '../../../batch/delivery/result-set.ts';
import type { StatusDocument } from '../../../batch/delivery/status-document.ts';
import { inParallel } from '../../../batch/in-parallel.ts';
import { DONE_PREFIX, INBOX_PREFIX, SCHEDULED_PREFIX, STATUS_PREFIX } from '../../../batch/names.ts';
import type { ObjectVersion } from '../../../batch/ports.ts';
import { type JobTotals, jobTotals } from '../../../batch/results/job-totals.ts';
import { readJson } from '../../../batch/storage/read-json.ts';
import { systemHashing } from '../../../node/system.ts';
import type { Connection } from '../connection.ts';

/** In the order in which a job passes through them. */
export const JOB_STATES = ['queued', 'running', 'stalled', 'done', 'failed', 'rejected'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** An uploaded version and its state. */
export interface RemoteJob extends Partial<JobTotals> {
  readonly key: string;
  readonly versionId: string;
  readonly state: JobState;
  readonly bytes?: number;
  /** Timestamps are ISO 8601 in UTC. */
  readonly uploadedAt?: string;
  readonly updatedAt?: string;
  readonly deadline?: string;
  readonly jobId?: string;
  readonly attempt?: string;
  readonly error?: { readonly code?: string; readonly message: string };
}

/** The part of a job that identifies its input version. */
export type InputVersion = Pick<RemoteJob, 'key' | 'versionId' | 'bytes' | 'uploadedAt'>;

/** Status documents by the identity of their inputs. */
export type StatusesByInput = ReadonlyMap<string, readonly StatusDocument[]>;

/** Only objects under these prefixes are jobs. */
export const WATCHED_PREFIXES = [INBOX_PREFIX, SCHEDULED_PREFIX] as const;

/** Documents read in parallel. */
const PARALLEL_READS = 32;

/** Whether a job has reached a final state. */
export function isFinished({ state }: Pick<RemoteJob, 'state'>): boolean {
  return state === 'done' || state === 'failed' || state === 'rejected';
}

/** The state of a status document at a time: `running` past its deadline is `stalled`. */
export function stateAt({ state, deadline }: StatusDocument, nowMs: number): JobState {
  return state === 'running' && deadline !== undefined && Date.parse(deadline) < nowMs ? 'stalled' : state;
}

/** The version id of an input in its job. In a bucket without versioning, the ETag distinguishes uploads. */
export function inputIdentity({ versionId, etag }: Pick<ObjectVersion, 'versionId' | 'etag'>): string {
  return versionId === UNVERSIONED ? `etag-${etag}` : versionId;
}

/** Lists jobs repeatedly; status documents in a final state are read only once. */
export class JobList {
  readonly #connection: Connection;
  /** Status documents in a final state, by key: those of the last listing, so that deleted ones are forgotten. */
  #final = new Map<string, StatusDocument>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Lists the jobs of uploads under a prefix, ordered by key: the newest version of each key, and older versions that
   * have not finished.
   *
   * @param allVersions also lists finished older versions
   */
  async list(prefix: string, nowMs: number, allVersions = false): Promise<RemoteJob[]> {
    const [inputs, statuses, done] = await Promise.all([
      this.#inputs(prefix),
      this.#statuses(prefix),
      this.#doneMarkers(prefix),
    ]);
    const byKey = new Map<string, InputVersion[]>();
    for (const input of [...inputs, ...withoutInput(inputs, statuses)]) {
      byKey.set(input.key, [...(byKey.get(input.key) ?? []), input]);
    }
    const jobs: RemoteJob[] = [];
    for (const versions of byKey.values()) {
      const isDone = (input: InputVersion) => done.has(doneKey(input));
      jobs.push(...(await jobsOfKey(this.#connection, versions, statuses, isDone, nowMs, allVersions)));
    }
    return jobs;
  }

  /** Newest first for each key. */
  async #inputs(prefix: string): Promise<InputVersion[]> {
    const { store, inputBucket } = this.#connection;
    const inputs: InputVersion[] = [];
    for (const watched of WATCHED_PREFIXES) {
      if (!prefix.startsWith(watched) && !watched.startsWith(prefix)) continue;
      const under = prefix.startsWith(watched) ? prefix : watched;
      for await (const version of store.listVersions(inputBucket, under)) {
        if (isUpload(version)) inputs.push(inputVersion(version));
      }
    }
    return inputs;
  }

  /** By the identity of their inputs. */
  async #statuses(prefix: string): Promise<StatusesByInput> {
    const { store, resultsBucket } = this.#connection;
    const keys: string[] = [];
    for await (const key of store.list(resultsBucket, `${STATUS_PREFIX}${resultPrefix(prefix)}`))
      keys.push(key);
    const final = new Map<string, StatusDocument>();
    const documents = await inParallel(keys, PARALLEL_READS, async (key) => {
      const status =
        this.#final.get(key) ?? (await readJson<StatusDocument>(store, resultsBucket, key))?.document;
      if (status !== undefined && isFinal(status)) final.set(key, status);
      return status;
    });
    this.#final = final;
    return byInput(documents.filter((status) => status?.input.key.startsWith(prefix) === true));
  }

  async #doneMarkers(prefix: string): Promise<Set<string>> {
    const { store, resultsBucket } = this.#connection;
    const keys = new Set<string>();
    for await (const key of store.list(resultsBucket, `${DONE_PREFIX}${resultPrefix(prefix)}`)) keys.add(key);
    return keys;
  }
}

/**
 * The jobs of one key: of its newest version, and of older versions that have not finished.
 *
 * @param versions newest first
 * @param allVersions also lists finished older versions
 */
export async function jobsOfKey(
  connection: Connection,
  versions: readonly InputVersion[],
  statuses: StatusesByInput,
  isDone: (input: InputVersion) => boolean,
  nowMs: number,
  allVersions = false,
): Promise<RemoteJob[]> {
  const jobs: RemoteJob[] = [];
  for (const [age, input] of versions.entries()) {
    const done = isDone(input);
    // A finished older version is not listed.
    if (age > 0 && done && !allVersions) continue;
    const job = await jobOf(connection, input, statuses.get(identityOf(input)) ?? [], done, nowMs);
    if (age === 0 || allVersions || !isFinished(job)) jobs.push(job);
  }
  return jobs;
}

async function jobOf(
  connection: Connection,
  input: InputVersion,
  statuses: readonly StatusDocument[],
  isDone: boolean,
  nowMs: number,
): Promise<RemoteJob> {
  const ended = statuses.filter(isFinal);
  if (isDone && ended.length === 0) return outcomeOf(connection, input);
  const [status] = (isDone ? ended : [...statuses]).sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  if (status === undefined) return { ...input, state: 'queued' };
  const { updatedAt, deadline, jobId, attempt, error } = status;
  return {
    ...input,
    bytes: input.bytes ?? status.input.bytes,
    state: stateAt(status, nowMs),
    ...{ updatedAt, deadline, jobId, attempt, ...jobTotals(status), error },
  };
}

/** The job of a version with a done marker but without a final status. */
async function outcomeOf({ store, resultsBucket }: Connection, input: InputVersion): Promise<RemoteJob> {
  const outcome = await findOutcome(store, resultsBucket, input.key, input.versionId, systemHashing);
  if (outcome?.kind === 'rejected') {
    const { jobId, error } = outcome.reject;
    return { ...input, state: 'rejected', jobId, error };
  }
  if (outcome === undefined) return { ...input, state: 'done' };
  const { jobId, attempt } = outcome.manifest;
  return { ...input, state: 'done', jobId, attempt, ...jobTotals(outcome.manifest) };
}

/** Whether a listed version is an upload, and not the marker of a folder. */
export function isUpload({ key, bytes }: ObjectVersion): boolean {
  return bytes > 0 || !key.endsWith('/');
}

export function inputVersion(version: ObjectVersion): InputVersion {
  const { key, bytes, lastModified: uploadedAt } = version;
  return { key, versionId: inputIdentity(version), bytes, uploadedAt };
}

export function isFinal({ state }: StatusDocument): boolean {
  return state === 'done' || state === 'rejected';
}

export function byInput(documents: readonly (StatusDocument | undefined)[]): StatusesByInput {
  const found = new Map<string, StatusDocument[]>();
  for (const status of documents) {
    if (status === undefined) continue;
    const identity = identityOf(status.input);
    found.set(identity, [...(found.get(identity) ?? []), status]);
  }
  return found;
}

/** The prefix in the results bucket, where a long key is cut and a hash is appended. */
function resultPrefix(prefix: string): string {
  const part = resultKeyPart(prefix, systemHashing);
  return part === prefix ? part : part.replace(/~[0-9a-f]{16}$/, '');
}

/** Versions that are known only from their statuses, because their objects were deleted or expired. Newest first. */
export function withoutInput(inputs: readonly InputVersion[], statuses: StatusesByInput): InputVersion[] {
  const known = new Set(inputs.map(identityOf));
  return [...statuses]
    .filter(([identity]) => !known.has(identity))
    .sort(([, [a]], [, [b]]) => b!.updatedAt.localeCompare(a!.updatedAt))
    .map(([, [status]]) => ({ key: status!.input.key, versionId: status!.input.versionId }));
}

export function identityOf({ key, versionId }: Pick<InputIdentity, 'key' | 'versionId'>): string {
  return JSON.stringify([key, versionId]);
}

export function doneKey({ key, versionId }: InputVersion): string {
  return jobKeys(key, versionId, '', systemHashing).done;
}
