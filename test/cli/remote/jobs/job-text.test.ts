import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import {
  detailLines,
  jobTable,
  type PolledJob,
  stateChanges,
} from '../../../../lib/cli/remote/jobs/job-text.ts';
import { MemoryBuckets } from '../../../support/memory-store.ts';
import { memoryConnection } from '../memory-connection.ts';

const NOW = Date.parse('2025-03-01T12:10:00Z');
const NONE = { total: 0, solved: 0, multiple: 0, unsolvable: 0, invalid: 0, unreadable: 0, limit: 0 };
const NO_TERMINAL = new PassThrough() as unknown as NodeJS.WriteStream;

const job = (changes: Partial<PolledJob>): PolledJob => ({
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
  test('has state, key, counts, age and a note, and the number of jobs in each state', () => {
    const failed = job({ key: 'inbox/b.txt', state: 'failed', error: { message: 'out of memory' } });
    const running = job({
      key: 'inbox/c.txt',
      state: 'running',
      progress: { phase: 'counting', done: 1, total: 4 },
    });
    expect(jobTable([DONE, failed, running], NO_TERMINAL, NOW)).toEqual([
      'STATE    KEY          PUZZLES  SOLVED    AGE  NOTE',
      'done     inbox/a.txt    1,200   1,190  3 min  10 exceptions: 10 limit',
      'failed   inbox/b.txt                   3 min  out of memory',
      'running  inbox/c.txt                   3 min  counting: 1 of 4 ranges',
      '3 jobs: 1 running, 1 done, 1 failed; 1,200 puzzles, 1,190 solved',
    ]);
  });

  test.each<[string, Partial<PolledJob>, string, string]>([
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

  test('reports that there are no jobs', () => {
    expect(jobTable([], NO_TERMINAL, NOW)).toEqual([
      'no jobs: there are no uploads under inbox/ or scheduled/',
    ]);
  });
});

describe('one job in detail', () => {
  const detail = (changes: Partial<PolledJob>) =>
    detailLines(job(changes), memoryConnection(new MemoryBuckets()), NOW).join('\n');

  test.each<[string, Partial<PolledJob>, RegExp]>([
    [
      'done: the address of its results',
      DONE,
      /results {3}s3:\/\/results\/results\/inbox\/a.txt\/b0815fa1a589f11f\/manifest.json/,
    ],
    [
      'rejected: the address of the reason',
      { ...DONE, state: 'rejected' },
      /results {3}s3:\/\/results\/rejects\/.*\/error.json/,
    ],
    [
      'rejected: its error',
      { state: 'rejected', error: { code: 'gone', message: 'it is gone' } },
      /error {5}gone: it is gone/,
    ],
    [
      'running: its deadline',
      { state: 'running', deadline: '2025-03-01T12:15:00Z' },
      /deadline {2}2025-03-01T12:15:00Z/,
    ],
    [
      'running: the error of its last try',
      { state: 'running', error: { message: 'a try failed and will be repeated: 503' } },
      /state {5}running[\s\S]*error {5}a try failed and will be repeated: 503/,
    ],
    [
      'done: the next commands',
      DONE,
      /next {6}dlx-batch download inbox\/a.txt, or dlx-batch link inbox\/a.txt/,
    ],
    [
      'done with exceptions: where they are listed',
      DONE,
      /listed {4}dlx-batch download --only exceptions inbox\/a.txt\n/,
    ],
    ['done with exceptions: their number', DONE, /puzzles {3}1,200: 1,190 solved; 10 exceptions: 10 limit\n/],
    [
      'done without puzzles: the reason',
      { state: 'done', puzzles: NONE, noPuzzles: 'empty' },
      /puzzles {3}no puzzles: the file is empty\n/,
    ],
    ['queued: a quoted key', { key: "inbox/it's a.txt" }, /--watch 'inbox\/it'\\''s a.txt'/],
  ])('shows for a job that is %s', (_name, changes, text) => {
    expect(detail(changes)).toMatch(text);
  });
});

test('between two polls only changes are reported', () => {
  const before = [job({}), job({ key: 'inbox/b.txt', state: 'running' })];
  const now = [DONE, job({ key: 'inbox/b.txt', state: 'running' }), job({ key: 'inbox/c.txt' })];
  expect(stateChanges(before, now, NOW)).toEqual([
    '12:10:00 inbox/a.txt: done, 10 exceptions: 10 limit',
    '12:10:00 inbox/c.txt: queued',
  ]);
});
