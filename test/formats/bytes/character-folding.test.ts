import { describe, expect, it } from 'vitest';
import { fold, isAscii, partialCharacter } from '../../../lib/formats/bytes/character-folding.ts';

const folded = (text: string | Uint8Array) => Buffer.from(fold(Buffer.from(text)).folded).toString('latin1');

describe('folding', () => {
  it.each([
    ['digits of any script', '１２３ ٤٥٦ ७८९ 𝟙𝟚𝟛 𝟗', '123 456 789 123 9'],
    ['full-width letters and signs', 'Ａｚ．＊＃｜', 'Az.*#|'],
    ['blanks', '·•∙⋅□▢◻☐○◦・⬜🔲', '.............'],
    ['spaces', '1\u00a02\u20033\u202f4\u30005', '1 2 3 4 5'],
    ['nothing to see', '1\u200b2\u200c3\u200d4\u20605\ufeff6\u00ad7', '1234567'],
    ['keycaps', '1\ufe0f\u20e32\u20e3', '12'],
    ['frames', '┌─┬═╗\n│1║\n├━┿\n╭╌╮╱', '+-+-+\n|1|\n+-+\n+-++'],
    ['dashes and minus signs', '−1‐–—', '-1---'],
    ['quotes', '“a” „b‟ ‘c’ «d»', '"a" "b" \'c\' "d"'],
    ['bytes of Windows-1252', Uint8Array.of(0x35, 0xb7, 0xa0, 0x95, 0xad, 0x36), '5. .6'],
  ])('replaces %s', (_, text, expected) => {
    expect(folded(text)).toBe(expected);
  });

  it.each(['süß ½ €', 'Привет', '漢字', '🧩', '\u2028\u0085'])('leaves other characters: %s', (text) => {
    expect(Buffer.from(fold(Buffer.from(text)).folded).toString()).toBe(text);
  });

  it('leaves bytes that are no UTF-8, and ASCII', () => {
    const bytes = Uint8Array.of(0xff, 0xc3, 0x41, 0xe2, 0x82, 0x0a, 0x80);
    expect(fold(bytes)).toEqual({ folded: bytes, length: bytes.length });
    const beyondUnicode = Uint8Array.of(0xf4, 0x90, 0x80, 0x80, 0xf4, 0xbf, 0xbf, 0xbf);
    expect(fold(beyondUnicode).folded).toEqual(beyondUnicode);
    const ascii = Uint8Array.from({ length: 128 }, (_, byte) => byte);
    expect(isAscii(ascii)).toBe(true);
    expect(fold(ascii).folded).toEqual(ascii);
  });

  it('stops after a number of bytes, and reports those they were made from', () => {
    const bytes = Buffer.from('5·\u200b\u200b３x');
    expect(fold(bytes, 2)).toEqual({ folded: Uint8Array.of(53, 46), length: 3 });
    expect(fold(bytes, 3).length).toBe(12);
    expect(fold(bytes, 0)).toEqual({ folded: new Uint8Array(0), length: 0 });
  });
});

it('a byte that is not ASCII is found at each place of an array that starts anywhere', () => {
  const memory = new Uint8Array(120);
  for (let start = 0; start < 8; start++) {
    for (const length of [0, 1, 31, 32, 33, 70, 96]) {
      const bytes = memory.subarray(start, start + length);
      expect(isAscii(bytes)).toBe(true);
      for (let at = 0; at < length; at++) {
        bytes[at] = 0x80;
        expect(isAscii(bytes), `${at} of ${length} bytes from ${start}`).toBe(false);
        bytes[at] = 0;
      }
    }
  }
});

it('the start of a character at the end of a chunk is found', () => {
  for (const character of ['ü', '·', '□', '🔲']) {
    const bytes = Buffer.from(`a${character}`);
    for (let to = 1; to <= bytes.length; to++) {
      expect(partialCharacter(bytes.subarray(0, to))).toBe(to === bytes.length ? 0 : to - 1);
    }
  }
  expect(partialCharacter(Uint8Array.of(0x80, 0x80, 0x80, 0x80))).toBe(0);
  expect(partialCharacter(Uint8Array.of(0xff))).toBe(0);
});
