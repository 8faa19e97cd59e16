/**
 * Lines that introduce a puzzle and may name it: `Grid 01`, `Puzzle 7:`, `Game #3 (hard)`, `Sudoku-4`. The line becomes the
 * puzzle's id.
 */

import {
  ANGLES,
  COLONS,
  DIGIT,
  DOTS,
  DRAWN,
  KINDS,
  LETTER,
  OPEN,
  QUOTE,
  STARS,
  UNDERSCORES,
} from '../../bytes/byte-kinds.ts';
import { ruleNamed } from '../../rules/rule-names.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { Line } from '../shape/line.ts';
import { isDescription } from './descriptions.ts';
import { sectionOf } from './sections.ts';
import { namesSolution } from './solution.ts';
import { hasBeginning, RULE_WORD } from './word-beginnings.ts';

const HEADER =
  /^(?:grid|puzzle|sudoku|game|board|case|test|problem|level|example|sample|input|jigsaw|quiz|number|no\.?|nr\.?)[\s#_-]*\d+\s*(?:[:.]?|[(:,.-](?!.*[\d._*?-]{8}).*)$/i;
const MAX_HEADER_BYTES = 80;

/** A number, a bracket, or a sign of descriptions: a header without them has one of a few words. */
const SIGNS = DIGIT | OPEN | COLONS | DRAWN | ANGLES | QUOTE;

/** Whether the bytes `from` to `end` (exclusive), of these kinds, may be a header: those of most lines are none. */
export function mayBeHeader(bytes: Uint8Array, from: number, end: number, kinds: number): boolean {
  // All have a letter, or are comments of markup.
  if ((kinds & (LETTER | ANGLES)) === 0) return false;
  return (kinds & SIGNS) !== 0 || hasBeginning(bytes, from, end) || namesSolution(bytes, from, end);
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

function isTitle(line: Line): boolean {
  if (line.length < 4 || line.length > MAX_HEADER_BYTES || (line.kinds & DIGIT) === 0) return false;
  return (KINDS[line.bytes[line.from]] & LETTER) !== 0 && HEADER.test(line.text);
}

/** The rest of a heading that names a rule: `Killer Sudoku #4`, `== Little Killer ==`, `Puzzle type - Sandwich`. */
const AROUND_RULE =
  /^(?:anti|non|the|type|variant|s|meters?|ometers?|tic|ity|y|ies|es|ed|dots?|lines?|cages?|sums?|cells?|sudokus?|puzzles?|grids?|games?|moves?|no|nr|number)*\d*$/;

/** The rule that a line of few words names, if it names nothing else. */
function ruleOfHeading(line: Line): string | undefined {
  const isOther = line.length < 4 || line.length > MAX_RULE_BYTES || line.has(DOTS | STARS | UNDERSCORES);
  if (isOther || !hasBeginning(line.bytes, line.from, line.end, RULE_WORD)) return undefined;
  const stem = MAY_NAME_RULE.exec(line.text);
  // "Sudoku Killer" is the title of a known problem without cages (HDU 1426).
  if (stem === null || /sudoku\s+killer/i.test(line.text)) return undefined;
  const plain = line.text.toLowerCase().replaceAll(/[^a-z\d]/g, '');
  return AROUND_RULE.test(plain.replace(stem[0].toLowerCase().replaceAll(/[^a-z]/g, ''), ''))
    ? ruleNamed(plain)
    : undefined;
}

const MAX_RULE_BYTES = 40;
/** Rules that have a name of their own, in words (`RULE_WORD`); a skyscraper is a technique of solvers as well, above an ordinary puzzle. */
const MAY_NAME_RULE =
  /little[ -]?killer|killer|thermo|arrow|knight|anti[ -]?king|kropki|sandwich|palindrom|renban|whisper|consecutive|greater[ -]?than/i;

/** Takes a heading that names a rule, which the puzzles up to the next one have. */
export const ruleHeading: Recogniser = {
  name: 'rule-heading',
  minBytes: 4,
  maxBytes: MAX_RULE_BYTES,
  has: LETTER,
  match(line) {
    const rule = ruleOfHeading(line);
    if (rule === undefined) return NO;
    const { context, from, end } = line;
    context.rule = rule;
    context.nextId = line.string(from, end);
    context.sink.survey?.onHeader();
    return 1;
  },
};

export const header: Recogniser = {
  name: 'header',
  minBytes: 4,
  has: LETTER,
  match(line) {
    if (!isTitle(line)) return NO;
    line.context.nextId = line.string(line.from, line.end);
    line.context.sink.survey?.onHeader();
    return 1;
  },
};
