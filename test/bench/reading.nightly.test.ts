import { describe, expect, test } from 'vitest';
import { FORMAT_NAMES } from '../../lib/formats/formats.ts';
import { inputText, isCover, MIN_RATE, readAll, readCovers, readingInputs } from './reading.ts';

const inputs = readingInputs();
const BYTES = 40_000;

test('every format is read by the benchmark', () => {
  const formats = inputs
    .flatMap(({ records }) => records.join().match(/"(?:format|exact cover)":"\w[\w-]*"/g) ?? [])
    .map((pair) => pair.split('"').at(-2));
  // Both names of Knuth's format are read by the same code.
  const read = new Set(['xcc', ...formats]);
  expect(FORMAT_NAMES.filter((name) => !read.has(name))).toEqual([]);
});

describe('an input of the reading benchmark', () => {
  test.each(inputs)('has a promised rate, and all its puzzles: $name', (input) => {
    expect(Object.keys(MIN_RATE)).toContain(input.speed);
    const text = inputText(input, BYTES);
    expect(text.length).toBeGreaterThanOrEqual(BYTES);
    if (isCover(input)) {
      expect(readCovers(text, input.hints.format)).toBeGreaterThan(0);
      return;
    }
    let puzzles = 0;
    readAll(text, (block) => {
      for (let i = 0; i < block.count; i++) if (block.isReadable(i)) puzzles++;
    });
    if (input.speed === 'junk' || input.speed === 'scraps') expect(puzzles).toBeLessThanOrEqual(1);
    else expect(puzzles).toBeGreaterThan(9);
  });
});
