import type { TextContext } from './text-context.ts';

/**
 * Reads puzzles that are written like the previous one, straight from the bytes into the block. It takes only what the
 * recognisers would read the same way; they read everything else, with the same records, only slower.
 */
export interface FastPath {
  /**
   * Takes puzzles until the block is full or something else follows.
   *
   * @returns whether it took any
   */
  take(context: TextContext): boolean;
}
