import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RunReport } from '../../../lib/batch/bulk-run/report/run-report.ts';
import { recordStack } from '../../../lib/local/running-stack.ts';
import { startLocalStack } from '../../../lib/local/stack.ts';
import { EASY } from '../../support/puzzles.ts';
import { shortenWaits } from '../../support/short-waits.ts';
import { type Ended, folderWith, runProgram } from '../program.ts';

const FILES = { 'a.txt': `${EASY}\n`.repeat(3), 'junk.txt': 'nothing\n', 'now.txt': `${EASY}\n` };

let endpoint: string;
let folder: string;

beforeAll(async () => {
  folder = folderWith(FILES, afterAll);
  shortenWaits();
  const stack = await startLocalStack({ dataDir: join(folder, 'data') });
  ({ endpoint } = stack);
  const forget = recordStack(stack);
  afterAll(async () => {
    forget();
    await stack.close();
    vi.restoreAllMocks();
  });
  await run(['upload', '--wait', 'now.txt']);
  await run(['upload', '--schedule', 'a.txt', 'junk.txt']);
});

function run([command, ...args]: readonly string[]): Promise<Ended> {
  return runProgram(folder, [command!, '--endpoint', endpoint, ...args]);
}

describe('run', () => {
  test('--dry-run reports the plan and starts nothing', async () => {
    const { stdout, stderr, status } = await run(['run', '--dry-run']);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^scheduled\/a.txt {2}\S+ {2}246 bytes {2}scheduled\nscheduled\/junk.txt /);
    expect(stdout).toContain('3 versions found: 1 already done, 0 too new, 2 to solve (254 bytes)');
    expect(stdout).toMatch(
      /with 10 files at the same time: about 3 puzzles, .* \$[\d.]+ \(from 1 sample;.*\nwith 20 files /,
    );
    expect(status).toBe(0);
    writeFileSync(join(folder, 'keys.txt'), 'scheduled/a.txt\r\n\ninbox/none.txt\n');
    const listed = await run(['run', '--dry-run', '--manifest', 'keys.txt', '--json']);
    const { counts, planned, estimates } = JSON.parse(listed.stdout);
    expect(counts).toMatchObject({ found: 2, planned: 2, plannedBytes: 246 });
    expect(planned.map(({ key }: { key: string }) => key).sort()).toEqual([
      'inbox/none.txt',
      'scheduled/a.txt',
    ]);
    expect(estimates.map(({ files }: { files: number }) => files)).toEqual([10, 20]);
    expect((await run(['run', '--list'])).stdout).toMatch(
      /^no runs yet; start one with dlx-batch run --endpoint \S+\n$/,
    );
  });

  test('solves scheduled uploads, waits for them, and reports the results', async () => {
    const { stdout, stderr, status } = await run(['run', '--wait', '--json']);
    expect(stderr).toBe('');
    const { report }: { report: RunReport } = JSON.parse(stdout);
    expect(report.versions).toMatchObject({ found: 3, alreadyDone: 1, planned: 2, solved: 1, rejected: 1 });
    expect(report.puzzles).toMatchObject({ total: 3, solved: 3 });
    expect(report.unsolved).toMatchObject([{ key: 'scheduled/junk.txt', outcome: 'rejected' }]);
    expect(status).toBe(1);
  });

  test('has nothing to do the next time, and retry --run repeats unsolved uploads', async () => {
    const again = await run(['run', '--wait', '--json']);
    expect(JSON.parse(again.stdout).report.versions).toMatchObject({ alreadyDone: 3, planned: 0 });
    expect(again.status).toBe(0);
    const { runs } = JSON.parse((await run(['run', '--list', '--json'])).stdout);
    const first = runs.at(-1).runId;
    const listed = await run(['retry', '--dry-run', '--run', first]);
    expect(listed.stdout).toMatch(/^scheduled\/junk.txt .* rejected\n/);
    expect((await run(['retry', '--run', first])).stdout).toMatch(/^run \S+ started; dlx-batch run --list /);
    // The newest run comes first, also if the one before started in the same second.
    await vi.waitFor(
      async () => expect((await run(['run', '--list'])).stdout).toMatch(/^\S+ {2}done, 0 of 1 file solved/),
      { timeout: 200_000, interval: 500 },
    );
    expect((await run(['run', '--list'])).stdout).toContain(
      `${first}  done, 1 of 2 files solved (0 failed, 0 stalled, 1 rejected)`,
    );
  });

  test.each([
    [
      'a prefix outside the watched prefixes',
      ['--prefix', 'elsewhere/'],
      'expected a prefix of input keys, inbox/... or scheduled/...',
    ],
    ['a list that starts a run', ['--list', '--wait'], '--list starts no run'],
  ])('rejects %s', async (_, args, message) => {
    const { stderr, status } = await run(['run', ...args]);
    expect(stderr).toContain(message);
    expect(stderr.trim()).not.toContain('\n');
    expect(status).toBe(2);
  });
});

describe('local --schedule', () => {
  test.each([
    [
      ['--serve', '--schedule', 'hourly'],
      'expected cron(0 2 * * ? *), rate(12 hours) or at(2026-12-24T18:00:00)',
    ],
    [['--schedule', 'rate(1 hour)'], '--schedule needs --serve'],
  ])('rejects %j', async (args, message) => {
    const { stderr, status } = await runProgram(folder, ['local', ...args]);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });
});
