/** Tries every set of options, with multiplicities, colours and costs; shares no code with the solver. */
import fc from 'fast-check';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { smallProblem } from './brute-force.ts';

/** Options ascending. */
export interface Solution {
  readonly options: readonly number[];
  readonly cost: number;
}

/** Every solution, in the order of its options. */
export function everySolution(problem: ExactCoverProblem): Solution[] {
  const { primaryCount, secondaryCount, optionCount, optionStart, items, colours, costs } = problem;
  const { least, most } = problem.multiplicities ?? {
    least: new Int32Array(primaryCount).fill(1),
    most: new Int32Array(primaryCount).fill(1),
  };
  const times = new Array<number>(primaryCount).fill(0);
  const colourOf = new Array<number | undefined>(primaryCount + secondaryCount).fill(undefined);
  const solutions: Solution[] = [];
  const extend = (chosen: readonly number[], from: number): void => {
    if (times.every((count, item) => count >= least[item])) {
      solutions.push({
        options: chosen,
        cost: chosen.reduce((sum, option) => sum + (costs?.[option] ?? 0), 0),
      });
    }
    for (let option = from; option < optionCount; option++) {
      const entries = Array.from(
        { length: optionStart[option + 1] - optionStart[option] },
        (_, k) => optionStart[option] + k,
      );
      const primary = entries.filter((entry) => items[entry] < primaryCount);
      const secondary = entries.filter((entry) => items[entry] >= primaryCount);
      const fits =
        primary.length > 0 &&
        primary.every((entry) => times[items[entry]] < most[items[entry]]) &&
        secondary.every((entry) => {
          const before = colourOf[items[entry]];
          return before === undefined || (before !== 0 && before === colours?.[entry]);
        });
      if (!fits) continue;
      const fresh = secondary.filter((entry) => colourOf[items[entry]] === undefined);
      for (const entry of primary) times[items[entry]]++;
      for (const entry of fresh) colourOf[items[entry]] = colours?.[entry] ?? 0;
      extend([...chosen, option], option + 1);
      for (const entry of primary) times[items[entry]]--;
      for (const entry of fresh) colourOf[items[entry]] = undefined;
    }
  };
  extend([], 0);
  return solutions;
}

/** Small problems with multiplicities or without, with costs or without, and with colours or without. */
export function familyProblem({ priced }: { priced: boolean }): fc.Arbitrary<ExactCoverProblem> {
  return smallProblem.chain((problem) =>
    fc
      .record({
        bounds: fc.option(
          fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 })), {
            minLength: problem.primaryCount,
            maxLength: problem.primaryCount,
          }),
          { freq: 4 },
        ),
        maxCost: fc.constantFrom(0, 1, 3, 1000),
        prices: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
          minLength: problem.optionCount,
          maxLength: problem.optionCount,
        }),
      })
      .map(({ bounds, maxCost, prices }) => {
        const multiplicities = bounds && {
          least: Int32Array.from(bounds, ([least]) => least),
          most: Int32Array.from(bounds, ([least, more]) => Math.max(1, least + more)),
        };
        return {
          ...problem,
          multiplicities: multiplicities ?? undefined,
          costs: priced ? Float64Array.from(prices, (price) => Math.round(price * maxCost)) : undefined,
        };
      }),
  );
}
