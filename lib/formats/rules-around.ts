/**
 * Rules in the first lines of a file that keep it from being read as puzzles, whatever grids it has: cages, signs, cells of
 * a rule, or the name of one. A new one is a row of `RULES`.
 */
import { needsRegions, type VariantName } from '../sudoku/geometry/variants.ts';
import { numbersAround } from './numbers-around.ts';
import type { FormatHints } from './reader.ts';
import { errorAt, makeFault } from './records/fault.ts';
import type { ParseError } from './records/record-block.ts';
import { DICT, type Kind, kindOf, linesOf, SAMPLE_BYTES, textOf } from './refusals.ts';
import { ruleInText, soleRule } from './rules/rule-names.ts';
import { ruleOfType, typeIn } from './text/headers/descriptions.ts';
import { ruleInBytes } from './text/headers/rule-heading.ts';

/** `cages = [`, `- "thermos": [["r1c1", "r1c2"]],`, `Arrow r1c1 r2c2`, `even: r1c1`, `Anti-knight: cells a move apart` */
const NAMED =
  /^(?:[-*]\s+)?(?:(?:const|let|var)\s+)?["']?([a-z][a-z _-]*?)\d*["']?(?:\s*([:=])\s*|\s+(?=\S*\d))(.*)$/i;
const CELLS = /(?:(?:^|\W)(?:r\d+c\d+|[a-i][1-9])|\d\s*,\s*\d\W+\d\s*,\s*\d)\b/i;
/** Numbers of cells or sums, as few as two: `11 12 13`, `3 = 11 12`. */
const NUMBERS = /^\d{1,2}(?:\D+\d{1,2})+\D*$/;
/** Names that are rules only with a sign and cells after it. */
const SHORT = /^(?:[-*]\s+)?["']?(?:even|odd|white|black|x|v)["']?\s*[:=]/i;
/** A list with something in it, or what opens one; no puzzles. */
const LIST = /^(?:[[{(]+\s*(?:[^\s\])}]|$)|-\s)(?!.*[\d._*]{9})/;
/** Names of puzzles with a rule, not of its cells. */
const PUZZLES = /^(?:killer|sandwich|futoshiki|kenken|calcudoku|kakuro|consecutive|anti.*)$/i;
const SENTENCE = /^[a-z']+,?(?: [a-z'-]+,?){2}/i;

/** Whether a line names a rule, and then its cells, a list, or what it means. */
function namesRule(text: string, next = ''): boolean {
  const [, name, sign, own] = NAMED.exec(text) ?? [];
  if (name === undefined) return false;
  // The first item of a list in YAML is on the next line.
  const value = own || (next.startsWith('- ') ? next : '');
  const isRule = (text: string) => soleRule(text.toLowerCase().replaceAll(/[^a-z]/g, '')) !== undefined;
  if (CELLS.test(value)) return SHORT.test(text) || isRule(name) || isRule(name.split(' ')[0]);
  if (sign === undefined || !isRule(name)) return false;
  if (NUMBERS.test(value)) return true;
  return (LIST.test(value) && !PUZZLES.test(name)) || (/^[A-Z]/.test(name) && SENTENCE.test(value));
}

/** Rules that no format here has, or that are written in a way that none reads. */
const RULES: readonly Kind[] = [
  DICT,
  {
    name: 'the signs < > ^ v between cells, as in futoshiki, greater-than and killer sudoku',
    line: /^(?!>[^<>]*$)[\s\d.,_*^v]*[<>][\s\d.,_*<>^v]*$/i,
  },
  {
    name: 'inequalities of cells, as in futoshiki',
    line: /^(?:\(\d+\s*,\s*\d+\)|r\d+c\d+|[a-i]\d)\s*[<>]\s*(?:\(\d+\s*,\s*\d+\)|r\d+c\d+|[a-i]\d)[,;]?$/i,
  },
  { name: 'the cells of a rule, which its line names', line: { test: namesRule }, isSure: true },
  {
    name: 'the text of a rule',
    line: { test: (text) => /\brules apply\b/i.test(text) && ruleInText(text) !== undefined },
    isSure: true,
  },
  {
    name: 'cells with their sum, as in killer sudoku',
    line: /^(?:(?:r\d+c\d+|[a-i]\d|\(\d\s*,\s*\d\))[\s,+;]*){2,}(?:=|:|->)\s*\d{1,2}$/i,
  },
  {
    // `1211K6`: two cells, each by its row and its column. A shorter text is the name of a puzzle: `12A`.
    name: 'the cells of rules, each with the letter of its rule',
    line: /^(?:[1-9]{2}){2,13}[A-Z]{1,2}\d{0,2}$/,
  },
  {
    name: 'lists of cells by their rows and columns, as of polyominoes',
    line: /^[\s[({]*(?:[([]\d{1,2},\s*\d{1,2}[)\]][\s,;]*){2,}[\s\])}]*[,;]?$/,
  },
  {
    // Tables of code have lists of one length.
    name: 'lists of cells, as of thermometers and arrows',
    line: /^(?=.*\[..(?:, ?..){1,2}\])(?=.*\[..(?:, ?..){3,}\])(?:\[[1-9]{2}(?:, ?[1-9]{2})+\](?:, ?|$)){3,}$/,
    isSure: true,
  },
  {
    name: 'letters with their sums, as in killer sudoku and KenKen',
    line: /^(?=a)(?!a\W*(?:0\W*b\W*1|1\W*b\W*2|10\W*b\W*11)\b)(?:[a-z]{1,2}\s*[=:]\s*\d{1,4}[-+*x/]?(?:[\s,;]+|$)){4,}$|^[a-z]\s*[=:]\s*\d{1,4}[-+*x/]$/i,
    isSure: true,
  },
  {
    name: 'numbers on the four sides of a grid, as in skyscrapers',
    start: /^\d*\s*G[;:,] ?\d[\d;:, ]*\s+D[;:,] ?\d[\d;:, ]*\s+[LP][;:,] ?\d/,
  },
  {
    name: 'XML with an element for a rule',
    line: /<(?:cages?|thermo\w*|killer\w*|arrows?|kropki\w*|constraints?)\s[^>]*=/i,
    isSure: true,
  },
  {
    name: 'cages with their sums, as in killer sudoku',
    line: /^\d{1,2}(?:\s*[=:]\s*|\s+)(?:(?:\(?\d\s*,\s*\d\)?|r\d+c\d+|[a-i]\d)(?:\s*[+;]\s*|\s+|$)){2,}$|^\d+(?:\s\d+){2,}\s\+\s\d+$/i,
  },
];

/**
 * What keeps a text from being read as puzzles, whatever grids it has: a rule that would be overlooked.
 *
 * @param hasPuzzles whether it would be
 */
export function ruleIn(head: Uint8Array, hints: FormatHints, hasPuzzles: boolean): ParseError | undefined {
  const { variant, box, alphabet } = hints;
  // The user may say that they are puzzles.
  const mayBeBinary = hasPuzzles && (variant ?? box ?? alphabet) === undefined;
  const rule = kindOf(head, RULES) ?? ruleBelow(head, variant) ?? numbersAround(linesOf(head), mayBeBinary);
  if (rule === undefined) return undefined;
  const { name, lines, expected } = rule;
  return ruleError(name, lines[0]?.number, expected);
}

function ruleError(name: string, line = 1, expected = 'puzzles given by their givens alone'): ParseError {
  return errorAt({ line, column: 1 }, makeFault('unsupported_variant', 0, name, expected));
}

/** The rule that the only field or heading for one names, below all puzzles of a short file. */
function ruleBelow(head: Uint8Array, own: VariantName | undefined) {
  const lines = head.length < SAMPLE_BYTES ? linesOf(head) : [];
  const named = lines.flatMap((line) => {
    const type = typeIn(line.text);
    if (type !== undefined) return [{ line, rule: ruleOfType(type), what: 'field' }];
    // A link or a script begins with a dot.
    const bytes = new TextEncoder().encode(line.text);
    const rule = line.text.startsWith('.') ? undefined : ruleInBytes(bytes, 0, bytes.length, false);
    return rule === undefined ? [] : [{ line, rule, what: 'heading' }];
  });
  const [{ line, rule, what } = {}, ...others] = named;
  if (line === undefined || rule === undefined || others.length > 0) return undefined;
  if (lines.findLastIndex(({ text }) => MAY_BE_ROW.test(text)) > lines.indexOf(line)) return undefined;
  // Whether the grids are a samurai or have maps is seen in them.
  const isSeen = rule.variant === 'samurai' || (rule.variant !== undefined && needsRegions(rule.variant));
  if (isSeen || rule.variant === (own ?? 'standard')) return undefined;
  return { name: `a ${what} that names ${rule.name}`, lines: [line], expected: undefined };
}

const MAY_BE_ROW = /[\d._*]{4}|(?:[\d._*][\s,]+){4}/;

/** The rule that the first line of a table or of JSON is nothing but the name of, above the puzzles; no names of columns. */
export function ruleAbove(head: Uint8Array): ParseError | undefined {
  const [, line = ''] = /^\s*([^\r\n]*)/.exec(textOf(head)) ?? [];
  const bytes = new TextEncoder().encode(line.trim());
  const isHeader = /\w\W*[,;\t|]/.test(line);
  const rule = isHeader ? undefined : ruleInBytes(bytes, 0, bytes.length, !/^\w/.test(line));
  // Columns or members may say that the puzzles are of a variant.
  return rule === undefined || rule.variant !== undefined
    ? undefined
    : ruleError(`a heading that names ${rule.name}`);
}
