import { describe, expect, it } from 'vitest';
import { fileCases } from '../../../lib/cli/bench/bench-case.ts';
import { CUT_OFF } from '../../support/puzzles.ts';

/** A file of puzzles with one given each, in different cells. */
function fileOf(count: number) {
  const lines = Array.from({ length: count }, (_, i) => `${'.'.repeat(i)}1${'.'.repeat(80 - i)}\n`);
  return fileWith(lines.join(''));
}

function fileWith(text: string) {
  async function* openReusingBuffers() {
    yield new TextEncoder().encode(text);
  }
  return { path: 'some.txt', name: 'some.txt', bytes: undefined, openReusingBuffers };
}

describe('the puzzles of a measured file', () => {
  for (const { count, max, step } of [
    { count: 5, max: 8, step: 1 },
    { count: 8, max: 8, step: 1 },
    { count: 9, max: 8, step: 2 },
    { count: 16, max: 8, step: 2 },
    { count: 17, max: 8, step: 4 },
    { count: 80, max: 7, step: 16 },
  ]) {
    it(`are every ${step}. of ${count} if memory has space for ${max}`, async () => {
      const { cases, unreadable } = await fileCases(fileOf(count), max * 81);
      const found = cases[0];
      const places = Array.from({ length: found.count }, (_, i) =>
        found.cells.subarray(i * 81, (i + 1) * 81).indexOf(1),
      );
      expect(places).toEqual(Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step));
      expect(found.sampledFrom).toBe(step === 1 ? undefined : count);
      expect([cases.length, unreadable]).toEqual([1, 0]);
    });
  }

  it('are the readable ones, and the others are counted', async () => {
    const blank = '.'.repeat(81);
    const { cases, unreadable } = await fileCases(
      fileWith(`${[blank, CUT_OFF, blank, CUT_OFF].join('\n')}\n`),
    );
    expect([cases[0].count, unreadable]).toEqual([2, 2]);
  });
});
