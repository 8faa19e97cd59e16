import { describe, expect, it } from 'vitest';
import { isAscii } from '../../lib/formats/bytes/character-folding.ts';
import { CLASSIC, readText } from './reading.ts';

const dotted = (text: string) => text.replaceAll('.', '·');

describe('a file is read with its own characters', () => {
  const detectionOf = (text: string | Uint8Array) => readText(text).detection;

  it.each([
    ['if it has only ASCII', `${CLASSIC}\n`],
    ['if only labels have others', `${CLASSIC} “easy” – 5 ·\n${CLASSIC} süß\n`],
    ['if only comments have others', `# ┌───┐\n${CLASSIC}\n`],
    ['if folding gives no puzzle', '· · ·\n“Dear Ms Knuth” – hello\n'],
  ])('%s', (_, text) => {
    expect(JSON.stringify(detectionOf(text))).not.toContain('folded');
  });

  it('if the characters come after the head: these puzzles alone are unreadable', () => {
    const lines = Math.ceil((1024 * 1024) / 82) + 1;
    const { records } = readText(`${`${CLASSIC}\n`.repeat(lines)}${dotted(CLASSIC)}\n${CLASSIC}\n`);
    expect(records.slice(-2).map(({ notes }) => notes?.error?.code)).toEqual([expect.any(String), undefined]);
  });
});

it('columns count characters', () => {
  const { records } = readText(
    `${dotted(CLASSIC)}\n${dotted(CLASSIC).replace('7', '%')}\n${dotted(CLASSIC)}\n`,
  );
  expect(records[1].notes?.error).toMatchObject({ line: 2, column: 5, found: '%' });
});

it('a byte beyond ASCII is found at every place, in bytes of every alignment', () => {
  const memory = new Uint8Array(64).fill(65);
  for (let from = 0; from < 5; from++) {
    for (let to = from; to < 24; to++) {
      const part = memory.subarray(from, to);
      expect(isAscii(part)).toBe(true);
      for (let at = 0; at < part.length; at++) {
        part[at] = 0x80;
        expect(isAscii(part)).toBe(false);
        part[at] = 65;
      }
    }
  }
});
