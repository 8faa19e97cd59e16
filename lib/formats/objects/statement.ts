/** What the members of an object state about the rules of its puzzle, and what follows from it. */
import {
  combinedVariant,
  needsRegions,
  VARIANT_NAMES,
  type VariantName,
} from '../../sudoku/geometry/variants.ts';
import { type Fault, makeFault } from '../records/fault.ts';
import { isOff } from './members.ts';

export interface JsonRules {
  readonly variant?: VariantName | undefined;
  /** The region map in the file, in any form of `readRegions`. */
  readonly map?: unknown;
  readonly box?: readonly [rows: number, columns: number] | undefined;
  /** Whether the puzzle has candidates instead of digits. */
  readonly byCandidates?: boolean | undefined;
}

/** The rules of an object, and what else its members state. */
export interface ObjectRules extends JsonRules {
  /** Members that describe the puzzle, in their order. */
  readonly labels: ReadonlyArray<readonly [key: string, value: unknown]>;
  readonly warnings: readonly string[];
}

export function namesRules({ variant, map, box }: JsonRules): boolean {
  return variant !== undefined || map !== undefined || box !== undefined;
}

/** The rising one, or the falling one. */
export type Diagonal = 'plus' | 'minus';

/** What the members read so far state. */
export interface Statement {
  /** Names of variants that the file states. */
  readonly variants: VariantName[];
  /** Variants that flags name, in addition to the others. */
  readonly flags: VariantName[];
  /** The diagonals that the file states: f-puzzles has a member for each. */
  readonly diagonals: Map<Diagonal, string>;
  map?: { readonly key: string; readonly value: unknown };
  box?: readonly [rows: number, columns: number];
  boxRows?: number;
  boxColumns?: number;
  /** Whether the file states that there are boxes, or none. */
  boxes?: boolean;
  byCandidates?: boolean;
  /** Free text in which a rule may be named. */
  readonly texts: string[];
  readonly labels: Array<readonly [key: string, value: unknown]>;
  readonly warnings: Set<string>;
}

/** A string or a number for a member that is not known; it is kept as a label. */
export const UNKNOWN_MEMBER = 'unknown_member';

export function readUnknown(statement: Statement, key: string, value: unknown): Fault | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'number') {
    statement.labels.push([key, value]);
    statement.warnings.add(UNKNOWN_MEMBER);
    return undefined;
  }
  if (isOff(value)) return undefined;
  const shown = value === true ? 'true' : Array.isArray(value) ? 'a list' : 'an object';
  return makeFault(
    'unsupported_variant',
    -1,
    `the member ${JSON.stringify(key)} (${shown}), which may be a rule`,
    'the puzzle, its regions, rules that are known, and texts or numbers as labels; remove the member if it is no rule',
  );
}

export function isOn(value: unknown): boolean {
  return (
    value === true || value === 1 || (typeof value === 'string' && /^(true|yes|on|1)$/i.test(value.trim()))
  );
}

/** Whether a value only says that the puzzle has no rules beyond the usual ones. */
export function isStandard(value: unknown): boolean {
  return typeof value === 'string' && STANDARD.test(value.trim());
}

const STANDARD =
  /^(((standard|classic|classical|normal|regular|vanilla|plain|basic|default|usual|none|no|off|false|\d+ ?x ?\d+(?!\d)|square)[\s_-]*)*((sudoku|puzzle|rules?|apply|variant|mode|game)[\s_-]*)*\.?)$/i;

export function unsupported(key: string, rule: string): Fault {
  return makeFault(
    'unsupported_variant',
    -1,
    `the member ${JSON.stringify(key)}: ${rule}`,
    `givens and regions alone, or a variant of ${VARIANT_NAMES.join(', ')}`,
  );
}

/** Combines what the members state. */
export function conclude(statement: Statement): ObjectRules | Fault {
  const { diagonals, map, byCandidates, boxRows, boxColumns, labels, warnings } = statement;
  if (diagonals.size === 1) {
    const [[sign, key]] = diagonals;
    return unsupported(key, `one diagonal alone (${sign === 'plus' ? 'rising' : 'falling'}), not both`);
  }
  const parts = partsOf(statement);
  const variant = parts.length > 1 ? combinedVariant(parts) : parts[0];
  if (parts.length > 0 && variant === undefined) {
    const found = `a puzzle with the rules of ${[...new Set(parts)].join(' and ')} together`;
    return makeFault('unsupported_variant', -1, found, `one of ${VARIANT_NAMES.join(', ')}`);
  }
  const text = statement.texts.find((each) => /\bdiagonals?\b/i.test(each));
  if (text !== undefined && (variant === undefined || !/(^|-)x$/.test(variant))) {
    return unsupported('rules', 'diagonals in the text of the rules, without a member that says which');
  }
  const sides =
    boxRows !== undefined && boxColumns !== undefined ? ([boxRows, boxColumns] as const) : undefined;
  const box = statement.box ?? sides;
  return { variant, map: map?.value, box, byCandidates, labels, warnings: [...warnings] };
}

/** Variants that have the stated rules together; none if the file states no variant. */
function partsOf({ variants, diagonals, map, boxes, ...statement }: Statement): VariantName[] {
  const flags = diagonals.size === 2 ? [...statement.flags, 'latin-x' as const] : statement.flags;
  if (variants.length + flags.length === 0 && boxes === undefined) return [];
  const isJigsaw = variants.some(needsRegions);
  // Next to regions, the diagonals are meant, without boxes.
  const parts = [...variants.map((name) => (isJigsaw && name === 'x' ? 'latin-x' : name)), ...flags];
  if (variants.length === 0 && map !== undefined) parts.push('jigsaw');
  else if (variants.length === 0 && boxes !== false && !flags.includes('latin')) parts.push('standard');
  if (boxes === true) parts.push('standard');
  else if (boxes === false && parts.length === 0) parts.push('latin');
  return parts;
}
