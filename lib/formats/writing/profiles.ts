/**
 * The output profiles: the input's own layout, or exactly the format that an online judge expects.
 *
 *     line       one line per grid
 *     sdm        the same, with the file name extension .sdm
 *     csv        a table: `puzzle,solution,status,error`
 *     jsonl      one object per record
 *     grid       with lines drawn between the boxes
 *     tokens     rows of symbols separated by single spaces
 *     hdu        symbols separated by single spaces; one blank line between grids (HDU 1426)
 *     poj3076    rows of characters; one blank line between grids (POJ 3076, SPOJ)
 *     acwing     rows of characters; one blank line after each grid (AcWing 169)
 *     luogu      every symbol followed by a space, on every line (Luogu P1784); a blank line between grids
 *
 * A record without a solution becomes a `#` line, separated from its neighbours like a grid; in a table, a row.
 */
import { LF } from '../bytes/ascii.ts';
import { jsonRecordWriter } from '../json/json-record-writer.ts';
import type { SolutionWriter, WriterOptions } from '../reader.ts';
import type { Layout } from '../records/layout.ts';
import { csvWriter } from '../table/csv-writer.ts';
import { entryWriter } from './entry-writer.ts';
import {
  type WriteGrid,
  writeDrawn,
  writeDrawnLine,
  writeLine,
  writeRows,
  writeTerminatedTokens,
  writeTokens,
  writeUsualDrawing,
} from './grid-drawing.ts';
import { nineLineBlank, writeNineLines } from './grid-text.ts';

/** The layouts in which solutions are no lines of cells. */
const OWN_WRITERS: Readonly<Record<string, WriteGrid>> = {
  rows: writeRows,
  tokens: writeTokens,
  walls: writeTokens,
  boxed: writeDrawn,
  cells: writeDrawn,
  samurai: writeDrawn,
  'cells-line': writeDrawnLine,
  'samurai-line': writeDrawnLine,
};
/** In all others, an entry has several lines: then a blank line separates entries. */
const LINE_WRITERS: ReadonlySet<WriteGrid> = new Set([writeLine, writeDrawnLine]);

/** Creates the writer of each profile: how it writes a grid, and whether a blank line is between grids or after each. */
export const OUTPUT_WRITERS = {
  same: () => textWriter(({ format }) => OWN_WRITERS[format] ?? writeLine),
  line: () => textWriter(() => writeLine),
  sdm: () => textWriter(() => writeLine, 'between', 'sdm'),
  csv: (options) => csvWriter(options),
  jsonl: () => jsonRecordWriter(),
  grid: () => textWriter(() => writeUsualDrawing),
  tokens: () => textWriter(() => writeTokens),
  hdu: () => textWriter(() => writeTokens),
  poj3076: () => textWriter(() => writeRows),
  acwing: () => textWriter(() => writeRows, 'after'),
  luogu: () => textWriter(() => writeTerminatedTokens),
} as const satisfies Record<string, (options: WriterOptions) => SolutionWriter>;

/** Writes grids as text. */
function textWriter(
  writerOf: (layout: Layout) => WriteGrid,
  blankLine: 'between' | 'after' = 'between',
  extension = 'txt',
): SolutionWriter {
  return entryWriter({
    extension,
    contentType: 'text/plain; charset=utf-8',
    formOf: ({ block }) => (LINE_WRITERS.has(writerOf(block.layout)) ? 'line' : 'grid'),
    write(out, { block, cells, offset }) {
      writerOf(block.layout)(out, block.layout, cells, offset);
      if (blankLine === 'after') out.byte(LF);
    },
    linesOf({ block, cells, offset }) {
      const { layout, geometry } = block;
      const blank = writerOf(layout) === writeLine ? nineLineBlank(layout) : undefined;
      const from = offset / geometry.cellCount;
      return blank === undefined
        ? undefined
        : (out, count) => writeNineLines(out, cells, from, from + count, blank);
    },
    // A blank line before and after a grid of several lines.
    separator: (before, after) =>
      blankLine === 'between' && (before === 'grid' || after === 'grid') ? LF : 0,
  });
}
