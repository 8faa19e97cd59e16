/**
 * Columns of a table that name rules: each cell is off, a variant that is known, or a rule that makes its puzzle
 * unreadable.
 *
 *     puzzle,variant,cages               variant: x is read, killer is refused by name
 *     3...2..4.,x,                       cages: must be empty, 0, false, no or []
 */
import { parseVariantName, VARIANT_NAMES, type VariantName } from '../../sudoku/geometry/variants.ts';
import { mayState, type Stated, statedBy } from '../rules/labels.ts';
import { plainName, ruleNamed } from '../rules/rule-names.ts';

/** A column with a rule; plain data. */
export interface RuleColumn {
  readonly index: number;
  readonly name: string;
  /** The cells name variants, state whether the rule of the column's name applies, or are labels that may state one. */
  readonly kind: 'variant' | 'type' | 'flag' | 'label';
}

/** Names of columns with the name of a variant and nothing else. */
const VARIANT_NAME = /^(variant|variation|sudokutype|sudokuvariant|rule|ruleset|constraint)$/;
/** Names of columns with the name of a variant, or with labels. */
const TYPE_NAME = /^(type|kind|mode|puzzletype|gametype|category)$/;
/** Names of variants that are known, as flags. */
const FLAG_VARIANTS: ReadonlyArray<readonly [VariantName, RegExp]> = [
  ['x', /^(diagonal|diagonalsudoku|xsudoku|sudokux)$/],
  ['windoku', /^(windoku|hyper|hypersudoku)$/],
];
const OFF = /^(0|false|no|none|n|f|null|nil|nan|-|\[\]|\{\}|""|off)?$/i;
const ON = /^(1|true|yes|y|t|on|x)$/i;
/** Statistics have such names: their cells are numbers. */
const NUMBER = /^-?\d+([.,]\d+)?$/;
/** Rules that a number describes, such as how many cages there are. */
const COUNTED = /cage|killer|thermo|arrow|knight|kropki|sandwich|renban|whisper/;

/** @param used indexes of columns with another role; a name may still state a rule */
export function ruleColumns(names: readonly string[], used: ReadonlySet<number>): RuleColumn[] {
  return names.flatMap((name, index) => {
    const kind = kindOf(name);
    return kind === undefined || (used.has(index) && kind !== 'label') ? [] : [{ index, name, kind }];
  });
}

function kindOf(name: string): RuleColumn['kind'] | undefined {
  const plain = plainName(name);
  if (VARIANT_NAME.test(plain)) return 'variant';
  if (TYPE_NAME.test(plain)) return 'type';
  if (mayState(name)) return 'label';
  return flagOf(plain) !== undefined || ruleNamed(name) !== undefined ? 'flag' : undefined;
}

function flagOf(plain: string): VariantName | undefined {
  return FLAG_VARIANTS.find(([, names]) => names.test(plain))?.[0];
}

/** What a cell of a rule column states; undefined if nothing. */
export function ruleIn({ name, kind }: RuleColumn, value: string): Stated | undefined {
  if (kind === 'type' || kind === 'label') return statedBy(name, value);
  const plain = plainName(name);
  if (OFF.test(value)) return undefined;
  if (kind === 'flag' && NUMBER.test(value) && !ON.test(value) && !COUNTED.test(plain)) return undefined;
  const flag = ON.test(value) ? flagOf(plain) : undefined;
  const variant = kind === 'flag' ? flag : parseVariantName(value);
  if (variant !== undefined) return { variant };
  if (kind === 'flag') return { rule: ruleNamed(name)! };
  return { rule: ruleNamed(value) ?? JSON.stringify(value) };
}

/** The names of variants that are read, for messages. */
export const KNOWN_VARIANTS = VARIANT_NAMES.join(', ');
