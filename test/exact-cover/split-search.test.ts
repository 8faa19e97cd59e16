/** A search that is split into subproblems finds what the whole search finds, wherever and in whatever order they are searched. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DancingLinks, type RunLimits, SearchStop } from '../../lib/exact-cover/dancing-links.ts';
import { openLinks } from '../../lib/exact-cover/open-links.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import type { SearchCounts } from '../../lib/exact-cover/search.ts';
import { createLinks } from '../../lib/exact-cover/split/create-links.ts';
import { type Frontier, splitSearch } from '../../lib/exact-cover/split/frontier.ts';
import {
  type FoundSolution,
  type OpenAnswers,
  SPLIT_RULE,
  type SplitRule,
  SplitSearch,
} from '../../lib/exact-cover/split/split-search.ts';
import { type SubproblemLimits, subproblemSteps } from '../../lib/exact-cover/split/subproblem-search.ts';
import { propertyRuns } from '../support/depth.ts';
import { anyProblem, bruteForce, NO_LIMITS, smallProblem } from './brute-force.ts';
import { langford, pentominoes, queens } from './classic-problems.ts';
import { createProblem } from './create-problem.ts';
import { motleyDissections } from './known-problems.ts';

/** Splits after a few nodes. */
const SOON: SplitRule = { work: 1, nodes: 3, learningNodes: 3, subproblemWork: 1, least: 4, most: 40 };

/** Two items that have nothing in common, with so many options each. */
function apart(few: number, many: number): ExactCoverProblem {
  const options = [...Array(few).fill([0]), ...Array(many).fill([1])];
  return createProblem({ primaryCount: 2, options });
}

/** Searches a subproblem to its end. @param onSolution called at each solution that is wanted */
function searchSubproblem(
  links: DancingLinks,
  frontier: Frontier,
  index: number,
  limits: SubproblemLimits,
  onSolution = () => {},
): SearchCounts {
  const steps = subproblemSteps(links, frontier, index, limits);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) if (step.value === 'solution') onSolution();
  return step.value;
}

/** What a search has found, and its counts. */
interface Outcome {
  readonly stop: SearchStop;
  readonly found: readonly string[];
  readonly counts: SearchCounts;
  /** Undefined if the search was not split. */
  readonly subproblems: number | undefined;
}

/** Runs a search in slices of these lengths. */
function outcomeOf(
  search: DancingLinks | SplitSearch,
  limits: Partial<RunLimits>,
  slices: readonly number[] = [Number.POSITIVE_INFINITY],
): Outcome {
  const found: string[] = [];
  const all = { ...NO_LIMITS, pauseAtSolution: true, ...limits };
  for (let k = 0; ; k++) {
    const before = search.solutions;
    const stop = search.run({ ...all, sliceNodes: slices[k % slices.length] });
    if (search.solutions > before) {
      found.push(search.selected.slice().sort().join(' '));
    }
    if (stop === SearchStop.slice || stop === SearchStop.solution) continue;
    const { solutions, nodes, guesses, updates } = search;
    const counts = { solutions, nodes, guesses, updates };
    const subproblems = search instanceof SplitSearch ? search.subproblems?.all : undefined;
    return { stop, found, counts, subproblems };
  }
}

/**
 * Answers whose subproblems are searched in another order, and become known a few at a time.
 *
 * @param order any numbers: they decide the order
 */
function otherOrder(problem: ExactCoverProblem, limits: RunLimits, order: readonly number[]): OpenAnswers {
  return (frontier) => {
    const size = frontier.subproblems.length;
    const links = createLinks(problem, frontier);
    const known = new Map<number, (FoundSolution | SearchCounts)[]>();
    const left = Array.from({ length: size }, (_, index) => index);
    let calls = 0;
    const searchOne = () => {
      const [index] = left.splice(order[calls++ % order.length] % left.length, 1);
      const parts: (FoundSolution | SearchCounts)[] = [];
      const keep = () => {
        const { selected, nodes, guesses, updates } = links;
        parts.push({ options: selected.slice(), nodes, guesses, updates });
      };
      const wanted = { ...limits, each: limits.pauseAtSolution };
      parts.push(searchSubproblem(links, frontier, index, wanted, keep));
      known.set(index, parts);
    };
    return {
      done: 0,
      take(index) {
        if (left.length > 0) searchOne();
        return known.get(index)?.shift();
      },
    };
  };
}

function splitElsewhere(problem: ExactCoverProblem, wanted: number, openAnswers: OpenAnswers): SplitSearch {
  const search = new SplitSearch(problem, wanted, { rule: SOON });
  search.openAnswers = openAnswers;
  return search;
}

const someNumbers = fc.array(fc.nat(60), { minLength: 1, maxLength: 5 });

const problems = anyProblem({ priced: false });

/** The search for all solutions that is split. */
function wholeSearch(problem: ExactCoverProblem): DancingLinks {
  return openLinks(problem, Number.POSITIVE_INFINITY);
}

describe('a split search', () => {
  it('has the same outcome under any limits, wherever its subproblems are searched', () => {
    let splits = 0;
    fc.assert(
      fc.property(
        problems,
        fc.record({ nodes: fc.integer({ min: 1, max: 80 }), solutions: fc.integer({ min: 1, max: 40 }) }),
        fc.boolean(),
        fc.boolean(),
        someNumbers,
        (problem, most, limitsNodes, pauseAtSolution, order) => {
          const maxNodes = limitsNodes ? most.nodes : Number.POSITIVE_INFINITY;
          const limits = { ...NO_LIMITS, maxNodes, maxSolutions: most.solutions, pauseAtSolution };
          const here = outcomeOf(new SplitSearch(problem, most.solutions, { rule: SOON }), limits);
          const elsewhere = outcomeOf(
            splitElsewhere(problem, most.solutions, otherOrder(problem, limits, order)),
            limits,
          );
          // Without pauses, any of the solutions found may be the latest.
          const found = pauseAtSolution ? here.found : elsewhere.found;
          expect(elsewhere).toEqual({ ...here, found });
          expect(here.counts.nodes).toBeLessThanOrEqual(maxNodes);
          if ((here.subproblems ?? 0) > 1) splits++;
        },
      ),
      { numRuns: propertyRuns(300) },
    );
    expect(splits).toBeGreaterThan(20);
  });

  it.each([
    ['8 queens', queens(8), 92],
    ['Langford pairs of 7', langford(7), 52],
    // Large enough for WebAssembly, whose addresses are bytes.
    ['pentominoes in 3x20', pentominoes(3, 20), 8],
    ['motley dissections of 5x5', motleyDissections(5, 5), 300],
  ])('has some dozens of subproblems of %s', (_name, problem, count) => {
    const rule = { ...SPLIT_RULE, work: 1, nodes: 50, least: 64 };
    const whole = outcomeOf(wholeSearch(problem), {});
    const split = outcomeOf(new SplitSearch(problem, count + 1, { rule }), {});
    expect(split.found).toEqual(whole.found);
    expect(split.counts.solutions).toBe(count);
    expect(split.counts.nodes).toBe(whole.counts.nodes);
    expect(split.subproblems).toBeGreaterThan(30);
    expect(split.subproblems).toBeLessThan(64 * 12);
  });

  it('is not split if its tree is too large to be searched whole', () => {
    const rule = { ...SPLIT_RULE, work: 1, nodes: 200 };
    const run = (problem: ExactCoverProblem) =>
      outcomeOf(new SplitSearch(problem, 1e9, { rule }), { maxNodes: 3000, pauseAtSolution: false });
    expect(run(queens(30)).subproblems).toBeUndefined();
    expect(run(queens(9)).subproblems).toBeGreaterThan(30);
  });

  it('has no more subproblems than fit into 16 MiB', () => {
    const rule = { ...SPLIT_RULE, work: 1, nodes: 50 };
    const search = new SplitSearch(apart(50, 20_000), 1e9, { rule });
    while (search.subproblems === undefined) search.run({ ...NO_LIMITS, sliceNodes: 50 });
    // Each has two options; a million without a bound.
    expect(search.subproblems.all).toBeGreaterThan(20_000);
    expect(search.subproblems.all).toBeLessThan((16 * 2 ** 20) / (128 + 2 * 8));
  });

  it('finds all solutions if its expansion ends early', () => {
    const problem = apart(20, 300);
    const links = new DancingLinks(problem, 3);
    links.run({ ...NO_LIMITS, maxNodes: 30 });
    const { nodes, solutions } = links;
    const frontier = splitSearch(links, 64, 1e9, 100_000);
    expect(frontier.subproblems.length).toBeLessThan(100_000 / 144);
    expect(frontier.expanded.nodes).toBeGreaterThan(0);
    const searched = { few: false, learns: false, subproblems: frontier.subproblems };
    const again = createLinks(problem, searched);
    const limits = { maxSolutions: 1e9, maxNodes: 1e9, each: false };
    let found = { solutions, nodes: nodes + frontier.expanded.nodes };
    for (let index = 0; index < frontier.subproblems.length; index++) {
      const counts = searchSubproblem(again, searched, index, limits);
      found = { solutions: found.solutions + counts.solutions, nodes: found.nodes + counts.nodes };
    }
    expect(found).toEqual({ solutions: 6000, nodes: 6021 });
  });

  it('is not split while its open branches alone would take more', () => {
    // 7,000 subproblems with 300 options each.
    const options = Array.from({ length: 300 }, (_, item) => [item]);
    const wide = Array.from({ length: 7_000 }, () => [300]);
    const problem = createProblem({ primaryCount: 301, options: [...options, ...wide] });
    const rule = { ...SPLIT_RULE, work: 1, nodes: 50 };
    const search = new SplitSearch(problem, 1e9, { rule });
    search.run({ ...NO_LIMITS, sliceNodes: 200 });
    expect(search.subproblems).toBeUndefined();
    while (search.subproblems === undefined) search.run({ ...NO_LIMITS, sliceNodes: 50 });
    // 136 bytes, and 8 for each option.
    expect(search.subproblems.all).toBeLessThan((16 * 2 ** 20) / (128 + 8 * 300));
    expect(search.subproblems.all).toBeGreaterThan(6000);
  });

  it('spends no more nodes on its subproblems than the budget has left', () => {
    const rule = { ...SPLIT_RULE, work: 1, nodes: 50, least: 64 };
    const search = new SplitSearch(pentominoes(3, 20), 9, { rule });
    expect(outcomeOf(search, { maxNodes: 52 })).toMatchObject({
      stop: SearchStop.nodeLimit,
      counts: { nodes: 52 },
    });
  });

  it('finds one or two solutions of what has them, and proves that there are no more', () => {
    fc.assert(
      fc.property(smallProblem, fc.integer({ min: 1, max: 2 }), (problem, wanted) => {
        const split = outcomeOf(new SplitSearch(problem, wanted, { rule: SOON }), { maxSolutions: wanted });
        const all = bruteForce(problem);
        expect(split.counts.solutions).toBe(Math.min(wanted, all.length));
        for (const solution of split.found) expect(all).toContain(solution);
      }),
      { numRuns: propertyRuns(150) },
    );
  });
});
