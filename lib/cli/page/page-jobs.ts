/** The newest jobs of a stack in the words of the page. */

import type { Manifest, ManifestFile } from '../../batch/delivery/manifest.ts';
import { findOutcome } from '../../batch/delivery/result-set.ts';
import { inParallel } from '../../batch/in-parallel.ts';
import { INBOX_PREFIX, SCHEDULED_PREFIX } from '../../batch/names.ts';
import { numberText } from '../../batch/quantities.ts';
import { verdict } from '../../batch/report/status-section.ts';
import type { JobStats } from '../../batch/results/statistics.ts';
import { PUZZLE_STATUSES, type PuzzleStatus } from '../../batch/solving/puzzle-status.ts';
import { readJson } from '../../batch/storage/read-json.ts';
import { systemHashing } from '../../node/system.ts';
import type { Connection } from '../remote/connection.ts';
import { hasBaseName } from '../remote/download/result-file-names.ts';
import { isFinished, type JobState } from '../remote/jobs/job-list.ts';
import { JobPoller } from '../remote/jobs/job-poller.ts';
import { type PolledJob, totalsLine } from '../remote/jobs/job-text.ts';
import { largeJobProgressText } from '../remote/jobs/large-progress.ts';
import { summaryLines } from '../terminal/summary.ts';
import { ageText, bytesText } from '../terminal/time-text.ts';
import { downloadName } from './object-name.ts';
import { resultAddress } from './result-address.ts';

/** Jobs that the page shows: more are not read at a glance, and `status` lists all. */
export const MAX_SHOWN_JOBS = 50;

/** Documents that are read side by side. */
const READS_AT_ONCE = 8;

/** A file of a result set. */
export interface PageFile {
  readonly name: string;
  /** Under which a browser saves it. */
  readonly saveAs: string;
  readonly size: string;
  readonly href: string;
}

/** What became of a job that is over. */
interface PageOutcome {
  /** In one sentence. */
  readonly text: string;
  /** Puzzles of each status that some have. */
  readonly counts?: readonly { readonly status: PuzzleStatus; readonly puzzles: string }[];
  /** Rate and times. */
  readonly details?: readonly string[];
  /** Address of the report, to be looked at. */
  readonly report?: string;
  readonly files?: readonly PageFile[];
}

export interface PageJob extends Partial<PageOutcome> {
  readonly key: string;
  readonly versionId: string;
  /** The key as people call it. */
  readonly name: string;
  readonly state: JobState;
  /** Whether nothing more becomes of it by itself. */
  readonly finished: boolean;
  readonly size?: string;
  /** ISO 8601 in UTC. */
  readonly uploadedAt?: string;
  /** How long ago it was uploaded, in words. */
  readonly age?: string;
}

export interface PageJobs {
  /** Newest first, at most `SHOWN_JOBS`. */
  readonly jobs: readonly PageJob[];
  /** Jobs that are there beside these. */
  readonly more: number;
  /** All of them in one line: how many of each state, and their puzzles. */
  readonly totals: string;
}

/** Looks again and again, once for all who ask at the same time; results are read once. */
export class PageJobPoller {
  readonly #connection: Connection;
  readonly #looks: JobPoller;
  #outcomes = new Map<string, PageOutcome>();
  #looking: Promise<PageJobs> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#looks = new JobPoller(connection);
  }

  newest(): Promise<PageJobs> {
    this.#looking ??= this.#look(Date.now()).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(nowMs: number): Promise<PageJobs> {
    const found = await this.#looks.poll('', nowMs);
    found.sort((a, b) => timeOf(b).localeCompare(timeOf(a)));
    const newest = found.slice(0, MAX_SHOWN_JOBS);
    const outcomes = new Map<string, PageOutcome>();
    const jobs = await inParallel(newest, READS_AT_ONCE, async (job) => {
      const name = JSON.stringify([job.key, job.versionId, job.jobId, job.state]);
      const known = this.#outcomes.get(name);
      const outcome = known ?? (await this.#outcome(job, nowMs));
      if (job.state === 'done' || job.state === 'rejected') outcomes.set(name, outcome);
      return pageJob(job, outcome, nowMs);
    });
    this.#outcomes = outcomes;
    return { jobs, more: found.length - jobs.length, totals: totalsLine(found) };
  }

  async #outcome(job: PolledJob, nowMs: number): Promise<PageOutcome> {
    if (job.state !== 'done' && job.state !== 'rejected') return { text: textBefore(job, nowMs) };
    const { store, resultsBucket } = this.#connection;
    const outcome = await findOutcome(store, resultsBucket, job.key, job.versionId, systemHashing);
    if (outcome === undefined) return { text: 'Its results were deleted: upload it again.' };
    if (outcome.kind === 'rejected') return { text: sentence(outcome.reject.error.message) };
    const { manifest } = outcome;
    const { key } = manifest.files.find((file) => hasBaseName(file, 'stats'))!;
    const stats = (await readJson<JobStats>(store, resultsBucket, key!))?.document;
    if (stats === undefined) return { text: 'Its results were deleted: upload it again.' };
    return completed(job, manifest, stats);
  }
}

function completed(job: PolledJob, manifest: Manifest, stats: JobStats): PageOutcome {
  const { solutions } = manifest.options;
  const files: readonly Pick<ManifestFile, 'name' | 'bytes'>[] = manifest.files;
  const report = files.find((file) => hasBaseName(file, 'report'));
  return {
    text: verdict(stats, solutions === 'all' || Number(solutions) > 2),
    counts: PUZZLE_STATUSES.filter((status) => stats.puzzles[status] > 0).map((status) => ({
      status,
      puzzles: numberText(stats.puzzles[status]),
    })),
    // The first line has the counts.
    details: summaryLines('', stats)
      .slice(1)
      .map((line) => line.trim()),
    report: report && resultAddress(job, report.name, 'look'),
    files: [
      ...files.map(({ name, bytes }) => pageFile(job, name, bytesText(bytes))),
      pageFile(job, 'manifest.json', ''),
    ],
  };
}

function pageFile(job: PolledJob, name: string, size: string): PageFile {
  return { name, size, saveAs: downloadName(job.key, name), href: resultAddress(job, name, 'save') };
}

function pageJob(job: PolledJob, outcome: PageOutcome, nowMs: number): PageJob {
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

/** Of a job without a result. */
function textBefore({ key, state, error, progress, deadline }: PolledJob, nowMs: number): string {
  if (state === 'failed') return sentence(error?.message ?? 'the job failed; upload the file again');
  if (state === 'stalled') {
    return `It should have ended ${ageText(deadline!, nowMs)} ago; the stack tries it again by itself.`;
  }
  if (progress !== undefined) return sentence(largeJobProgressText(progress));
  if (state === 'running') return error === undefined ? 'It is being solved.' : sentence(error.message);
  return key.startsWith(SCHEDULED_PREFIX) ? 'It waits for the next scheduled run.' : 'It waits to be solved.';
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

function timeOf({ uploadedAt, updatedAt }: PolledJob): string {
  return uploadedAt ?? updatedAt ?? '';
}
