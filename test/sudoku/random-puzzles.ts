/** Arbitrary puzzles for properties: with no, one and many solutions, minimal ones and nearly empty ones. */
import fc from 'fast-check';
import { givensClash } from '../../lib/sudoku/checks/givens.ts';
import type { Engine } from '../../lib/sudoku/engine.ts';
import { createDlxEngine } from '../../lib/sudoku/engines/dlx.ts';
import { generatePuzzle } from '../../lib/sudoku/generator/generate.ts';
import type { Geometry } from '../../lib/sudoku/geometry/geometry.ts';

let prover: Engine | undefined;

/** A change of a minimal puzzle. */
const change = fc.record({
  kind: fc.constantFrom('none', 'blank', 'replace', 'add'),
  at: fc.nat(),
  digit: fc.nat(),
});

/**
 * A minimal puzzle of the geometry with up to four changes: a given removed (more solutions), replaced or added (mostly
 * none). Changes that would make givens clash are skipped.
 */
export function puzzleOf(geometry: Geometry): fc.Arbitrary<Uint8Array> {
  return fc.tuple(fc.nat({ max: 2 ** 31 - 1 }), fc.array(change, { maxLength: 4 })).map(([seed, changes]) => {
    prover ??= createDlxEngine();
    const cells = generatePuzzle(geometry, { seed, givens: 'minimal' }, prover).cells;
    for (const { kind, at, digit } of changes) {
      const changed = cells.slice();
      const places = [...cells.keys()].filter(
        (cell) => isUsed(geometry, cell) && (cells[cell] === 0) === (kind === 'add'),
      );
      if (kind === 'none' || places.length === 0) continue;
      changed[places[at % places.length]] = kind === 'blank' ? 0 : (digit % geometry.size) + 1;
      if (!givensClash(geometry, changed, 0)) cells.set(changed);
    }
    return cells;
  });
}

function isUsed(geometry: Geometry, cell: number): boolean {
  return geometry.units.some((unit) => unit.cells.includes(cell));
}
