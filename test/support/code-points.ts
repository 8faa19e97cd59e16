import fc from 'fast-check';

const isSurrogate = (point: number) => point >= 0xd800 && point <= 0xdfff;

/**
 * Any code point as a unit of `fc.string`. The unit `'binary'` of fast-check makes the same strings, but needs a second
 * to list all code points.
 */
export const codePoint = fc
  .nat(0x10ffff)
  .filter((point) => !isSurrogate(point))
  .map(
    (point) => String.fromCodePoint(point),
    (text) => {
      if (typeof text !== 'string' || [...text].length !== 1) throw new Error('not one code point');
      return text.codePointAt(0)!;
    },
  );
