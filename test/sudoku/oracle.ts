/**
 * The oracle of the sudoku tests: slow, short, and independent of the engines and of the core.
 *
 * A rule is a list of choices, each a digit in a cell, of which exactly one holds: the digits of a cell, or the cells of a digit in
 * a unit. The rule with the fewest choices left is decided, one choice after the other.
 */
import { isCandidate } from '../../lib/sudoku/candidates.ts';
import { type Answers, createAnswers, type Engine, type EngineName, Stop } from '../../lib/sudoku/engine.ts';
import type { Geometry } from '../../lib/sudoku/geometry/geometry.ts';

interface Rules {
  /** By rule: its choices, `cell * size + digit - 1`; and by choice, its rules. */
  readonly choices: readonly (readonly number[])[];
  readonly rulesOf: readonly (readonly number[])[];
}

const cache = new WeakMap<Geometry, Rules>();

function rulesFor(geometry: Geometry): Rules {
  const known = cache.get(geometry);
  if (known !== undefined) return known;
  const { size, units, cellCount } = geometry;
  const used = [...new Set(units.flatMap(({ cells }) => [...cells]))];
  const digits = Array.from({ length: size }, (_, digit) => digit);
  const ofCells = used.map((cell) => digits.map((digit) => cell * size + digit));
  const ofUnits = units.flatMap(({ cells }) =>
    digits.map((digit) => Array.from(cells, (cell) => cell * size + digit)),
  );
  const choices = [...ofCells, ...ofUnits];
  const rulesOf: number[][] = Array.from({ length: cellCount * size }, () => []);
  for (const [rule, list] of choices.entries()) for (const choice of list) rulesOf[choice].push(rule);
  const rules = { choices, rulesOf };
  cache.set(geometry, rules);
  return rules;
}

/** Solves a puzzle. @param answers receives the answer at this index */
function solve(
  geometry: Geometry,
  givens: Uint8Array,
  { maxSolutions, maxNodes }: { readonly maxSolutions: number; readonly maxNodes: number },
  answers: Answers,
  index: number,
): void {
  const { size, cellCount } = geometry;
  const { choices, rulesOf } = rulesFor(geometry);
  const left = choices.map(({ length }) => length);
  const isDone = new Uint8Array(choices.length);
  /** By choice: how many choices that hold exclude it. */
  const excludedBy = new Int32Array(rulesOf.length);
  const cells = givens.slice();
  let solutions = 0;
  let nodes = 0;
  let stop: Stop = Stop.exhausted;
  const exclude = (choice: number, by: 1 | -1) => {
    const before = excludedBy[choice];
    excludedBy[choice] += by;
    if ((before === 0) !== (excludedBy[choice] === 0)) for (const rule of rulesOf[choice]) left[rule] -= by;
  };
  const decide = (choice: number, by: 1 | -1) => {
    for (const rule of rulesOf[choice]) {
      isDone[rule] += by;
      for (const other of choices[rule]) if (other !== choice) exclude(other, by);
    }
  };
  const search = () => {
    if (nodes >= maxNodes) {
      stop = Stop.nodeLimit;
      return;
    }
    nodes++;
    let best = -1;
    for (let rule = 0; rule < left.length; rule++) {
      if (isDone[rule] === 0 && (best < 0 || left[rule] < left[best])) best = rule;
    }
    if (best < 0) {
      if (solutions++ === 0) answers.cells.set(cells, index * cellCount);
      if (solutions >= maxSolutions) stop = Stop.solutionLimit;
      return;
    }
    for (const choice of choices[best]) {
      if (excludedBy[choice] > 0) continue;
      const cell = Math.floor(choice / size);
      cells[cell] = (choice % size) + 1;
      decide(choice, 1);
      search();
      decide(choice, -1);
      cells[cell] = 0;
      if (stop !== Stop.exhausted) return;
    }
  };
  answers.cells.fill(0, index * cellCount, (index + 1) * cellCount);
  for (const choice of rulesOf.keys()) {
    const digit = (choice % size) + 1;
    if (!isCandidate(geometry, Math.floor(choice / size), digit)) exclude(choice, 1);
  }
  let isConsistent = true;
  for (const [cell, digit] of givens.entries()) {
    if (digit === 0) continue;
    isConsistent &&= excludedBy[cell * size + digit - 1] === 0;
    decide(cell * size + digit - 1, 1);
  }
  if (isConsistent) search();
  answers.solutions[index] = solutions;
  answers.nodes[index] = nodes;
  answers.stop[index] = stop;
}

/** Counts the solutions of a puzzle, up to `limit`; 0 if its givens clash. */
export function countByOracle(geometry: Geometry, givens: Uint8Array, limit = Infinity): number {
  const answers = createAnswers(1, geometry.cellCount);
  solve(geometry, givens, { maxSolutions: limit, maxNodes: Infinity }, answers, 0);
  return answers.solutions[0];
}

/** The oracle as an engine without pauses, for every geometry. */
export function createOracle(): Engine {
  return {
    name: 'oracle' as EngineName,
    version: 1,
    searchBytes: 0,
    refuses: () => undefined,
    solve({ geometry, cells }, from, to, limits, answers) {
      const { cellCount } = geometry;
      for (let k = from; k < to; k++) {
        solve(geometry, cells.subarray(k * cellCount, (k + 1) * cellCount), limits, answers, k);
      }
    },
    resume() {
      throw new Error('the oracle does not pause');
    },
  };
}
