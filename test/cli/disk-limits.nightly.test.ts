/** Full disks, read-only folders and limits of the system: one clear line, nothing half-written. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { manifestIn } from '../support/manifest-check.ts';
import { EASY, SOLUTION } from '../support/puzzles.ts';
import { type Ended, endOf, folderWith } from './program.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/dlx-batch.mjs');
const LONG_FILE = `${EASY}\n`.repeat(8_000);
/** Linux in a container may forbid mounts; macOS and Windows have no such command. */
const CAN_MOUNT = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0;

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
      expect(ended.stderr).toMatch(/^dlx-batch: out\/big\.txt\/solutions\.txt: .* \(write\)\n/);
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
    expect(ended.stderr).toMatch(/^dlx-batch: disk\/out\/big\.txt\/solutions\.txt: .* \(write\)\n/);
    const left = ended.stdout.trimEnd().split('\n').sort();
    expect(left.map((path) => path.split('/')[2])).toEqual(Array(5).fill('a.txt'));
  });

  test.runIf(CAN_MOUNT)('is reported on a read-only file system', async () => {
    const folder = folderWith({ 'a.txt': EASY, 'disk/x': '' }, onTestFinished);
    const mount = 'mount -t tmpfs -o ro tmpfs disk';
    const { status, stderr } = await runAfter(folder, mount, ['solve', '-o', 'disk/out/deep', 'a.txt'], true);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^dlx-batch: disk\/out: .* \(mkdir\)\n$/)]);
  });
});

// Windows has no such limit.
test.runIf(process.platform === 'linux')('seventy files are solved with 64 open files', async () => {
  const names = Array.from({ length: 70 }, (_, k) => `${k}.txt`);
  const folder = folderWith(Object.fromEntries(names.map((name) => [name, EASY])), onTestFinished);
  const { status, stderr } = await runAfter(folder, 'ulimit -n 64', ['solve', '-o', 'out', ...names]);
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('dlx-batch:')]);
  expect(readdirSync(join(folder, 'out'))).toHaveLength(70);
});

test.runIf(process.platform === 'linux').each([26, 30, 34, 38, 42])(
  'local with %i open files is one line',
  async (limit) => {
    const folder = folderWith({ 'a.txt': EASY }, onTestFinished);
    const { status, stderr } = await runAfter(folder, `ulimit -n ${limit}`, ['local', 'a.txt']);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^dlx-batch: .*\n$/)]);
  },
);

test.runIf(process.platform === 'linux')('local solves a file with 64 open files', async () => {
  const folder = folderWith({ 'a.txt': EASY }, onTestFinished);
  const { status, stderr } = await runAfter(folder, 'ulimit -n 64', ['local', 'a.txt']);
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('dlx-batch:')]);
});

// Only Linux has a device that is always full.
test.runIf(existsSync('/dev/full'))('messages that cannot be written change no exit status', async () => {
  const folder = folderWith({ 'a.txt': EASY }, onTestFinished);
  const ended = await runAfter(folder, 'exec 2> /dev/full', ['solve', 'a.txt', 'a.txt']);
  expect([ended.status, ended.stdout]).toEqual([0, `${SOLUTION}\n`.repeat(2)]);
});
