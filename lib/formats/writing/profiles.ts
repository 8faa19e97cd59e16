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
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import { JsonRecordWriter } from '../json/json-record-writer.ts';
import type { EntryForm, SolutionWriter, SolvedRecord, WriterOptions } from '../reader.ts';
import type { Layout } from '../records/layout.ts';
import { CsvWriter } from '../table/csv-writer.ts';

import { textWriter } from '../text/registry.ts';
import { EntryWriter } from './entry-writer.ts';
import {
  type WriteGrid,
  writeLine,
  writeRows,
  writeTerminatedTokens,
  writeTokens,
  writeUsualDrawing,
} from './grid-drawing.ts';
import { nineLineBlank, writeNineLines } from './grid-text.ts';
import type { GridWriter } from './grid-writer.ts';

const lineWriter: GridWriter = { multiLine: false, write: writeLine };

/** A profile in which every grid has several lines. */
const grids =
  (write: WriteGrid, blankLine: 'between' | 'after' = 'between') =>
  () =>
    new TextWriter(() => ({ multiLine: true, write }), blankLine);

/** Creates the writer of each profile: how it writes a grid, and whether a blank line is between grids or after each. */
export const OUTPUT_WRITERS = {
  same: () => new TextWriter((layout) => textWriter(layout.format) ?? lineWriter, 'between'),
  line: () => new TextWriter(() => lineWriter, 'between'),
  sdm: () => new TextWriter(() => lineWriter, 'between', 'sdm'),
  csv: (options) => new CsvWriter(options, 'same'),
  jsonl: () => new JsonRecordWriter(),
  grid: grids(writeUsualDrawing),
  tokens: grids(writeTokens),
  hdu: grids(writeTokens),
  poj3076: grids(writeRows),
  acwing: grids(writeRows, 'after'),
  luogu: grids(writeTerminatedTokens),
} as const satisfies Record<string, (options: WriterOptions) => SolutionWriter>;

/** Writes grids as text. */
class TextWriter extends EntryWriter {
  readonly extension: string;
  readonly contentType = 'text/plain; charset=utf-8';
  readonly #writerOf: (layout: Layout) => GridWriter;
  readonly #blankLine: 'between' | 'after';
  #layout: Layout | undefined;
  #writer: GridWriter = lineWriter;

  constructor(writerOf: (layout: Layout) => GridWriter, blankLine: 'between' | 'after', extension = 'txt') {
    super();
    this.extension = extension;
    this.#writerOf = writerOf;
    this.#blankLine = blankLine;
  }

  entry(out: ByteBuffer, { block, cells, offset }: SolvedRecord, first: boolean): void {
    const { layout } = block;
    this.#use(layout);
    const { multiLine } = this.#writer;
    this.beginEntry(out, multiLine ? 'grid' : 'line', first);
    this.#writer.write(out, layout, cells, offset);
    if (multiLine && this.#blankLine === 'after') out.byte(LF);
  }

  entries(out: ByteBuffer, { block, cells, offset }: SolvedRecord, count: number, first: boolean): boolean {
    const { layout, geometry } = block;
    this.#use(layout);
    const blank = this.#writer.write === writeLine ? nineLineBlank(layout) : undefined;
    if (blank === undefined) return false;
    // Lines need no separators.
    this.beginEntry(out, 'line', first);
    const from = offset / geometry.cellCount;
    writeNineLines(out, cells, from, from + count, blank);
    return true;
  }

  #use(layout: Layout): void {
    if (layout === this.#layout) return;
    this.#layout = layout;
    this.#writer = this.#writerOf(layout);
  }

  /** A blank line before and after a grid of several lines. */
  override writeSeparator(out: ByteBuffer, before: EntryForm, after: EntryForm): void {
    if (this.#blankLine === 'between' && (before === 'grid' || after === 'grid')) out.byte(LF);
  }
}
