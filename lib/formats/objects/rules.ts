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
import { VARIANT_NAMES, type VariantName } from '../../sudoku/geometry/variants.ts';
import { statedAlone, statedBy, TYPES, variantIn } from '../rules/labels.ts';
import { plainName, ruleInText, ruleNamed } from '../rules/rule-names.ts';
import { isLabel, isObject, isOff, type JsonObject } from './members.ts';
import {
  type Diagonal,
  isOn,
  isStandard,
  namesRules,
  type ObjectRules,
  Statement,
  unsupported,
} from './statement.ts';
import { fail, faultOf } from './unreadable.ts';

/** Reads a member that is not off into a statement. */
type MemberReader = (statement: Statement, key: string, value: unknown) => void;

/**
 * Reads the rules of an object.
 *
 * @param used keys of the members with the puzzle, its solution and its name
 */
export function rulesOf(object: JsonObject, used: ReadonlySet<string> = new Set()): ObjectRules {
  const statement = new Statement();
  for (const [key, value] of Object.entries(object)) if (!used.has(key)) readMember(statement, key, value);
  return statement.conclude();
}

/** Whether a member changes the rules of a puzzle: in an object around puzzles, it does so for all of them. */
export function isRule(key: string, value: unknown): boolean {
  if (isOff(value)) return false;
  const name = plainName(key);
  if (!isLabel(key, value)) {
    const isStated = typeof value === 'string' && statedAlone(value) !== undefined;
    return isStated || MEMBERS.has(name) || flagOf(key) !== undefined || ruleNamed(key) !== undefined;
  }
  if (typeof value === 'string') return statedBy(name, value) !== undefined;
  let isStated = false;
  const fault = faultOf(() => {
    isStated = namesRules(rulesOf({ [key]: value }));
  });
  return isStated || fault !== undefined;
}

function readMember(statement: Statement, key: string, value: unknown): void {
  const name = plainName(key);
  const read =
    MEMBERS.get(name) ?? (name === CAGES && captionsIn(value) !== undefined ? readCaptions : undefined);
  const flag = flagOf(key);
  if (name === BOXES && typeof value === 'boolean') statement.flags.push(value ? 'standard' : 'latin');
  else if (read !== undefined) {
    if (!isOff(value)) read(statement, key, value);
  } else if (flag !== undefined && !isOff(value)) {
    if (!isOn(value)) unsupported(key, `${flag} as ${shown(value)}`);
    statement.flags.push(flag);
  } else if (isLabel(key, value)) {
    statement.labels.push([key, value]);
    if (DETAIL_OBJECTS.has(name) && isObject(value)) readDetails(statement, key, value);
    else readLabel(statement, key, name, value);
  } else {
    const stated = typeof value === 'string' ? statedAlone(value) : undefined;
    const rule = flag ?? ruleNamed(key) ?? stated?.rule;
    if (stated?.variant !== undefined) statement.variants.push(stated.variant);
    else if (rule === undefined) statement.addUnknown(key, value);
    else if (!isOff(value) && !isStandard(value)) unsupported(key, rule);
  }
}

const CAGES = plainName('cages');
const BOXES = plainName('boxes');

/** Reads what a label states, or each text of a list. */
function readLabel(statement: Statement, key: string, name: string, value: unknown): void {
  for (const each of [value].flat() as unknown[]) {
    const stated = typeof each === 'string' ? statedBy(name, each) : undefined;
    if (stated?.rule !== undefined) unsupported(key, stated.rule);
    if (stated?.variant !== undefined) statement.variants.push(stated.variant);
  }
}

function shown(value: unknown): string | undefined {
  return JSON.stringify(value)?.slice(0, 40);
}

/** SudokuPad writes titles and rules as cages without cells: `{"value": "author: A. Setter"}`. */
function captionsIn(cages: unknown): readonly string[] | undefined {
  if (!Array.isArray(cages) || cages.length === 0) return undefined;
  const captions = (cages as unknown[]).map((cage) => {
    const { value, ...others } = Object(cage) as JsonObject;
    return typeof value === 'string' && /^\w+:/.test(value) && isOff(others) ? value : undefined;
  });
  return captions.every((caption) => caption !== undefined) ? captions : undefined;
}

function readCaptions(statement: Statement, key: string, value: unknown): void {
  statement.labels.push([key, value]);
  for (const caption of captionsIn(value)!) {
    const [name] = caption.split(':', 1);
    if (isTexts(name)) readText(statement, `${key}.${name}`, caption.slice(name.length + 1));
  }
}

/** Objects with descriptions, in which SudokuPad has rules as well. */
const DETAIL_OBJECTS = new Set(['metadata', 'meta', 'info', 'information', 'setting', 'option']);

/** Reads an object with descriptions: members of other names and values are none of rules. */
function readDetails(statement: Statement, key: string, details: JsonObject): void {
  for (const [inner, each] of Object.entries(details)) {
    const [path, name] = [`${key}.${inner}`, plainName(inner)];
    const flag = flagOf(inner);
    const isSet = each === true || (typeof each === 'object' && !isOff(each));
    const rule = isSet ? (flag ?? ruleNamed(inner)) : undefined;
    if (isTexts(inner)) readText(statement, path, each);
    else if (each === true && (flag !== undefined || MEMBERS.has(name))) readMember(statement, inner, each);
    else if (rule !== undefined) unsupported(path, rule);
    else readLabel(statement, path, name, each);
  }
}

/** Members with a meaning of their own, by plain name. */
const MEMBERS: ReadonlyMap<string, MemberReader> = new Map([
  ...readBy(diagonalReader(['plus', 'minus']), 'diagonal'),
  ...readBy(diagonalReader(['plus']), 'diagonalplus positive_diagonal'),
  ...readBy(diagonalReader(['minus']), 'diagonalminus negative_diagonal'),
  ...readBy(readMap, 'region region_map jigsaw jigsaw_map irregular cell_regions region_layout'),
  ...readBy(readMaybeMap, 'layout map area area_map block block_map box_map boxes house'),
  ...readBy(readBox, 'box box_size box_shape block_size'),
  ...readBy(sideReader('boxRows'), 'box_rows box_height block_height block_rows region_height'),
  ...readBy(sideReader('boxColumns'), 'box_cols box_columns box_width block_width block_cols region_width'),
  ...readBy(readVariants, TYPES),
  ...readBy(readText, 'rule ruleset ruletext rulestext'),
]);
/** @param names separated by spaces */
function readBy(read: MemberReader, names: string): ReadonlyArray<[string, MemberReader]> {
  return names.split(' ').map((name) => [plainName(name), read]);
}

/** Whether a member has the text of the rules, or names of rules. */
function isTexts(key: string): boolean {
  return MEMBERS.get(plainName(key)) === readText;
}

/** The variant that a flag such as `windoku: true` names. */
export function flagOf(key: string): VariantName | undefined {
  const name = plainName(key);
  return FLAGS.get(name) ?? FLAGS.get(name.replace(/sudoku$/, ''));
}

const FLAGS: ReadonlyMap<string, VariantName> = new Map([
  ['xsudoku', 'latin-x'],
  ['sudokux', 'latin-x'],
  ['diagonalsudoku', 'latin-x'],
  ['windoku', 'windoku'],
  ['hyper', 'windoku'],
  ['window', 'windoku'],
  ['windokux', 'windoku-x'],
  ['latin', 'latin'],
  ['latinsquare', 'latin'],
  ['nobox', 'latin'],
  [plainName('no boxes'), 'latin'],
]);

/** @param own the diagonals that the member is about */
function diagonalReader(own: readonly Diagonal[]): MemberReader {
  return (statement, key, value) => {
    for (const each of [value].flat() as unknown[]) {
      const signs = isOn(value) ? own : DIAGONALS.get(String(each).toLowerCase());
      if (signs === undefined || (own.length === 1 && !isOn(value)))
        unsupported(key, `diagonals as ${shown(value)}`);
      for (const sign of signs) statement.diagonals.set(sign, key);
    }
  };
}

/** The diagonals that a text names, rising (`+`) or falling. */
const DIAGONALS = new Map<string, readonly Diagonal[]>([
  ...['both', 'x', 'all', '2'].map((name) => [name, ['plus', 'minus']] as const),
  ...['+', 'positive', 'anti'].map((name) => [name, ['plus']] as const),
  ...['-', 'negative', 'main'].map((name) => [name, ['minus']] as const),
]);

function readMap(statement: Statement, key: string, value: unknown): void {
  const { map, variants } = statement;
  if (isStandard(value)) return;
  if (isOn(value)) variants.push('jigsaw');
  else if (map === undefined || JSON.stringify(map.value) === JSON.stringify(value))
    statement.map = { key, value };
  else fail('bad_regions', `two region maps, ${JSON.stringify(map.key)} and ${JSON.stringify(key)}`, 'one');
}

/** Length of the smallest map, of a 4x4. */
const MIN_MAP_LENGTH = 16;

function mayBeMap(value: unknown): boolean {
  return typeof value === 'object' || (typeof value === 'string' && value.length >= MIN_MAP_LENGTH);
}

/** Reads a member whose name may mean regions, or something else. */
function readMaybeMap(statement: Statement, key: string, value: unknown): void {
  const box = boxOf(value);
  if (isStandard(value)) return;
  if (mayBeMap(value)) readMap(statement, key, value);
  else if (box !== undefined && plainName(key) !== 'layout') statement.box = box;
  else statement.addUnknown(key, value);
}

function readBox(statement: Statement, key: string, value: unknown): void {
  const box = boxOf(value);
  if (box !== undefined) statement.box = box;
  else if (mayBeMap(value)) readMap(statement, key, value);
  else fail('bad_regions', `the box ${JSON.stringify(value)}`, 'rows x columns, such as "2x3"');
}

/** The shape of a box: `"2x3"`, `[2, 3]`, 3 for a square. */
function boxOf(value: unknown): readonly [rows: number, columns: number] | undefined {
  if (typeof value === 'string') return parseBox(value);
  const sides: unknown = typeof value === 'number' ? [value, value] : value;
  return Array.isArray(sides) && sides.length === 2 ? parseBox(sides.join('x')) : undefined;
}

function sideReader(which: 'boxRows' | 'boxColumns'): MemberReader {
  return (statement, key, value) => {
    const length = Number(value);
    if (!Number.isInteger(length) || length < 1)
      fail('bad_regions', `${JSON.stringify(key)}: ${JSON.stringify(value)}`, 'the side of a box');
    statement[which] = length;
  };
}

/** Reads names of variants: a text, a list, or flags. */
function readVariants(statement: Statement, key: string, value: unknown): void {
  if (isOff(value)) return;
  if (Array.isArray(value)) for (const each of value as unknown[]) readVariants(statement, key, each);
  else if (typeof value === 'string') readVariant(statement, key, value);
  else if (!isObject(value)) unsupported(key, JSON.stringify(value) ?? 'nothing');
  else {
    const { type, name, kind } = value;
    const own = type ?? name ?? kind;
    if (typeof own === 'string') {
      // A constraint with cells and sums is more than its name.
      const rule = ruleNamed(own);
      if (rule !== undefined) unsupported(key, rule);
      readVariant(statement, key, own);
    } else for (const [inner, each] of Object.entries(value)) readMember(statement, inner, each);
  }
}

/** Members that may state something else than rules. */
const IS_GENERIC = /^(type|kind|mode|game_?mode)$/i;
/** The suffix that records use for variants with candidates; see `withCandidates`. */
const SUKAKU = /-?sukaku$/i;

function readVariant(statement: Statement, key: string, text: string): void {
  const isChoice = plainName(key) === 'variant';
  const name = text.replace(SUKAKU, '').trim();
  const variant = variantIn(name || 'standard');
  const rule = ruleNamed(text);
  if (variant !== undefined) {
    if (SUKAKU.test(text)) statement.byCandidates = true;
    // Words such as `sudoku` in a `type` are no choice between variants.
    if (variant !== 'standard' || isChoice) statement.variants.push(variant);
  } else if (isStandard(text)) return;
  else if (rule !== undefined && !isChoice) unsupported(key, rule);
  else if (IS_GENERIC.test(key)) statement.addUnknown(key, text);
  else fail('unsupported_variant', `${key} ${JSON.stringify(text)}`, `one of ${VARIANT_NAMES.join(', ')}`);
}

/** Reads a text of rules, or names of rules. */
function readText(statement: Statement, key: string, value: unknown): void {
  if (isOff(value)) return;
  if (Array.isArray(value) && value.some(isText)) {
    for (const each of value as unknown[]) readText(statement, key, each);
  } else if (!isText(value)) readVariants(statement, key, value);
  else {
    const rule = ruleInText(value);
    if (rule !== undefined) unsupported(key, `"${rule}" in the text of the rules`);
    statement.texts.push(value);
    if (!key.includes('.')) statement.labels.push([key, value]);
  }
}

/** Whether a value is a text that is more than a name. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim().split(/\s+/).length > 3;
}
