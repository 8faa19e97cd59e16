/** Exact cover with names: solutions, budgets, positions, colours, errors of use. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CoverOption,
  type CoverPosition,
  exactCover,
  LimitError,
  sampleSolutions,
  sampleSolutionsAsync,
} from '../../lib/api/exact-cover.ts';
import { treeText } from '../../lib/batch/results/tree-advice.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { bruteForce, smallProblem } from '../exact-cover/brute-force.ts';
import { propertyRuns } from '../support/depth.ts';

/** Queens on a board: rows and columns once, diagonals at most once. */
function queens(n: number) {
  const lines = Array.from({ length: n }, (_, line) => line);
  return exactCover({
    primary: lines.flatMap((line) => [`row ${line}`, `column ${line}`]),
    secondary: Array.from({ length: 2 * n - 1 }, (_, line) => [`up ${line}`, `down ${line}`]).flat(),
    options: lines.flatMap((r) =>
      lines.map((c) => ({
        at: [r, c],
        items: [`row ${r}`, `column ${c}`, `up ${r + c}`, `down ${r - c + n - 1}`],
      })),
    ),
  });
}

/** Dominoes on a 6x6 board. */
const cells = Array.from({ length: 36 }, (_, cell) => cell);
const dominoes = {
  primary: cells,
  options: [
    ...cells.filter((cell) => cell % 6 < 5).map((cell) => [cell, cell + 1]),
    ...cells.filter((cell) => cell < 30).map((cell) => [cell, cell + 6]),
  ],
};

/** A problem of the core, named: items in turn as numbers and strings, colours as texts. */
function named({
  primaryCount,
  secondaryCount,
  optionCount,
  optionStart,
  items,
  colours,
}: ExactCoverProblem) {
  const name = (item: number) => (item % 2 === 0 ? item : `${item}`);
  const names = Array.from({ length: primaryCount + secondaryCount }, (_, item) => name(item));
  const options: CoverOption[] = Array.from({ length: optionCount }, (_, option) =>
    Array.from(items.subarray(optionStart[option], optionStart[option + 1]), (item, k) => {
      const colour = colours?.[optionStart[option] + k] ?? 0;
      return colour === 0 ? name(item) : { item: name(item), colour: `colour ${colour}` };
    }),
  );
  const problem = { primary: names.slice(0, primaryCount), secondary: names.slice(primaryCount), options };
  const numbers = (solution: readonly CoverOption[]) =>
    solution.map((option) => options.indexOf(option)).join(' ');
  return { cover: exactCover(problem), numbers };
}

/** The error of a search whose budget runs out. */
function limitErrorOf(search: () => unknown): LimitError {
  try {
    search();
  } catch (error) {
    if (error instanceof LimitError) return error;
    throw error;
  }
  throw new Error('the budget suffices');
}

/** A position as text and back, as a program would store it. */
const stored = (position: unknown) => JSON.parse(JSON.stringify(position)) as CoverPosition;

/** All solutions, each from a search of its own that goes on at the position of the one before. */
function oneByOne<Found>(
  open: (from?: CoverPosition) => ReturnType<ReturnType<typeof exactCover>['solutions']>,
): Found[] {
  const found: Found[] = [];
  for (let from: CoverPosition | undefined; ; ) {
    const search = open(from);
    const next = search.next();
    if (next.done) return found;
    found.push(next.value as Found);
    from = stored(search.position());
    expect(from.solutions).toBe(found.length);
  }
}

/** The count of a problem by calls of so many nodes each, and their number. */
function countInSteps(cover: ReturnType<typeof exactCover>, maxNodes: number) {
  for (let [steps, from] = [1, undefined as CoverPosition | undefined]; ; steps++) {
    try {
      return { count: cover.count({ maxNodes, from }), steps };
    } catch (error) {
      if (!(error instanceof LimitError)) throw error;
      expect(error.code).toBe('limit');
      from = stored(error.position);
    }
  }
}

describe('an exact-cover problem', () => {
  it('has the solutions that brute force finds, with colours too', () => {
    fc.assert(
      fc.property(smallProblem, (problem) => {
        const { cover, numbers } = named(problem);
        const expected = bruteForce(problem);
        const found = [...cover.solutions()].map(numbers);
        expect(found.sort()).toEqual(expected);
        expect(cover.count()).toBe(expected.length);
        expect(cover.find(2).length).toBe(Math.min(2, expected.length));
        const one = cover.findOne();
        expect(one === undefined ? [] : [numbers(one)]).toEqual(
          expected.length === 0 ? [] : [expect.anything()],
        );
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it('returns the objects of the caller', () => {
    const left = { name: 'left', items: ['a'] };
    const right = { name: 'right', items: ['b'] };
    const cover = exactCover({ primary: new Set(['a', 'b']), options: [left, right] });
    expect(cover.findOne()![0]).toBe(left);
    expect(cover.findOne()![1]).toBe(right);
  });

  it('finds none, some or all of the solutions', async () => {
    const cover = queens(6);
    expect(cover.find(0)).toEqual([]);
    expect(cover.find(3).length).toBe(3);
    expect(cover.find(Infinity).length).toBe(4);
    expect((await cover.findAsync(3)).length).toBe(3);
    expect(await cover.findOneAsync()).toEqual(cover.findOne());
    expect(await cover.countAsync()).toBe(4);
    expect(queens(3).findOne()).toBeUndefined();
    expect(await queens(3).findOneAsync()).toBeUndefined();
  });

  it('is iterated with and without turns, and continues after a break', async () => {
    const search = queens(8).solutions();
    for (const _ of search) if (search.found === 30) break;
    for await (const _ of search) if (search.found === 60) break;
    expect([...search].length).toBe(32);
    expect(search.next()).toEqual({ done: true, value: undefined });
  });
});

describe('a budget', () => {
  it('of nodes throws when it runs out, and the position continues', () => {
    const { count, steps } = countInSteps(queens(8), 40);
    expect(count).toBe(92);
    expect(steps).toBeGreaterThan(5);
  });

  it('of a count has a position from which it continues to the exact count, also beyond 2^53', async () => {
    const primary = Array.from({ length: 70 }, (_, item) => item);
    const cover = exactCover({ primary, options: primary.flatMap((item) => [[item], [item]]) });
    expect(cover.count()).toBe(2n ** 70n);
    await expect(cover.countAsync()).resolves.toBe(2n ** 70n);
    const rows = Array.from({ length: 8 }, (_, row) => row);
    const cell = (row: number, column: number) => 8 * row + column;
    const tilings = exactCover({
      primary: rows.flatMap((row) => rows.map((column) => cell(row, column))),
      options: rows.flatMap((row) =>
        rows.flatMap((column) => [
          ...(column < 7 ? [[cell(row, column), cell(row, column + 1)]] : []),
          ...(row < 7 ? [[cell(row, column), cell(row + 1, column)]] : []),
        ]),
      ),
    });
    // Between the start of memoised counting, at the first 10,000 nodes with its work, and its end.
    const COUNTED = 651_300;
    const position = stored(limitErrorOf(() => tilings.count({ maxNodes: COUNTED })).position);
    expect(position.nodes).toBe(COUNTED);
    expect(position.solutions).toBeGreaterThan(COUNTED);
    expect(tilings.count({ from: position })).toBe(12_988_816);
    const far = { ...position, solutions: String(2n ** 60n) };
    expect(tilings.count({ from: far })).toBe(2n ** 60n + 12_988_816n - BigInt(position.solutions));
  });

  it('that runs out is reported with the size of the tree', () => {
    const cover = queens(11);
    const { message, tree } = limitErrorOf(() => cover.count({ maxNodes: 9000 }));
    expect(message).toMatch(
      /: \d+ solutions after 9000 nodes, more may exist; the whole tree has about \d.* \(.* to .*\) nodes: raise the budget$/,
    );
    // It has 18,672 nodes.
    expect(tree!.low).toBeLessThan(25_000);
    expect(tree!.high).toBeGreaterThan(12_000);
    expect(message).toContain(treeText(tree!));
    const short = limitErrorOf(() => cover.count({ maxNodes: 10 }));
    expect(short.message).toMatch(/more may exist$/);
    expect(short.tree!.nodes).toBeGreaterThan(9000);
    expect(limitErrorOf(() => sampleSolutions(dominoes, { maxNodes: 10 })).tree!.nodes).toBeGreaterThan(6728);
  });

  it('of time throws when it runs out, and the position continues', async () => {
    await expect(queens(14).countAsync({ maxMs: 5 })).rejects.toThrow(LimitError);
    const { code, position } = limitErrorOf(() => queens(9).count({ maxMs: 0.01 }));
    expect(code).toBe('limit');
    const from = stored(position);
    expect(from.nodes).toBeGreaterThan(0);
    expect(from.solutions).toBeLessThan(352);
    expect(queens(9).count({ from })).toBe(352);
    expect(queens(9).find(Infinity, { from })).toHaveLength(352 - Number(from.solutions));
  });
});

describe('a position', () => {
  it('is at each solution, survives JSON, and belongs to the same problem in another object', () => {
    const found = oneByOne<{ at: number[] }[]>((from) => queens(6).solutions({ from }));
    expect(new Set(found.map((solution) => solution.map(({ at }) => at.join()).join(' '))).size).toBe(4);
    expect(found.length).toBe(4);
  });

  it.each([
    ['of another problem', queens(5).solutions().position()],
    ['with solutions, without what is left', { ...queens(6).solutions().position(), solutions: 1 }],
    [
      'with an option that is out',
      { ...queens(6).solutions().position(), branches: [{ selected: [], untried: [-1] }] },
    ],
    ['without a problem', {}],
    ['that is text', '{}'],
    [
      'with an option that does not exist',
      { ...queens(6).solutions().position(), branches: [{ selected: [99], untried: [] }] },
    ],
    [
      'with a fraction',
      { ...queens(6).solutions().position(), branches: [{ selected: [], untried: [0.5] }] },
    ],
    ['without counts', { ...queens(6).solutions().position(), nodes: undefined }],
  ])('%s is refused', (_, from) => {
    expect(() => queens(6).solutions({ from: from as never })).toThrow(
      expect.objectContaining({ code: 'bad_position' }),
    );
  });
});

describe('an AbortSignal', () => {
  it('ends a long search, in which events are handled', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 20);
    await expect(queens(16).countAsync({ signal: controller.signal })).rejects.toThrow('enough');
  });

  it('ends an iteration over many quick solutions', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 20);
    const iterate = async () => {
      for await (const _ of queens(12).solutions({ signal: controller.signal }));
    };
    await expect(iterate()).rejects.toThrow('enough');
  });
});

describe('items that repeat', () => {
  const pairs = exactCover({
    primary: [{ item: 'a', least: 2, most: 3 }, 'b'],
    secondary: ['x'],
    options: [['a', { item: 'x', colour: 1 }], ['a', { item: 'x', colour: 2 }], ['a'], ['a', 'b'], ['b']],
  });

  it('are in a solution between least and most times', async () => {
    // Of the first two options, one at most.
    expect(pairs.count()).toBe(7);
    expect(await pairs.countAsync()).toBe(7);
    expect(pairs.find(Infinity)).toHaveLength(7);
    expect(
      pairs
        .findOne()!
        .flat()
        .filter((item) => item === 'a').length,
    ).toBeGreaterThanOrEqual(2);
    const options = [['a'], ['a'], ['a']];
    expect(exactCover({ primary: [{ item: 'a', least: 0, most: Infinity }], options }).count()).toBe(8);
  });

  it('are counted from a position, also beyond 2^53', () => {
    const search = pairs.solutions();
    search.next();
    const from = { ...search.position(), solutions: String(2n ** 60n) };
    expect(pairs.count({ from })).toBe(2n ** 60n + 6n);
  });

  it('have positions and budgets', () => {
    const found = oneByOne((from) => pairs.solutions({ from }));
    expect(new Set(found.map((solution) => JSON.stringify(solution))).size).toBe(7);
    expect(countInSteps(pairs, 2).count).toBe(7);
  });
});

describe('costs', () => {
  const prices = [
    { items: ['a', 'b'], cost: 5 },
    { items: ['a'], cost: 1 },
    { items: ['b'], cost: 3 },
    { items: ['a'], cost: 2 },
    { items: ['b'] },
  ];
  const cover = exactCover({ primary: ['a', 'b'], options: prices });
  const costs = [1, 2, 4, 5, 5];
  const costOf = (solution: readonly { cost?: number }[]) =>
    solution.reduce((sum, { cost = 0 }) => sum + cost, 0);

  it('order solutions, the cheapest first', async () => {
    expect(costOf(cover.findOne()!)).toBe(1);
    expect(cover.find(3).map(costOf)).toEqual(costs.slice(0, 3));
    expect((await cover.findAsync(Infinity)).map(costOf)).toEqual(costs);
    const search = cover.solutions();
    expect(search.cost).toBeUndefined();
    for (const solution of search) expect(search.cost).toBe(costOf(solution));
    expect(search.found).toBe(5);
    expect(cover.count()).toBe(5);
  });

  it('have positions after each solution', () => {
    const found = oneByOne<{ cost?: number }[]>((from) => cover.solutions({ from }));
    expect(found.map(costOf)).toEqual(costs);
    // A count does not search in this order: it counts all solutions, those before the position too.
    const search = cover.solutions();
    search.next();
    expect(cover.count({ from: search.position() })).toBe(5);
    expect(cover.find(1, { from: search.position() }).map(costOf)).toEqual([2]);
    expect(exactCover({ primary: ['a', 'b'], options: prices }).count({ from: search.position() })).toBe(5);
  });

  it('have a position in the error of a budget, which a search, find and count accept', () => {
    for (const interrupted of [() => cover.count({ maxNodes: 3 }), () => cover.find(9, { maxNodes: 3 })]) {
      const { position } = limitErrorOf(interrupted);
      const from = stored(position);
      expect(from.nodes).toBe(3);
      expect(cover.count({ from })).toBe(5);
      expect(cover.find(Infinity, { from }).map(costOf)).toEqual(costs);
      expect([...cover.solutions({ from })].map(costOf)).toEqual(costs);
    }
  });

  it('throw at the end of a budget, as nothing is proven', () => {
    expect(() => cover.findOne({ maxNodes: 1 })).toThrow(LimitError);
  });
});

describe('wrong use throws a typed error:', () => {
  it.each([
    ['bad_argument', { primary: [{ item: {}, least: 1, most: 2 }], options: [] }],
    ['bad_problem', { primary: [{ item: 'a', least: 2, most: 1 }], options: [] }],
    ['bad_problem', { primary: [{ item: 'a', least: 0, most: 0 }], options: [] }],
    ['bad_problem', { primary: [{ item: 'a', least: -1, most: 1 }], options: [] }],
    ['bad_problem', { primary: [{ item: 'a', least: 1, most: 1.5 }], options: [] }],
    ['bad_problem', { primary: [{ item: 'a', least: 1 }], options: [] }],
    ['bad_problem', { primary: ['a'], options: [{ items: ['a'], cost: -1 }] }],
    ['bad_problem', { primary: ['a'], options: [{ items: ['a'], cost: 0.5 }] }],
    ['bad_problem', { primary: ['a'], options: [{ items: ['a'], cost: '3' }] }],
    [
      'bad_problem',
      {
        primary: ['a'],
        options: [
          { items: ['a'], cost: 2 ** 53 - 1 },
          { items: ['a'], cost: 1 },
        ],
      },
    ],
    ['bad_argument', undefined],
    ['bad_argument', { primary: 'ab', options: [] }],
    ['bad_argument', { primary: ['a'] }],
    ['bad_argument', { primary: [{}], options: [] }],
    ['bad_argument', { primary: ['a'], options: ['a'] }],
    ['bad_argument', { primary: ['a'], options: [null] }],
    ['bad_problem', { primary: ['a', 'a'], options: [] }],
    ['bad_problem', { primary: ['a'], secondary: ['a'], options: [] }],
    ['bad_problem', { primary: ['a'], options: [[]] }],
    ['bad_problem', { primary: ['a'], options: [['b']] }],
    ['bad_problem', { primary: [1], options: [['1']] }],
    ['bad_problem', { primary: ['a'], options: [['a', 'a']] }],
    ['bad_problem', { primary: ['a'], options: [[{ item: 'a', colour: 1 }]] }],
  ])('%s for %j', (code, problem) => {
    expect(() => exactCover(problem as never)).toThrow(
      expect.objectContaining({ name: 'DlxBatchError', code }),
    );
  });

  it.each([
    ['bad_option', () => queens(4).count({ maxNodes: 0 })],
    ['bad_option', () => queens(4).count({ signal: AbortSignal.abort() } as never)],
    ['bad_option', () => queens(4).find(-1)],
    ['bad_option', () => queens(4).find('2' as never)],
    ['bad_argument', () => queens(4).find(undefined as never)],
  ])('%s for %s', (code, call) => {
    expect(call).toThrow(expect.objectContaining({ name: 'DlxBatchError', code }));
  });
});

describe('random solutions', () => {
  it('are determined by the seed, with and without turns', async () => {
    const drawn = sampleSolutions(dominoes, { count: 20, seed: 3 });
    expect(new Set(drawn.map(String)).size).toBeGreaterThan(15);
    expect(drawn.every((solution) => new Set(solution.flat()).size === 36)).toBe(true);
    expect(await sampleSolutionsAsync(dominoes, { count: 20, seed: 3 })).toEqual(drawn);
    expect(sampleSolutions(dominoes, { count: 5, seed: 3 })).toEqual(drawn.slice(0, 5));
    expect(sampleSolutions(dominoes, { count: 20, seed: 4 })).not.toEqual(drawn);
    expect(sampleSolutions(dominoes)).toHaveLength(1);
  });

  it('are none if there is no solution', () => {
    expect(sampleSolutions({ primary: ['a', 'b'], options: [['a']] }, { count: 3 })).toEqual([]);
  });

  it.each([
    [100, /^the search budget ran out: not all solutions are counted after 100 nodes, so none is drawn$/],
    [2000, /^the search budget ran out: \d+ of 10000 solutions are drawn after 2000 nodes$/],
  ])('need a budget: %i nodes', (maxNodes, message) => {
    expect(() => sampleSolutions(dominoes, { count: 10_000, maxNodes })).toThrow(LimitError);
    expect(() => sampleSolutions(dominoes, { count: 10_000, maxNodes })).toThrow(message);
  });

  it('are aborted', async () => {
    const signal = AbortSignal.abort(new Error('stop'));
    await expect(sampleSolutionsAsync(dominoes, { signal })).rejects.toThrow('stop');
  });

  it('have items several times, all ways with the same probability', () => {
    const repeated = {
      primary: [{ item: 'a', least: 2, most: 2 }],
      options: ['b', 'c', 'd', 'e'].map((b) => ['a', b]),
    };
    const problem = { ...repeated, secondary: ['b', 'c', 'd', 'e'] };
    const drawn = sampleSolutions(problem, { count: 600, seed: 1 }).map(String);
    const counts = [...new Set(drawn)].map((one) => drawn.filter((other) => other === one).length);
    expect(counts).toHaveLength(6);
    expect(Math.min(...counts)).toBeGreaterThan(70);
    expect(sampleSolutions(problem, { count: 5, seed: 1 }).map(String)).toEqual(drawn.slice(0, 5));
  });
});
