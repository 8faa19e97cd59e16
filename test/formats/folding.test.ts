import { expect, it } from 'vitest';
import { CLASSIC, readText } from './reading.ts';

it('characters to fold that come after the head make their puzzles alone unreadable', () => {
  const lines = Math.ceil((1024 * 1024) / 82) + 1;
  const { records } = readText(
    `${`${CLASSIC}\n`.repeat(lines)}${CLASSIC.replaceAll('.', '·')}\n${CLASSIC}\n`,
  );
  expect(records.slice(-2).map(({ notes }) => notes?.error?.code)).toEqual([expect.any(String), undefined]);
});
