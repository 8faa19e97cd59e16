/** Processes of `solve` beside each other, and ones that end early. What solve prints: `test/cli/transcripts`. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EASY } from '../../support/puzzles.ts';
import { endOf, folderWith, runProgram, startProgram } from '../program.ts';

/** Larger than the buffer of a pipe and than the memory buffer of a result file. */
const LONG_FILE = `${EASY}\n`.repeat(30_000);

test('two processes never write the same result set', async () => {
  const folder = folderWith({ 'other/stdin': `${EASY}\n` });
  const first = startProgram(folder, ['solve', '-o', 'out']);
  onTestFinished(() => void first.kill('SIGKILL'));
  first.stdin.write(LONG_FILE);
  const hasStarted = () => existsSync(join(folder, 'out/stdin/solutions.txt.part'));
  while (!hasStarted() && first.exitCode === null) await sleep(10);
  const second = await runProgram(folder, ['solve', '-o', 'out', 'other/stdin']);
  expect(second.stderr).toMatch(
    /^dlx-batch: out\/stdin is in use by process \d+\. Stop that process or choose another/,
  );
  expect(second.status).toBe(2);
  first.stdin.end();
  const { status, stderr } = await endOf(first);
  expect([status, stderr]).toEqual([0, expect.stringContaining('30,000 solved')]);
  expect(readdirSync(join(folder, 'out/stdin')).sort()).toEqual([
    'exceptions.jsonl',
    'manifest.json',
    'report.html',
    'solutions.txt',
    'stats.json',
  ]);
});

describe('a process that ends early', () => {
  test('because its reader closes the pipe exits with 0 and no message', async () => {
    const child = startProgram(folderWith({ 'long.txt': LONG_FILE }), ['solve', 'long.txt']);
    child.stdout.once('data', () => child.stdout.destroy());
    const { status, stderr } = await endedWithoutOutput(child);
    expect([status, stderr]).toEqual([0, '']);
  });

  test.each(['1', '2'])(
    'by Ctrl-C leaves no manifest, not even from an earlier run: %s worker(s)',
    async (workers) => {
      const folder = folderWith({ 'out/stdin/manifest.json': '{}' });
      const child = startProgram(folder, ['solve', '-o', 'out', '--workers', workers]);
      onTestFinished(() => void child.kill('SIGKILL'));
      // Standard input stays open, so the job does not finish.
      child.stdin.write(LONG_FILE);
      const hasStarted = () => existsSync(join(folder, 'out/stdin/solutions.txt.part'));
      while (!hasStarted() && child.exitCode === null) await sleep(10);
      child.kill('SIGINT');
      const { signal, stderr } = await endOf(child);
      expect(signal).toBe('SIGINT');
      expect(stderr).toMatch(
        /^\ndlx-batch: interrupted: - has no result, and partial files were removed; run the same command again\n$/,
      );
      expect(readdirSync(join(folder, 'out/stdin'))).toEqual([]);
    },
  );
});

/** Waits for the end of a process without reading its standard output. */
async function endedWithoutOutput(child: ReturnType<typeof startProgram>) {
  const closed = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let stderr = '';
  for await (const bytes of child.stderr) stderr += bytes;
  return { status: await closed, stderr };
}
