import { expect, test } from 'vitest';
import { DownloadProgress } from '../../../../lib/cli/remote/download/download-progress.ts';
import { LiveLine } from '../../../../lib/cli/terminal/terminal.ts';

function progressOn(columns: number) {
  const written: string[] = [];
  const line = new LiveLine({ isTTY: true, columns, write: (text) => written.push(text) });
  const progress = new DownloadProgress(line, 0);
  progress.begin(1000);
  for (let k = 0; k < 250; k++) progress.finished();
  progress.bytes(12_000_000, 5000);
  return { progress, shown: written.at(-1)?.replace('\r\x1b[K', '') };
}

test.each([
  [100, '[######................] 250 of 1,000 results, 12 MB, 2.4 MB/s, about 15 s left'],
  [70, '250 of 1,000 results, 12 MB, 2.4 MB/s, about 15 s left'],
])('the live line of a download fits in %i columns', (columns, text) => {
  expect(progressOn(columns).shown).toBe(text);
});
