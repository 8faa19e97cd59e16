/** Full disks, read-only folders, limits of the system, and two processes on one file: one clear line, nothing half-written. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFolder } from '../../lib/node/create-folder.ts';
import { DEEP } from '../support/depth.ts';
import { EASY, SOLUTION } from '../support/puzzles.ts';
import { manifestIn } from './manifest-check.ts';
import { type Ended, endOf, folderWith, runProgram, startProgram } from './program.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/dlx-batch.mjs');
const LONG_FILE = `${EASY}\n`.repeat(8_000);
/** Linux in a container may forbid mounts; macOS and Windows have no such command. Only deep tests start these processes. */
const CAN_MOUNT =
  DEEP && spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0;

/** Runs the tool after a command of the shell. */
function runAfter(folder: string, command: string, args: readonly string[], mounts = false): Promise<Ended> {
  const script = `${command} && exec "$0" "$@"`;
  const shell = ['bash', '-c', script, process.execPath, PROGRAM, ...args];
  const [file, ...rest] = mounts ? ['unshare', '-rm', ...shell] : shell;
  return endOf(spawn(file!, rest, { cwd: folder }));
}

describe('a result set that the disk does not take', () => {
  // Other systems have no limit of file sizes, or report it in other words.
  test.runIf(process.platform === 'linux')(
    'is reported and leaves no file; the next file is solved',
    async () => {
      const folder = folderWith({ 'big.txt': LONG_FILE, 'a.txt': EASY }, onTestFinished);
      // In kB; the solutions have 656.
      const ended = await runAfter(folder, 'ulimit -f 300', ['solve', '-o', 'out', 'big.txt', 'a.txt']);
      expect(ended.status).toBe(2);
      expect(ended.stderr).toMatch(
        /^dlx-batch: out\/big\.txt\/solutions\.txt: the file is larger than .* \(write\)\n/,
      );
      expect(readdirSync(join(folder, 'out/big.txt'))).toEqual([]);
      expect(manifestIn(join(folder, 'out/a.txt')).puzzles.solved).toBe(1);
    },
  );

  test.runIf(CAN_MOUNT)('is reported and leaves no file on a full disk', async () => {
    const folder = folderWith({ 'big.txt': LONG_FILE, 'a.txt': EASY, 'disk/x': '' }, onTestFinished);
    const mount = 'mount -t tmpfs -o size=300k tmpfs disk';
    const args = ['solve', '-o', 'disk/out', 'big.txt', 'a.txt'];
    const script = `${mount} && "$0" "$@"; status=$?; find disk -type f; exit $status`;
    const shell = ['-rm', 'bash', '-c', script, process.execPath, PROGRAM, ...args];
    const ended = await endOf(spawn('unshare', shell, { cwd: folder }));
    expect(ended.status).toBe(2);
    expect(ended.stderr).toMatch(
      /^dlx-batch: disk\/out\/big\.txt\/solutions\.txt: no space left on the device /,
    );
    const left = ended.stdout.trimEnd().split('\n').sort();
    expect(left.map((path) => path.split('/')[2])).toEqual(Array(5).fill('a.txt'));
  });

  test.runIf(CAN_MOUNT)('is reported on a read-only file system', async () => {
    const folder = folderWith({ 'a.txt': EASY, 'disk/x': '' }, onTestFinished);
    const mount = 'mount -t tmpfs -o ro tmpfs disk';
    const { status, stderr } = await runAfter(folder, mount, ['solve', '-o', 'disk/out/deep', 'a.txt'], true);
    expect([status, stderr]).toEqual([2, 'dlx-batch: disk/out: the file system is read-only (mkdir)\n']);
  });
});

// Windows has no such limit. Seventy files take seconds, so only deep tests solve them.
test.runIf(DEEP && process.platform === 'linux')('seventy files are solved with 64 open files', async () => {
  const names = Array.from({ length: 70 }, (_, k) => `${k}.txt`);
  const folder = folderWith(Object.fromEntries(names.map((name) => [name, EASY])), onTestFinished);
  const { status, stderr } = await runAfter(folder, 'ulimit -n 64', ['solve', '-o', 'out', ...names]);
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('dlx-batch:')]);
  expect(readdirSync(join(folder, 'out'))).toHaveLength(70);
});

// Only Linux has a device that is always full.
test.runIf(existsSync('/dev/full'))('messages that cannot be written change no exit status', async () => {
  const folder = folderWith({ 'a.txt': EASY }, onTestFinished);
  const ended = await runAfter(folder, 'exec 2> /dev/full', ['solve', 'a.txt', 'a.txt']);
  expect([ended.status, ended.stdout]).toEqual([0, `${SOLUTION}\n`.repeat(2)]);
});

describe('generate -o', () => {
  test('is refused while another process writes the same file', async () => {
    const folder = folderWith({}, onTestFinished);
    const first = startProgram(folder, [
      'generate',
      '--count',
      '1000000000',
      '--givens',
      '40',
      '-o',
      'a.txt',
    ]);
    onTestFinished(() => void first.kill('SIGKILL'));
    while (!existsSync(join(folder, 'a.txt.unfinished')) && first.exitCode === null) await sleep(10);
    const second = await runProgram(folder, ['generate', '-o', 'a.txt']);
    expect([second.status, second.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^dlx-batch: a\.txt is in use by process \d+\. Stop that process or choose .*\n$/,
      ),
    ]);
    first.kill('SIGINT');
    await endOf(first);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('replaces the files of a killed process, and follows no link that has their names', async () => {
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

  test('names the file that cannot be written', async () => {
    const { stderr } = await runProgram(folderWith({}, onTestFinished), ['generate', '-o', 'none/a.txt']);
    expect(stderr).toBe('dlx-batch: none/a.txt: no such file or folder (open)\n');
  });
});

describe('a folder', () => {
  test('is created with its parents, or was there', () => {
    const folder = folderWith({ 'file.txt': '' }, onTestFinished);
    createFolder(join(folder, 'a/b/c'));
    createFolder(join(folder, 'a/b/c'));
    expect(readdirSync(join(folder, 'a/b'))).toEqual(['c']);
    symlinkSync('a', join(folder, 'link'));
    createFolder(join(folder, 'link/d'));
    expect(readdirSync(join(folder, 'a')).sort()).toEqual(['b', 'd']);
  });

  test.each([
    ['file.txt', 'EEXIST'],
    ['file.txt/a', 'ENOTDIR'],
    [`${'a'.repeat(300)}/b`, 'ENAMETOOLONG'],
  ])('%s cannot be created: %s', (path, code) => {
    const folder = folderWith({ 'file.txt': '' }, onTestFinished);
    expect(() => createFolder(join(folder, path))).toThrow(expect.objectContaining({ code }));
  });
});
