/** Looking at the same jobs again and again, and at how far the large ones are. */
import type { Connection } from '../connection.ts';
import { JobList, type RemoteJob } from './job-list.ts';
import type { PolledJob } from './job-text.ts';
import { LargeJobPoller, type LargeJobProgress } from './large-progress.ts';

/** What cannot change any more is read once. */
export class JobPoller {
  readonly #connection: Connection;
  readonly #list: JobList;
  readonly #large = new Map<string, LargeJobPoller>();

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#list = new JobList(connection);
  }

  /** The jobs of uploads whose keys begin so, as `JobList` has them. @param every all versions */
  async poll(prefix: string, nowMs: number, every = false): Promise<PolledJob[]> {
    const jobs = await this.#list.list(prefix, nowMs, every);
    return Promise.all(jobs.map(async (job) => ({ ...job, progress: await this.#progress(job, nowMs) })));
  }

  async #progress(
    { state, jobId, attempt }: RemoteJob,
    nowMs: number,
  ): Promise<LargeJobProgress | undefined> {
    if ((state !== 'running' && state !== 'stalled') || jobId === undefined || attempt === undefined) {
      return undefined;
    }
    const name = `${jobId}/${attempt}`;
    const watch = this.#large.get(name) ?? new LargeJobPoller(this.#connection, jobId, attempt);
    this.#large.set(name, watch);
    return watch.poll(nowMs);
  }
}
