/** How deep brackets are nested. */
import { BACKSLASH, CLOSE_BRACE, OPEN_BRACE, QUOTE } from '../bytes/ascii.ts';

/** Levels that are read: the deepest data of puzzle editors has about ten. Deeper values would overflow the stack. */
const MAX_DEPTH = 64;

const OPEN = 91;
const CLOSE = 93;

/** Whether the brackets of a text of JSON, outside of strings, are nested deeper than any puzzle's. */
export function isTooDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (inString) {
      if (sign === BACKSLASH) at++;
      else if (sign === QUOTE) inString = false;
    } else if (sign === QUOTE) inString = true;
    else if (sign === OPEN || sign === OPEN_BRACE) {
      if (++depth > MAX_DEPTH) return true;
    } else if (sign === CLOSE || sign === CLOSE_BRACE) depth--;
  }
  return false;
}
