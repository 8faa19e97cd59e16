/**
 * The jobs of a stack: each uploaded version and its state. The one listing, of `status`, `retry` and the page.
 *
 *     input bucket     versions of keys ----------+
 *     results bucket   status/<key>/<jobId>.json -+--> one job for each version
 *                      done/<key>/<version id> ---+
 *
 * A done marker takes precedence over every status: it is written after the commit, and a status is advisory. A version
 * with neither is `queued`; one that is `running` past its deadline is `stalled`.
 */
import { UNVERSIONED } from '../../batch/bulk-run/sweep/version-markers.ts';
import type { InputVersion } from '../../batch/delivery/manifest.ts';
import { jobKeys, resultKeyPart } from '../../batch/delivery/result-keys.ts';
import { findOutcome } from '../../batch/delivery/result-set.ts';
import type { StatusDocument } from '../../batch/delivery/status-document.ts';
import { inParallel } from '../../batch/in-parallel.ts';
import { DONE_PREFIX, INBOX_PREFIX, SCHEDULED_PREFIX, STATUS_PREFIX } from '../../batch/names.ts';
import type { ObjectVersion } from '../../batch/ports.ts';
import { type JobTotals, jobTotals } from '../../batch/results/job-totals.ts';
import { readJson } from '../../batch/storage/read-json.ts';
import { systemHashing } from '../../node/system.ts';
import type { Buckets } from './connection.ts';
import { type LargeJobProgress, LargeProgress } from './large-progress.ts';

/** In the order in which a job passes through them. */
export const JOB_STATES = ['queued', 'running', 'stalled', 'done', 'failed', 'rejected'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** An uploaded version and its state. */
export interface Job extends InputVersion, Partial<JobTotals> {
  readonly state: JobState;
  readonly bytes?: number;
  /** Times are ISO 8601 in UTC. */
  readonly uploadedAt?: string;
  readonly updatedAt?: string;
  readonly deadline?: string;
  readonly jobId?: string;
  readonly attempt?: string;
  readonly error?: { readonly code?: string; readonly message: string };
  /** Of a large job that runs, if it was asked for. */
  readonly progress?: LargeJobProgress;
}

type Upload = Pick<Job, 'key' | 'versionId' | 'bytes' | 'uploadedAt'>;

/** What a listing has. */
export interface JobFilter {
  readonly prefix: string;
  /** @default all */
  readonly states?: readonly JobState[];
  /** Only uploads since this time. */
  readonly sinceMs?: number;
}

/** Only objects under these prefixes are jobs. */
const WATCHED_PREFIXES = [INBOX_PREFIX, SCHEDULED_PREFIX];

/** Documents read in parallel. */
const PARALLEL_READS = 32;

/** Whether a job has reached a final state. */
export function isFinished({ state }: Pick<Job, 'state'>): boolean {
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

/** Lists jobs repeatedly; documents that do not change any more are read only once. */
export class JobList {
  readonly #buckets: Buckets;
  /** Statuses in a final state, by key: those of the last listing, so that deleted ones are forgotten. */
  #final = new Map<string, StatusDocument>();
  readonly #large: LargeProgress;

  constructor(buckets: Buckets) {
    this.#buckets = buckets;
    this.#large = new LargeProgress(buckets);
  }

  /** Lists the newest version of each key, and older ones that have not finished: by key, the newest version first. */
  async list(filter: JobFilter, nowMs: number): Promise<Job[]> {
    const { prefix, states, sinceMs = Number.NEGATIVE_INFINITY } = filter;
    const [inputs, statuses, done] = await Promise.all([
      this.#inputs(prefix),
      this.#statuses(prefix),
      this.#keys(DONE_PREFIX + resultPrefix(prefix)),
    ]);
    const byKey = Map.groupBy([...inputs, ...withoutInput(inputs, statuses)], ({ key }) => key);
    const doneKeys = new Set(done);
    const jobs: Job[] = [];
    for (const versions of byKey.values()) {
      for (const [age, input] of versions.entries()) {
        const isDone = doneKeys.has(jobKeys(input.key, input.versionId, '', systemHashing).done);
        // A finished older version is not listed.
        if (age > 0 && isDone) continue;
        const job = await this.#job(input, statuses.get(identityOf(input)) ?? [], isDone, nowMs);
        if (age === 0 || !isFinished(job)) jobs.push(job);
      }
    }
    return jobs.filter(
      ({ state, uploadedAt, updatedAt }) =>
        (states === undefined || states.includes(state)) &&
        !(Date.parse(uploadedAt ?? updatedAt ?? '') < sinceMs),
    );
  }

  /** Adds the progress of large jobs. */
  withProgress(jobs: readonly Job[], nowMs: number): Promise<Job[]> {
    return inParallel(jobs, PARALLEL_READS, async (job) => {
      const { state, jobId, attempt } = job;
      const isRunning = state === 'running' || state === 'stalled';
      if (!isRunning || jobId === undefined || attempt === undefined) return job;
      return { ...job, progress: await this.#large.of(jobId, attempt, nowMs) };
    });
  }

  /** Newest first for each key. */
  async #inputs(prefix: string): Promise<Upload[]> {
    const { store, inputBucket } = this.#buckets;
    const inputs: Upload[] = [];
    for (const watched of WATCHED_PREFIXES) {
      if (!prefix.startsWith(watched) && !watched.startsWith(prefix)) continue;
      const under = prefix.startsWith(watched) ? prefix : watched;
      for await (const version of store.listVersions(inputBucket, under)) {
        const { key, bytes, lastModified: uploadedAt } = version;
        const isFolder = bytes === 0 && key.endsWith('/');
        if (!isFolder) inputs.push({ key, versionId: inputIdentity(version), bytes, uploadedAt });
      }
    }
    return inputs;
  }

  /** By the identity of their inputs. */
  async #statuses(prefix: string): Promise<ReadonlyMap<string, readonly StatusDocument[]>> {
    const keys = await this.#keys(STATUS_PREFIX + resultPrefix(prefix));
    const final = new Map<string, StatusDocument>();
    const documents = await inParallel(keys, PARALLEL_READS, async (key) => {
      const status = this.#final.get(key) ?? (await readJson<StatusDocument>(this.#buckets, key));
      if (status !== undefined && isFinal(status)) final.set(key, status);
      return status;
    });
    this.#final = final;
    const found = documents.filter((status) => status?.input.key.startsWith(prefix) === true);
    return Map.groupBy(found as StatusDocument[], ({ input }) => identityOf(input));
  }

  /** Keys in the results bucket. */
  async #keys(prefix: string): Promise<string[]> {
    const { store, resultsBucket } = this.#buckets;
    const keys: string[] = [];
    for await (const key of store.list(resultsBucket, prefix)) keys.push(key);
    return keys;
  }

  async #job(
    input: Upload,
    statuses: readonly StatusDocument[],
    isDone: boolean,
    nowMs: number,
  ): Promise<Job> {
    const ended = statuses.filter(isFinal);
    if (isDone && ended.length === 0) return this.#jobByOutcome(input);
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
  async #jobByOutcome(input: Upload): Promise<Job> {
    const outcome = await findOutcome(this.#buckets, input, systemHashing);
    if (outcome === undefined) return { ...input, state: 'done' };
    if (outcome.kind === 'rejected') {
      const { jobId, error } = outcome.reject;
      return { ...input, state: 'rejected', jobId, error };
    }
    const { jobId, attempt } = outcome.manifest;
    return { ...input, state: 'done', jobId, attempt, ...jobTotals(outcome.manifest) };
  }
}

function isFinal({ state }: StatusDocument): boolean {
  return state === 'done' || state === 'rejected';
}

/** The prefix in the results bucket, where a long key is cut and a hash is appended. */
function resultPrefix(prefix: string): string {
  const part = resultKeyPart(prefix, systemHashing);
  return part === prefix ? part : part.replace(/~[0-9a-f]{16}$/, '');
}

/** Versions that are known only from their statuses, because their objects were deleted or expired. Newest first. */
function withoutInput(
  inputs: readonly Upload[],
  statuses: ReadonlyMap<string, readonly StatusDocument[]>,
): Upload[] {
  const known = new Set(inputs.map(identityOf));
  return [...statuses]
    .filter(([identity]) => !known.has(identity))
    .sort(([, [a]], [, [b]]) => b!.updatedAt.localeCompare(a!.updatedAt))
    .map(([, [status]]) => ({ key: status!.input.key, versionId: status!.input.versionId }));
}

/** Names a version. */
export function identityOf({ key, versionId }: InputVersion): string {
  return JSON.stringify([key, versionId]);
}
