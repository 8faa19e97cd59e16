/** Jobs in words: as a table, one in detail, and what has changed between two looks. */

import { jobKeys } from '../../../batch/delivery/result-keys.ts';
import { numberText } from '../../../batch/quantities.ts';
import type { PuzzleCounts } from '../../../batch/results/statistics.ts';
import { PUZZLE_STATUSES } from '../../../batch/solving/puzzle-status.ts';
import { systemHashing } from '../../../node/system.ts';
import { type Column, tableLines } from '../../terminal/table.ts';
import { type Colour, coloured, printable, terminalColumns } from '../../terminal/terminal.ts';
import { ageText, bytesText } from '../../terminal/time-text.ts';
import { shellWord } from '../command-text.ts';
import type { Connection } from '../connection.ts';
import { JOB_STATES, type JobState, type RemoteJob } from './job-list.ts';
import { type LargeJobProgress, largeJobProgressText } from './large-progress.ts';

/** A job, and how far it is where it is a large one. */
export interface PolledJob extends RemoteJob {
  readonly progress?: LargeJobProgress;
}

const COLOURS: Readonly<Record<JobState, Colour>> = {
  queued: 'dim',
  running: 'cyan',
  stalled: 'yellow',
  done: 'green',
  failed: 'red',
  rejected: 'red',
};

const COLUMNS: readonly Column[] = [
  { title: 'STATE' },
  { title: 'KEY', shrinks: 'middle' },
  { title: 'PUZZLES', align: 'right' },
  { title: 'SOLVED', align: 'right' },
  { title: 'AGE', align: 'right' },
  { title: 'NOTE', shrinks: 'end' },
];

/** A table of jobs, and below it how many there are of each state. */
export function jobTable(jobs: readonly PolledJob[], screen: NodeJS.WriteStream, nowMs: number): string[] {
  if (jobs.length === 0) return ['no jobs: nothing is uploaded under inbox/ or scheduled/'];
  const rows = jobs.map((job) => [
    job.state,
    job.key,
    job.puzzles === undefined ? '' : numberText(job.puzzles.total),
    job.puzzles === undefined ? '' : numberText(job.puzzles.solved),
    ageOf(job, nowMs),
    noteOn(job),
  ]);
  const lines = tableLines(COLUMNS, rows, terminalColumns(screen), (cell, column, row) =>
    column === 0 ? coloured(cell, COLOURS[jobs[row]!.state], screen) : cell,
  );
  return [...lines, totalsLine(jobs)];
}

/** `12 jobs: 10 done, 2 queued; 1,200 puzzles, 1,180 solved`. */
export function totalsLine(jobs: readonly PolledJob[]): string {
  const states = JOB_STATES.map((state) => [state, jobs.filter((job) => job.state === state).length] as const)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${numberText(count)} ${state}`);
  const sum = (of: 'total' | 'solved') =>
    jobs.reduce((total, { puzzles }) => total + (puzzles?.[of] ?? 0), 0);
  return (
    `${numberText(jobs.length)} ${jobs.length === 1 ? 'job' : 'jobs'}: ${states.join(', ')}; ` +
    `${numberText(sum('total'))} puzzles, ${numberText(sum('solved'))} solved`
  );
}

function ageOf({ uploadedAt, updatedAt }: PolledJob, nowMs: number): string {
  const since = uploadedAt ?? updatedAt;
  return since === undefined ? '' : ageText(since, nowMs);
}

/** What else there is to say in a few words. */
function noteOn({ state, error, progress, deadline, puzzles }: PolledJob): string {
  if (error !== undefined) return error.message;
  if (state === 'stalled') return `past its deadline, ${deadline}`;
  if (progress !== undefined) return largeJobProgressText(progress);
  return puzzles === undefined ? '' : unsolved(puzzles);
}

/** `3 invalid, 1 limit`; empty where every puzzle is solved. */
function unsolved(puzzles: PuzzleCounts): string {
  return PUZZLE_STATUSES.filter((status) => status !== 'solved' && puzzles[status] > 0)
    .map((status) => `${numberText(puzzles[status])} ${status}`)
    .join(', ');
}

/** All that is known of a job. */
export function detailLines(job: PolledJob, { resultsBucket }: Connection, nowMs: number): string[] {
  const { key, versionId, state, bytes, uploadedAt, updatedAt, deadline, jobId, attempt, puzzles } = job;
  const ago = (time: string | undefined) => (time === undefined ? '' : `, ${ageText(time, nowMs)} ago`);
  const facts: (readonly [name: string, fact: string | undefined])[] = [
    ['state', `${state}${updatedAt === undefined ? '' : ` since ${updatedAt}${ago(updatedAt)}`}`],
    ['deadline', state === 'running' || state === 'stalled' ? deadline : undefined],
    ['progress', job.progress && largeJobProgressText(job.progress)],
    ['error', job.error && [job.error.code, job.error.message].filter(Boolean).join(': ')],
    [
      'puzzles',
      puzzles &&
        [`${numberText(puzzles.total)}: ${numberText(puzzles.solved)} solved`, unsolved(puzzles)]
          .filter(Boolean)
          .join(', '),
    ],
    [
      'uploaded',
      uploadedAt && `${uploadedAt}${ago(uploadedAt)}${bytes === undefined ? '' : `, ${bytesText(bytes)}`}`,
    ],
    ['version', versionId],
    ['job', jobId],
    ['attempt', attempt],
    ['results', resultsPlace(job, resultsBucket)],
    ['next', nextStep(job)],
  ];
  const lines = facts
    .filter(([, fact]) => fact !== undefined && fact !== '')
    .map(([name, fact]) => `  ${name.padEnd(9)} ${printable(fact!)}`);
  return [printable(key), ...lines];
}

function resultsPlace({ state, jobId, key, versionId }: PolledJob, bucket: string): string | undefined {
  if (jobId === undefined || (state !== 'done' && state !== 'rejected')) return undefined;
  const { manifest, reject } = jobKeys(key, versionId, jobId, systemHashing);
  return `s3://${bucket}/${state === 'done' ? manifest : reject}`;
}

/** What a user may want to do now. */
function nextStep({ state, key }: PolledJob): string {
  const name = shellWord(key);
  if (state === 'done') return `dlx-batch download ${name}, or dlx-batch link ${name}`;
  if (state === 'rejected') return 'mend what the error names, and upload the file again';
  if (state === 'failed') return 'upload the file again with --force, or redrive it';
  return `dlx-batch status --watch ${name}`;
}

/** A line for each job that is new, in another state, or further on. */
export function stateChanges(
  before: readonly PolledJob[],
  jobs: readonly PolledJob[],
  nowMs: number,
): string[] {
  const saying = (job: PolledJob) =>
    `${printable(job.key)}: ${[job.state, printable(noteOn(job))].filter(Boolean).join(', ')}`;
  const known = new Map(before.map((job) => [`${job.key}\n${job.versionId}`, saying(job)]));
  const time = new Date(nowMs).toISOString().slice(11, 19);
  return jobs
    .filter((job) => known.get(`${job.key}\n${job.versionId}`) !== saying(job))
    .map((job) => `${time} ${saying(job)}`);
}
