import { describe, expect, test } from 'vitest';
import type { StatusDocument } from '../../../../lib/batch/delivery/status-document.ts';
import { UploadProgress } from '../../../../lib/cli/remote/upload/upload-progress.ts';
import type { UploadSource } from '../../../../lib/cli/remote/upload/upload-sources.ts';
import { LiveLine } from '../../../../lib/cli/terminal/terminal.ts';
import { MemoryBuckets } from '../../../support/memory-store.ts';
import { memoryConnection } from '../memory-connection.ts';

const source = (path: string, bytes?: number): UploadSource => ({
  path,
  key: `inbox/${path}`,
  bytes,
  open: () => {
    throw new Error('this test reads no file');
  },
});

/** The progress of these files, and the last text of its live line. */
function progressOf(sources: readonly UploadSource[], columns = 100) {
  const written: string[] = [];
  const line = new LiveLine({ isTTY: true, columns, write: (text) => written.push(text) });
  const progress = new UploadProgress(memoryConnection(new MemoryBuckets()), sources, line, 0);
  return { progress, shown: () => written.at(-1)?.replace('\r\x1b[K', '') };
}

describe('the live line of an upload', () => {
  test('shows a bar, bytes, rate and time left', () => {
    const { progress, shown } = progressOf([source('a.txt', 100e6)]);
    progress.sent('a.txt', 25e6, 5000);
    expect(shown()).toBe('[######................] 25 %, 25 MB of 100 MB, 5.0 MB/s, about 15 s left');
  });

  test('adds up files that are sent in parallel, and counts the uploaded ones', () => {
    const { progress, shown } = progressOf([source('a.txt', 50e6), source('b.txt', 50e6)]);
    progress.uploaded('a.txt');
    progress.sent('b.txt', 10e6, 10_000);
    expect(shown()).toMatch(/60 %, 60 MB of 100 MB, 6.0 MB\/s, about 6.7 s left, 1 of 2 files$/);
  });

  test('omits the bar on a narrow terminal, and the time left for an unknown size', () => {
    const narrow = progressOf([source('a.txt', 100e6)], 60);
    narrow.progress.sent('a.txt', 25e6, 5000);
    expect(narrow.shown()).toMatch(/^25 %, /);
    const stream = progressOf([source('-')]);
    stream.progress.sent('-', 25e6, 5000);
    expect(stream.shown()).toBe('25 MB, 5.0 MB/s');
  });

  test('shows the jobs in progress after all files are sent', async () => {
    const { progress, shown } = progressOf([source('a.txt', 10), source('b.txt', 10)]);
    progress.uploaded('a.txt');
    await progress.waiting('a.txt', undefined);
    expect(shown()).toBeUndefined();
    progress.uploaded('b.txt');
    await progress.waiting('a.txt', { state: 'running', jobId: 'j' } as StatusDocument);
    expect(shown()).toBe('a.txt: running, 0 s');
  });

  test('cuts a long path in the middle, not the progress after it', async () => {
    const path = `${'folder/'.repeat(30)}a.txt`;
    const { progress, shown } = progressOf([source(path, 10)]);
    progress.uploaded(path);
    await progress.waiting(path, { state: 'running', jobId: 'j' } as StatusDocument);
    expect(shown()).toMatch(/^folder\/.{1,20}….*\/a\.txt: running, 0 s$/);
  });
});
