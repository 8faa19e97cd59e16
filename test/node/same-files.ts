/** Files of every format with options. */
import { RandomSource } from '../../lib/sudoku/generator/random-source.ts';
import { wellFormedFiles } from '../formats/catalogue.ts';
import { DEEP, propertyRuns, runSeed } from '../support/depth.ts';
import { CLASHING, CUT_OFF, EASY, HARD, TWO_SOLUTIONS, UNSOLVABLE } from '../support/puzzles.ts';

export interface SameFile {
  readonly name: string;
  readonly text: string;
  readonly options: Readonly<Record<string, string>>;
}

const OPTIONS: readonly Readonly<Record<string, string>>[] = [
  {},
  { engine: 'bitboard', output: 'jsonl' },
  { engine: 'bitmask', 'max-nodes': '50' },
  { solutions: 'all', output: 'grid' },
  { solutions: '1', 'max-nodes': '3', output: 'csv' },
];

const STATUSES: SameFile = {
  name: 'puzzles of every status',
  text: `${[EASY, HARD, TWO_SOLUTIONS, UNSOLVABLE, CLASHING, CUT_OFF].join('\n')}\n`.repeat(20),
  options: { records: 'true', engine: 'backtrack', 'max-nodes': '1000' },
};
/** Pieces of each file, and one in how many files: `npm test` reads them in moments. */
const MAX_PIECES = DEEP ? 12 : 5;
const ONE_IN = DEEP ? 1 : 2;

/** The well-formed files, with pieces left out, repeated and damaged; and puzzles of every status. */
export function sameFiles(): SameFile[] {
  const random = new RandomSource(runSeed());
  const chosen = Object.entries(wellFormedFiles()).filter(() => random.below(ONE_IN) === 0);
  const changed = chosen.flatMap(([name, pieces]) =>
    Array.from({ length: propertyRuns(1) }, (): SameFile => {
      const text = pieces
        .slice(0, MAX_PIECES)
        .map((piece) => piece.repeat([1, 1, 1, 0, 3][random.below(5)]!))
        .join('');
      const at = random.below(text.length + 1);
      const damaged = random.below(3) === 0 ? `${text.slice(0, at)}7${text.slice(at + 1)}` : text;
      return { name, text: damaged, options: { records: 'true', ...OPTIONS[random.below(OPTIONS.length)] } };
    }),
  );
  return [STATUSES, ...changed];
}
