/** Links to puzzles and the data of puzzle editors as a layout of text, one on a line; see `link-puzzle.ts`. */
import { DOT, LESS } from '../bytes/ascii.ts';
import { textIn } from '../bytes/byte-text.ts';
import { enterObject } from '../objects/puzzle-object.ts';
import type { WordLayout } from '../records/word-layout.ts';
import { readLink } from './link-puzzle.ts';

/** Bytes of the shortest link with a puzzle, or to one. */
const MIN_LINK_BYTES = 16;
/** Bytes from which a text is seen to be a link. */
const MAX_SIGN_BYTES = 200;

/** The beginning of what `readLink` may know. */
const SIGN =
  /^(<?(https?:\/\/|([\w-]+\.)+[a-z]{2,}[/?])|(fpuz|scl|ctc)[A-Za-z0-9+/%={\\]{16}|\.(~|[A-Z][A-Za-z]+[~.]))/i;

/** A line of a script of the Interactive Sudoku Solver with nothing but one rule, the shape, or one cell. */
const ISS_PART = /^\.(?:(?!Given~)[A-Z][A-Za-z]*(?:~[^.]*)?|(?:Given)?~[^.~]*)$/;
/** One with a rule without arguments: `.NoBoxes`. */
const ISS_NAME = /^\.[A-Z][a-z]+[A-Za-z]*$/;

export const links: WordLayout = {
  name: 'link',
  minBytes: 6,
  mayBe(bytes, from, to) {
    const first = bytes[from];
    // Most words of a text are shorter than a link, and most dots are blanks.
    if (first === DOT ? !isSign(bytes[from + 1]) : to - from < MIN_LINK_BYTES || !isSign(first)) return false;
    const word = textIn(bytes, from, Math.min(to, from + MAX_SIGN_BYTES));
    return SIGN.test(word) || ISS_NAME.test(word);
  },
  roleOf(word) {
    if (!word.startsWith('.')) return 'alone';
    return ISS_PART.test(word) ? 'part' : 'main';
  },
  read(word) {
    const read = readLink(word);
    if (read === undefined) return undefined;
    return (sink, place) => ('object' in read ? enterObject(sink, read.object, place) : read);
  },
};

/** A letter, or `<` or `~`. */
function isSign(byte: number): boolean {
  return byte === LESS || (byte | 0x20) >= 97;
}
