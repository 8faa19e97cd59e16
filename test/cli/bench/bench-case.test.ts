import { describe, expect, it } from 'vitest';
import { fileCases } from '../../../lib/cli/bench/bench-case.ts';
import { CUT_OFF } from '../../support/puzzles.ts';

function fileWith(text: string) {
  async function* openReusingBuffers() {
    yield new TextEncoder().encode(text);
  }
  return { path: 'some.txt', name: 'some.txt', bytes: undefined, openReusingBuffers };
}

/** Puzzles with one given each, in different cells. */
const lines = Array.from({ length: 81 }, (_, i) => `${'.'.repeat(i)}1${'.'.repeat(80 - i)}\n`).join('');

describe('the puzzles of a measured file', () => {
  it.each([81, 20])('are in random order, and a sample if memory has space for %i', async (capacity) => {
    const [found] = (await fileCases(fileWith(lines), capacity * 81)).cases;
    const places = Array.from({ length: found.count }, (_, i) =>
      found.cells.subarray(i * 81, (i + 1) * 81).indexOf(1),
    );
    expect(new Set(places).size).toBe(capacity);
    expect(places).not.toContain(-1);
    const mean = places.reduce((sum, place) => sum + place, 0) / capacity;
    expect(Math.abs(mean - 40)).toBeLessThan(15);
    expect(places).not.toEqual(places.toSorted((a, b) => a - b));
    expect(found.sampledFrom).toBe(capacity === 81 ? undefined : 81);
  });

  it('are the readable ones, and the others are counted', async () => {
    const blank = '.'.repeat(81);
    const { cases, unreadable } = await fileCases(
      fileWith(`${[blank, CUT_OFF, blank, CUT_OFF].join('\n')}\n`),
    );
    expect([cases[0].count, unreadable]).toEqual([2, 2]);
  });
});
