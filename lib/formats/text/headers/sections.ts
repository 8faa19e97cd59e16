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
 *
 * Other files write `Begin Puzzle` and `Begin Solution`, or `Solution:` above what is no second puzzle.
 */

import { OPEN_BRACKET } from '../../bytes/ascii.ts';
import { ruleNamed } from '../../rules/rule-names.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';

/** Words of JSON are no names: `[null]` is a list. */
const SECTION = /^\[(?!(?:null|true|false)\])([a-z]+(?:[ _-][a-z]{2,}){0,2}(?:[ _-]?\d{1,4})?)\]$/i;
/** Sections with a player's marks, settings or the solution. */
const SKIPPED =
  /^(?:state|sudocue|candidates?|pencil ?marks?|marks?|colou?rs?|notes?|history|moves?|undo|settings?|options?|comments?|solution|solved|answer|progress|time|timer)$/;
const MAX_SECTION_BYTES = 32;
/** Lines in which the layers of a puzzle are looked for. */
const MAX_LAYER_LINES = 400;
/** `Begin Puzzle`, `End Solution`, `Solution:`, `{Solution:` */
const HEADING =
  /^(?:begin[ _](puzzle|grid|sudoku|solution|answer)|end[ _](?:puzzle|grid|sudoku|solution|answer)|\{?(?:the )?(solution|answer)\s*:)$/i;

export const sections: Recogniser = {
  name: 'sections',
  minBytes: 3,
  maxBytes: MAX_SECTION_BYTES,
  match(context, at) {
    const name = sectionAt(context, at);
    if (name === undefined) return NO;
    const { window } = context;
    if (SKIPPED.test(name)) return skipSection(context, at);
    const rule = ruleNamed(name) ?? ruleOfLayers(context, at, name);
    context.sink.onHeader();
    context.rule = rule;
    const bracketed = window.bytes[window.text[at]] === OPEN_BRACKET;
    if (bracketed && name !== 'puzzle') {
      context.nextId = window.string(window.text[at] + 1, window.end[at] - 1);
    }
    return 1;
  },
};

/** Lines of a section that is not read: up to a blank line, a comment or another section. */
function skipSection(context: TextContext, at: number): number {
  const { window } = context;
  let line = at + 1;
  for (; window.has(line); line++) {
    if (context.isBlank(line) || context.isComment(line) || sectionAt(context, line) !== undefined) break;
  }
  for (let skipped = at + 1; skipped < line; skipped++) context.comments.addLine(window, skipped);
  context.sink.onHeader();
  return line - at;
}

/**
 * The rule that one of the next sections names: these are layers of the puzzle in section `name`. A section with that name
 * or with a number begins another puzzle.
 */
function ruleOfLayers(context: TextContext, at: number, name: string): string | undefined {
  const { window } = context;
  for (let line = at + 1; line < at + MAX_LAYER_LINES && window.has(line); line++) {
    if (window.bytes[window.text[line]] !== OPEN_BRACKET) continue;
    const other = sectionAt(context, line);
    if (other === name || (other !== undefined && /\d/.test(other))) return undefined;
    const rule = other === undefined ? undefined : ruleNamed(other);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/** The section that line `at` opens, in lower case, empty if it only closes one; undefined if it does neither. */
export function sectionAt({ lines, window }: TextContext, at: number): string | undefined {
  if (window.end[at] - window.text[at] > MAX_SECTION_BYTES) return undefined;
  const text = lines.text(at);
  const section = SECTION.exec(text)?.[1];
  if (section !== undefined) return section.toLowerCase();
  const heading = HEADING.exec(text);
  return heading === null ? undefined : (heading[1] ?? heading[2] ?? '').toLowerCase();
}
