/** The jobs of a stack, as the page shows them: those with problems first, filtered and in pages. */

import type { Manifest, ManifestFile } from '../../batch/delivery/manifest.ts';
import { findOutcome } from '../../batch/delivery/result-set.ts';
import { inParallel } from '../../batch/in-parallel.ts';
import { INBOX_PREFIX, SCHEDULED_PREFIX } from '../../batch/names.ts';
import { counted } from '../../batch/quantities.ts';
import { shownExceptions, verdict } from '../../batch/report/status-section.ts';
import { exceptionCount } from '../../batch/results/job-totals.ts';
import { systemHashing } from '../../node/system.ts';
import type { Buckets } from '../remote/connection.ts';
import { sumsLine } from '../remote/job-text.ts';
import { isFinished, type Job, JobList, type JobState } from '../remote/jobs.ts';
import { largeJobProgressText } from '../remote/large-progress.ts';
import { hasBaseName } from '../remote/outcomes.ts';
import { ageText, bytesText } from '../terminal/quantity-text.ts';
import { type ListPlace, pageOf } from './list-page.ts';
import { downloadName } from './object-name.ts';
import { sentence } from './page-words.ts';
import { resultAddress } from './result-address.ts';

/** Jobs on one page of the list. */
const PAGE_SIZE = 50;
/** Outcomes that are kept, so that a poll reads no document twice: those of twenty pages. */
const MAX_OUTCOMES = 1000;

/** Documents read in parallel. */
const PARALLEL_READS = 8;

/** A file of a result set. */
export interface PageFile {
  readonly name: string;
  /** The name under which a browser saves it. */
  readonly saveAs: string;
  readonly size: string;
  readonly href: string;
}

/** The state of a job in words, and its results. */
interface PageOutcome {
  /** One sentence. */
  readonly text: string;
  /** `3 exceptions`; omitted if there are none. */
  readonly exceptions?: string;
  /** Address of the report, to view in a tab. */
  readonly report?: string;
  readonly files?: readonly PageFile[];
}

export interface PageJob extends Partial<PageOutcome> {
  readonly key: string;
  readonly versionId: string;
  /** The key without the inbox prefix. */
  readonly name: string;
  readonly state: JobState;
  /** Whether the job has reached a final state. */
  readonly finished: boolean;
  readonly size?: string;
  /** ISO 8601 in UTC. */
  readonly uploadedAt?: string;
  /** Time since the upload, as text. */
  readonly age?: string;
}

/** What jobs are shown, by the name of the filter. */
const FILTERS = {
  all: () => true,
  problems: isProblem,
  waiting: (job: Job) => !isFinished(job) && !isProblem(job),
  solved: (job: Job) => job.state === 'done' && !isProblem(job),
};
type FilterName = keyof typeof FILTERS;

/** Which jobs the page wants. */
export interface JobQuery {
  readonly filter: FilterName;
  /** Part of the name, in any case; empty for all. */
  readonly find: string;
  /** From 0. */
  readonly page: number;
}

/** Reads a query; what is not valid counts as not given. */
export function parseJobQuery(search: URLSearchParams): JobQuery {
  const filter = search.get('filter') ?? '';
  const page = Number(search.get('page'));
  return {
    filter: Object.hasOwn(FILTERS, filter) ? (filter as FilterName) : 'all',
    find: search.get('find')?.trim().toLowerCase() ?? '',
    page: Number.isSafeInteger(page) && page > 0 ? page : 0,
  };
}

export interface PageJobs extends ListPlace {
  /** One page of the jobs that were asked for: problems, then what is solved now, what waits, the others; newest first. */
  readonly jobs: readonly PageJob[];
  /** Jobs by filter, whatever is asked for. */
  readonly counts: Readonly<Record<FilterName, number>>;
  /** The number of jobs in each state and of their puzzles, in one line. */
  readonly totals: string;
}

/** Polls jobs. Concurrent callers share one listing, and final results are read only once. */
export class PageJobPoller {
  readonly #buckets: Buckets;
  readonly #list: JobList;
  readonly #outcomes = new Map<string, PageOutcome>();
  #listing: Promise<Job[]> | undefined;

  constructor(buckets: Buckets) {
    this.#buckets = buckets;
    this.#list = new JobList(buckets);
  }

  async poll(query: JobQuery): Promise<PageJobs> {
    const nowMs = Date.now();
    const all = await this.#all(nowMs);
    const { shown, ...place } = pageOf(matching(all, query), query.page, PAGE_SIZE);
    const jobs = await inParallel(await this.#list.withProgress(shown, nowMs), PARALLEL_READS, async (job) =>
      pageJob(job, await this.#knownOutcome(job, nowMs), nowMs),
    );
    const counts = Object.fromEntries(
      Object.entries(FILTERS).map(([name, passes]) => [name, all.filter(passes).length]),
    ) as Record<FilterName, number>;
    return { jobs, ...place, counts, totals: sumsLine(all) };
  }

  /** All jobs of a query that have ended with results, on all its pages. */
  async ended(query: JobQuery): Promise<Job[]> {
    const found = matching(await this.#all(Date.now()), query);
    return found.filter(({ state }) => state === 'done' || state === 'rejected');
  }

  #all(nowMs: number): Promise<Job[]> {
    this.#listing ??= this.#list.list({ prefix: '' }, nowMs).finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  async #knownOutcome(job: Job, nowMs: number): Promise<PageOutcome> {
    const name = JSON.stringify([job.key, job.versionId, job.state]);
    const outcome = this.#outcomes.get(name) ?? (await this.#outcome(job, nowMs));
    if (job.state !== 'done' && job.state !== 'rejected') return outcome;
    this.#outcomes.set(name, outcome);
    const [oldest] = this.#outcomes.keys();
    if (this.#outcomes.size > MAX_OUTCOMES) this.#outcomes.delete(oldest!);
    return outcome;
  }

  async #outcome(job: Job, nowMs: number): Promise<PageOutcome> {
    if (job.state !== 'done' && job.state !== 'rejected') return { text: textWithoutResult(job, nowMs) };
    const outcome = await findOutcome(this.#buckets, job, systemHashing);
    if (outcome === undefined) return { text: 'The results were deleted. Upload the file again.' };
    if (outcome.kind === 'rejected') return { text: sentence(outcome.reject.error.message) };
    return completed(job, outcome.manifest);
  }
}

function completed(job: Job, manifest: Manifest): PageOutcome {
  const { solutions } = manifest.options;
  const files: readonly Pick<ManifestFile, 'name' | 'bytes'>[] = manifest.files;
  const enumerated = solutions === 'all' || Number(solutions) > 2;
  const exceptions = shownExceptions(manifest, enumerated);
  const report = files.find((file) => hasBaseName(file, 'report'));
  return {
    text: verdict(manifest, enumerated),
    exceptions: exceptions > 0 ? counted(exceptions, 'exception') : undefined,
    report: report && resultAddress(job, report.name, 'view'),
    files: [
      ...files.map(({ name, bytes }) => pageFile(job, name, bytesText(bytes))),
      pageFile(job, 'manifest.json', ''),
    ],
  };
}

function pageFile(job: Job, name: string, size: string): PageFile {
  return { name, size, saveAs: downloadName(job.key, name), href: resultAddress(job, name, 'save') };
}

function pageJob(job: Job, outcome: PageOutcome, nowMs: number): PageJob {
  const { key, versionId, state, bytes, uploadedAt } = job;
  return {
    key,
    versionId,
    name: nameOf(job),
    state,
    finished: isFinished(job),
    size: bytes === undefined ? undefined : bytesText(bytes),
    uploadedAt,
    age: uploadedAt && ageText(uploadedAt, nowMs),
    ...outcome,
  };
}

/** Whether a person should look at a job. */
function isProblem({ state, puzzles, ...totals }: Job): boolean {
  if (state === 'done') return puzzles !== undefined && exceptionCount({ puzzles, ...totals }) > 0;
  return state === 'failed' || state === 'rejected' || state === 'stalled';
}

/** Those without problems, in the order of the list. */
const ORDER: readonly JobState[] = ['running', 'queued', 'done'];

function matching(jobs: readonly Job[], { filter, find }: JobQuery): Job[] {
  const rank = (job: Job) => (isProblem(job) ? -1 : ORDER.indexOf(job.state));
  return jobs
    .filter((job) => FILTERS[filter](job) && nameOf(job).toLowerCase().includes(find))
    .sort((a, b) => rank(a) - rank(b) || timeOf(b).localeCompare(timeOf(a)));
}

/** The key without the inbox prefix. */
function nameOf({ key }: Pick<Job, 'key'>): string {
  return key.startsWith(INBOX_PREFIX) ? key.slice(INBOX_PREFIX.length) : key;
}

/** The text of a job without a result. */
function textWithoutResult({ key, state, error, progress, deadline }: Job, nowMs: number): string {
  if (state === 'failed') return sentence(error?.message ?? 'the job failed; upload the file again');
  if (state === 'stalled') {
    return `The deadline passed ${ageText(deadline!, nowMs)} ago. The stack retries the job automatically.`;
  }
  if (progress !== undefined) return sentence(largeJobProgressText(progress));
  if (state === 'running') return error === undefined ? 'Solving.' : sentence(error.message);
  return key.startsWith(SCHEDULED_PREFIX) ? 'Waiting for the next scheduled run.' : 'Waiting.';
}

function timeOf({ uploadedAt, updatedAt }: Job): string {
  return uploadedAt ?? updatedAt ?? '';
}
