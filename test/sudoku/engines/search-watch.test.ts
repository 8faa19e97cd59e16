import { describe, expect, it } from 'vitest';
import { createAnswers, ENGINE_NAMES, type SearchLimits } from '../../../lib/sudoku/engine.ts';
import { createDlxEngine } from '../../../lib/sudoku/engines/dlx.ts';
import { createEngine } from '../../../lib/sudoku/engines.ts';
import { generatePuzzle } from '../../../lib/sudoku/generator/generate.ts';
import { standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';

const NINE = standardGeometry(9);
const COUNT = 600;
const LIMITS: SearchLimits = {
  maxSolutions: 2,
  maxNodes: 500,
  sliceNodes: Number.POSITIVE_INFINITY,
  pauseAtSolution: false,
};

/** More puzzles than any engine solves in one call of its kernel: a few different ones, repeated. */
const cells = new Uint8Array(COUNT * 81);
for (let i = 0; i < COUNT; i++) {
  const known = i < 20 ? undefined : cells.subarray((i % 20) * 81, ((i % 20) + 1) * 81);
  cells.set(
    known ?? generatePuzzle(NINE, { seed: i + 1, givens: 36 }, createEngine('bitboard')).cells,
    i * 81,
  );
}

const ENGINES = [
  ...ENGINE_NAMES.map((name) => ({ name: name as string, create: () => createEngine(name) })),
  { name: 'dlx without WebAssembly', create: () => createDlxEngine(() => undefined) },
];

describe('an engine that is watched', () => {
  for (const { name, create } of ENGINES) {
    it(`calls its watch once for each puzzle, in order: ${name}`, () => {
      const ended: number[] = [];
      let began = 0;
      const watch = {
        begin: () => {
          began++;
        },
        end: (index: number) => {
          expect(began).toBeGreaterThan(0);
          ended.push(index);
        },
      };
      create().solve({ geometry: NINE, cells }, 3, COUNT - 2, LIMITS, createAnswers(COUNT, 81), watch);
      expect(ended).toEqual(Array.from({ length: COUNT - 5 }, (_, k) => k + 3));
    });

    it(`gives the same answers as without a watch: ${name}`, () => {
      const watched = createAnswers(COUNT, 81);
      const alone = createAnswers(COUNT, 81);
      const watch = { begin() {}, end() {} };
      create().solve({ geometry: NINE, cells }, 0, COUNT, LIMITS, watched, watch);
      create().solve({ geometry: NINE, cells }, 0, COUNT, LIMITS, alone);
      expect(watched).toEqual(alone);
    });

    it(`can be stopped by its watch, and solves other puzzles afterwards: ${name}`, () => {
      const engine = create();
      const answers = createAnswers(COUNT, 81);
      const stop = () => {
        throw new Error('that is enough');
      };
      const puzzles = { geometry: NINE, cells };
      expect(() => engine.solve(puzzles, 0, COUNT, LIMITS, answers, { begin() {}, end: stop })).toThrow(
        'enough',
      );
      engine.solve(puzzles, 0, COUNT, LIMITS, answers);
      const fresh = createAnswers(COUNT, 81);
      create().solve(puzzles, 0, COUNT, LIMITS, fresh);
      expect(answers).toEqual(fresh);
    });
  }
});
