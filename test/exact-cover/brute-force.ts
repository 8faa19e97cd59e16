/** Finds exact covers by trying every consistent set of options; shares no code with the solver. */
import fc from 'fast-check';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { createProblem } from './create-problem.ts';

export { NO_LIMITS } from '../../lib/exact-cover/search.ts';

/**
 * Every solution with some decisions, sorted; each as its option numbers, ascending and joined.
 *
 * @param decisions options that are in, from 0, and `~option` for those that are out
 */
export function bruteForce(problem: ExactCoverProblem, decisions: readonly number[] = []): string[] {
  const { primaryCount, secondaryCount, optionCount, multiplicities } = problem;
  const least = multiplicities?.least ?? new Int32Array(primaryCount).fill(1);
  const most = multiplicities?.most ?? new Int32Array(primaryCount).fill(1);
  const times = new Array<number>(primaryCount).fill(0);
  const colourOf = new Array<number | undefined>(primaryCount + secondaryCount).fill(undefined);
  const solutions: string[] = [];
  const extend = (chosen: readonly number[], from: number): void => {
    const isCover = times.every((count, item) => count >= least[item]);
    if (isCover && decisions.every((one) => one < 0 || chosen.includes(one))) {
      solutions.push(chosen.join(' '));
    }
    for (let option = from; option < optionCount; option++) {
      const entries = itemsOf(problem, option);
      const primary = entries.filter(([item]) => item < primaryCount);
      const secondary = entries.filter(([item]) => item >= primaryCount);
      const fits =
        // An option without a primary item is part of a solution only if the caller selected it.
        (primary.length > 0 || decisions.includes(option)) &&
        !decisions.includes(~option) &&
        primary.every(([item]) => times[item] < most[item]) &&
        secondary.every(([item, colour]) => {
          const before = colourOf[item];
          return before === undefined || (before !== 0 && before === colour);
        });
      if (!fits) continue;
      const fresh = secondary.filter(([item]) => colourOf[item] === undefined);
      for (const [item] of primary) times[item]++;
      for (const [item, colour] of fresh) colourOf[item] = colour;
      extend([...chosen, option], option + 1);
      for (const [item] of primary) times[item]--;
      for (const [item] of fresh) colourOf[item] = undefined;
    }
  };
  extend([], 0);
  return solutions.sort();
}

/** Whether options contain every primary item once, and each secondary item at most once, or in one colour. */
export function isCover(problem: ExactCoverProblem, options: readonly number[]): boolean {
  const entries = options.flatMap((option) => itemsOf(problem, option));
  const coloursOf = (item: number) => entries.filter(([other]) => other === item).map(([, colour]) => colour);
  return Array.from({ length: problem.primaryCount + problem.secondaryCount }, (_, item) => {
    const colours = coloursOf(item);
    if (item < problem.primaryCount) return colours.length === 1;
    return colours.length < 2 || (colours[0] !== 0 && new Set(colours).size === 1);
  }).every(Boolean);
}

/** The cost of a solution of `bruteForce`. */
export function costOf({ costs }: ExactCoverProblem, solution: string): number {
  const options = solution === '' ? [] : solution.split(' ').map(Number);
  return options.reduce((sum, option) => sum + (costs?.[option] ?? 0), 0);
}

function itemsOf(problem: ExactCoverProblem, option: number): [item: number, colour: number][] {
  const { optionStart, items, colours } = problem;
  const entries = Array.from({ length: optionStart[option + 1] - optionStart[option] });
  return entries.map((_, k) => [items[optionStart[option] + k], colours?.[optionStart[option] + k] ?? 0]);
}

/** Small problems without multiplicities and costs: no items, only secondary ones, unsolvable ones, with and without colours. */
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

/** Primary items with many options each, whose residual problems are often the same. */
const crowdedProblem: fc.Arbitrary<ExactCoverProblem> = fc
  .record({ primaryCount: fc.integer({ min: 2, max: 6 }), secondaryCount: fc.integer({ min: 1, max: 2 }) })
  .chain(({ primaryCount, secondaryCount }) => {
    const own = fc.uniqueArray(fc.nat(primaryCount - 1), { minLength: 1, maxLength: 3 });
    const colour = fc.constantFrom(0, 1, 1, 2, 2, 7);
    const secondary = fc.uniqueArray(fc.tuple(fc.nat(secondaryCount - 1), colour), {
      selector: ([item]) => item,
      maxLength: 1,
    });
    return fc.array(fc.tuple(own, secondary), { minLength: 6, maxLength: 14 }).map((rows) =>
      createProblem({
        primaryCount,
        secondaryCount,
        options: rows.map(([items, others]) => [...items, ...others.map(([other]) => primaryCount + other)]),
        colours: rows.map(([items, others]) => [...items.map(() => 0), ...others.map(([, one]) => one)]),
      }),
    );
  });

/** Multiplicities and costs for a problem, in all combinations. */
function withExtras(
  problem: ExactCoverProblem,
  kinds: { readonly repeated?: boolean; readonly priced?: boolean },
): fc.Arbitrary<ExactCoverProblem> {
  const { primaryCount, optionCount } = problem;
  const lengths = (length: number) => ({ minLength: length, maxLength: length });
  const bounds = fc.array(fc.tuple(fc.nat(2), fc.nat(2)), lengths(primaryCount));
  const prices = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), lengths(optionCount));
  const some = <T>(part: fc.Arbitrary<T>, wanted: boolean | undefined) =>
    wanted === undefined ? fc.option(part) : wanted ? part : fc.constant(null);
  return fc
    .tuple(some(bounds, kinds.repeated), some(prices, kinds.priced), fc.constantFrom(0, 1, 3, 1000))
    .map(([pairs, parts, maxCost]) => ({
      ...problem,
      multiplicities:
        pairs === null
          ? undefined
          : {
              least: Int32Array.from(pairs, ([least]) => least),
              most: Int32Array.from(pairs, ([least, more]) => Math.max(1, least + more)),
            },
      costs: parts === null ? undefined : Float64Array.from(parts, (part) => Math.round(part * maxCost)),
    }));
}

/** Small problems of every kind. @param kinds what all of them have, or have not */
export function anyProblem(kinds: Parameters<typeof withExtras>[1] = {}): fc.Arbitrary<ExactCoverProblem> {
  return fc.oneof(smallProblem, crowdedProblem).chain((problem) => withExtras(problem, kinds));
}

/** A problem and up to three of its options, which may clash, or be out. */
export function withDecisions(
  problems: fc.Arbitrary<ExactCoverProblem>,
  mayBeOut: boolean,
): fc.Arbitrary<[ExactCoverProblem, number[]]> {
  return problems.chain((problem) => {
    const option = fc.nat(Math.max(0, problem.optionCount - 1));
    const decisions = fc.uniqueArray(option, { maxLength: problem.optionCount === 0 ? 0 : 3 });
    const sides = fc.array(fc.boolean(), { minLength: 3, maxLength: 3 });
    return fc
      .tuple(decisions, sides)
      .map(([options, outs]): [ExactCoverProblem, number[]] => [
        problem,
        options.map((one, k) => (mayBeOut && outs[k] ? ~one : one)),
      ]);
  });
}
