/**
 * Lines that introduce a puzzle and may name it: `Grid 01`, `Puzzle 7:`, `Game #3 (hard)`, `Sudoku-4`. The line becomes the
 * puzzle's id; `Puzzle 7 (Killer)` names its rule as well.
 */

import { ANGLES, COLONS, DIGIT, DRAWN, LETTER, OPEN, QUOTE, startsWithWord } from '../../bytes/byte-kinds.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { Line } from '../shape/line.ts';
import { isDescription } from './descriptions.ts';
import { ruleOfHeading } from './rule-heading.ts';
import { sectionOf } from './sections.ts';
import { namesSolution } from './solution.ts';
import { ANY_WORD, hasBeginning, LONE_WORD } from './word-beginnings.ts';

const HEADER =
  /^(?:grid|puzzle|sudoku|game|board|case|test|problem|level|example|sample|input|jigsaw|quiz|number|no\.?|nr\.?)[\s#_-]*\d+\s*(?:[:.]?|[(:,.-](?!.*[\d._*?-]{8}).*)$/i;
const MAX_HEADER_BYTES = 80;

/** A header has a bracket or a sign of descriptions, or it is a title or an id with a number, or it has one of a few words. */
const SIGNS = OPEN | COLONS | DRAWN | ANGLES | QUOTE;
const ID = DIGIT | LETTER;

/** Whether the bytes `from` to `end` (exclusive), of these kinds, may be a header: those of most lines are none. */
export function mayBeHeader(bytes: Uint8Array, from: number, end: number, kinds: number): boolean {
  // All have a letter, or are comments of markup.
  if ((kinds & (LETTER | ANGLES)) === 0) return false;
  if (kinds & SIGNS || kinds === ID) return true;
  const isNumbered = (kinds & DIGIT) !== 0 && startsWithWord(bytes, from);
  const words = kinds === LETTER ? ANY_WORD | LONE_WORD : ANY_WORD;
  return isNumbered || hasBeginning(bytes, from, end, words) || namesSolution(bytes, from, end);
}

/** Whether a line introduces or describes a puzzle, or opens a section. */
export function isHeader(line: Line): boolean {
  line.isHeader ??=
    mayBeHeader(line.bytes, line.from, line.end, line.kinds) &&
    (sectionOf(line) !== undefined ||
      isTitle(line) ||
      isDescription(line) ||
      ruleOfHeading(line) !== undefined);
  return line.isHeader;
}

/** An id of a database or a hash alone on a line. */
const HEXADECIMAL_ID = /^(?=.*\d)(?=.*[a-f])(?:[\da-f]{24}|[\da-f]{32}|[\da-f]{40})$/i;

function isTitle(line: Line): boolean {
  if (line.length < 4 || line.length > MAX_HEADER_BYTES || (line.kinds & DIGIT) === 0) return false;
  if (line.kinds === ID && HEXADECIMAL_ID.test(line.text)) return true;
  // Each word that begins a title has two letters or more: no text is made of an option such as `F 00 01`.
  return startsWithWord(line.bytes, line.from) && HEADER.test(line.text);
}

export const header: Recogniser = {
  name: 'header',
  minBytes: 4,
  has: LETTER,
  match(line) {
    if (!isTitle(line)) return NO;
    const { context, from, end } = line;
    const rule = ruleOfHeading(line);
    if (rule !== undefined) context.rule = { ...rule, ofOne: true };
    else if (context.rule?.ofOne) context.rule = undefined;
    context.nextId = line.string(from, end);
    context.sink.survey?.onHeader();
    return 1;
  },
};
