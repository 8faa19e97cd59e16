/** Polls jobs and the progress of large jobs. */
import type { Connection } from '../connection.ts';
import { JobList, type RemoteJob } from './job-list.ts';
import type { PolledJob } from './job-text.ts';
import { LargeJobPoller, type LargeJobProgress } from './large-progress.ts';

export class JobPoller {
  readonly #connection: Connection;
  readonly #list: JobList;
  /** Of the jobs that ran at the last poll. */
  #large = new Map<string, LargeJobPoller>();

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#list = new JobList(connection);
  }

  /** Lists jobs as `JobList.list` does, with the progress of large jobs. */
  async poll(prefix: string, nowMs: number, allVersions = false): Promise<PolledJob[]> {
    return this.withProgress(await this.#list.list(prefix, nowMs, allVersions), nowMs);
  }

  /** Adds the progress of large jobs. */
  async withProgress(jobs: readonly RemoteJob[], nowMs: number): Promise<PolledJob[]> {
    const before = this.#large;
    this.#large = new Map();
    return Promise.all(
      jobs.map(async (job) => ({ ...job, progress: await this.#progress(job, before, nowMs) })),
    );
  }

  async #progress(
    { state, jobId, attempt }: RemoteJob,
    before: ReadonlyMap<string, LargeJobPoller>,
    nowMs: number,
  ): Promise<LargeJobProgress | undefined> {
    if ((state !== 'running' && state !== 'stalled') || jobId === undefined || attempt === undefined) {
      return undefined;
    }
    const name = `${jobId}/${attempt}`;
    const poller = before.get(name) ?? new LargeJobPoller(this.#connection, jobId, attempt);
    this.#large.set(name, poller);
    return poller.poll(nowMs);
  }
}
