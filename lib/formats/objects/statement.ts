/** What the members of an object state about the rules of its puzzle, and what follows from it. */
import {
  combinedVariant,
  needsRegions,
  VARIANT_NAMES,
  type VariantName,
} from '../../sudoku/geometry/variants.ts';
import { isOff } from './members.ts';
import { fail } from './unreadable.ts';

/** The sides of a box. */
type Box = readonly [rows: number, columns: number];

export interface JsonRules {
  readonly variant?: VariantName | undefined;
  /** The region map in the file, in any form of `readRegions`. */
  readonly map?: unknown;
  readonly box?: Box | undefined;
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

/** A string or a number for a member that is not known; it is kept as a label. */
const UNKNOWN_MEMBER = 'unknown_member';

/** What the members read so far state. */
export class Statement {
  /** Names of variants that the file states. */
  readonly variants: VariantName[] = [];
  /** Variants that flags name, in addition to the others. */
  readonly flags: VariantName[] = [];
  /** The diagonals that the file states, and the members that do: f-puzzles has one for each. */
  readonly diagonals = new Map<Diagonal, string>();
  map: { readonly key: string; readonly value: unknown } | undefined;
  box: Box | undefined;
  boxRows: number | undefined;
  boxColumns: number | undefined;
  byCandidates: boolean | undefined;
  /** Free text in which a rule may be named. */
  readonly texts: string[] = [];
  readonly labels: Array<readonly [key: string, value: unknown]> = [];
  readonly warnings = new Set<string>();

  addUnknown(key: string, value: unknown): void {
    if (value === null || typeof value === 'string' || typeof value === 'number') {
      this.labels.push([key, value]);
      this.warnings.add(UNKNOWN_MEMBER);
    } else if (!isOff(value)) {
      const shown = value === true ? 'true' : Array.isArray(value) ? 'a list' : 'an object';
      const expected =
        'the puzzle, its regions, rules that are known, and texts or numbers as labels; remove the member if it is no rule';
      fail(
        'unsupported_variant',
        `the member ${JSON.stringify(key)} (${shown}), which may be a rule`,
        expected,
      );
    }
  }

  /** Combines what the members state. */
  conclude(): ObjectRules {
    const { diagonals, map, byCandidates, boxRows, boxColumns, labels, warnings } = this;
    if (diagonals.size === 1) {
      const [[sign, key]] = diagonals;
      unsupported(key, `one diagonal alone (${sign === 'plus' ? 'rising' : 'falling'}), not both`);
    }
    const parts = this.#parts();
    const variant = parts.length > 1 ? combinedVariant(parts) : parts[0];
    if (parts.length > 0 && variant === undefined) {
      const found = `a puzzle with the rules of ${[...new Set(parts)].join(' and ')} together`;
      fail('unsupported_variant', found, `one of ${VARIANT_NAMES.join(', ')}`);
    }
    if (this.texts.some((text) => /\bdiagonals?\b/i.test(text)) && !/(^|-)x$/.test(variant ?? ''))
      unsupported('rules', 'diagonals in the text of the rules, without a member that says which');
    const sides: Box | undefined =
      boxRows !== undefined && boxColumns !== undefined ? [boxRows, boxColumns] : undefined;
    const box = this.box ?? sides;
    return { variant, map: map?.value, box, byCandidates, labels, warnings: [...warnings] };
  }

  /** Variants that have the stated rules together; none if the file states no variant. */
  #parts(): VariantName[] {
    const { variants } = this;
    const flags = this.diagonals.size === 2 ? [...this.flags, 'latin-x' as const] : this.flags;
    if (variants.length + flags.length === 0) return [];
    const isJigsaw = variants.some(needsRegions);
    // Next to regions, the diagonals are meant, without boxes.
    const parts = [...variants.map((name) => (isJigsaw && name === 'x' ? 'latin-x' : name)), ...flags];
    if (variants.length === 0 && this.map !== undefined) parts.push('jigsaw');
    else if (variants.length === 0 && !flags.includes('latin')) parts.push('standard');
    return parts;
  }
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

export function unsupported(key: string, rule: string): never {
  fail(
    'unsupported_variant',
    `the member ${JSON.stringify(key)}: ${rule}`,
    `givens and regions alone, or a variant of ${VARIANT_NAMES.join(', ')}`,
  );
}
