/** A record as the library takes one puzzle again. */
import type { PuzzleOptions } from '../../../../api/puzzle.ts';
import type { SolveRecord } from '../../../../api/solve-all.ts';

/** @returns undefined if the record has no puzzle, or one with candidates, which only files have */
export function inputOf(
  record: SolveRecord,
): { readonly puzzle: string; readonly options: PuzzleOptions } | undefined {
  const { puzzle, size, variant, box, regions, alphabet, blank } = record;
  if (puzzle === undefined || size === undefined || variant?.endsWith('sukaku') !== false) return undefined;
  const isSpaced = puzzle.includes(' ');
  const symbols = isSpaced ? puzzle.split(' ') : [...puzzle];
  const text = symbols.map((symbol) => (symbol === blank ? '.' : symbol)).join(isSpaced ? ' ' : '');
  const [rows, columns] = box?.split('x').map(Number) ?? [];
  const options = {
    size: variant === 'samurai' ? undefined : size,
    variant,
    box: rows === undefined || columns === undefined ? undefined : ([rows, columns] as const),
    regions,
    alphabet,
  };
  // A record has the name of a variant that the library knows.
  return { puzzle: text, options: options as PuzzleOptions };
}
