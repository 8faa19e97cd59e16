/**
 * Labels of puzzles that may state a rule. Members of JSON, columns of tables and lines of text have the same names:
 *
 *     type, variant, mode, category     a rule or a variant, if the value names one
 *     title, name                       the same, if the value is a title such as `Killer Sudoku`
 *     tags, description, format, notes  the name of a rule or a variant alone, or a sentence that explains a rule
 */
import { parseVariantName, type VariantName } from '../../sudoku/geometry/variants.ts';
import { plainName, ruleInText, ruleNamed, soleRule } from './rule-names.ts';

/** What a label states. */
export interface Stated {
  /** A rule that no variant has, in plain words. */
  readonly rule?: string;
  readonly variant?: VariantName;
}

/** Names of labels that state a variant, or nothing. */
export const TYPES =
  'variant variation type kind puzzletype sudokutype gametype mode gamemode constraint modifier';

const namesOf = (names: string) => new Set(names.split(' ').map(plainName));
const CATEGORIES = namesOf(`category genre game ${TYPES}`);
const TITLES = namesOf('title name');
const REMARKS = namesOf('tag theme keyword description desc note comment remark format');
/** Characters of the longest name of a rule or a variant. */
const MAX_NAME = 60;
/** Names of variants that are also ordinary words. */
const ORDINARY = /^(?:x|latin)$/i;
/** A sentence of rules: about digits or cells, or about the rules that apply. */
const EXPLAINS = /\brules apply\b|(?:^|[.!;\n]\s{0,2})(?:digits|cells|adjacent|neighbou?ring)\b/i;

/** Whether a label with that name may state a rule. */
export function mayState(name: string): boolean {
  const plain = plainName(name);
  return [CATEGORIES, TITLES, REMARKS].some((names) => names.has(plain));
}

/** What a label states, by its name; undefined if nothing. */
export function statedBy(name: string, value: string): Stated | undefined {
  const plain = plainName(name);
  if (CATEGORIES.has(plain)) return statedIn(value, ruleNamed);
  if (TITLES.has(plain)) return statedByTitle(value);
  if (!REMARKS.has(plain)) return undefined;
  const explained = EXPLAINS.test(value) ? ruleInText(value) : undefined;
  const parts = explained === undefined ? value.split(/[,;|]/).filter((part) => part.length <= MAX_NAME) : [];
  return ruleOnly(explained) ?? parts.map(statedAlone).find((one) => one !== undefined);
}

/** What a text is nothing but the name of, whatever its label is; many other words are names of techniques. */
export function statedAlone(text: string): Stated | undefined {
  return ORDINARY.test(text) ? undefined : statedIn(text, () => soleRule(lettersOf(text)));
}

/** The variant that a text names, with or without a word such as `sudoku`. */
export function variantIn(text: string): VariantName | undefined {
  if (text.length > MAX_NAME) return undefined;
  return parseVariantName(text) ?? parseVariantName(text.replace(/[\s_-]*(?:sudoku|puzzle|rule)s?$/i, ''));
}

function statedIn(text: string, ruleOf: (text: string) => string | undefined): Stated | undefined {
  const variant = variantIn(text);
  if (variant !== undefined) return variant === 'standard' ? undefined : { variant };
  return ruleOnly(ruleOf(text));
}

function ruleOnly(rule: string | undefined): Stated | undefined {
  return rule === undefined ? undefined : { rule };
}

/** What a title is nothing but the name of: `Killer Sudoku`, `Anti-Knight Sudoku 12`, `Windoku 3`. */
function statedByTitle(title: string): Stated | undefined {
  if (title.length > MAX_NAME || !/doku/i.test(title)) return undefined;
  const name = title.replace(/[^a-z]+$/i, '');
  return statedIn(name, () => (/sudokus?$/i.test(name) ? soleRule(lettersOf(name)) : undefined));
}

/** Lower-case letters of a name, without a word such as `sudoku` at its end. */
function lettersOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[\s_-]*(?:sudoku|puzzle)s?\W*$/, '')
    .replace(/[^a-z]/g, '');
}
