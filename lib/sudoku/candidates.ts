/**
 * Puzzles given by candidates instead of digits (sukaku, pencilmark sudoku): a cell may be any of its candidates.
 *
 * That is the same exact cover with fewer options, so the candidates belong to the geometry. Each puzzle then has a
 * geometry of its own, as jigsaws have that come with a map each, and all its cells are blank.
 *
 *     candidates   0b000001010 0b111111111 ...      bit d-1: the cell may be d; here the first one is 2 or 4
 */
import type { Geometry } from './geometry/geometry.ts';

/** Most digits whose candidates fit. */
const MAX_CANDIDATE_SIZE = 31;

/**
 * A geometry whose cells have only these candidates; its variant is `sukaku`, behind the name of the other one.
 *
 * @param candidates one word a cell
 * @throws RangeError where they are not as many as there are cells, or the size is over `MAX_CANDIDATE_SIZE`
 */
export function withCandidates(geometry: Geometry, candidates: Int32Array): Geometry {
  const { size, cellCount, variant } = geometry;
  if (candidates.length !== cellCount || size > MAX_CANDIDATE_SIZE) {
    throw new RangeError(
      `candidates of ${candidates.length} cells in a ${size}x${size}: expected ${cellCount} cells, and a size up to ${MAX_CANDIDATE_SIZE}`,
    );
  }
  return { ...geometry, variant: variant === 'standard' ? 'sukaku' : `${variant}-sukaku`, candidates };
}

/** Whether a cell may have a digit, as far as its candidates go. */
export function isCandidate({ candidates }: Geometry, cell: number, digit: number): boolean {
  return candidates === undefined || ((candidates[cell] >>> (digit - 1)) & 1) === 1;
}

/** Why an engine that knows no candidates refuses a geometry, as a sentence; undefined where it has none. */
export function candidatesRefusal(engine: string, { variant, candidates }: Geometry): string | undefined {
  if (candidates === undefined) return undefined;
  return `The ${engine} engine takes puzzles given by digits, not by candidates (${variant}): use dlx.`;
}
