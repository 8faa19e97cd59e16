import { describe, expect, test } from 'vitest';
import { FORMAT_NAMES } from '../../lib/formats/formats.ts';
import { isCoverFormat, readAll, readCovers } from './reading.ts';
import { inputText, readingInputs } from './reading-inputs.ts';

const inputs = readingInputs();
const BYTES = 40_000;

test('every format is read by the benchmark', () => {
  // Both names of Knuth's format are read by the same code.
  const read = new Set(['xcc', ...inputs.map(({ format }) => format)]);
  expect(FORMAT_NAMES.filter((name) => !read.has(name))).toEqual([]);
});

describe('an input of the reading benchmark', () => {
  test.each(inputs.map((input) => [input.name, input] as const))(
    'has its format and kind: %s',
    (_name, input) => {
      const text = inputText(input, BYTES);
      expect(inputText(input, BYTES)).toEqual(text);
      if (isCoverFormat(input.format)) {
        expect(readCovers(text, input.asked)).toBeGreaterThan(0);
        return;
      }
      let puzzles = 0;
      const formats = new Set<string>();
      readAll(text, (block) => {
        for (let i = 0; i < block.count; i++) if (block.isReadable(i)) puzzles++;
        formats.add(block.layout.format);
      });
      if (input.kind !== 'junk' && input.kind !== 'scraps') {
        expect(formats).toContain(input.format);
        expect(puzzles).toBeGreaterThan(9);
      } else {
        expect(puzzles).toBeLessThanOrEqual(1);
      }
    },
  );
});
