/** Jobs as text: a table, the details of one job, and the changes between two polls. */

import { jobKeys } from '../../batch/delivery/result-keys.ts';
import { INBOX_PREFIX } from '../../batch/names.ts';
import { counted, countsText, numberText } from '../../batch/quantities.ts';
import {
  exceptionCount,
  exceptionText,
  type JobTotals,
  noPuzzlesText,
} from '../../batch/results/job-totals.ts';
import { systemHashing } from '../../node/system.ts';
import { ageText, bytesText } from '../terminal/quantity-text.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { type Colour, coloured, terminalColumns } from '../terminal/terminal.ts';
import { commandText } from './command-text.ts';
import type { Buckets } from './connection.ts';
import { JOB_STATES, type Job, type JobState } from './jobs.ts';
import { largeJobProgressText } from './large-progress.ts';

const COLOURS: Readonly<Record<JobState, Colour>> = {
  queued: 'dim',
  running: 'cyan',
  stalled: 'yellow',
  done: 'green',
  failed: 'red',
  rejected: 'red',
};

/** Longer keys are cut in the middle; the details of a job and --json have the whole key. */
const MAX_KEY_COLUMNS = 80;

const COLUMNS: readonly Column[] = [
  { title: 'STATE' },
  { title: 'KEY', shrinks: 'middle', maxWidth: MAX_KEY_COLUMNS },
  { title: 'PUZZLES', align: 'right' },
  { title: 'SOLVED', align: 'right' },
  { title: 'AGE', align: 'right' },
  { title: 'NOTE', shrinks: 'end' },
];

/** Formats a table of jobs, followed by the number of jobs in each state. */
export function jobTable(jobs: readonly Job[], screen: NodeJS.WriteStream, nowMs: number): string[] {
  if (jobs.length === 0) return ['no jobs: there are no uploads under inbox/ or scheduled/'];
  const rows = jobs.map((job) => [
    job.state,
    job.key,
    job.puzzles === undefined ? '' : numberText(job.puzzles.total),
    job.puzzles === undefined ? '' : numberText(job.puzzles.solved),
    ageOf(job, nowMs),
    noteOn(job, nowMs),
  ]);
  const lines = tableLines(COLUMNS, rows, terminalColumns(screen), (cell, column, row) =>
    column === 0 ? coloured(cell, colourOf(jobs[row]!), screen) : cell,
  );
  return [...lines, sumsLine(jobs)];
}

/** `12 jobs: 10 done, 2 queued; 1,200 puzzles, 1,180 solved` */
export function sumsLine(jobs: readonly Job[]): string {
  const states = countsText(JOB_STATES, (state) => jobs.filter((job) => job.state === state).length);
  const sum = (name: 'total' | 'solved') =>
    jobs.reduce((total, { puzzles }) => total + (puzzles?.[name] ?? 0), 0);
  return (
    `${counted(jobs.length, 'job')}: ${states}; ` +
    `${counted(sum('total'), 'puzzle')}, ${numberText(sum('solved'))} solved`
  );
}

function ageOf({ uploadedAt, updatedAt }: Job, nowMs: number): string {
  const since = uploadedAt ?? updatedAt;
  return since === undefined ? '' : ageText(since, nowMs);
}

/** The colour of a state; `done` is green only if there is no exception. */
function colourOf(job: Job): Colour {
  return job.state === 'done' && hasTotals(job) && exceptionCount(job) > 0 ? 'yellow' : COLOURS[job.state];
}

function hasTotals(job: Job): job is Job & JobTotals {
  return job.puzzles !== undefined;
}

/** Events normally arrive and functions start within seconds. Scheduled uploads wait for their run. */
const LONG_QUEUED_MS = 60_000;

function isLongQueued({ state, key, uploadedAt = '' }: Job, nowMs: number): boolean {
  return (
    state === 'queued' && key.startsWith(INBOX_PREFIX) && nowMs - Date.parse(uploadedAt) > LONG_QUEUED_MS
  );
}

/** A short note on a job: its error, its progress, its exceptions, or why it has no puzzles, or has not begun. */
function noteOn(job: Job, nowMs: number): string {
  const { state, error, progress, deadline } = job;
  if (isLongQueued(job, nowMs)) return 'for over a minute: its event may be lost, or all functions are busy';
  if (error !== undefined) return error.message;
  if (state === 'stalled') return `past its deadline, ${deadline}`;
  if (progress !== undefined) return largeJobProgressText(progress);
  if (!hasTotals(job)) return '';
  return job.puzzles.total === 0 ? noPuzzlesText(job.noPuzzles) : exceptionText(job);
}

/** Returns `1,200: 1,190 solved; 10 exceptions: 10 limit`. */
function totalsText(totals: JobTotals): string {
  const { puzzles, noPuzzles } = totals;
  if (puzzles.total === 0) return noPuzzlesText(noPuzzles);
  return [`${numberText(puzzles.total)}: ${numberText(puzzles.solved)} solved`, exceptionText(totals)]
    .filter(Boolean)
    .join('; ');
}

/** Formats all facts about a job. */
export function detailLines(job: Job, { resultsBucket }: Buckets, nowMs: number): string[] {
  const { key, versionId, state, bytes, uploadedAt, updatedAt, deadline, jobId, attempt } = job;
  const ago = (time: string | undefined) => (time === undefined ? '' : `, ${ageText(time, nowMs)} ago`);
  const facts: (readonly [name: string, fact: string | undefined])[] = [
    ['state', `${state}${updatedAt === undefined ? '' : ` since ${updatedAt}${ago(updatedAt)}`}`],
    ['deadline', state === 'running' || state === 'stalled' ? deadline : undefined],
    ['progress', job.progress && largeJobProgressText(job.progress)],
    ['error', job.error && [job.error.code, job.error.message].filter(Boolean).join(': ')],
    ['puzzles', hasTotals(job) ? totalsText(job) : undefined],
    [
      'listed',
      hasTotals(job) && exceptionCount(job) > 0
        ? commandText('download --only exceptions', [key])
        : undefined,
    ],
    [
      'uploaded',
      uploadedAt && `${uploadedAt}${ago(uploadedAt)}${bytes === undefined ? '' : `, ${bytesText(bytes)}`}`,
    ],
    ['version', versionId],
    ['job', jobId],
    ['attempt', attempt],
    ['results', resultsUrl(job, resultsBucket)],
    ['next', nextStep(job, nowMs)],
  ];
  const lines = facts
    .filter(([, fact]) => fact !== undefined && fact !== '')
    .map(([name, fact]) => `  ${name.padEnd(9)} ${fact}`);
  return [key, ...lines];
}

function resultsUrl({ state, jobId, key, versionId }: Job, bucket: string): string | undefined {
  if (jobId === undefined || (state !== 'done' && state !== 'rejected')) return undefined;
  const { manifest, reject } = jobKeys(key, versionId, jobId, systemHashing);
  return `s3://${bucket}/${state === 'done' ? manifest : reject}`;
}

/** The command or action that the user may want next. */
function nextStep(job: Job, nowMs: number): string {
  const { state, key } = job;
  if (state === 'done') return `${commandText('download', [key])}, or ${commandText('link', [key])}`;
  if (state === 'rejected') {
    return `fix the error and upload the file again, or, if the cause is gone, ${commandText('retry', [key])}`;
  }
  if (state === 'failed') return commandText('retry', [key]);
  if (isLongQueued(job, nowMs)) {
    return `${commandText('retry', [key])}, if its event was lost: a new bucket may send none for 15 minutes`;
  }
  return commandText('status --watch', [key]);
}

/** The state and the note of each job, to find what changes between two polls. */
export function describedJobs(jobs: readonly Job[], nowMs: number): ReadonlyMap<string, string> {
  return new Map(
    jobs.map((job) => {
      const text = `${job.key}: ${[job.state, noteOn(job, nowMs)].filter(Boolean).join(', ')}`;
      return [`${job.key}\n${job.versionId}`, text];
    }),
  );
}

/** Formats a line for each job that is new or whose state or note has changed. */
export function stateChanges(
  before: ReadonlyMap<string, string>,
  described: ReadonlyMap<string, string>,
  nowMs: number,
): string[] {
  const time = new Date(nowMs).toISOString().slice(11, 19);
  return [...described]
    .filter(([job, text]) => before.get(job) !== text)
    .map(([, text]) => `${time} ${text}`);
}
