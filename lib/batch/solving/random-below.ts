import type { DrawBelow } from '../../exact-cover/random-solutions.ts';
import { RandomSource } from '../../sudoku/generator/random-source.ts';

/** The draws of a seed, without bias. @param seed from 0 to 2^53 - 1 */
export function randomBelow(seed: number): DrawBelow {
  const source = new RandomSource(seed);
  return (bound) => source.belowLarge(bound);
}
