/** Whether a value of JSON has puzzles, and where: an object may be a puzzle, or around puzzles. */
import { isLatin, pairAmong } from '../records/pair.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { cellCode } from './cells.ts';
import { isGridList } from './grid.ts';
import {
  GRID_KEYS,
  isLabel,
  isObject,
  isOff,
  isSolutionName,
  type JsonObject,
  keyOf,
  PUZZLE_KEYS,
} from './members.ts';
import { isRule } from './rules.ts';

const MIN_ROW_LENGTH = 4;
const BLANKS = /[0._*?-]/;
/** Words that are shorter than the smallest grid: `"board": "sudoku"`. */
const WORDS = /^[a-z ]{1,15}$/i;

/** Whether a member may be the grid of its object. */
function isGrid({ book }: RecordSink): (value: unknown) => boolean {
  return (value) =>
    typeof value === 'string'
      ? !WORDS.test(value)
      : Array.isArray(value) && !isGridList(value, book) && !arePlaces(value);
}

/** Whether a list has the places of cells, as those of a cage: `[[0, 1], [0, 2]]`, `["r1c2", "r1c3"]`. */
function arePlaces(list: readonly unknown[]): boolean {
  const isPlace = (each: unknown) =>
    typeof each === 'string' ? /^r\d+c\d+$/i.test(each) : Array.isArray(each) && each.length === 2;
  return list.length > 0 && list.every(isPlace);
}

/**
 * The member with the grid of an object: a puzzle, in any spelling, comes before a solution. If none is named like one, the
 * only grid: what is beside it may be its rules.
 */
export function gridKey(sink: RecordSink, object: JsonObject): string | undefined {
  return namedGrid(sink, object) ?? onlyGrid(sink, object);
}

function namedGrid(sink: RecordSink, object: JsonObject): string | undefined {
  return keyOf(object, GRID_KEYS, isGrid(sink));
}

function onlyGrid(sink: RecordSink, object: JsonObject): string | undefined {
  const grids = Object.keys(object).filter((key) => {
    const value = object[key];
    return (
      (typeof value === 'object' || !isLabel(key, value)) && !isRule(key, value) && holdsPuzzles(sink, value)
    );
  });
  return grids.length === 1 && gridTexts(sink, object).has(grids[0]) ? grids[0] : undefined;
}

/** Whether an object has no grid, but members with puzzles. */
export function isWrapper(sink: RecordSink, object: JsonObject): boolean {
  if (gridKey(sink, object) !== undefined || pairOf(sink, object) !== undefined) return false;
  return membersHoldPuzzles(sink, object) && !hasMap(sink, object);
}

/** Whether an object has two grids, of which the full one is no solution, and so may be the map of the other. */
function hasMap(sink: RecordSink, object: JsonObject): boolean {
  const texts = [...gridTexts(sink, object).values()];
  const [full, ...others] = texts.filter((text) => !BLANKS.test(text));
  const isPair = texts.length === 2 && full !== undefined && texts[0].length === texts[1].length;
  return isPair && others.length === 0 && !isLatin(full);
}

/** The puzzle and the solution in an object without a member that is named like a puzzle. */
export function pairOf(sink: RecordSink, object: JsonObject): ReturnType<typeof pairAmong> {
  if (keyOf(object, PUZZLE_KEYS, isGrid(sink)) !== undefined) return undefined;
  const texts = gridTexts(sink, object);
  const pair = pairAmong(Object.fromEntries(texts));
  const others = [...texts.keys()].filter((key) => key !== pair?.puzzle && key !== pair?.solution);
  return others.every((key) => isLabel(key, '')) ? pair : undefined;
}

/** The members of an object that are grids, as texts; none if it has one member, which is in no pair. */
export function gridTexts(sink: RecordSink, object: JsonObject): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const keys = Object.keys(object);
  if (keys.length === 1) return texts;
  for (const key of keys) {
    const text = gridText(sink, object[key]);
    if (text !== undefined) texts.set(key, text);
  }
  return texts;
}

/** A grid as a text with a character for each cell; undefined if a value is none. */
function gridText(sink: RecordSink, value: unknown): string | undefined {
  if (typeof value === 'string') return isPuzzleText(sink, value) ? value : undefined;
  if (!Array.isArray(value) || isGridList(value, sink.book)) return undefined;
  const codes = value.flat().flatMap((cell: unknown) => {
    const isRow = typeof cell === 'string' && cell.length >= MIN_ROW_LENGTH;
    return isRow ? Array.from(cell, cellCode) : [cellCode(cell)];
  });
  const isGrid = sink.book.geometryOfCells(codes.length) !== undefined;
  const isWhole = isGrid && codes.every((code) => code !== undefined);
  return isWhole ? String.fromCharCode(...codes) : undefined;
}

/**
 * The solutions of an object's puzzles, in lists next to each other and in the same order:
 *
 *     {"quizzes": ["53..7....", ...], "solutions": ["534678912", ...]}
 *     {"puzzle": {"0": "53..7....", ...}, "solution": {"0": "534678912", ...}}
 *
 * @returns undefined if it has no such lists, or of different lengths
 */
export function solutionsIn(sink: RecordSink, object: JsonObject): readonly unknown[] | undefined {
  const lists = Object.entries(object).filter(
    (member): member is [string, object] => elementsOf(member[1]).length > 0 && !isLabel(...member),
  );
  const puzzles = lists.filter(([key, value]) => !isSolutionName(key) && !isRule(key, value));
  const solutions = lists.filter(([key]) => isSolutionName(key));
  if (puzzles.length !== 1 || solutions.length !== 1) return undefined;
  const [[[, own]], [[, others]]] = [puzzles, solutions];
  const isText = (each: unknown) => typeof each === 'string' && isPuzzleText(sink, each);
  const isPlain = elementsOf(own).every(isText) || elementsOf(own).every(Array.isArray);
  return isPlain && Object.keys(own).join() === Object.keys(others).join() ? elementsOf(others) : undefined;
}

function elementsOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

/** Whether an object around puzzles has none: `{"puzzles": []}`. */
export function isEmptyWrapper(sink: RecordSink, object: JsonObject): boolean {
  let isEmpty = false;
  for (const [key, value] of Object.entries(object)) {
    const isList = Array.isArray(value) ? value.length === 0 : isObject(value) && isEmptyWrapper(sink, value);
    // A list with that name has puzzles: it is no label, no rule, and not the grid of one puzzle.
    const isPuzzles = !GRID_KEYS.includes(key) && !isLabel(key, []) && !isRule(key, true);
    if (isList && isPuzzles) isEmpty = true;
    else if (!isOff(value) && (!isLabel(key, value) || holdsPuzzles(sink, value))) return false;
  }
  return isEmpty;
}

function membersHoldPuzzles(sink: RecordSink, object: JsonObject): boolean {
  return Object.entries(object).some(([key, value]) => {
    if (isSolutionName(key)) return false;
    return (typeof value === 'object' || !isLabel(key, value)) && holdsPuzzles(sink, value);
  });
}

/** Whether a value has a puzzle. */
export function holdsPuzzles(sink: RecordSink, value: unknown): boolean {
  if (typeof value === 'string') return isPuzzleText(sink, value);
  if (isObject(value)) {
    return namedGrid(sink, value) !== undefined || membersHoldPuzzles(sink, value);
  }
  if (!Array.isArray(value)) return false;
  const [first] = value as unknown[];
  if (Array.isArray(first) && first.length >= MIN_ROW_LENGTH && !first.some(Array.isArray)) return true;
  if (typeof first === 'number') return value.length >= MIN_ROW_LENGTH ** 2;
  return value.some((each) => holdsPuzzles(sink, each));
}

/** Whether a text may be a puzzle on one line. */
export function isPuzzleText({ book }: RecordSink, text: string): boolean {
  const isLine = book.geometryOfCells(text.length) !== undefined;
  return isLine && /^[\w.*?#+-]+$/.test(text) && /[\d.*?_-]/.test(text);
}
