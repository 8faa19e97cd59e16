/** Finds exact covers by trying every consistent set of options; shares no code with the solver. */
import fc from 'fast-check';
import type { RunLimits } from '../../lib/exact-cover/dancing-links.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { createProblem } from './create-problem.ts';

export const NO_LIMITS: RunLimits = {
  maxSolutions: Number.POSITIVE_INFINITY,
  maxNodes: Number.POSITIVE_INFINITY,
  sliceNodes: Number.POSITIVE_INFINITY,
  pauseAtSolution: false,
};

/** Returns every solution with the given options, sorted; each as its option numbers, ascending and joined. */
export function bruteForce(problem: ExactCoverProblem, preselected: readonly number[] = []): string[] {
  const { primaryCount, optionCount } = problem;
  const solutions: string[] = [];
  const chosen: number[] = [];
  const extend = (from: number): void => {
    if (isCover(problem, chosen) && preselected.every((option) => chosen.includes(option))) {
      solutions.push(chosen.join(' '));
    }
    for (let option = from; option < optionCount; option++) {
      // An option without a primary item is part of a solution only if the caller selected it.
      const hasPrimary = itemsOf(problem, option).some(([item]) => item < primaryCount);
      if ((hasPrimary || preselected.includes(option)) && fits(problem, [...chosen, option])) {
        chosen.push(option);
        extend(option + 1);
        chosen.pop();
      }
    }
  };
  extend(0);
  return solutions.sort();
}

/** Whether a set of options has every primary item once, and each secondary item at most once or in one colour. */
export function isCover(problem: ExactCoverProblem, options: readonly number[]): boolean {
  const covered = new Set(options.flatMap((option) => itemsOf(problem, option).map(([item]) => item)));
  for (let item = 0; item < problem.primaryCount; item++) {
    if (!covered.has(item)) {
      return false;
    }
  }
  return fits(problem, options);
}

function fits(problem: ExactCoverProblem, options: readonly number[]): boolean {
  const colourOf = new Map<number, number>();
  for (const option of options) {
    for (const [item, colour] of itemsOf(problem, option)) {
      const before = colourOf.get(item);
      if (before !== undefined && (colour === 0 || colour !== before)) {
        return false;
      }
      colourOf.set(item, colour);
    }
  }
  return true;
}

function itemsOf(problem: ExactCoverProblem, option: number): [item: number, colour: number][] {
  const result: [number, number][] = [];
  for (let k = problem.optionStart[option]; k < problem.optionStart[option + 1]; k++) {
    result.push([problem.items[k], problem.colours?.[k] ?? 0]);
  }
  return result;
}

/** Small problems of every kind: no items, only secondary ones, unsolvable ones, with and without colours. */
export const smallProblem: fc.Arbitrary<ExactCoverProblem> = fc
  .record({
    primaryCount: fc.integer({ min: 0, max: 6 }),
    secondaryCount: fc.integer({ min: 0, max: 3 }),
    coloured: fc.boolean(),
  })
  .chain(({ primaryCount, secondaryCount, coloured }) => {
    const itemCount = primaryCount + secondaryCount;
    const option =
      itemCount === 0
        ? fc.constant([])
        : fc.uniqueArray(fc.integer({ min: 0, max: itemCount - 1 }), { minLength: 1, maxLength: 4 });
    return fc
      .array(fc.tuple(option, fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 4, maxLength: 4 })), {
        maxLength: itemCount === 0 ? 0 : 11,
      })
      .map((rows) =>
        createProblem({
          primaryCount,
          secondaryCount,
          options: rows.map(([items]) => items),
          colours: coloured
            ? rows.map(([items, wanted]) => items.map((item, k) => (item < primaryCount ? 0 : wanted[k])))
            : undefined,
        }),
      );
  });

/** A small problem and up to three of its options, which may clash. */
export const problemAndPreselected = smallProblem.chain((problem) =>
  fc.tuple(
    fc.constant(problem),
    problem.optionCount === 0
      ? fc.constant([])
      : fc.uniqueArray(fc.integer({ min: 0, max: problem.optionCount - 1 }), { maxLength: 3 }),
  ),
);
