import { expect, it } from 'vitest';
import { BlockPool } from '../../../lib/batch/solving/block-pool.ts';
import type { Layout } from '../../../lib/formats/records/layout.ts';
import { standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';

function layoutOf(size: number): Layout {
  const alphabet = { name: 'any', symbols: [], singleCharacter: false };
  return { format: 'line', geometry: standardGeometry(size), alphabet, blank: '.' };
}

/** Capacities of consecutive blocks with the given durations. */
function capacities(pool: BlockPool, layout: Layout, tookMs: readonly number[]): number[] {
  return tookMs.map((ms) => {
    const block = pool.acquire(layout);
    pool.release(block, ms);
    return block.capacity;
  });
}

const FAST = Array.from({ length: 10 }, () => 1);
const SLOW = Array.from({ length: 7 }, () => 1_000);

it('makes blocks of fast puzzles larger, up to a limit', () => {
  expect(capacities(new BlockPool(false), layoutOf(9), FAST)).toEqual([
    16, 32, 64, 128, 256, 512, 512, 512, 512, 512,
  ]);
  expect(capacities(new BlockPool(true), layoutOf(9), FAST).slice(-3)).toEqual([2048, 2048, 2048]);
  expect(capacities(new BlockPool(true, 100), layoutOf(9), FAST).slice(-3)).toEqual([100, 100, 100]);
});

it('makes blocks of slow puzzles smaller, down to one record', () => {
  const pool = new BlockPool(true);
  expect(capacities(pool, layoutOf(9), SLOW)).toEqual([16, 8, 4, 2, 1, 1, 1]);
  expect(capacities(pool, layoutOf(9), FAST).slice(0, 4)).toEqual([1, 2, 4, 8]);
});

it('keeps the size for durations between fast and slow', () => {
  expect(capacities(new BlockPool(false), layoutOf(9), [1, 50, 50, 50])).toEqual([16, 32, 32, 32]);
});

it('keeps the size after blocks that were not solved', () => {
  const pool = new BlockPool(false);
  for (let k = 0; k < 10; k++) pool.release(pool.acquire(layoutOf(9)));
  expect(pool.acquire(layoutOf(9)).capacity).toBe(16);
});

it('counts cells, so that blocks of larger grids have fewer records', () => {
  expect(capacities(new BlockPool(false), layoutOf(25), FAST).slice(-3)).toEqual([66, 66, 66]);
  expect(capacities(new BlockPool(false), layoutOf(25), SLOW)).toEqual([2, 1, 1, 1, 1, 1, 1]);
});

it('reuses released memory for blocks of any number of records', () => {
  const pool = new BlockPool(false);
  const layout = layoutOf(9);
  const first = pool.acquire(layout);
  const second = pool.acquire(layout);
  expect(second).not.toBe(first);
  expect(pool.answersOf(first)).not.toBe(pool.answersOf(second));
  pool.release(first, 0);
  const third = pool.acquire(layout);
  expect(third).toBe(first);
  expect(third.capacity).toBe(32);
  expect(() => pool.release(third) ?? pool.answersOf(third)).toThrow(
    'is not from this pool, or was released',
  );
});

it('keeps free blocks of the most recently used sizes', () => {
  const pool = new BlockPool(false);
  const blocks = [4, 6, 9, 16, 25].map((size) => pool.acquire(layoutOf(size)));
  for (const block of blocks) pool.release(block);
  expect(pool.acquire(layoutOf(25))).toBe(blocks[4]);
  expect(pool.acquire(layoutOf(4))).not.toBe(blocks[0]);
});
