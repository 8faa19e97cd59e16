/** Texts that commands make of values: `texts.txt`, as what whole commands print is in the transcripts. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { RestartError } from '../../lib/aws/retries.ts';
import { ChecksumError } from '../../lib/batch/delivery/result-set.ts';
import { lifetimeText } from '../../lib/cli/commands/link.ts';
import { brokenOutput, CommandError, failureText } from '../../lib/cli/exit.ts';
import { readDuration } from '../../lib/cli/option-values.ts';
import { describedJobs, detailLines, jobTable, stateChanges } from '../../lib/cli/remote/job-text.ts';
import type { Job } from '../../lib/cli/remote/jobs.ts';
import { largeJobProgressText } from '../../lib/cli/remote/large-progress.ts';
import { isTemporary, remoteError } from '../../lib/cli/remote/remote-error.ts';
import { fileProgress, progressText } from '../../lib/cli/terminal/progress.ts';
import { ageText, bytesText, secondsText } from '../../lib/cli/terminal/quantity-text.ts';
import { type Column, tableLines } from '../../lib/cli/terminal/table.ts';
import { truncated, widthOf } from '../../lib/cli/terminal/width.ts';
import { MemoryBuckets } from '../support/memory-store.ts';
import { expectTable, type Shown } from '../support/text-table.ts';
import { memoryConnection } from './remote/memory-connection.ts';

type Input = Parameters<Shown>[0];

const NOW = Date.parse('2025-03-01T12:10:00Z');
const NONE = { total: 0, solved: 0, multiple: 0, unsolvable: 0, invalid: 0, unreadable: 0, limit: 0 };

const job = ({ puzzles, ...changes }: Partial<Job>): Job => ({
  key: 'inbox/a.txt',
  versionId: 'v1',
  state: 'queued',
  uploadedAt: '2025-03-01T12:07:00Z',
  ...(puzzles !== undefined && { puzzles: { ...NONE, ...puzzles } }),
  ...changes,
});

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

const systemError = (code: string, paths: object = {}) =>
  Object.assign(new Error(`${code}: message of Node`), { code, syscall: 'open', ...paths });

const ERRORS: Readonly<Record<string, (of: Input) => unknown>> = {
  command: ({ message }) => new CommandError(message),
  system: ({ code, ...paths }) => systemError(code, paths),
  remote: ({ name, message = 'x' }) =>
    remoteError(Object.assign(new Error(message), { name, code: name }), 'asking'),
  damaged: ({ text }) => remoteError(new ChecksumError(text), 'downloading a.txt'),
  restarted: ({ text }) =>
    remoteError(new RestartError('damaged', { cause: new ChecksumError(text) }), 'downloading a.txt'),
  thrown: ({ text }) => text,
};

function duration(text: string): string {
  try {
    return `${readDuration('expires', text, { min: 1, max: 604_800, expected: 'a duration, 7d at most' })} s`;
  } catch (error) {
    return (error as Error).message;
  }
}

const SECTIONS: Readonly<Record<string, Shown>> = {
  seconds: secondsText,
  'ages at 12:10:00': (time) => ageText(`2025-03-01T${time}Z`, NOW),
  bytes: bytesText,
  'progress, beside a bar if that fits, and rates when they can be measured': ([progress, ms, columns]) =>
    progressText({ ...progress, rate: (seconds: number) => `${1 / seconds}` }, ms, columns),
  'progress of a file': ({ bytes, ms = 0, problem, treeNodes, ...done }) => {
    const search = problem && {
      ...{ puzzles: 0, solutions: 3, nodes: 100, ...problem },
      ...(treeNodes && { treeNodes: () => treeNodes }),
    };
    return progressText(fileProgress({ path: 'a.txt', bytes }, { ...done, problem: search }), ms);
  },
  'progress of a large file': largeJobProgressText,
  'a table in any width, in 60 columns, and in 45': ({ width }) => tableLines(TABLE, ROWS, width),
  'a table with decorated cells, and one whose column has a maximum': ({ isDecorated, maxWidth }) => {
    const columns = TABLE.map((each) => (each.title === 'KEY' ? { ...each, maxWidth } : each));
    return tableLines(columns, ROWS, undefined, (cell, column, row) =>
      isDecorated && column === 0 ? `<${row}:${cell}>` : cell,
    );
  },
  'texts that are cut': ([text, width, where]) => {
    const cut = truncated(text, width, where);
    expect(widthOf(cut)).toBeLessThanOrEqual(width);
    return cut;
  },
  'a job that is done, green only if all puzzles are solved': (changes) => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 200 });
    const done = job({ ...changes, state: 'done' });
    return JSON.stringify(jobTable([done], terminal as unknown as NodeJS.WriteStream, NOW)[1]);
  },
  'changes between two polls': ([before, after]) =>
    stateChanges(describedJobs(before.map(job), NOW - 170_000), describedJobs(after.map(job), NOW), NOW),
  'jobs in detail': (changes) => detailLines(job(changes), memoryConnection(new MemoryBuckets()), NOW),
  'lifetimes of links': (endsBy) =>
    lifetimeText({ expiresAt: new Date('2025-03-01T13:10:00.500Z'), endsBy }, new Date(NOW)),
  durations: duration,
  'errors, and whether the same command may succeed later': ({ kind, ...fields }) => {
    const error = ERRORS[kind]!(fields);
    return `${failureText(error)}${isTemporary(error) ? ' (later)' : ''}`;
  },
  'a closed pipe, and a full disk': (code) => JSON.stringify(brokenOutput(systemError(code))),
};

test('texts are as texts.txt says', () => expectTable(new URL('texts.txt', import.meta.url), SECTIONS));

test('a defect has its stack', () => {
  expect(failureText(new TypeError('x is undefined'))).toMatch(/^TypeError: x is undefined\n {4}at /);
});
