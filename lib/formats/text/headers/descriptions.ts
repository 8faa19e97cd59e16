/**
 * Lines that describe the puzzles around them and have no effect on them; they count as comments.
 *
 *     Type: Killer Sudoku           a rule that no variant has: the puzzles up to the next type are refused
 *     Author: Jane Doe              a known label of JSON objects (`json-members.ts`), in a list or in quotes
 *     difficulty = "easy"
 *     <table>, </pre>, <li>         tags without attributes
 *     ```text                       the start of a block of code in Markdown
 *     sep=;                         Excel's first line
 */

import { needsRegions, parseVariantName } from '../../../sudoku/geometry/variants.ts';
import {
  APOSTROPHE,
  BACKTICK,
  COLON,
  DASH,
  EQUALS,
  GREATER,
  LESS,
  QUOTE,
  STAR,
  TILDE,
} from '../../bytes/ascii.ts';
import { isGridKey, isLabel } from '../../objects/members.ts';
import { ruleInText, ruleNamed } from '../../rules/rule-names.ts';
import { KINDS, LETTER } from '../byte-kinds.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';

const MAX_BYTES = 200;
/** Bytes in which the sign after a name is looked for. */
const MAX_NAME_BYTES = 32;

/** `Author: Jane Doe`, `- id: 7`, `"level" = "easy",` */
const LABEL = /^(?:[-*]\s+)?(["']?)([A-Za-z][\w -]*?)\1\s*[:=]\s*\S/;
/** A puzzle, or a part of one. */
const CELLS = /[\d._*?-]{16}/;
const TAGS = /^(?:<(?:\?xml [^<>]*\?|!(?:doctype|--)[^<>]*|\/?[A-Za-z][\w:.-]*\s*\/?)>\s*)+$/i;
const FENCE = /^(?:```|~~~)\s*[A-Za-z]\w*$/;
const SEPARATOR_LINE = /^"?sep=(?:.|\\t)"?$/i;

export const descriptions: Recogniser = {
  name: 'descriptions',
  minBytes: 3,
  match(context, at) {
    if (!isDescription(context, at)) return NO;
    const type = typeIn(context, at);
    if (type !== undefined) context.rule = ruleOf(context, type);
    context.comments.addLine(context.window, at);
    return 1;
  },
};

/** The type of puzzles that line `at` states. */
function typeIn({ window }: TextContext, at: number): string | undefined {
  return TYPE.exec(window.string(window.text[at], window.end[at]))?.[1];
}

/** The rule that a type names, or a text of rules, unless the user's variant has it. */
function ruleOf({ sink }: TextContext, type: string): string | undefined {
  const variant = parseVariantName(type.replace(/[\s_-]*(?:sudoku|puzzle)s?$/i, '') || 'standard');
  const isOwn = variant === sink.book.geometry(USUAL_SIZE).variant;
  if (variant !== undefined) {
    return variant === 'standard' || isOwn || needsRegions(variant) ? undefined : `the variant ${variant}`;
  }
  return ruleNamed(type) ?? (type.split(/\s+/).length > MAX_TYPE_WORDS ? ruleInText(type) : undefined);
}

const USUAL_SIZE = 9;

const MAX_TYPE_WORDS = 3;
/** `Type: Killer Sudoku`, `variant = thermo` */
const TYPE =
  /^(?:[-*]\s+)?["']?(?:(?:puzzle|sudoku|game)[ _-]?)?(?:type|variant|variation|kind|rules?)["']?\s*[:=]\s*(.+)$/i;

/** Whether line `at` only describes; a cheap test first, that most lines fail. */
export function isDescription({ window }: TextContext, at: number): boolean {
  const { bytes, text, end } = window;
  const [from, to] = [text[at], end[at]];
  if (to - from > MAX_BYTES) return false;
  const first = bytes[from];
  if (first === LESS) return bytes[to - 1] === GREATER && isMarkup(window.string(from, to));
  if (first === BACKTICK || first === TILDE)
    return bytes[from + 1] === first && FENCE.test(window.string(from, to));
  if (!(KINDS[first] & LETTER) && !NAME_SIGNS.includes(first)) return false;
  const last = Math.min(to, from + MAX_NAME_BYTES);
  for (let byte = from + 1; byte < last; byte++) {
    if (bytes[byte] === COLON || bytes[byte] === EQUALS) return isLabelLine(window.string(from, to));
  }
  return false;
}

const NAME_SIGNS = [QUOTE, APOSTROPHE, STAR, DASH];

function isLabelLine(line: string): boolean {
  if (SEPARATOR_LINE.test(line)) return true;
  if (TYPE.test(line) && !CELLS.test(line)) return true;
  const name = LABEL.exec(line)?.[2];
  return name !== undefined && isLabel(name, '') && !isGridKey(name) && !CELLS.test(line);
}

/** Whether a line has tags without attributes alone, none of which names a rule. */
function isMarkup(line: string): boolean {
  return (
    TAGS.test(line) &&
    !line.split(/[^\w-]+/).some((name) => ruleNamed(name) !== undefined && !TEXT_TAGS.has(name))
  );
}

/** Names of tags that are also names of rules. */
const TEXT_TAGS: ReadonlySet<string> = new Set(['text', 'line']);
