/** Values nested deeper than any puzzle's are errors of their record: they neither overflow the stack nor take long. */
import LZString from 'lz-string';
import { describe, expect, it } from 'vitest';
import { CLASSIC, readText } from './reading.ts';

const DEEP: ReadonlyArray<readonly [name: string, value: (levels: number) => string]> = [
  ['lists', (levels) => '['.repeat(levels) + ']'.repeat(levels)],
  ['objects', (levels) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`],
  ['rules', (levels) => `${'{"rules":'.repeat(levels)}1${'}'.repeat(levels)}`],
  ['names of variants', (levels) => `${'[{"variant":'.repeat(levels)}"x"${'}]'.repeat(levels)}`],
];
const MEMBERS = ['rules', 'variant', 'metadata', 'diagonals', 'grid'];
const FILES: ReadonlyArray<readonly [name: string, line: (member: string, value: string) => string]> = [
  ['JSON lines', (member, value) => `{"puzzle":"${CLASSIC}","${member}":${value}}`],
  ['f-puzzles data', (member, value) => `fpuzzles${packed(`{"size":9,"grid":[],"${member}":${value}}`)}`],
  ['SudokuPad data', (member, value) => `scl${packed(`{"cells":[[{"value":1}]],"${member}":${value}}`)}`],
];
const packed = (text: string) => LZString.compressToBase64(text);

describe.each(FILES)('%s', (name, line) => {
  const before = name === 'JSON lines' ? `{"puzzle":"${CLASSIC}"}` : CLASSIC;

  it.each(DEEP)('with deep %s are read, and so are the puzzles around them', (_kind, value) => {
    for (const member of MEMBERS) {
      const text = `${before}\n${line(member, value(3000))}\n${before}\n`;
      const start = process.cpuUsage();
      const { records } = readText(text);
      const { user } = process.cpuUsage(start);
      const isUnreadable = records.map(({ notes }) => notes?.error !== undefined);
      expect([isUnreadable[0], isUnreadable.at(-1)]).toEqual([false, false]);
      expect(new Set(isUnreadable.slice(1, -1))).toEqual(new Set([true]));
      // Far more than it takes; it was 20 seconds.
      expect(user / 1e6).toBeLessThan(3);
    }
  });
});

it('a text that repeats a word of ordinary rules is checked in linear time', () => {
  const start = process.cpuUsage();
  readText(`{"puzzle":"${CLASSIC}","variant":"${'0x000'.repeat(40)}Q"}\n`);
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(3);
});

it('a link with a long path is read in linear time', () => {
  const start = process.cpuUsage();
  const { records } = readText(`https://example.com/${'a'.repeat(200_000)}/\u0001x?bd=${CLASSIC}\n`);
  expect(records).toMatchObject([{ grid: CLASSIC }]);
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(3);
});
