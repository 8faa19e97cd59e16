/**
 * The rules of a puzzle in its JSON object. Every member is a rule, a label, or an error that names it:
 *
 *     { "puzzle": "...", "variant": "x" }                           variant, type, rules, constraints: names
 *     { "puzzle": "...", "diagonal": true }                         flags of variants
 *     { "puzzle": "...", "regions": "aaabbb...", "box": "3x2" }     regions and boxes
 *     { "puzzle": "...", "cages": [...] }                           rules that no variant has: refused by name
 *     { "puzzle": "...", "author": "A", "level": 3 }                labels
 */
import { parseBox } from '../../sudoku/geometry/geometry.ts';
import { parseVariantName, VARIANT_NAMES, type VariantName } from '../../sudoku/geometry/variants.ts';
import { type Fault, makeFault } from '../records/fault.ts';
import { plainName, ruleInText, ruleNamed } from '../rules/rule-names.ts';
import { isLabel, isOff } from './members.ts';
import {
  conclude,
  type Diagonal,
  isOn,
  isStandard,
  type ObjectRules,
  readUnknown,
  type Statement,
  unsupported,
} from './statement.ts';

/**
 * Reads the rules of an object.
 *
 * @param used keys of the members with the puzzle, its solution and its name
 */
export function rulesOf(
  object: Readonly<Record<string, unknown>>,
  used: ReadonlySet<string>,
): ObjectRules | Fault {
  const statement: Statement = {
    variants: [],
    flags: [],
    diagonals: new Map(),
    texts: [],
    labels: [],
    warnings: new Set(),
  };
  for (const [key, value] of Object.entries(object)) {
    if (used.has(key)) continue;
    const fault = readMember(statement, key, value);
    if (fault !== undefined) return fault;
  }
  return conclude(statement);
}

/** Whether a member changes the rules of a puzzle: in an object around puzzles, it does so for all of them. */
export function isRule(key: string, value: unknown): boolean {
  if (isOff(value) || isLabel(key, value)) return false;
  const name = plainName(key);
  return (
    MEMBERS.has(name) ||
    TEXTS.has(name) ||
    VARIANTS.has(name) ||
    ruleNamed(key) !== undefined ||
    flagOf(key) !== undefined
  );
}

function readMember(statement: Statement, key: string, value: unknown): Fault | undefined {
  const name = plainName(key);
  const read = MEMBERS.get(name);
  if (read !== undefined) return isOff(value) && value !== false ? undefined : read(statement, key, value);
  if (VARIANTS.has(name)) return readVariants(statement, key, value);
  if (TEXTS.has(name)) return readText(statement, key, value);
  const flag = flagOf(key);
  if (flag !== undefined && !isOff(value)) {
    if (!isOn(value)) return unsupported(key, `${flag} as ${JSON.stringify(value)?.slice(0, 40)}`);
    statement.flags.push(flag);
    return undefined;
  }
  if (isLabel(key, value)) {
    statement.labels.push([key, value]);
    return DETAIL_OBJECTS.has(name) ? readDetails(statement, key, value) : undefined;
  }
  const captions = name === plainName('cages') ? captionsIn(value) : undefined;
  if (captions !== undefined) return readCaptions(statement, key, value, captions);
  const rule = flag === undefined ? ruleNamed(key) : flag;
  if (rule !== undefined) return isOff(value) || isStandard(value) ? undefined : unsupported(key, rule);
  return readUnknown(statement, key, value);
}

/** SudokuPad writes titles and rules as cages without cells: `{"value": "author: A. Setter"}`. */
function captionsIn(cages: unknown): string[] | undefined {
  if (!Array.isArray(cages) || cages.length === 0) return undefined;
  const captions = (cages as unknown[]).map((cage) => {
    const { value, ...others } = Object(cage) as Record<string, unknown>;
    return typeof value === 'string' && /^\w+:/.test(value) && isOff(others) ? value : undefined;
  });
  return captions.every((caption) => caption !== undefined) ? captions : undefined;
}

function readCaptions(
  statement: Statement,
  key: string,
  value: unknown,
  captions: readonly string[],
): Fault | undefined {
  statement.labels.push([key, value]);
  for (const caption of captions) {
    const [name] = caption.split(':', 1);
    if (!TEXTS.has(plainName(name))) continue;
    const fault = readText(statement, `${key}.${name}`, caption.slice(name.length + 1));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Objects with descriptions, in which SudokuPad has rules as well. */
const DETAIL_OBJECTS = new Set(['metadata', 'meta', 'info', 'setting']);

function readDetails(statement: Statement, key: string, value: unknown): Fault | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [inner, each] of Object.entries(value)) {
    if (isOff(each)) continue;
    const name = plainName(inner);
    if (TEXTS.has(name)) {
      const fault = readText(statement, `${key}.${inner}`, each);
      if (fault !== undefined) return fault;
    } else if (each === true || typeof each === 'object') {
      const rule = flagOf(inner) ?? ruleNamed(inner);
      if (rule !== undefined) return unsupported(`${key}.${inner}`, rule);
    }
  }
  return undefined;
}

type MemberReader = (statement: Statement, key: string, value: unknown) => Fault | undefined;

/** Members with a meaning of their own, by plain name. */
const MEMBERS: ReadonlyMap<string, MemberReader> = new Map([
  ...readBy(readDiagonals, 'diagonal'),
  ...readBy(diagonalReader('plus'), 'diagonalplus positive_diagonal'),
  ...readBy(diagonalReader('minus'), 'diagonalminus negative_diagonal'),
  ...readBy(readMap, 'region region_map jigsaw jigsaw_map irregular cell_regions region_layout'),
  ...readBy(readMaybeMap, 'layout map area area_map block block_map box_map boxes house'),
  ...readBy(readBox, 'box box_size box_shape block_size'),
  ...readBy(readNoBoxes, 'no_box no_boxes'),
  ...readBy(sideReader('boxRows'), 'box_rows box_height block_height block_rows region_height'),
  ...readBy(sideReader('boxColumns'), 'box_cols box_columns box_width block_width block_cols region_width'),
]);

/** @param names separated by spaces */
function readBy(read: MemberReader, names: string): ReadonlyArray<[string, MemberReader]> {
  return names.split(' ').map((name) => [plainName(name), read]);
}

/** Members with names of variants and rules, by plain name. */
const VARIANTS = new Set(
  [
    'variant',
    'variation',
    'type',
    'kind',
    'puzzletype',
    'sudokutype',
    'gametype',
    'mode',
    'gamemode',
    'constraint',
    'modifier',
  ].map(plainName),
);
/** Members with the text of the rules, or with names of rules, by plain name. */
const TEXTS = new Set(['rule', 'ruleset', 'ruletext', 'rulestext']);

/** The variant that a flag such as `windoku: true` names. */
function flagOf(key: string): VariantName | undefined {
  const name = plainName(key);
  if (name === 'x' || name === 'standard' || name === 'sudoku') return undefined;
  return FLAGS.get(name) ?? FLAGS.get(name.replace(/sudoku$/, ''));
}

const FLAGS: ReadonlyMap<string, VariantName> = new Map([
  ['xsudoku', 'latin-x'],
  ['sudokux', 'latin-x'],
  ['diagonalsudoku', 'latin-x'],
  ['windoku', 'windoku'],
  ['hyper', 'windoku'],
  ['hypersudoku', 'windoku'],
  ['window', 'windoku'],
  ['windokux', 'windoku-x'],
  ['latin', 'latin'],
  ['latinsquare', 'latin'],
]);

function readDiagonals(statement: Statement, key: string, value: unknown): Fault | undefined {
  if (isOff(value)) return undefined;
  const isBoth = isOn(value) || value === 2;
  for (const each of [isBoth ? 'both' : value].flat() as unknown[]) {
    const signs = DIAGONALS.get(String(each).toLowerCase());
    if (signs === undefined) return unsupported(key, `diagonals as ${JSON.stringify(value)?.slice(0, 40)}`);
    for (const sign of signs) statement.diagonals.set(sign, key);
  }
  return undefined;
}

/** The diagonals that a text names, rising (`+`) or falling. */
const DIAGONALS = new Map<string, readonly Diagonal[]>([
  ...['both', 'x', 'all'].map((name) => [name, ['plus', 'minus']] as const),
  ...['+', 'positive', 'anti'].map((name) => [name, ['plus']] as const),
  ...['-', 'negative', 'main'].map((name) => [name, ['minus']] as const),
]);

function diagonalReader(sign: Diagonal): MemberReader {
  return (statement, key, value) => {
    if (isOff(value)) return undefined;
    if (!isOn(value)) return unsupported(key, 'a diagonal');
    statement.diagonals.set(sign, key);
    return undefined;
  };
}

function readMap(statement: Statement, key: string, value: unknown): Fault | undefined {
  if (value === false || isStandard(value)) return undefined;
  if (isOn(value)) {
    statement.variants.push('jigsaw');
    return undefined;
  }
  if (statement.map !== undefined && JSON.stringify(statement.map.value) !== JSON.stringify(value)) {
    const found = `two region maps, ${JSON.stringify(statement.map.key)} and ${JSON.stringify(key)}`;
    return makeFault('bad_regions', -1, found, 'one');
  }
  statement.map = { key, value };
  return undefined;
}

/** A member whose name may mean regions, or something else. */
function readMaybeMap(statement: Statement, key: string, value: unknown): Fault | undefined {
  if (typeof value === 'boolean' && plainName(key) === plainName('boxes')) {
    statement.boxes = value;
    return undefined;
  }
  if (value === false || isStandard(value)) return undefined;
  if (typeof value === 'object') return readMap(statement, key, value);
  if (typeof value === 'string' && value.length >= MIN_MAP_LENGTH) return readMap(statement, key, value);
  const box = boxOf(value);
  if (box !== undefined && plainName(key) !== 'layout') return readBox(statement, key, value);
  return readUnknown(statement, key, value);
}

/** Length of the smallest map, of a 4x4. */
const MIN_MAP_LENGTH = 16;

function readBox(statement: Statement, key: string, value: unknown): Fault | undefined {
  if (value === false) return undefined;
  const box = boxOf(value);
  if (box !== undefined) {
    statement.box = box;
    return undefined;
  }
  if (typeof value === 'object' || (typeof value === 'string' && value.length >= MIN_MAP_LENGTH)) {
    return readMap(statement, key, value);
  }
  return makeFault('bad_regions', -1, `the box ${JSON.stringify(value)}`, 'rows x columns, such as "2x3"');
}

/** The shape of a box: `"2x3"`, `[2, 3]`, 3 for a square. */
function boxOf(value: unknown): readonly [rows: number, columns: number] | undefined {
  if (typeof value === 'string') return parseBox(value);
  const sides: unknown = typeof value === 'number' ? [value, value] : value;
  if (!Array.isArray(sides) || sides.length !== 2) return undefined;
  return parseBox(sides.join('x'));
}

function readNoBoxes(statement: Statement, key: string, value: unknown): Fault | undefined {
  if (value === false) return undefined;
  if (!isOn(value)) return unsupported(key, 'no boxes');
  statement.boxes = false;
  return undefined;
}

function sideReader(which: 'boxRows' | 'boxColumns'): MemberReader {
  return (statement, key, value) => {
    if (value === false) return undefined;
    const length = Number(value);
    if (!Number.isInteger(length) || length < 1) {
      const found = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
      return makeFault('bad_regions', -1, found, 'the side of a box');
    }
    statement[which] = length;
    return undefined;
  };
}

/** Reads names of variants: a text, a list, or flags. */
function readVariants(statement: Statement, key: string, value: unknown): Fault | undefined {
  if (isOff(value)) return undefined;
  if (Array.isArray(value)) {
    for (const each of value as unknown[]) {
      const fault = readVariants(statement, key, each);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  if (typeof value === 'string') return readVariant(statement, key, value);
  if (typeof value !== 'object') return unsupported(key, JSON.stringify(value) ?? 'nothing');
  const { type, name, kind } = value as Record<string, unknown>;
  const own = type ?? name ?? kind;
  if (typeof own === 'string') {
    // A constraint with cells and sums is more than its name.
    const rule = ruleNamed(own);
    return rule === undefined ? readVariant(statement, key, own) : unsupported(key, rule);
  }
  for (const [inner, each] of Object.entries(value as object)) {
    const fault = readMember(statement, inner, each);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function readVariant(statement: Statement, key: string, text: string): Fault | undefined {
  const variant = variantIn(text);
  if (variant !== undefined) {
    if (SUKAKU.test(text)) statement.byCandidates = true;
    // Words such as `sudoku` in a `type` are no choice between variants.
    if (variant !== 'standard' || plainName(key) === 'variant') statement.variants.push(variant);
    return undefined;
  }
  if (isStandard(text)) return undefined;
  const rule = ruleNamed(text);
  if (rule !== undefined && plainName(key) !== 'variant') return unsupported(key, rule);
  if (IS_GENERIC.test(key)) return readUnknown(statement, key, text);
  return makeFault(
    'unsupported_variant',
    -1,
    `${key} ${JSON.stringify(text)}`,
    `one of ${VARIANT_NAMES.join(', ')}`,
  );
}

/** Members that may state something else than rules. */
const IS_GENERIC = /^(type|kind|mode|game_?mode)$/i;

/** The suffix that records use for variants with candidates; see `withCandidates`. */
const SUKAKU = /-?sukaku$/i;

function variantIn(text: string): VariantName | undefined {
  const name = text.replace(SUKAKU, '').trim();
  return (
    parseVariantName(name || 'standard') ??
    parseVariantName(name.replace(/[\s_-]*(sudoku|puzzle|rules?)$/i, ''))
  );
}

/** Reads a text of rules, or names of rules. */
function readText(statement: Statement, key: string, value: unknown): Fault | undefined {
  if (isOff(value)) return undefined;
  if (typeof value !== 'string') {
    const isProse = Array.isArray(value) && value.some((each) => typeof each === 'string' && isText(each));
    if (!isProse) return readVariants(statement, key, value);
    for (const each of value as unknown[]) {
      const fault = readText(statement, key, each);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  if (!isText(value)) return readVariant(statement, key, value);
  const rule = ruleInText(value);
  if (rule !== undefined) return unsupported(key, `"${rule}" in the text of the rules`);
  statement.texts.push(value);
  if (!key.includes('.')) statement.labels.push([key, value]);
  return undefined;
}

/** Whether a text is more than a name. */
function isText(text: string): boolean {
  return text.trim().split(/\s+/).length > 3;
}
