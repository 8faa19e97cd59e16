import type { TextContext } from './text-context.ts';

/**
 * Reads puzzles that are written like the previous one, straight from the bytes into the block. It takes only puzzles
 * that the recognisers would read with the same result, more slowly.
 */
export interface FastPath {
  /**
   * Takes puzzles until the block is full or something else follows.
   *
   * @returns whether it took any
   */
  take(context: TextContext): boolean;
}
