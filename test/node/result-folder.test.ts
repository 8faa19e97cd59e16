import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ResultFolder } from '../../lib/node/result-folder.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('a result folder', () => {
  let folder: ResultFolder;
  const names = async () => (await readdir(folder.path)).filter((name) => name !== 'writing.pid').sort();

  beforeEach(async () => {
    const parent = await mkdtemp(join(tmpdir(), 'dlx-batch-results-'));
    onTestFinished(() => rm(parent, { recursive: true }));
    folder = new ResultFolder(join(parent, 'deep', 'puzzles.txt'));
    await folder.lock();
    await folder.clear();
    onTestFinished(() => folder.release());
  });

  it('is created with its parent folders', async () => {
    expect(await names()).toEqual([]);
  });

  it.each([[['one\n', 'two\n']], [[]]])('contains a file of %j only when it is complete', async (texts) => {
    const file = folder.open('solutions.txt');
    for (const text of texts) await file.write(bytes(text));
    expect(await names()).not.toContain('solutions.txt');
    await file.close();
    expect(await names()).toEqual(['solutions.txt']);
    expect(await readFile(join(folder.path, 'solutions.txt'), 'utf8')).toBe(texts.join(''));
  });

  it('keeps the earlier file until the new one is complete', async () => {
    await folder.write('solutions.txt', bytes('earlier'));
    const file = folder.open('solutions.txt');
    await file.write(bytes('new'));
    expect(await readFile(join(folder.path, 'solutions.txt'), 'utf8')).toBe('earlier');
    await file.close();
    expect(await readFile(join(folder.path, 'solutions.txt'), 'utf8')).toBe('new');
  });

  it.each([[['half of it']], [[]]])('keeps nothing of a file of %j that is aborted', async (texts) => {
    const file = folder.open('solutions.txt');
    for (const text of texts) await file.write(bytes(text));
    await file.abort();
    expect(await names()).toEqual([]);
  });

  it('that is cleared has no files of an earlier run, and keeps other files', async () => {
    await writeFile(join(folder.path, 'notes.txt'), 'mine');
    const results = ['solutions.csv', 'solutions.txt', 'exceptions.jsonl', 'records.jsonl', 'stats.json'];
    for (const name of [...results, 'manifest.json', 'report.html', 'error.json']) {
      await folder.write(name, bytes('of an earlier run'));
    }
    await folder.clear();
    expect(await names()).toEqual(['notes.txt']);
  });

  it.each([
    ['is locking it', '', 'is in use by another process'],
    ['holds the lock', String(process.ppid), `is in use by process ${process.ppid}`],
  ])('cannot be locked while another process %s', async (_what, owner, message) => {
    folder.release();
    await writeFile(join(folder.path, 'writing.pid'), owner);
    await expect(folder.lock()).rejects.toThrow(message);
    expect(await readdir(folder.path)).toEqual(['writing.pid']);
  });

  it('whose process has ended can be locked, and released', async () => {
    folder.release();
    // Above every process id.
    await writeFile(join(folder.path, 'writing.pid'), '99999999');
    await folder.lock();
    folder.release();
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('that is released keeps complete files only', async () => {
    await folder.write('solutions.txt', bytes('whole'));
    const half = folder.open('stats.json');
    onTestFinished(() => half.abort());
    await half.write(bytes('half'));
    folder.release();
    expect(await readdir(folder.path)).toEqual(['solutions.txt']);
  });

  // Other systems do not list the open files of a process.
  it.runIf(process.platform === 'linux')('closes a file that is aborted while it is opened', async () => {
    const descriptors = () => readdirSync('/proc/self/fd').length;
    const before = descriptors();
    for (let k = 0; k < 20; k++) {
      const file = folder.open(`${k}.txt`);
      const written = file.write(bytes('x')).catch(() => 'aborted');
      await file.abort();
      await written;
    }
    expect(descriptors()).toBeLessThan(before + 20);
    expect(await names()).toEqual([]);
  });

  it('names a file that cannot be written', async () => {
    await rm(folder.path, { recursive: true });
    const file = folder.open('solutions.txt');
    await expect(file.write(bytes('x'))).rejects.toThrow(/ENOENT.*solutions\.txt/);
  });
});
