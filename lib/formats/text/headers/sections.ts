/**
 * Sections of SadMan and SudoCue files: the givens follow `[Puzzle]`; a player's marks, which are not a puzzle of their
 * own and are skipped, follow `[State]` and others. Lines of `#` and a letter are comments. A section with a number
 * (`[puzzle1]`), or another name, names the puzzle after it.
 *
 *     #ARuud
 *     #DA puzzle of mine
 *     [Puzzle]
 *     2.1.5..3.
 *     ...
 *     [State]
 *     271.5..3.
 */

import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';

/** Words of JSON are no names: `[null]` is a list. */
const SECTION = /^\[(?!(?:null|true|false)\])([a-z]+(?:[ _-]?\d{1,4})?)\]$/i;
/** Sections with a player's marks, settings or the solution. */
const SKIPPED =
  /^(?:state|sudocue|candidates?|pencil ?marks?|marks?|colou?rs?|notes?|history|moves?|undo|settings?|options?|comments?|solution|solved|answer|progress|time|timer)$/;
const MAX_SECTION_BYTES = 32;

export const sections: Recogniser = {
  name: 'sections',
  minBytes: 3,
  maxBytes: MAX_SECTION_BYTES,
  match(context, at) {
    const name = sectionAt(context, at);
    if (name === undefined) return NO;
    context.sink.onHeader();
    if (name === 'puzzle') return 1;
    const { window } = context;
    if (!SKIPPED.test(name)) {
      context.nextId = window.string(window.text[at] + 1, window.end[at] - 1);
      return 1;
    }
    let line = at + 1;
    for (; window.has(line); line++) {
      if (context.isBlank(line) || context.isComment(line)) break;
      if (sectionAt(context, line) !== undefined) break;
    }
    for (let skipped = at + 1; skipped < line; skipped++) context.comments.addLine(window, skipped);
    return line - at;
  },
};

/** The section that line `at` opens, in lower case; undefined if it opens none. */
export function sectionAt(context: TextContext, at: number): string | undefined {
  const { window } = context;
  const from = window.text[at];
  if (window.bytes[from] !== 91 || window.end[at] - from > MAX_SECTION_BYTES) return undefined;
  return SECTION.exec(window.string(from, window.end[at]))?.[1].toLowerCase();
}
