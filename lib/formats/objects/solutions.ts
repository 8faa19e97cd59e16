/**
 * Lists of puzzles and of their solutions in one object, in the same order:
 *
 *     {"quizzes": ["53..7....", ...], "solutions": ["534678912", ...]}
 *     {"puzzle": {"0": "53..7....", ...}, "solution": {"0": "534678912", ...}}
 */

import type { RecordSink } from '../records/record-sink.ts';
import { isLabel, isObject, isSolutionName, type JsonObject } from './members.ts';
import { isPuzzleText } from './puzzles-in.ts';
import { isRule } from './rules.ts';

/** @returns the solutions of an object's puzzles, in order; undefined if it has no such lists, or of different lengths */
export function solutionsIn(sink: RecordSink, object: JsonObject): readonly unknown[] | undefined {
  const lists = Object.entries(object).filter(
    ([key, value]) => elementsOf(value).length > 0 && !isLabel(key, value),
  );
  const puzzles = lists.filter(([key, value]) => !isSolutionName(key) && !isRule(key, value));
  const solutions = lists.filter(([key]) => isSolutionName(key));
  if (puzzles.length !== 1 || solutions.length !== 1) return undefined;
  const [[, own], [, others]] = [puzzles[0], solutions[0]];
  const elements = elementsOf(own);
  const isPlain =
    elements.every((each) => typeof each === 'string' && isPuzzleText(sink, each)) ||
    elements.every(Array.isArray);
  const isPaired = Object.keys(own as object).join() === Object.keys(others as object).join();
  return isPlain && isPaired ? elementsOf(others) : undefined;
}

function elementsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) || isObject(value) ? Object.values(value) : [];
}
