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
 * Other files write `Begin Puzzle`. A section with a solution: `solution.ts`.
 */

import { COLON, OPEN_BRACKET } from '../../bytes/ascii.ts';
import { LETTER } from '../../bytes/byte-kinds.ts';
import { ruleNamed } from '../../rules/rule-names.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { Line } from '../shape/line.ts';
import { ruleOfType } from './descriptions.ts';
import type { HeadingRule } from './rule-heading.ts';
import { afterSolution, isSolutionLine } from './solution.ts';

/** Words of JSON are no names: `[null]` is a list. */
const SECTION = /^\[(?!(?:null|true|false)\])([a-z]+(?:[ _-][a-z]{2,}){0,2}(?:[ _-]?\d{1,4})?)\]$/i;
/** Sections with a player's marks or settings. */
const SKIPPED =
  /^(?:state|sudocue|candidates?|pencil ?marks?|marks?|colou?rs?|notes?|history|moves?|undo|settings?|options?|comments?|progress|time|timer)$/;
/** Sections with the givens of a puzzle whose fields are in other sections. */
const GRID = /^(?:puzzle|grid|sudoku|givens?|board|clues?|cells|numbers|start|values)$/;
const MAX_SECTION_BYTES = 32;
/** Lines in which the layers of a puzzle are looked for. */
const MAX_LAYER_LINES = 400;
/** `Begin Puzzle`, `Puzzle:`, `End Solution` */
const HEADING =
  /^(?:begin[ _](puzzle|grid|sudoku)|\{?(puzzle|grid|sudoku|problem)\s*:|end[ _](?:puzzle|grid|sudoku|solution|answer))$/i;
/** The name of all sections with a solution. */
const SOLUTION = 'solution';

export const sections: Recogniser = {
  name: 'sections',
  minBytes: 3,
  has: LETTER,
  match(line) {
    const name = sectionOf(line);
    if (name === undefined) return NO;
    const { context, at, text } = line;
    if (name === SOLUTION) {
      const end = afterSolution(line);
      if (end !== undefined) context.sink.survey?.onSolution();
      // A comment that is no heading.
      else if (!/^[\w[{(]/.test(text)) return skipLines(line, at + 1);
      return skipLines(line, end ?? endOfSection(line));
    }
    if (SKIPPED.test(name)) return skipLines(line, endOfSection(line));
    const rule = ruleOfType(name) ?? ruleOfLayers(line, name);
    context.sink.survey?.onHeader();
    // A field of a section before that of the grid may name the rule.
    if (rule !== undefined || !context.rule?.isField || !GRID.test(name)) context.rule = rule;
    const isBracketed = text.startsWith('[');
    if (isBracketed && name !== 'puzzle') context.nextId = text.slice(1, -1);
    else if (!isBracketed && text.endsWith(':')) context.nextId = text.replaceAll(/[{:\s]/g, '');
    return 1;
  },
};

/** The end of a section that is not read: a blank line, a comment or another section. */
function endOfSection({ context, at }: Line): number {
  for (let end = at + 1; ; end++) {
    const line = context.lineAt(end);
    if (line === undefined || line.isBlank || line.isComment || sectionOf(line) !== undefined) return end;
  }
}

/** Skips lines that are read as a part of no puzzle, after a heading. */
function skipLines({ context, at }: Line, end: number): number {
  for (let skipped = at + 1; skipped < end; skipped++) context.comments.addLine(context.window, skipped);
  context.sink.survey?.onHeader();
  return end - at;
}

/**
 * The rule that one of the next sections names: these are layers of the puzzle in section `name`. A section with that name
 * or with a number begins another puzzle.
 */
function ruleOfLayers({ context, at }: Line, name: string): HeadingRule | undefined {
  const { window } = context;
  for (let line = at + 1; line < at + MAX_LAYER_LINES && window.has(line); line++) {
    if (window.bytes[window.text[line]] !== OPEN_BRACKET) continue;
    const other = sectionOf(context.line(line));
    if (other === name || (other !== undefined && /\d/.test(other))) return undefined;
    const rule = other === undefined ? undefined : ruleNamed(other);
    if (rule !== undefined) return { name: rule };
  }
  return undefined;
}

/** The section that a line opens, in lower case, empty if it only closes one; undefined if it does neither. */
export function sectionOf(line: Line): string | undefined {
  const { bytes, kinds, from, end, length } = line;
  if ((kinds & LETTER) === 0) return undefined;
  if (isSolutionLine(line)) return SOLUTION;
  if (length > MAX_SECTION_BYTES) return undefined;
  if (bytes[from] === OPEN_BRACKET) return SECTION.exec(line.text)?.[1]?.toLowerCase();
  // `begin ...`, `end ...`, or a name and a colon.
  if (bytes[end - 1] !== COLON && !/^[be]/i.test(String.fromCharCode(bytes[from]))) return undefined;
  const heading = HEADING.exec(line.text);
  return heading === null ? undefined : (heading[1] ?? heading[2] ?? '').toLowerCase();
}
