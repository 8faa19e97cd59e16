/** Whether a value of JSON has puzzles, and where: an object may be a puzzle, or around puzzles. */
import { pairAmong } from '../records/pair.ts';
import type { RecordSink } from '../records/record-sink.ts';
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
  SOLUTION_KEYS,
} from './members.ts';
import { isRule } from './rules.ts';

/** Whether a member may be the grid of its object. */
function isGrid({ book }: RecordSink): (value: unknown) => boolean {
  return (value) => typeof value === 'string' || (Array.isArray(value) && !isGridList(value, book));
}

/** Whether a member of an object is its grid. */
export function hasGrid(sink: RecordSink, object: JsonObject): boolean {
  return gridKey(sink, object) !== undefined;
}

/** The member with the grid of an object: a puzzle, in any spelling, comes before a solution. */
export function gridKey(sink: RecordSink, object: JsonObject): string | undefined {
  const fits = isGrid(sink);
  return keyOf(object, PUZZLE_KEYS, fits) ?? keyOf(object, SOLUTION_KEYS, fits);
}

/** Whether an object has no grid, but members with puzzles. */
export function isWrapper(sink: RecordSink, object: JsonObject): boolean {
  if (hasGrid(sink, object) || pairOf(sink, object) !== undefined) return false;
  return membersHoldPuzzles(sink, object, 0);
}

/** The puzzle and the solution in an object without a member that is named like a puzzle. */
export function pairOf(sink: RecordSink, object: JsonObject): ReturnType<typeof pairAmong> {
  if (keyOf(object, PUZZLE_KEYS, isGrid(sink)) !== undefined) return undefined;
  const texts = Object.fromEntries(
    Object.entries(object).filter(
      (member): member is [string, string] => typeof member[1] === 'string' && isPuzzleText(sink, member[1]),
    ),
  );
  const pair = pairAmong(texts);
  if (pair === undefined) return undefined;
  const others = Object.keys(texts).filter((key) => key !== pair.puzzle && key !== pair.solution);
  return others.every((key) => isLabel(key, '')) ? pair : undefined;
}

/** Whether an object around puzzles has none: `{"puzzles": []}`. */
export function isEmptyWrapper(sink: RecordSink, object: JsonObject): boolean {
  let isEmpty = false;
  for (const [key, value] of Object.entries(object)) {
    const isList = Array.isArray(value) ? value.length === 0 : isObject(value) && isEmptyWrapper(sink, value);
    if (isList && isPuzzleList(key)) isEmpty = true;
    else if (isOff(value)) continue;
    else if (!isLabel(key, value) || holdsPuzzles(sink, value)) return false;
  }
  return isEmpty;
}

/** Whether a list with that name has puzzles: it is no label, no rule, and not the grid of one puzzle. */
function isPuzzleList(key: string): boolean {
  return !GRID_KEYS.includes(key) && !isLabel(key, []) && !isRule(key, true);
}

function membersHoldPuzzles(sink: RecordSink, object: JsonObject, depth: number): boolean {
  return Object.entries(object).some(([key, value]) => {
    if (isSolutionName(key)) return false;
    return (typeof value === 'object' || !isLabel(key, value)) && holdsPuzzles(sink, value, depth);
  });
}

/** Whether a value has a puzzle. */
export function holdsPuzzles(sink: RecordSink, value: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  if (typeof value === 'string') return isPuzzleText(sink, value);
  if (Array.isArray(value)) {
    const first: unknown = value[0];
    if (Array.isArray(first) && first.length >= MIN_ROW_LENGTH && !first.some(Array.isArray)) return true;
    if (typeof first === 'number') return value.length >= MIN_ROW_LENGTH ** 2;
    return value.some((each) => holdsPuzzles(sink, each, depth + 1));
  }
  if (!isObject(value)) return false;
  return hasGrid(sink, value) || membersHoldPuzzles(sink, value, depth + 1);
}

/** Levels of members in which puzzles are looked for. */
const MAX_DEPTH = 16;
export const MIN_ROW_LENGTH = 4;

/** Whether a text may be a puzzle on one line. */
export function isPuzzleText({ book }: RecordSink, text: string): boolean {
  return (
    book.geometryOfCells(text.length) !== undefined && /^[\w.*?#+-]+$/.test(text) && /[\d.*?_-]/.test(text)
  );
}
