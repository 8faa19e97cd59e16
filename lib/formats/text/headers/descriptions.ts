/**
 * Lines that describe the puzzles around them and have no effect on them; they count as comments.
 *
 *     Type: Killer Sudoku           a rule that no variant has: the puzzles up to the next type are refused
 *     Author: Jane Doe              a known label of JSON objects (`json-members.ts`), in a list or in quotes
 *     difficulty = "easy"
 *     <table>, </pre>, <li>         tags without attributes
 *     ```text                       the start of a block of code in Markdown
 *     sep=;                         Excel's first line
 *     S=3;                          the side of a box in MiniZinc
 */

import { parseVariantName } from '../../../sudoku/geometry/variants.ts';
import { BACKTICK, COLON, EQUALS, LESS, SLASH, TILDE } from '../../bytes/ascii.ts';
import {
  ANGLES,
  COLONS,
  DASHES,
  DIGIT,
  DRAWN,
  KINDS,
  LETTER,
  QUOTE,
  SPACE,
  STARS,
  UNDERSCORES,
} from '../../bytes/byte-kinds.ts';
import { isGridKey, isLabel } from '../../objects/members.ts';
import { type Stated, statedAlone, statedBy, variantIn } from '../../rules/labels.ts';
import { ruleInText, ruleNamed, soleRule } from '../../rules/rule-names.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { Line } from '../shape/line.ts';
import type { HeadingRule } from './rule-heading.ts';

const MAX_BYTES = 200;
/** One of them is in each such line. */
const SIGNS = COLONS | DRAWN | ANGLES | QUOTE;
const MAX_NAME = 32;
const FIRST = LETTER | QUOTE | STARS | DASHES;
const NAME = FIRST | DIGIT | UNDERSCORES | SPACE;

/** `Author: Jane Doe`, `- id: 7`, `"level" = "easy",` */
const LABEL = /^(?:[-*]\s+)?(["']?)([A-Za-z][\w -]*?)\1\s*[:=]\s*(\S.*)/;
/** Quotes and brackets around a value, and a separator after it. */
const AROUND = /^[\s"'[{(]+|[\s"'\]}),;]+$/g;
/** A puzzle, or a part of one. */
const CELLS = /[\d._*?-]{16}/;
const TAGS = /^(?:<(?:\?xml [^<>]*\?|!(?:doctype|--)[^<>]*|\/?[A-Za-z][\w:.-]*\s*\/?)>\s*)+$/i;
const FENCE = /^(?:```|~~~)\s*[A-Za-z]\w*$/;
const SEPARATOR_LINE = /^"?sep=(?:.|\\t)"?$/i;
/** The side of a box: a number that may be that of a whole grid, of a Latin square, is no description. */
const SIZE_LINE = /^[a-z]\s*=\s*[235];$/i;

export const descriptions: Recogniser = {
  name: 'descriptions',
  minBytes: 3,
  has: SIGNS,
  match(line) {
    if (!isDescription(line)) return NO;
    const { context, text, at } = line;
    const type = typeIn(text);
    const [, , label = '', value = ''] = LABEL.exec(text) ?? [];
    const rule = headingRule(statedBy(label, value.replaceAll(AROUND, '')));
    if (type !== undefined) context.rule = ruleOfField(type);
    else if (rule !== undefined) context.rule = { ...rule, ofLabel: label };
    else if (label !== '' && context.rule?.ofLabel === label) context.rule = undefined;
    context.comments.addLine(context.window, at);
    return 1;
  },
};

function ruleOfField(type: string): HeadingRule | undefined {
  const rule = ruleOfType(type);
  return rule && { ...rule, isField: true };
}

/** The rule or the variant that a type names, or a text of rules. */
export function ruleOfType(type: string): HeadingRule | undefined {
  const variant = variantIn(type);
  if (variant !== undefined) return variant === 'standard' ? undefined : headingRule({ variant });
  return headingRule({
    rule: ruleNamed(type) ?? (type.split(/\s+/).length > MAX_TYPE_WORDS ? ruleInText(type) : undefined),
  });
}

function headingRule({ rule, variant }: Stated = {}): HeadingRule | undefined {
  if (variant !== undefined) return { name: `the variant ${variant}`, variant };
  return rule === undefined ? undefined : { name: rule };
}

const MAX_TYPE_WORDS = 3;
/** `Type: Killer Sudoku`, `variant = thermo` */
const TYPE =
  /^(?:[-*]\s+)?["']?(?:(?:puzzle|sudoku|game)[ _-]?)?(?:type|variant|variation|kind|mode|rules?|constraints?)["']?\s*[:=]\s*(.+)$/i;
/** `diagonal: true`, `Anti-knight: yes` */
const FLAG = /^(?:[-*]\s+)?["']?([a-z][a-z -]*?)s?["']?\s*[:=]/i;
const ON = /[:=]\s*(?:true|yes|on)[,;]?$/i;

/** What a line says as the type of puzzles; undefined if it says nothing of that, or has cells. */
export function typeIn(text: string): string | undefined {
  if (text.length > MAX_BYTES || CELLS.test(text)) return undefined;
  const type = TYPE.exec(text)?.[1] ?? ownType(text);
  const flag = type === undefined && ON.test(text) ? FLAG.exec(text)?.[1] : undefined;
  if (flag === undefined) return type;
  const isRule = parseVariantName(flag) !== undefined || soleRule(flag.toLowerCase().replaceAll(/\W/g, ''));
  return isRule ? flag : undefined;
}

/** A field with words alone: `Tipo: killer`, `art = "X-Sudoku"`. */
const WORDS_FIELD = /^[\w "'*-]{1,32}[:=]\s*["']?([a-z][a-z -]{2,40})["']?[,;]?$/i;

/** What a field of a name that is not known is nothing but the name of. */
function ownType(text: string): string | undefined {
  const value = WORDS_FIELD.exec(text)?.[1];
  if (value === undefined || statedAlone(value) === undefined) return undefined;
  const name = LABEL.exec(text)?.[2];
  return name !== undefined && !isLabel(name, '') ? value : undefined;
}

/** Whether a line only describes. */
export function isDescription(line: Line): boolean {
  const { bytes, from, kinds, length } = line;
  if ((kinds & SIGNS) === 0 || length > MAX_BYTES) return false;
  const first = bytes[from];
  if (first === LESS) return isMarkup(line.text);
  if (first === BACKTICK || first === TILDE) return FENCE.test(line.text);
  return isNamed(line) && isLabelLine(line.text);
}

/** Whether a line begins with a name and a colon or an equals sign, not that of a link: few lines become a text. */
function isNamed({ bytes, from, end }: Line): boolean {
  if ((KINDS[bytes[from]] & FIRST) === 0) return false;
  const last = Math.min(end, from + MAX_NAME);
  let at = from + 1;
  while (at < last && (KINDS[bytes[at]] & NAME) !== 0) at++;
  if (at === last || (bytes[at] !== COLON && bytes[at] !== EQUALS)) return false;
  return !(bytes[at] === COLON && bytes[at + 1] === SLASH && bytes[at + 2] === SLASH);
}

function isLabelLine(line: string): boolean {
  if (SEPARATOR_LINE.test(line) || SIZE_LINE.test(line)) return true;
  if (typeIn(line) !== undefined) return true;
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
