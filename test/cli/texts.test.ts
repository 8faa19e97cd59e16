/**
 * Texts that commands make of values. What they are is in `texts.txt`, as what whole commands print is in the transcripts:
 * `npx vitest run test/cli/texts.test.ts --update` rewrites it.
 */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { ChecksumError } from '../../lib/batch/delivery/result-set.ts';
import { lifetimeText } from '../../lib/cli/commands/link.ts';
import { brokenOutput, CommandError, failureText } from '../../lib/cli/exit.ts';
import { readDuration } from '../../lib/cli/option-values.ts';
import { describedJobs, detailLines, jobTable, stateChanges } from '../../lib/cli/remote/job-text.ts';
import type { Job } from '../../lib/cli/remote/jobs.ts';
import { type LargeJobProgress, largeJobProgressText } from '../../lib/cli/remote/large-progress.ts';
import { remoteError } from '../../lib/cli/remote/remote-error.ts';
import { fileProgress, progressText } from '../../lib/cli/terminal/progress.ts';
import { ageText, bytesText, secondsText } from '../../lib/cli/terminal/quantity-text.ts';
import { type Column, tableLines } from '../../lib/cli/terminal/table.ts';
import { truncated, widthOf } from '../../lib/cli/terminal/width.ts';
import { MemoryBuckets } from '../support/memory-store.ts';
import { memoryConnection } from './remote/memory-connection.ts';

const NOW = Date.parse('2025-03-01T12:10:00Z');
const NONE = { total: 0, solved: 0, multiple: 0, unsolvable: 0, invalid: 0, unreadable: 0, limit: 0 };
const SOLVED = { ...NONE, total: 3, solved: 3 };

const job = (changes: Partial<Job>): Job => ({
  key: 'inbox/a.txt',
  versionId: 'v1',
  state: 'queued',
  uploadedAt: '2025-03-01T12:07:00Z',
  ...changes,
});
const DONE = job({
  state: 'done',
  jobId: 'b0815fa1a589f11f',
  puzzles: { ...NONE, total: 1200, solved: 1190, limit: 10 },
});
const FAILED_TRY = { message: 'a try failed and will be repeated: 503' };
const DETAILS: Readonly<Record<string, Partial<Job>>> = {
  'done with exceptions': DONE,
  'done without puzzles': { state: 'done', puzzles: NONE, noPuzzles: 'empty' },
  rejected: { ...DONE, state: 'rejected', error: { code: 'gone', message: 'it is gone' } },
  'running, after a try that failed': {
    state: 'running',
    deadline: '2025-03-01T12:15:00Z',
    error: FAILED_TRY,
  },
  'queued for long, with a key that the shell would change': { key: "inbox/it's a.txt" },
  'queued for its run': { key: 'scheduled/a.txt' },
  'queued just now': { uploadedAt: '2025-03-01T12:09:50Z' },
};

const jobRow = (changes: Partial<Job>) => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 200 });
  const done = job({ ...changes, state: 'done' });
  return JSON.stringify(jobTable([done], terminal as unknown as NodeJS.WriteStream, NOW)[1]);
};

const TABLE: readonly Column[] = [
  { title: 'STATE' },
  { title: 'KEY', shrinks: 'middle' },
  { title: 'COUNT', align: 'right' },
  { title: 'NOTE', shrinks: 'end' },
];
const ROWS = [
  ['done', 'inbox/a-rather-long-name.txt', '12', ''],
  ['failed', 'inbox/b.txt', '3,456', 'the function ran out of memory'],
  ['a\n\u202eb', '', '', ''],
];

const MILLION = { done: 1_200_000, total: 4_000_000 };
const LARGE: readonly LargeJobProgress[] = [
  { phase: 'planning' },
  { phase: 'solving', done: 3, total: 256, subproblems: { done: 1234, total: 4100 } },
  { phase: 'solving', done: 0, total: 40, puzzles: { done: 0, total: 4_000_000 }, puzzlesPerSecond: 0 },
  { phase: 'solving', done: 12, total: 40, puzzles: MILLION, puzzlesPerSecond: 35_000, secondsLeft: 80 },
  { phase: 'joining', done: 2, total: 2, subproblems: { done: 30, total: 30 } },
];

const FILE = { path: 'a.txt', bytes: 100 };
const QUARTER = { share: 0.25, done: '1 of 4', rate: (seconds: number) => `${1 / seconds}`, note: 'and 2' };
const search = (problem: object) => {
  const solving = { puzzles: 0, solutions: 3, nodes: 100, ...problem };
  return progressText(fileProgress(FILE, { puzzles: 4, storedBytes: 0, problem: solving }), 0);
};

const systemError = (code: string, paths: object = {}) =>
  Object.assign(new Error(`${code}: message of Node`), { code, syscall: 'open', ...paths });
const ERRORS: readonly unknown[] = [
  new CommandError('no such file'),
  systemError('EACCES', { path: 'out/a' }),
  systemError('ENOSPC', { path: 'out/a' }),
  systemError('EMFILE', { path: 'a.txt' }),
  systemError('EXDEV', { path: 'out/a' }),
  systemError('ENOSPC'),
  systemError('ENOSPC', { path: 'from/a', dest: 'to/a' }),
  systemError('EACCES', { path: 'from/a', dest: 'to/a' }),
  ...['EISDIR', 'ELOOP', 'ENAMETOOLONG', 'EROFS', 'EDQUOT', 'EFBIG', 'ENFILE', 'EIO'].map((code) =>
    systemError(code, { path: 'out/a' }),
  ),
  ...['QueueDoesNotExist', 'StateMachineDoesNotExist', 'PermanentRedirect', 'ENOTFOUND', 'EPROTO'].map(
    (name) => remoteError(Object.assign(new Error('x'), { name, code: name }), 'asking'),
  ),
  'thrown text',
  remoteError(new ChecksumError('solutions.txt has another checksum'), 'downloading a.txt'),
];

function duration(text: string): string {
  try {
    return `${readDuration('expires', text, { min: 1, max: 604_800, expected: 'a duration, 7d at most' })} s`;
  } catch (error) {
    return (error as Error).message;
  }
}

const CUTS = [
  ['fits', 10, 'end'],
  ['too long for it', 8, 'end'],
  ['inbox/a/long/name.txt', 11, 'middle'],
  ['🙂🙂🙂🙂', 6, 'end'],
  ['数独謎題.txt', 12, 'end'],
  ['数独謎題.txt', 11, 'end'],
  ['数独謎題.txt', 6, 'end'],
  ['数独謎題.txt', 8, 'middle'],
  ['数独謎題', 4, 'middle'],
  ['e\u0301e\u0301e\u0301', 2, 'end'],
] as const;

const SECTIONS: Readonly<Record<string, () => readonly string[]>> = {
  seconds: () =>
    [0, 0.4321, 9.99, 119.4, 120, 7199, 7200, 172_800].map((each) => `${each}: ${secondsText(each)}`),
  'ages at 12:10:00': () =>
    ['12:09:30', '09:10:00', '12:10:05'].map((time) => `${time}: ${ageText(`2025-03-01T${time}Z`, NOW)}`),
  bytes: () => [0, 999, 1000, 9960, 999_600, 35_200_000, 123e15].map((each) => `${each}: ${bytesText(each)}`),
  'progress, beside a bar if that fits, and rates when they can be measured': () => [
    progressText(QUARTER, 10_000),
    progressText(QUARTER, 10_000, 50),
    progressText({ name: 'a.txt', done: '1', rate: () => '9' }, 1),
    progressText({ share: 0, done: '0' }, 10_000),
    progressText({ name: `${'a'.repeat(50)}.txt`, done: '1' }, 0),
  ],
  'progress of a file': () => [
    ...[100, undefined].map((bytes) => {
      const done = { puzzles: 1200, storedBytes: 50, problem: undefined };
      return progressText(fileProgress({ ...FILE, bytes }, done), 2_000);
    }),
    search({}),
    search({ treeNodes: () => 400 }),
    search({ treeNodes: () => 50 }),
    search({ subproblems: { done: 12, all: 48 } }),
  ],
  'progress of a large file': () => LARGE.map(largeJobProgressText),
  'a table in any width, in 60 columns, and in 45': () =>
    [undefined, 60, 45].flatMap((columns) => tableLines(TABLE, ROWS, columns)),
  'a table with decorated cells, and one whose column has a maximum': () => [
    ...tableLines(TABLE, ROWS, undefined, (cell, column, row) =>
      column === 0 ? `<${row}:${cell}>` : cell,
    ).slice(0, 2),
    ...tableLines(
      [{ title: 'KEY', shrinks: 'middle', maxWidth: 20 }, { title: 'N' }],
      [[ROWS[0]![1]!, '1']],
      undefined,
    ),
  ],
  'texts that are cut': () =>
    CUTS.map(([text, width, where]) => `${width}: ${truncated(text, width, where)}`),
  'a job that is done, green only if all puzzles are solved': () => [
    jobRow({ puzzles: SOLVED }),
    jobRow(DONE),
    jobRow({ puzzles: SOLVED, exceptions: 2, unexpectedResults: 2 }),
    jobRow({ puzzles: NONE, exceptions: 0, noPuzzles: 'header' }),
    jobRow({ key: `inbox/${'long/'.repeat(60)}puzzles.txt` }),
  ],
  'changes between two polls': () => {
    const waiting = job({ key: 'scheduled/d.txt' });
    const running = job({ key: 'inbox/b.txt', state: 'running' });
    const before = describedJobs([job({}), running, waiting], NOW - 170_000);
    const after = describedJobs([DONE, running, job({ key: 'inbox/c.txt' }), waiting], NOW);
    return stateChanges(before, after, NOW);
  },
  'jobs in detail': () =>
    Object.entries(DETAILS).flatMap(([name, changes]) => [
      `-- ${name}`,
      ...detailLines(job(changes), memoryConnection(new MemoryBuckets()), NOW),
    ]),
  'lifetimes of links': () =>
    (['lifetime', 'credentials', 'unknown'] as const).map((endsBy) =>
      lifetimeText({ expiresAt: new Date('2025-03-01T13:10:00.500Z'), endsBy }, new Date(NOW)),
    ),
  durations: () =>
    ['45s', '90m', '12h', '7d', '', '0m', '8d', '90', '-1h', '1.5h', '1 h'].map(
      (each) => `${each}: ${duration(each)}`,
    ),
  errors: () => ERRORS.map(failureText),
  'a closed pipe, and a full disk': () =>
    ['EPIPE', 'ENOSPC'].map((code) => JSON.stringify(brokenOutput(systemError(code)))),
};

test('texts are as texts.txt says', async () => {
  const written = Object.entries(SECTIONS).map(
    ([title, lines]) =>
      `${title}\n${lines()
        .map((line) => `  ${line}\n`)
        .join('')}`,
  );
  await expect(written.join('\n')).toMatchFileSnapshot('texts.txt');
});

test('a cut text fits its columns, and a defect has its stack', () => {
  for (const [text, width, where] of CUTS)
    expect(widthOf(truncated(text, width, where))).toBeLessThanOrEqual(width);
  expect(failureText(new TypeError('x is undefined'))).toMatch(/^TypeError: x is undefined\n {4}at /);
});
