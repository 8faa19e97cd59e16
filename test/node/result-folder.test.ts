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

  it('contains a file under its name only when the file is complete', async () => {
    const file = folder.open('solutions.txt');
    await file.write(bytes('one\n'));
    await file.write(bytes('two\n'));
    expect(await names()).not.toContain('solutions.txt');
    await file.close();
    expect(await names()).toEqual(['solutions.txt']);
    expect(await readFile(join(folder.path, 'solutions.txt'), 'utf8')).toBe('one\ntwo\n');
  });

  it('contains an empty file if nothing was written to it', async () => {
    await folder.open('exceptions.jsonl').close();
    expect(await readFile(join(folder.path, 'exceptions.jsonl'), 'utf8')).toBe('');
  });

  it('keeps the earlier file until the new one is complete', async () => {
    await folder.write('solutions.txt', bytes('earlier'));
    const file = folder.open('solutions.txt');
    await file.write(bytes('new'));
    expect(await readFile(join(folder.path, 'solutions.txt'), 'utf8')).toBe('earlier');
    await file.close();
    expect(await readFile(join(folder.path, 'solutions.txt'), 'utf8')).toBe('new');
  });

  for (const [name, written] of [
    ['a partly written', ['half of it']],
    ['an empty', []],
  ] as const) {
    it(`keeps nothing of ${name} file that is aborted`, async () => {
      const file = folder.open('solutions.txt');
      for (const text of written) await file.write(bytes(text));
      await file.abort();
      expect(await names()).toEqual([]);
    });
  }

  it('that is cleared has no files of an earlier run', async () => {
    for (const name of [
      'manifest.json',
      'solutions.csv',
      'solutions.txt',
      'exceptions.jsonl',
      'records.jsonl',
      'stats.json',
      'report.html',
      'error.json',
    ]) {
      await folder.write(name, bytes('of an earlier run'));
    }
    await folder.clear();
    expect(await names()).toEqual([]);
  });

  it('that is cleared keeps other files', async () => {
    await writeFile(join(folder.path, 'notes.txt'), 'mine');
    await folder.clear();
    expect(await names()).toEqual(['notes.txt']);
  });

  it('cannot be locked while another process is locking it', async () => {
    folder.release();
    await writeFile(join(folder.path, 'writing.pid'), '');
    await expect(folder.lock()).rejects.toThrow('is in use by another process');
  });

  it('cannot be locked while another process holds the lock', async () => {
    folder.release();
    await writeFile(join(folder.path, 'writing.pid'), String(process.ppid));
    await expect(folder.lock()).rejects.toThrow(`is in use by process ${process.ppid}`);
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
