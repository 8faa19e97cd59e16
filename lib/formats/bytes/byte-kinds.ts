/**
 * What a byte may be in a line: one table for cells, separators, brackets, quotes and drawings. The kinds of all bytes of a
 * line, as one number, tell most recognisers that the line is not theirs (`Line.kinds`).
 */

/** Bits of `KINDS`: each byte has one of them. */
export const DIGIT = 1;
export const LETTER = 2;
/** `. ?` */
export const DOTS = 4;
export const STARS = 8;
export const UNDERSCORES = 16;
export const DASHES = 32;
/** A `#` that starts a comment is recognised before, see `hash-blanks.ts`. */
export const HASHES = 64;
/** `, ;` */
export const LISTS = 128;
export const COLONS = 256;
/** `| !` */
export const BARS = 512;
export const SLASHES = 1024;
export const OPEN = 2048;
export const CLOSE = 4096;
/** Quotes and apostrophes: `" ' ` and a backtick. */
export const QUOTE = 8192;
export const SPACES = 1 << 14;
/** Separates fields in a line without other separators and brackets. */
export const TABULATOR = 1 << 15;
/** Vertical tabs and form feeds. */
const FEEDS = 1 << 16;
/** `+ = ~`, which are drawn, and no cells. */
export const DRAWN = 1 << 17;
/** `<` */
export const ANGLES = 1 << 18;
/** Other bytes below 32. */
export const CONTROL = 1 << 19;
/** `%`, `@` and other signs. */
export const SIGNS = 1 << 20;
/** No ASCII. */
export const HIGH = 1 << 21;
/** The end of a line. */
export const LINE_END = 1 << 22;

/** Signs of blanks. */
export const BLANKS = DOTS | STARS | UNDERSCORES | DASHES | HASHES;
export const CELL = DIGIT | LETTER | BLANKS;
/** First bytes of comments, `# ; / % -`, and a few others. */
export const COMMENT_SIGNS = HASHES | LISTS | SLASHES | SIGNS | DASHES;
/** Separates tokens on a line. */
export const SPACE = SPACES | TABULATOR | FEEDS;
/** Ends a puzzle on a line, as white space does: `, ; :` */
export const SEPARATOR = LISTS | COLONS;
/** Separates fields in a line that has it, so that an empty field is a blank: `, ; | ! / :` */
export const HARD = LISTS | COLONS | BARS | SLASHES;
/** Encloses fields, or quotes them. */
export const WRAPS = OPEN | CLOSE | QUOTE;
/** Separates fields, encloses them or quotes them. */
export const PARTS = WRAPS | HARD | TABULATOR;

const kinds = new Int32Array(256).fill(SIGNS);
kinds.fill(CONTROL, 0, 32);
kinds.fill(HIGH, 127);
const mark = (characters: string, kind: number) => {
  for (const character of characters) kinds[character.charCodeAt(0)] = kind;
};
mark('.?', DOTS);
mark('*', STARS);
mark('_', UNDERSCORES);
mark('-', DASHES);
mark('#', HASHES);
mark(',;', LISTS);
mark(':', COLONS);
mark('|!', BARS);
mark('/', SLASHES);
mark('[{(', OPEN);
mark(']})', CLOSE);
mark('"\'`', QUOTE);
mark(' ', SPACES);
mark('\t', TABULATOR);
mark('\v\f', FEEDS);
mark('\r\n', LINE_END);
mark('+=~', DRAWN);
mark('<', ANGLES);
mark('0123456789', DIGIT);
for (let letter = 65; letter <= 90; letter++) kinds[letter] = kinds[letter + 32] = LETTER;
export const KINDS: Readonly<Int32Array> = kinds;

/** The kinds of the bytes `from` to `to` (exclusive). */
export function kindsIn(bytes: Uint8Array, from: number, to: number): number {
  let found = 0;
  for (let at = from; at < to; at++) found |= kinds[bytes[at]];
  return found;
}

/** Whether two letters are at an offset, as at the start of most words. */
export function startsWithWord(bytes: Uint8Array, from: number): boolean {
  return (kinds[bytes[from]] & kinds[bytes[from + 1]] & LETTER) !== 0;
}

/** The digit that a byte would be in a small puzzle: 1 to 9, 1 to 26 for a letter, 0 for a blank (x included). */
export function symbolValue(byte: number): number {
  const kind = KINDS[byte];
  if (kind & DIGIT) return byte - 48;
  return kind & LETTER && (byte | 0x20) !== 0x78 ? (byte | 0x20) - 96 : 0;
}
