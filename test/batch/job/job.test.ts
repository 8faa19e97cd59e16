import { describe, expect, it } from 'vitest';
import { HEAD_BYTES } from '../../../lib/formats/reader.ts';
import { MIXED_FILE, MIXED_OPTIONS } from '../../support/puzzles.ts';
import { solveText, untimed } from '../../support/run-job.ts';

/** Small files: `test/batch/jobs`. */
describe('a file of over 1 MiB', () => {
  it.each([
    ['blank', '\n'.repeat(HEAD_BYTES + 10)],
    ['comments', '# nothing\r\n\n'.repeat(HEAD_BYTES / 8)],
    ['comments', `; ${'x'.repeat(2 * HEAD_BYTES)}`],
    ['header', `puzzle,solution\n${'\n'.repeat(HEAD_BYTES)}`],
  ])('without a puzzle says why: %s', async (reason, text) => {
    expect((await solveText(text)).stats.noPuzzles).toBe(reason);
  });

  it('has the same results whatever the bounds of its arrays after the head that decides the format', async () => {
    // Comments make the file long with few puzzles.
    const piece = `${MIXED_FILE}# ${'.'.repeat(20_000)}\n`;
    const large = new TextEncoder().encode(piece.repeat(Math.ceil((HEAD_BYTES * 1.1) / piece.length)));
    const every = (step: number) =>
      Array.from({ length: Math.floor((large.length - 1) / step) }, (_, k) => (k + 1) * step);
    const expected = untimed((await solveText(large, MIXED_OPTIONS)).files);
    for (const offsets of [
      [HEAD_BYTES - 1],
      [HEAD_BYTES],
      [HEAD_BYTES + 1, HEAD_BYTES + 2, HEAD_BYTES + 3],
      every(65_536),
      every(7_919),
    ]) {
      const cut = await solveText(large, MIXED_OPTIONS, { cuts: offsets });
      expect(untimed(cut.files)['solutions.txt'] === expected['solutions.txt'], `${offsets[0]}`).toBe(true);
      expect(untimed(cut.files)['exceptions.jsonl'] === expected['exceptions.jsonl'], `${offsets[0]}`).toBe(
        true,
      );
    }
  });
});
