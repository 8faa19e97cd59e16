import { expect, test } from 'vitest';
import { createAnswers } from '../../../lib/sudoku/engine.ts';
import { CoverKernel } from '../../../lib/sudoku/engines/dlx/cover-kernel.ts';
import { KernelEngine } from '../../../lib/sudoku/engines/kernel-engine.ts';
import { standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';

const one = standardGeometry(1, 1, 1);
const LIMITS = { maxSolutions: 1, maxNodes: 1, sliceNodes: Infinity, pauseAtSolution: false };

/** Solves a puzzle of each of these geometries, given by their numbers. @returns how many kernels were created */
function kernelsFor(order: readonly number[], bytes: number): number {
  let created = 0;
  const engine = new KernelEngine('dlx', 1, () => {
    created++;
    const kernel = new CoverKernel(one);
    Object.defineProperty(kernel.counts, 'bytes', { value: bytes });
    return kernel;
  });
  const geometries = order.map(() => ({ ...one }));
  const answers = createAnswers(1, 1);
  for (const number of order) {
    engine.solve({ geometry: geometries[number], cells: new Uint8Array(1) }, 0, 1, LIMITS, answers);
  }
  expect(engine.searchBytes).toBe(bytes);
  return created;
}

test('an engine keeps the kernels of several geometries', () => {
  expect(kernelsFor([0, 1, 2, 0, 1, 2], 16 * 2 ** 20)).toBe(3);
});

test('an engine keeps no more than 64 MiB of them, and a new one', () => {
  // Above 64 MiB, with three of 24, the next one drops them.
  expect(kernelsFor([0, 1, 2, 0, 3, 0, 3], 24 * 2 ** 20)).toBe(5);
});

test('an engine keeps at most 1,000 kernels', () => {
  const all = Array.from({ length: 1000 }, (_, number) => number);
  expect(kernelsFor([...all, ...all], 1)).toBe(1000);
  expect(kernelsFor([...all, 1000, 0, 1000], 1)).toBe(1002);
});
