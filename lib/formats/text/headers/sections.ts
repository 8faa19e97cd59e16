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
 * Other files write `Begin Puzzle`, or `Puzzle` alone. A section with a solution: `solution.ts`.
 */

import { parseVariantName } from '../../../sudoku/geometry/variants.ts';
import { notArrived } from '../../bytes/arrival.ts';
import { COLON, OPEN_BRACKET, SPACE } from '../../bytes/ascii.ts';
import { DIGIT, DOTS, KINDS, kindsIn, LETTER, LINE_END, SPACES } from '../../bytes/byte-kinds.ts';
import { remembered, ruleNamed } from '../../rules/rule-names.ts';
import { KnownTexts } from '../known-texts.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { type Line, rawText } from '../shape/line.ts';
import { ruleOfType } from './descriptions.ts';
import { type HeadingRule, LEVEL } from './rule-heading.ts';
import { afterSolution, isSolutionHeading, isSolutionLine, MAX_HEADING } from './solution.ts';
import { BEGINNING, hasBeginning, LONE_WORD, SECTION_WORD } from './word-beginnings.ts';

/** Words of JSON are no names: `[null]` is a list. */
const SECTION = /^\[(?!(?:null|true|false)\])([a-z]+(?:[ _-][a-z]{2,}){0,2}(?:[ _-]?\d{1,4})?)\]\s*$/i;
/** Sections with a player's marks or settings. */
const SKIPPED =
  /^(?:state|sudocue|candidates?|pencil ?marks?|marks?|colou?rs?|notes?|history|moves?|undo|settings?|options?|comments?|progress|time|timer)$/;
/** Sections with the givens of a puzzle whose fields are in other sections. */
const GRID =
  /^(?:puzzle|grid|sudoku|problem|unsolved|question|initial|input|givens?|board|clues?|cells|numbers|start|values)$/;
const MAX_SECTION_BYTES = 32;
/** Bytes in which the layers of a puzzle are looked for: hundreds of lines. */
const MAX_LAYER_BYTES = 16 * 1024;
/** `Begin Puzzle`, `Puzzle`, `{Grid:`, `End Solution`, `Regions:` */
const HEADING =
  /^(?:begin[ _](puzzle|grid|sudoku)|\{?(grid(?=\s*:)|puzzle|sudoku|problem|unsolved|question|initial|input|start)\s*:?|(regions?|map|areas?|layout|shapes?)\s*:|end[ _](?:puzzle|grid|sudoku|solution|answer))$/i;
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
      const end = context.hasSolutionsAlone ? undefined : afterSolution(line);
      // Without a puzzle above it, nothing is its solution.
      const isFirst = end === undefined && context.sink.lastSize === undefined;
      if (context.hasSolutionsAlone || isFirst) return line.length > MAX_HEADING ? NO : 1;
      if (end !== undefined) context.sink.survey?.onSolution();
      // A comment that is no heading.
      else if (!/^[\w[{(]/.test(text)) return skipLines(line, at + 1);
      return skipLines(line, end ?? endOfSection(line));
    }
    const kind = kindOf(name);
    if (kind === 'skipped') return skipLines(line, endOfSection(line));
    const isGrid = kind === 'grid';
    const rule = typeof kind === 'object' ? kind : kind === 'ordinary' ? undefined : ruleOfLayers(line, name);
    context.sink.survey?.onHeader();
    // A field of a section before that of the grid may name the rule.
    if (rule !== undefined || !context.rule?.isField || !isGrid) context.rule = rule;
    const isBracketed = text.startsWith('[');
    if (isBracketed && name !== 'puzzle') context.nextId = text.slice(1, -1);
    else if (!isBracketed && text.endsWith(':')) context.nextId = text.replaceAll(/[{:\s]/g, '');
    return 1;
  },
};

/**
 * What the name of a section says: its lines are skipped, or the givens of a puzzle whose fields are in other sections, or
 * have a rule, or are a kind of ordinary puzzles, so that the next section has puzzles of another kind; undefined if nothing.
 */
const kindOf = remembered((name): 'skipped' | 'grid' | 'ordinary' | HeadingRule | undefined => {
  if (SKIPPED.test(name)) return 'skipped';
  if (GRID.test(name)) return 'grid';
  return (
    ruleOfType(name) ?? (LEVEL.test(name) || parseVariantName(name) === 'standard' ? 'ordinary' : undefined)
  );
});

/** The end of a section that is not read: a blank line, a comment or another section. */
function endOfSection({ context, at }: Line): number {
  const { window } = context;
  for (let end = at + 1; ; end++) {
    if (!window.has(end)) return end;
    // Most lines are rows of a grid.
    if (window.tokens[end] > 0 && (kindsIn(window.bytes, window.text[end], window.end[end]) & ~ROW) === 0)
      continue;
    const line = context.line(end);
    if (line.isBlank || line.isComment || sectionOf(line) !== undefined) return end;
  }
}

const ROW = DIGIT | DOTS | SPACES;

/** Skips lines that are read as a part of no puzzle, after a heading. */
function skipLines({ context, at }: Line, end: number): number {
  for (let skipped = at + 1; skipped < end; skipped++) context.comments.addLine(context.window, skipped);
  context.sink.survey?.onHeader();
  return end - at;
}

/**
 * The rule that one of the next sections names: these are layers of the puzzle in section `name`. A section with that name
 * or with a number begins another puzzle. The lines between are not scanned, as they may be grids for a fast path.
 */
function ruleOfLayers({ context, end, text }: Line, name: string): HeadingRule | undefined {
  const { bytes: all, ended, length } = context.window;
  const bytes = all.subarray(0, Math.min(length, end + MAX_LAYER_BYTES));
  for (let at = bytes.indexOf(OPEN_BRACKET, end); at >= 0; at = bytes.indexOf(OPEN_BRACKET, at + 1)) {
    if (bytes[at - 1] > SPACE) continue;
    const last = at + MAX_SECTION_BYTES;
    if (last >= length && !ended) notArrived();
    let to = at;
    while (to <= last && to < bytes.length && (KINDS[bytes[to]] & LINE_END) === 0) to++;
    if (to > last || skippedHeadings.has(bytes, at, to)) continue;
    const heading = rawText(bytes, at, to);
    const other = heading === text ? name : nameIn(heading);
    if (other === name) return undefined;
    const rule = other === undefined ? undefined : ruleNamed(other);
    if (rule !== undefined) return { name: rule };
    if (other === undefined || isSolutionHeading(other)) continue;
    if (/\d/.test(other)) return undefined;
    if (kindOf(other) === 'skipped') skippedHeadings.add(bytes, at, to);
  }
  return ended || bytes.length < length ? undefined : notArrived();
}

/** Headings of sections that are skipped: they are no layers. */
const skippedHeadings = new KnownTexts();

/** The name in the brackets of a section. */
const nameIn = remembered((text) => SECTION.exec(text)?.[1]?.toLowerCase());

/** The section that a line opens, in lower case, empty if it only closes one; undefined if it does neither. */
export function sectionOf(line: Line): string | undefined {
  const { bytes, kinds, from, end, length } = line;
  if ((kinds & LETTER) === 0) return undefined;
  if (isSolutionLine(line)) return SOLUTION;
  if (length > MAX_SECTION_BYTES) return undefined;
  if (bytes[from] === OPEN_BRACKET) return nameIn(line.text);
  // `begin ...`, `end ...`, a name and a colon, or a word such as `Puzzle`.
  const words = kinds === LETTER ? SECTION_WORD | LONE_WORD : SECTION_WORD;
  const isNamed =
    bytes[end - 1] === COLON || hasBeginning(bytes, from, Math.min(end, from + BEGINNING), words);
  if (!isNamed) return undefined;
  const heading = HEADING.exec(line.text);
  return heading === null ? undefined : (heading[1] ?? heading[2] ?? heading[3] ?? '').toLowerCase();
}
