import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteBuffer } from '../../../../lib/formats/bytes/byte-buffer.ts';
import { detectFormat, openReader, openWriter } from '../../../../lib/formats/formats.ts';
import { RecordBlock } from '../../../../lib/formats/records/record-block.ts';
import { propertyRuns } from '../../../support/depth.ts';
import { CELL_LAYOUTS, type CellLayout, type Cells, randomPuzzle } from '../../cell-layouts.ts';
import { bytesOf, CLASSIC, type ReadRecord, readText } from '../../reading.ts';

const SIZES = [4, 6, 9, 12, 16, 25];
const LAYOUTS = Object.entries(CELL_LAYOUTS);

/** The cells of a record, '' for a blank. */
function cellsOf({ grid, blank, alphabet }: ReadRecord): string[] {
  const spaced = /\d-\d\d/.test(alphabet) || blank.length > 1;
  if (!spaced) return Array.from(grid, (symbol) => (symbol === blank ? '' : symbol));
  const cells: string[] = [];
  for (let at = 0; at < grid.length; ) {
    let end = at + 1;
    while (grid[at] !== ' ' && end < grid.length && grid[end] !== ' ') end++;
    const symbol = grid.slice(at, end);
    cells.push(symbol === blank ? '' : symbol);
    at = end + 1;
  }
  return cells;
}

function puzzlesOf(layout: CellLayout, size: number, count: number, seed: number): Cells[] {
  return Array.from({ length: count }, (_, k) => randomPuzzle(size, seed + k, layout).puzzle);
}

const isOnLine = ({ format }: CellLayout) => format === 'line' || format === 'cells-line';

function textOf(layout: CellLayout, puzzles: readonly Cells[], blank: string): string {
  return puzzles.map((puzzle) => layout.write(puzzle, blank)).join(isOnLine(layout) ? '' : '\n');
}

const errorsOf = (records: readonly ReadRecord[]) => records.map(({ notes }) => notes?.error?.message);

describe.each(LAYOUTS)('%s', (_name, layout) => {
  const cases = SIZES.flatMap((size) => layout.blanks.map((blank) => [size, blank] as const));

  it.each(cases)('hold puzzles of size %d with the blank "%s"', (size, blank) => {
    for (const count of [1, 3]) {
      const puzzles = puzzlesOf(layout, size, count, size);
      const { records } = readText(textOf(layout, puzzles, blank));
      expect(errorsOf(records)).toEqual(puzzles.map(() => undefined));
      expect(records.map((record) => record.size)).toEqual(puzzles.map(() => size));
      expect(records.map(cellsOf)).toEqual(puzzles);
    }
  });

  it('have the lines of their puzzles, with any line ends and with or without the last one', () => {
    const [blank] = layout.blanks;
    const text = textOf(layout, puzzlesOf(layout, 9, 3, 1), blank);
    const { records } = readText(text);
    const again = (other: string) =>
      readText(other).records.map(({ line, lineEnd, grid }) => [line, lineEnd, grid]);
    const same = records.map(({ line, lineEnd, grid }) => [line, lineEnd, grid]);
    expect(again(text.replaceAll('\n', '\r\n'))).toEqual(same);
    expect(again(text.replaceAll('\n', '\r'))).toEqual(same);
    expect(again(text.slice(0, -1))).toEqual(same);
  });

  it('are read between puzzles of other layouts, and after comments and other text', () => {
    const [blank] = layout.blanks;
    const [one, two] = puzzlesOf(layout, 9, 2, 7);
    const text = `# ${CLASSIC}\n${CLASSIC}\n\n${layout.write(one, blank)}\n// between\nSome words.\n\n${layout.write(two, blank)}\n${CLASSIC}\n`;
    const { records } = readText(text);
    const grids = records.filter(({ notes }) => notes?.error === undefined);
    const classic = Array.from(CLASSIC, (symbol) => (symbol === '.' ? '' : symbol));
    expect(grids.map(cellsOf)).toEqual([classic, one, two, classic]);
    expect(records.length).toBe(5);
  });

  it('are written again with their solutions, and read again', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SIZES),
        fc.constantFrom(...layout.blanks),
        fc.nat(99),
        (size, blank, seed) => {
          const made = [0, 1].map((k) => randomPuzzle(size, seed + k, layout));
          const text = solvedText(
            textOf(
              layout,
              made.map(({ puzzle }) => puzzle),
              blank,
            ),
            made.map(({ solution }) => solution),
          );
          const { records } = readText(text);
          expect(errorsOf(records)).toEqual([undefined, undefined]);
          expect(records.map(cellsOf)).toEqual(made.map(({ solution }) => solution));
        },
      ),
      { numRuns: propertyRuns(2) },
    );
  });
});

/** The solutions of a text's puzzles, in its own layout. */
function solvedText(text: string, solutions: readonly Cells[]): string {
  const bytes = bytesOf(text);
  const detection = detectFormat(bytes, true, {});
  if (detection.kind !== 'puzzles') throw new Error(JSON.stringify(detection));
  const writer = openWriter('same', detection);
  const reader = openReader(detection, {}, { acquire: (layout) => new RecordBlock(layout, 4) });
  const out = new ByteBuffer();
  let index = 0;
  for (const block of [...reader.push(bytes), ...reader.end()]) {
    for (let k = 0; k < block.count; k++, index++) {
      const { symbols } = block.layout.alphabet;
      const cells = Uint8Array.from(solutions[index], (symbol) => symbols.indexOf(symbol));
      writer.entry(out, { block, index: k, cells, offset: 0 }, index === 0);
    }
  }
  return new TextDecoder().decode(out.take());
}
