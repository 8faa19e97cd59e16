/**
 * Headings and comments that are nothing but the name of a rule or a variant: `Killer Sudoku #4`, `== Little Killer ==`,
 * `# Samurai`, `; Variant: Hyper`. The puzzles up to the next such heading have that rule; without it they are refused.
 */
import { parseVariantName, type VariantName } from '../../../sudoku/geometry/variants.ts';
import { HASH, SPACE } from '../../bytes/ascii.ts';
import { COMMENT_SIGNS, DIGIT, DOTS, KINDS, LETTER, UNDERSCORES } from '../../bytes/byte-kinds.ts';
import { soleRule } from '../../rules/rule-names.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { type Line, rawText } from '../shape/line.ts';
import { hasBeginning, RULE_WORD } from './word-beginnings.ts';

/** What a heading says of the puzzles below it; plain data. */
export interface HeadingRule {
  /** In plain words. */
  readonly name: string;
  /** A variant: puzzles that are read as such have it. */
  readonly variant?: VariantName;
  /** It belongs to a puzzle with a number: the next number ends it. */
  readonly ofOne?: true;
  /** A field names it: `Type: Killer`. */
  readonly isField?: true;
  /** A comment names it: the next comment below a puzzle ends it. */
  readonly comment?: 'above' | 'below';
  /** A label names it, such as a title: the next label of that name ends it. */
  readonly ofLabel?: string;
}

const MAX_BYTES = 40;
/** Words that say that a name is one of sudoku: `Sudoku X`, `Type: hyper`. */
const KIND = /^(?:sudokus?|type|variant|variation)$/;
/** Words beside a name in a heading; in a comment they are prose: `# 20 killer puzzles`. */
const BESIDE = /^(?:the|an?|kind|puzzles?|grids?|games?|no|nr|number|problem|level)$/;
export const LEVEL = /^(?:easy|medium|hard|expert)$/;
/** Names of variants that are also ordinary words. */
const ORDINARY = /^(?:x|latin)$/;

const WORD = LETTER | DIGIT | UNDERSCORES;

/** Signs after the number of a list: `2. Killer`, `2) Killer`, `2: Killer`. */
const LIST_SIGNS: ReadonlySet<number> = new Set([...'.):'].map((sign) => sign.charCodeAt(0)));

/** Whether a comment starts with the letter of a field of SadMan files: `#D Killer Sudoku`, `#DKiller`. */
function isTagged(bytes: Uint8Array, from: number): boolean {
  const isUpper = (at: number) => bytes[at] >= UPPER_A && bytes[at] <= UPPER_Z;
  if (bytes[from] !== HASH || !isUpper(from + 1)) return false;
  return bytes[from + 2] === SPACE || (isUpper(from + 2) && !isUpper(from + 3));
}

const [UPPER_A, UPPER_Z] = [65, 90];

/** The rule or the variant that a line is nothing but the name of. */
export function ruleOfHeading(line: Line): HeadingRule | undefined {
  const { bytes, from, end } = line;
  const isNumbered = (KINDS[bytes[from]] & DIGIT) !== 0;
  if (!line.has(LETTER) || line.has(isNumbered ? UNDERSCORES : DOTS | UNDERSCORES)) return undefined;
  return ruleInBytes(bytes, from, end, (KINDS[bytes[from]] & COMMENT_SIGNS) !== 0);
}

/** The same of a text; a comment has no other words. */
export function ruleInBytes(
  bytes: Uint8Array,
  from: number,
  end: number,
  isComment: boolean,
): HeadingRule | undefined {
  if (end - from > MAX_BYTES) return undefined;
  let first = isComment && isTagged(bytes, from) ? from + 2 : from;
  while (first < end && (KINDS[bytes[first]] & WORD) === 0) first++;
  let last = first;
  while (last < end && KINDS[bytes[last]] & DIGIT) last++;
  // A heading or a comment that starts with a number, as many do, is prose, unless that is the number of a list.
  if ((last > first && !LIST_SIGNS.has(bytes[last])) || !hasBeginning(bytes, last, end, RULE_WORD))
    return undefined;
  const text = rawText(bytes, last, end).toLowerCase();
  const words = text.match(/[a-z]+|\d+|[^\x20-\x7e]/g) ?? [];
  const hasKind = words.some((word) => KIND.test(word));
  // "Sudoku Killer" is the title of a known problem without cages (HDU 1426).
  if (/sudoku\s+killer/.test(text)) return undefined;
  const isBeside = (word: string) =>
    KIND.test(word) ||
    /^\d/.test(word) ||
    (!isComment && (BESIDE.test(word) || (hasKind && LEVEL.test(word))));
  const name = words.filter((word) => !isBeside(word));
  const rule = soleRule(name.join(''));
  if (rule !== undefined) return { name: rule };
  const variant = parseVariantName(name.join('-'));
  const isOrdinary = variant !== 'standard' && !hasKind && ORDINARY.test(name.join('-'));
  if (variant === undefined || isOrdinary) return undefined;
  return { name: `the variant ${variant}`, variant };
}

/** The rule or the variant that the name of a puzzle is nothing but. */
export function ruleOfName(name: string): HeadingRule | undefined {
  const bytes = new TextEncoder().encode(name);
  return ruleInBytes(bytes, 0, bytes.length, true);
}

/** Takes a heading or a comment that names a rule, which the puzzles up to the next one have. */
export const ruleHeading: Recogniser = {
  name: 'rule-heading',
  minBytes: 4,
  maxBytes: MAX_BYTES,
  has: LETTER,
  match(line) {
    const rule = ruleOfHeading(line);
    if (rule === undefined) return NO;
    const { context, at, bytes, from, end } = line;
    const isComment = (KINDS[bytes[from]] & COMMENT_SIGNS) !== 0;
    const own = isComment ? { ...rule, comment: 'above' as const } : rule;
    context.rule = rule.variant === 'standard' ? undefined : own;
    if (isComment) context.comments.addLine(context.window, at);
    else {
      context.nextId = line.string(from, end);
      context.sink.survey?.onHeader();
    }
    return 1;
  },
};
