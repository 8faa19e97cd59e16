import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PageCache } from '../../../../lib/local/s3/storage/page-cache.ts';
import { ScratchFile, type Slot } from '../../../../lib/local/s3/storage/scratch-file.ts';
import { temporaryFolder } from '../../fixture-function.ts';

const CODEC = { encode: JSON.stringify, decode: JSON.parse };

function scratchFile(): { readonly path: string; readonly file: ScratchFile } {
  const path = join(temporaryFolder(), 'scratch');
  const file = new ScratchFile(path);
  onTestFinished(() => file.close());
  return { path, file };
}

test('texts of all sizes are read as they were written, and freed space is used again', () => {
  const { file } = scratchFile();
  const texts = Array.from({ length: 60 }, (_, k) => 'ü\u{1F9E9}\ud800'.repeat(k * 40));
  let slots: Slot[] = [];
  let size = 0;
  for (let round = 0; round < 5; round++) {
    slots = texts.map((text) => file.write(text));
    expect(slots.map((slot) => file.read(slot))).toEqual(texts.map((text) => text.toWellFormed()));
    size ||= file.size;
    for (const slot of slots) file.free(slot);
  }
  expect(file.size).toBe(size);
});

test('the file is readable only for its owner, and removed at the end', () => {
  const path = join(temporaryFolder(), 'scratch');
  const file = new ScratchFile(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  file.close();
  expect(existsSync(path)).toBe(false);
});

test('a full disk keeps pages in memory, until there is space', () => {
  const { file } = scratchFile();
  let isFull = true;
  const write = file.write.bind(file);
  file.write = (text) => {
    if (isFull) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    return write(text);
  };
  const cache = new PageCache<number>(file, 2, CODEC);
  const pages = Array.from({ length: 10 }, (_, k) => cache.add([k]));
  expect(cache.loadedPages).toBe(10);
  expect(pages.map((page) => cache.read(page)[0])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  isFull = false;
  cache.add([10]);
  expect(cache.loadedPages).toBe(2);
  expect(pages.map((page) => cache.read(page)[0])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('a page that did not change is not written again', () => {
  const { file } = scratchFile();
  const cache = new PageCache<number>(file, 2, CODEC);
  const pages = Array.from({ length: 5 }, (_, k) => cache.add([k]));
  cache.change(pages[0]!).push(100);
  for (const page of pages) cache.read(page);
  const write = file.write.bind(file);
  let written = 0;
  file.write = (text) => {
    written++;
    return write(text);
  };
  for (let round = 0; round < 3; round++) for (const page of pages) cache.read(page);
  // The last two pages were in memory before.
  expect(written).toBeLessThanOrEqual(2);
  expect(cache.read(pages[0]!)).toEqual([0, 100]);
});
