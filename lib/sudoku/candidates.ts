/**
 * Puzzles given by candidates instead of digits (sukaku, pencilmark sudoku): each cell may have any of its candidates.
 *
 * This is the same exact cover with fewer options, so the candidates belong to the geometry. Each puzzle has its own
 * geometry, like a jigsaw with its own map. A cell with a given digit has it among its candidates.
 *
 *     candidates   0b000001010 0b111111111 ...      bit d-1: the cell may be d; here the first one is 2 or 4
 */
import type { Geometry } from './geometry/geometry.ts';

/** The largest size whose candidates fit into a word. */
const MAX_CANDIDATE_SIZE = 31;

/**
 * Returns the geometry with these candidates; its variant is `sukaku`, after the name of the original variant if that
 * is not `standard`.
 *
 * @param candidates one word for each cell
 * @throws RangeError if there is not one word for each cell, or the size exceeds `MAX_CANDIDATE_SIZE`
 */
export function withCandidates(geometry: Geometry, candidates: Int32Array): Geometry {
  const { size, cellCount, variant } = geometry;
  if (candidates.length !== cellCount || size > MAX_CANDIDATE_SIZE) {
    throw new RangeError(
      `candidates for ${candidates.length} cells of ${variant} ${size}x${size}: expected ${cellCount} cells and a size up to ${MAX_CANDIDATE_SIZE}`,
    );
  }
  return { ...geometry, variant: variant === 'standard' ? 'sukaku' : `${variant}-sukaku`, candidates };
}

/** Whether the candidates of a cell, if given, include a digit. */
export function isCandidate({ candidates }: Geometry, cell: number, digit: number): boolean {
  return candidates === undefined || ((candidates[cell] >>> (digit - 1)) & 1) === 1;
}

/** Why an engine without support for candidates rejects a geometry, as a sentence; undefined if it has none. */
export function candidatesRefusal(engine: string, { variant, candidates }: Geometry): string | undefined {
  if (candidates === undefined) return undefined;
  return `The ${engine} engine supports only puzzles given by digits, not by candidates (${variant}): use dlx.`;
}
