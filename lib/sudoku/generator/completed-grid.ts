/**
 * Full grids of geometries for which a plain random search does not end in reasonable time, such as a windoku 16x16:
 * an engine completes a few random givens, and the digits of its first solution are renamed at random.
 *
 * The grid depends on the first solution that an engine finds, and so on the engine and its version.
 */

import { NO_LIMITS } from '../../exact-cover/search.ts';
import { givensClash } from '../checks/givens.ts';
import { createAnswers, type Engine } from '../engine.ts';
import type { Geometry } from '../geometry/geometry.ts';
import type { RandomSource } from './random-source.ts';
import type { Steps } from './steps.ts';

/** Maximum number of tries, and nodes for each: most succeed at once or never. */
const MAX_TRIES = 60;
const TRY_NODES = 20_000;

/**
 * Returns a random full grid, completed by an engine.
 *
 * @returns undefined if none is found (the geometry may have none)
 */
export function* completedGrid(
  geometry: Geometry,
  random: RandomSource,
  engine: Engine,
): Steps<Uint8Array | undefined> {
  const { cellCount, size } = geometry;
  const limits = { ...NO_LIMITS, maxSolutions: 1, maxNodes: TRY_NODES };
  const answers = createAnswers(1, cellCount);
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    yield;
    // Fewer in each try: random givens may allow no full grid.
    const givens = Math.max(1, size - Math.floor((attempt * size) / MAX_TRIES));
    const cells = randomGivens(geometry, givens, random);
    engine.solve({ geometry, cells }, 0, 1, limits, answers);
    if (answers.solutions[0] > 0) return renamed(answers.cells, size, random);
  }
  return undefined;
}

/** Returns `count` random givens in random cells, without a clash. */
function randomGivens(geometry: Geometry, count: number, random: RandomSource): Uint8Array {
  const used = [...new Set(geometry.units.flatMap(({ cells }) => Array.from(cells)))];
  const cells = new Uint8Array(geometry.cellCount);
  for (let placed = 0; placed < count; ) {
    const cell = used[random.below(used.length)];
    if (cells[cell] !== 0) continue;
    cells[cell] = random.below(geometry.size) + 1;
    if (givensClash(geometry, cells, 0)) cells[cell] = 0;
    else placed++;
  }
  return cells;
}

/** Returns the grid with its digits renamed at random. */
function renamed(cells: Uint8Array, size: number, random: RandomSource): Uint8Array {
  const digits = random.permutation(size);
  return cells.map((digit) => (digit === 0 ? 0 : digits[digit - 1] + 1));
}
