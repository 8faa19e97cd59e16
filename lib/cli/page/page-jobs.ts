/** The newest jobs of a stack, as the page shows them. */

import type { Manifest, ManifestFile } from '../../batch/delivery/manifest.ts';
import { findOutcome } from '../../batch/delivery/result-set.ts';
import { inParallel } from '../../batch/in-parallel.ts';
import { INBOX_PREFIX, SCHEDULED_PREFIX } from '../../batch/names.ts';
import { numberText } from '../../batch/quantities.ts';
import { shownExceptions, verdict } from '../../batch/report/status-section.ts';
import { exceptionCountText } from '../../batch/results/job-totals.ts';
import { EXCEPTIONS_FILE } from '../../batch/results/result-files.ts';
import type { JobStats } from '../../batch/results/statistics.ts';
import { PUZZLE_STATUSES, type PuzzleStatus } from '../../batch/solving/puzzle-status.ts';
import { readJson } from '../../batch/storage/read-json.ts';
import { systemHashing } from '../../node/system.ts';
import type { Buckets } from '../remote/connection.ts';
import { sumsLine } from '../remote/job-text.ts';
import { isFinished, type Job, JobList, type JobState } from '../remote/jobs.ts';
import { largeJobProgressText } from '../remote/large-progress.ts';
import { hasBaseName } from '../remote/outcomes.ts';
import { ageText, bytesText } from '../terminal/quantity-text.ts';
import { factsOf, summaryLines } from '../terminal/summary.ts';
import { downloadName } from './object-name.ts';
import { resultAddress } from './result-address.ts';

/** Maximum number of jobs on the page; `dlx-batch status` lists all. */
export const MAX_SHOWN_JOBS = 50;

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
  /** Number of puzzles for each status that occurs. */
  readonly counts?: readonly { readonly status: PuzzleStatus; readonly puzzles: string }[];
  /** Rate and times. */
  readonly details?: readonly string[];
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

export interface PageJobs {
  /** Newest first, at most `MAX_SHOWN_JOBS`. */
  readonly jobs: readonly PageJob[];
  /** Number of further jobs. */
  readonly more: number;
  /** The number of jobs in each state and of their puzzles, in one line. */
  readonly totals: string;
}

/** Polls jobs. Concurrent callers share one poll, and final results are read only once. */
export class PageJobPoller {
  readonly #buckets: Buckets;
  readonly #list: JobList;
  #outcomes = new Map<string, PageOutcome>();
  #polling: Promise<PageJobs> | undefined;

  constructor(buckets: Buckets) {
    this.#buckets = buckets;
    this.#list = new JobList(buckets);
  }

  newest(): Promise<PageJobs> {
    this.#polling ??= this.#poll(Date.now()).finally(() => {
      this.#polling = undefined;
    });
    return this.#polling;
  }

  async #poll(nowMs: number): Promise<PageJobs> {
    const found = await this.#list.list({ prefix: '' }, nowMs);
    const latest = found.toSorted((a, b) => timeOf(b).localeCompare(timeOf(a))).slice(0, MAX_SHOWN_JOBS);
    const newest = await this.#list.withProgress(latest, nowMs);
    const outcomes = new Map<string, PageOutcome>();
    const jobs = await inParallel(newest, PARALLEL_READS, async (job) => {
      const name = JSON.stringify([job.key, job.versionId, job.state]);
      const known = this.#outcomes.get(name);
      const outcome = known ?? (await this.#outcome(job, nowMs));
      if (job.state === 'done' || job.state === 'rejected') outcomes.set(name, outcome);
      return pageJob(job, outcome, nowMs);
    });
    this.#outcomes = outcomes;
    return { jobs, more: found.length - jobs.length, totals: sumsLine(found) };
  }

  async #outcome(job: Job, nowMs: number): Promise<PageOutcome> {
    if (job.state !== 'done' && job.state !== 'rejected') return { text: textWithoutResult(job, nowMs) };
    const { store, resultsBucket } = this.#buckets;
    const outcome = await findOutcome(store, resultsBucket, job.key, job.versionId, systemHashing);
    if (outcome === undefined) return { text: 'The results were deleted. Upload the file again.' };
    if (outcome.kind === 'rejected') return { text: sentence(outcome.reject.error.message) };
    const { manifest } = outcome;
    const { key } = manifest.files.find((file) => hasBaseName(file, 'stats'))!;
    const stats = (await readJson<JobStats>(store, resultsBucket, key!))?.document;
    if (stats === undefined) return { text: 'The results were deleted. Upload the file again.' };
    return completed(job, manifest, stats);
  }
}

function completed(job: Job, manifest: Manifest, stats: JobStats): PageOutcome {
  const { solutions } = manifest.options;
  const files: readonly Pick<ManifestFile, 'name' | 'bytes'>[] = manifest.files;
  const enumerated = solutions === 'all' || Number(solutions) > 2;
  const exceptions = shownExceptions(stats, enumerated);
  const report = files.find((file) => hasBaseName(file, 'report'));
  return {
    text: verdict(stats, enumerated),
    exceptions: exceptions > 0 ? exceptionCountText(exceptions) : undefined,
    counts: PUZZLE_STATUSES.filter((status) => stats.puzzles[status] > 0).map((status) => ({
      status,
      puzzles: numberText(stats.puzzles[status]),
    })),
    // The first line has the counts, which are shown separately.
    details: summaryLines('', stats, factsOf(manifest, stats, EXCEPTIONS_FILE))
      .slice(1)
      .map((line) => line.trim()),
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
    name: key.startsWith(INBOX_PREFIX) ? key.slice(INBOX_PREFIX.length) : key,
    state,
    finished: isFinished(job),
    size: bytes === undefined ? undefined : bytesText(bytes),
    uploadedAt,
    age: uploadedAt && ageText(uploadedAt, nowMs),
    ...outcome,
  };
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

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
