/** Zeros and Ctrl-Z at the end of a line or a file: how DOS ends files, and how blocks of a fixed size are filled. */
import { describe, expect, it } from 'vitest';
import { DEEP } from '../../support/depth.ts';
import { wellFormedFiles } from '../catalogue.ts';
import { CLASSIC, CLASSIC_SOLUTION, readText } from '../reading.ts';

const FILLERS: Readonly<Record<string, string>> = {
  'Ctrl-Z': '\x1a',
  'Ctrl-Z on a line': '\x1a\r\n',
  zeros: '\0'.repeat(300),
  'zeros with line ends': '\0\0\n\0\n',
  'Ctrl-Z and zeros': `\x1a${'\0'.repeat(127)}`,
  'white space among them': '\n \0 \x1a\t\0 ',
};

const files = Object.entries(wellFormedFiles()).map(([name, parts]) => ({ name, text: parts.join('') }));

describe.each(files)('$name', ({ text }) => {
  const fronts = [text, text.trimEnd()].map((front) => ({ front, expected: readText(front).records }));

  it.each(Object.entries(FILLERS))('with %s after the end reads the same', (_, filler) => {
    for (const { front, expected } of fronts) {
      expect(expected.length).toBeGreaterThan(1);
      const filled = front + filler;
      expect(readText(filled).records).toEqual(expected);
      const every = (step: number) =>
        Array.from({ length: Math.floor(filled.length / step) }, (__, k) => k * step);
      for (const step of DEEP ? [1, 7, 64] : [31])
        expect(readText(filled, {}, every(step)).records).toEqual(expected);
    }
  });
});

it('ends of lines may have them in the middle of a file', () => {
  const { records } = readText(`${CLASSIC}\x1a\n${CLASSIC} label \0\0\n\0\0\0\n${CLASSIC}\0\r\n`);
  expect(records.map(({ grid, line, notes }) => [grid, line, notes])).toEqual([
    [CLASSIC, 1, undefined],
    [CLASSIC, 2, { id: 'label' }],
    [CLASSIC, 4, undefined],
  ]);
});

it('more zeros than the longest line are blank, in chunks of any size', () => {
  const text = `${CLASSIC}\n${'\0'.repeat(3 * 1024 * 1024)}`;
  for (const cuts of [[], [200_000, 1_200_000, 1_200_001, 2_500_000]]) {
    expect(readText(text, {}, cuts).records.map(({ grid, line }) => [grid, line])).toEqual([[CLASSIC, 1]]);
  }
  const broken = readText(`${text}x\n${CLASSIC}\n`, {}, [200_000, 1_200_000]);
  expect(broken.records.map(({ line, notes }) => [line, notes?.error?.code])).toEqual([
    [1, undefined],
    [2, 'too_large'],
    [3, undefined],
  ]);
});

it.each(['\0', '\x1a'])('one inside a puzzle is an error: %j', (byte) => {
  for (const at of [0, 1, 40, 80]) {
    const { records } = readText(
      `${CLASSIC_SOLUTION}\n${CLASSIC.slice(0, at)}${byte}${CLASSIC.slice(at + 1)}\n${CLASSIC}\n`,
    );
    // At the end of the line, a cell is missing.
    const code = at === 80 ? 'bad_length' : 'bad_character';
    expect(records.map(({ notes }) => notes?.error?.code)).toEqual([undefined, code, undefined]);
  }
});

it('a file of Ctrl-Z alone is empty; one of zeros is not text', () => {
  expect(readText('\x1a').detection).toEqual({ kind: 'empty' });
  expect(readText('\0'.repeat(100)).detection).toMatchObject({ error: { code: 'bad_encoding' } });
});

it('a short table with Ctrl-Z is a table', () => {
  const { records } = readText(`puzzle,solution\n${CLASSIC},${CLASSIC_SOLUTION}\n\x1a`);
  expect(records).toMatchObject([{ format: 'csv', grid: CLASSIC }]);
});

it('a short file that is filled to a block of 4 KiB is read', () => {
  expect(readText(`${CLASSIC}\n`.padEnd(4096, '\0')).records).toMatchObject([{ grid: CLASSIC }]);
});
