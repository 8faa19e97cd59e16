import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { describedJobs, detailLines, jobTable, stateChanges } from '../../../lib/cli/remote/job-text.ts';
import type { Job } from '../../../lib/cli/remote/jobs.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
import { memoryConnection } from './memory-connection.ts';

const NOW = Date.parse('2025-03-01T12:10:00Z');
const NONE = { total: 0, solved: 0, multiple: 0, unsolvable: 0, invalid: 0, unreadable: 0, limit: 0 };

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

describe('a table of jobs', () => {
  test.each<[string, Partial<Job>, string, string]>([
    ['green if every puzzle is solved', { puzzles: { ...NONE, total: 3, solved: 3 } }, '32', ''],
    ['not green with exceptions', DONE, '33', '10 exceptions: 10 limit'],
    [
      'not green with unexpected results',
      { puzzles: { ...NONE, total: 3, solved: 3 }, exceptions: 2, unexpectedResults: 2 },
      '33',
      '2 exceptions: 2 expected results differ',
    ],
    [
      'green without puzzles, and says why there are none',
      { puzzles: NONE, exceptions: 0, noPuzzles: 'header' },
      '32',
      'no puzzles: the file has only a header',
    ],
  ])('shows done: %s', (_name, changes, colour, note) => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 200 });
    const done = job({ ...changes, state: 'done' });
    const [, line] = jobTable([done], terminal as unknown as NodeJS.WriteStream, NOW);
    expect(line).toMatch(new RegExp(`^\\x1b\\[${colour}mdone *\\x1b`));
    expect(line?.endsWith(note === '' ? '3 min' : `3 min  ${note}`)).toBe(true);
  });
});

describe('one job in detail', () => {
  const detail = (changes: Partial<Job>) =>
    detailLines(job(changes), memoryConnection(new MemoryBuckets()), NOW).join('\n');

  test('says where its results are, what went wrong and what to type next', async () => {
    const jobs: readonly [string, Partial<Job>][] = [
      ['done with exceptions', DONE],
      ['done without puzzles', { state: 'done', puzzles: NONE, noPuzzles: 'empty' }],
      ['rejected', { ...DONE, state: 'rejected', error: { code: 'gone', message: 'it is gone' } }],
      [
        'running, after a try that failed',
        {
          state: 'running',
          deadline: '2025-03-01T12:15:00Z',
          error: { message: 'a try failed and will be repeated: 503' },
        },
      ],
      ['queued for long, with a key that the shell would change', { key: "inbox/it's a.txt" }],
      ['queued for its run', { key: 'scheduled/a.txt' }],
      ['queued just now', { uploadedAt: '2025-03-01T12:09:50Z' }],
    ];
    const printed = jobs.map(([name, changes]) => `-- ${name}\n${detail(changes)}`);
    await expect(printed.join('\n')).toMatchFileSnapshot('job-details.txt');
  });
});

test('between two polls only changes are reported', () => {
  const before = [job({}), job({ key: 'inbox/b.txt', state: 'running' })];
  const waiting = job({ key: 'scheduled/d.txt' });
  const now = [DONE, job({ key: 'inbox/b.txt', state: 'running' }), job({ key: 'inbox/c.txt' }), waiting];
  const earlier = describedJobs([...before, waiting], NOW - 170_000);
  expect(stateChanges(earlier, describedJobs(now, NOW), NOW)).toEqual([
    '12:10:00 inbox/a.txt: done, 10 exceptions: 10 limit',
    '12:10:00 inbox/c.txt: queued, for over a minute: its event may be lost, or all functions are busy',
  ]);
});
