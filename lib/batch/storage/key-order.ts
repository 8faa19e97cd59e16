/**
 * The order in which S3 lists keys: by their UTF-8 bytes.
 *
 * JavaScript compares strings by UTF-16 units, which differs in one place: a character above U+FFFF is a pair
 * of surrogates, D800-DFFF, and so sorts before U+E000-U+FFFF, while its UTF-8 bytes (F0 and more) sort after
 * theirs (EE, EF). Moving the surrogates above them makes the two orders equal.
 */

/** @returns negative, zero or positive: the UTF-8 bytes of `a` sort before, are equal to or sort after those of `b` */
export function compareUtf8(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const unitA = a.charCodeAt(i);
    const unitB = b.charCodeAt(i);
    if (unitA !== unitB) return rank(unitA) - rank(unitB);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
