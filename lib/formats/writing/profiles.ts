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
  writeLine,
  writeRows,
  writeTerminatedTokens,
  writeTokens,
  writeUsualDrawing,
} from './grid-drawing.ts';
import { nineLineBlank, writeNineLines } from './grid-text.ts';

/** Writes solutions in one layout of text. */
interface GridWriter {
  /** Whether an entry has several lines: then a blank line separates entries. */
  readonly multiLine: boolean;
  readonly write: WriteGrid;
}

const lineWriter: GridWriter = { multiLine: false, write: writeLine };
const gridWriter = (write: WriteGrid): GridWriter => ({ multiLine: true, write });

/** The layouts in which solutions are no lines of cells. */
const OWN_WRITERS: Readonly<Record<string, GridWriter>> = {
  rows: gridWriter(writeRows),
  tokens: gridWriter(writeTokens),
  walls: gridWriter(writeTokens),
  boxed: gridWriter(writeDrawn),
  cells: gridWriter(writeDrawn),
  samurai: gridWriter(writeDrawn),
  'cells-line': { multiLine: false, write: writeDrawn },
  'samurai-line': { multiLine: false, write: writeDrawn },
};

/** A profile in which every grid has several lines. */
const grids =
  (write: WriteGrid, blankLine: 'between' | 'after' = 'between') =>
  () =>
    textWriter(() => gridWriter(write), blankLine);

/** Creates the writer of each profile: how it writes a grid, and whether a blank line is between grids or after each. */
export const OUTPUT_WRITERS = {
  same: () => textWriter((layout) => OWN_WRITERS[layout.format] ?? lineWriter, 'between'),
  line: () => textWriter(() => lineWriter, 'between'),
  sdm: () => textWriter(() => lineWriter, 'between', 'sdm'),
  csv: (options) => csvWriter(options, 'same'),
  jsonl: () => jsonRecordWriter(),
  grid: grids(writeUsualDrawing),
  tokens: grids(writeTokens),
  hdu: grids(writeTokens),
  poj3076: grids(writeRows),
  acwing: grids(writeRows, 'after'),
  luogu: grids(writeTerminatedTokens),
} as const satisfies Record<string, (options: WriterOptions) => SolutionWriter>;

/** Writes grids as text. */
function textWriter(
  writerOf: (layout: Layout) => GridWriter,
  blankLine: 'between' | 'after',
  extension = 'txt',
): SolutionWriter {
  let last: Layout | undefined;
  let writer = lineWriter;
  const use = (layout: Layout) => {
    if (layout !== last) writer = writerOf(layout);
    last = layout;
    return writer;
  };
  return entryWriter({
    extension,
    contentType: 'text/plain; charset=utf-8',
    formOf: ({ block }) => (use(block.layout).multiLine ? 'grid' : 'line'),
    write(out, { block, cells, offset }) {
      writer.write(out, block.layout, cells, offset);
      if (writer.multiLine && blankLine === 'after') out.byte(LF);
    },
    linesOf({ block, cells, offset }) {
      const { layout, geometry } = block;
      const blank = use(layout).write === writeLine ? nineLineBlank(layout) : undefined;
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
