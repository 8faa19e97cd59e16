/** Places in exact-cover searches that callers store. */
import type { ExactCoverProblem } from '../exact-cover/problem.ts';
import type { SearchPlace } from '../exact-cover/resumable-search.ts';
import { countJson, countOfJson } from '../exact-cover/solution-count.ts';
import { DlxBatchError } from './errors.ts';
import { isPlainObject } from './read-options.ts';

/**
 * A place in a search, as plain data that survives JSON. It belongs to one problem: the same items and options, in the
 * same order. A continued search finds the same solutions as an uninterrupted one, each once; their order may differ.
 *
 * With costs, the order is the same. But such a search gives nothing before it has proven what is cheapest, and a position
 * has only what it has given: after a `LimitError`, the search for the next solution begins again. `count` does not search in
 * this order: after a position of such a search it counts all solutions anew; after a `LimitError` of `count`, a search gives the
 * cheapest solution first.
 *
 * @example
 * ```ts
 * import { type CoverPosition, exactCover } from 'dlx-batch/exact-cover';
 *
 * const cover = exactCover({ primary: ['a', 'b'], options: [['a'], ['b'], ['a', 'b']] });
 * const search = cover.solutions();
 * search.next().value; // => [['a'], ['b']]
 *
 * const saved = JSON.stringify(search.position());
 * const position = JSON.parse(saved) as CoverPosition;
 * [...cover.solutions({ from: position })]; // => [[['a', 'b']]]
 * ```
 */
export interface CoverPosition extends Omit<SearchPlace, 'solutions'> {
  /** A digest of the problem. */
  readonly problem: string;
  /** Solutions found so far; digits beyond 2^53 - 1. */
  readonly solutions: number | string;
}

export function positionOf(place: SearchPlace, problem: ExactCoverProblem): CoverPosition {
  return { problem: digestOf(problem), ...place, solutions: countJson(place.solutions) };
}

/**
 * The place of a position. A count does not search in the order of costs: it begins anew after solutions that were given in this
 * order, which it counts too; and so does a search in this order after a count, which has given none.
 *
 * @param isCounted whether solutions are counted from there
 * @throws DlxBatchError `bad_position` if the position is damaged, or belongs to another problem
 */
export function placeOf(position: unknown, problem: ExactCoverProblem, isCounted: boolean): SearchPlace {
  if (!isPlainObject(position)) throw badPosition('is not an object');
  if (position.problem !== digestOf(problem)) throw badPosition('belongs to another problem');
  const { nodes, branches, cost } = position as unknown as SearchPlace;
  const solutions = countOfJson(position.solutions);
  const leastDecision = problem.multiplicities === undefined ? 0 : -problem.optionCount;
  const isDecision = (one: number) =>
    Number.isInteger(one) && one >= leastDecision && one < problem.optionCount;
  const isValid =
    isCount(nodes) &&
    solutions !== undefined &&
    (branches !== undefined || cost !== undefined || solutions === 0) &&
    (cost === undefined || (isCount(cost?.latest) && isCount(cost.given))) &&
    (branches === undefined ||
      (Array.isArray(branches) &&
        branches.every((branch) =>
          [branch?.selected, branch?.untried].every((list) => Array.isArray(list) && list.every(isDecision)),
        )));
  if (!isValid) throw badPosition('is damaged');
  const isOther = isCounted ? cost !== undefined : (branches?.length ?? 0) > 0;
  if (problem.costs !== undefined && isOther) return { solutions: 0, nodes };
  return { solutions, nodes, branches, cost };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function badPosition(problem: string): DlxBatchError {
  return new DlxBatchError('bad_position', `the position ${problem}: expected the result of position()`);
}

/** A digest of a problem (FNV-1a, two words): it detects mistakes, not manipulation. */
export function digestOf(problem: ExactCoverProblem): string {
  const { primaryCount, secondaryCount, optionStart, items, colours = [], costs = [] } = problem;
  const { least = [], most = [] } = problem.multiplicities ?? {};
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (const numbers of [[primaryCount, secondaryCount], optionStart, items, colours, least, most, costs]) {
    for (const number of numbers) {
      // Costs have up to 53 bits, of which an operator takes 32.
      for (const word of [number, number / 2 ** 32]) {
        low = Math.imul(low ^ word, 0x01000193);
        high = Math.imul(high ^ word ^ (low >>> 15), 0x85ebca6b);
      }
    }
  }
  return [low, high].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}
