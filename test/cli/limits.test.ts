/** Two processes on one file, links in place of files, and folders that cannot be created. */
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFolder } from '../../lib/node/create-folder.ts';
import { endOf, folderWith, runProgram, startProgram } from './program.ts';

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
