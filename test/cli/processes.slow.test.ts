/** Commands that write files: beside each other, interrupted, after a killed one, and to pipes and links. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { EASY, HARD } from '../support/puzzles.ts';
import { endOf, folderWith, runProgram, startProgram } from './program.ts';

/** Needs a guess. */
const SPARSE = EASY.replace(/(\d\D*){8}$/, (end) => end.replaceAll(/\d/g, '.'));
/** Larger than the buffer of a pipe and than the memory buffer of a result file. */
const LONG_FILE = `${EASY}\n`.repeat(30_000);

/** Starts a command that goes on until it is ended, and waits until it writes a file. */
async function startWriting(folder: string, args: readonly string[], input: string, file: string) {
  const child = startProgram(folder, args);
  onTestFinished(() => void child.kill('SIGKILL'));
  // Standard input stays open.
  child.stdin.write(input);
  const path = join(folder, file);
  while (!(existsSync(path) && statSync(path).size > 0) && child.exitCode === null) await sleep(10);
  return child;
}

const SOLVE = ['solve', '-o', 'out'];
const SOLUTIONS = 'out/stdin/solutions.txt.part';

test.each([
  {
    name: 'solve on one thread',
    ...{ args: [...SOLVE, '--workers', '1'], input: LONG_FILE, file: SOLUTIONS },
    second: [...SOLVE, 'other/stdin'],
  },
  {
    name: 'solve on two threads',
    ...{ args: [...SOLVE, '--workers', '2'], input: LONG_FILE, file: SOLUTIONS },
    second: [...SOLVE, 'other/stdin'],
  },
  {
    name: 'generate',
    ...{ args: ['generate', '--count', '1000000000', '-o', 'out/a.txt'], input: '' },
    ...{ file: 'out/a.txt.unfinished', second: ['generate', '-o', 'out/a.txt'] },
  },
])('$name writes alone, and after Ctrl-C leaves no file, not even of an earlier run', async (row) => {
  const { args, input, file, second } = row;
  const old: Record<string, string> =
    args[0] === 'solve' ? { 'out/stdin/manifest.json': '{}' } : { 'out/x': '' };
  const folder = folderWith({ ...old, 'other/stdin': `${EASY}\n` }, onTestFinished);
  const first = await startWriting(folder, args, input, file);
  expect((await runProgram(folder, second)).status).toBe(2);
  const ended = endOf(first);
  first.kill('SIGINT');
  expect((await ended).signal).toBe('SIGINT');
  const files = readdirSync(join(folder, 'out'), { recursive: true, withFileTypes: true });
  expect(files.filter((each) => each.isFile() && each.name !== 'x')).toEqual([]);
});

test('a result set is complete although another process was refused while it was written', async () => {
  const folder = folderWith({ 'other/stdin': `${EASY}\n` }, onTestFinished);
  const first = await startWriting(folder, SOLVE, LONG_FILE, SOLUTIONS);
  expect((await runProgram(folder, [...SOLVE, 'other/stdin'])).status).toBe(2);
  first.stdin.end();
  expect((await endOf(first)).status).toBe(0);
  const stats = JSON.parse(readFileSync(join(folder, 'out/stdin/stats.json'), 'utf8'));
  expect(stats.puzzles.solved).toBe(30_000);
  const names = ['exceptions.jsonl', 'manifest.json', 'report.html', 'solutions.txt', 'stats.json'];
  expect(readdirSync(join(folder, 'out/stdin')).sort()).toEqual(names);
});

test('generate replaces the files of a killed process, and follows no link that has their names', async () => {
  const folder = folderWith({ 'mine.txt': 'mine', 'a.txt.writing': '999999999' }, onTestFinished);
  symlinkSync('mine.txt', join(folder, 'a.txt.unfinished'));
  const { status } = await runProgram(folder, ['generate', '--seed', '1', '-o', 'a.txt']);
  expect([status, readdirSync(folder).sort()]).toEqual([0, ['a.txt', 'mine.txt']]);
  expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine');
  writeFileSync(join(folder, 'pid'), '999999999');
  symlinkSync('pid', join(folder, 'a.txt.writing'));
  expect((await runProgram(folder, ['generate', '-o', 'a.txt'])).status).toBe(0);
  expect(readFileSync(join(folder, 'pid'), 'utf8')).toBe('999999999');
});

test('generate writes to a pipe and through a link, and does not replace them', async () => {
  const folder = folderWith({ 'linked.txt': 'old\n' }, onTestFinished);
  const at = (name: string) => join(folder, name);
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync('linked.txt', at('link'));
  const generate = ['generate', '--count', '3', '--seed', '2', '-o'];
  const piped = readFile(at('pipe'), 'utf8');
  for (const name of ['pipe', 'link']) await runProgram(folder, [...generate, name]);
  expect(await piped).toMatch(/^([1-9.]{81}\n){3}$/);
  expect(readFileSync(at('linked.txt'), 'utf8')).toBe(await piped);
  expect([lstatSync(at('pipe')).isFIFO(), lstatSync(at('link')).isSymbolicLink()]).toEqual([true, true]);
});

test('solve whose reader closes the pipe exits with 0 and no message', async () => {
  const child = startProgram(folderWith({ 'long.txt': LONG_FILE }, onTestFinished), ['solve', 'long.txt']);
  child.stdout.once('data', () => child.stdout.destroy());
  const closed = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let stderr = '';
  for await (const bytes of child.stderr) stderr += bytes;
  expect([await closed, stderr]).toEqual([0, '']);
});

test('solve -o lists the same hardest puzzles with any number of threads', async () => {
  // Easy puzzles with few hard ones between them, in many blocks.
  const lines = Array.from({ length: 12_000 }, (_, k) => (k % 701 === 700 ? HARD : k % 97 ? EASY : SPARSE));
  const folder = folderWith({ 'a.txt': `${lines.join('\n')}\n` });
  const hardest = async (workers: string) => {
    await runProgram(folder, ['solve', '--workers', workers, '-o', workers, 'a.txt']);
    return JSON.parse(readFileSync(join(folder, workers, 'a.txt/stats.json'), 'utf8')).hardest;
  };
  const alone = await hardest('1');
  expect(alone.map(({ index }: { index: number }) => index)).toEqual(
    Array.from({ length: 10 }, (_, k) => 701 * (k + 1)),
  );
  expect(await hardest('2')).toEqual(alone);
  expect(await hardest('4')).toEqual(alone);
});
