/**
 * How solutions are written, for text: the input's own layout, or what a judge expects to the byte.
 *
 *     line       one line a grid
 *     sdm        the same, in a file with that ending
 *     csv        `puzzle,solution`
 *     jsonl      an object a record
 *     grid       with lines drawn between the boxes, for people
 *     tokens     rows of symbols parted by single spaces
 *     hdu        symbols parted by single spaces; one blank line between grids (HDU 1426)
 *     poj3076    rows of characters; one blank line between grids (POJ 3076, SPOJ)
 *     acwing     rows of characters; one blank line after each grid (AcWing 169)
 *     luogu      every symbol followed by a space, on every line (Luogu P1784); a blank line between grids
 *
 * A record without a solution keeps its place as a `#` line, and is parted from its neighbours like a grid.
 */
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import { JsonLinesWriter } from '../json/json-lines-writer.ts';
import type { EntryForm, SolutionWriter } from '../reader.ts';
import type { Layout } from '../records/layout.ts';
import type { RecordBlock } from '../records/record-block.ts';
import { PairWriter } from '../table/csv-writer.ts';

import { textWriter } from '../text/registry.ts';
import { EntryWriter } from './entry-writer.ts';
import { writeUsualDrawing } from './grid-drawing.ts';
import {
  nineLineBlank,
  writeClosedTokens,
  writeLine,
  writeNineLines,
  writeRows,
  writeTokens,
} from './grid-text.ts';
import type { GridWriter } from './grid-writer.ts';

const LF = 10;

const lineWriter: GridWriter = { multiLine: false, write: writeLine };

const luoguWriter: GridWriter = { multiLine: true, write: writeClosedTokens };

/** Writers by profile: how a grid is written, and whether a blank line stands between grids or after each. */
export const TEXT_PROFILES = {
  same: () => new TextWriter((layout) => textWriter(layout.format) ?? lineWriter, 'between'),
  line: () => new TextWriter(() => lineWriter, 'between'),
  sdm: () => new TextWriter(() => lineWriter, 'between', 'sdm'),
  csv: () => new PairWriter(),
  jsonl: () => new JsonLinesWriter(),
  grid: () => new TextWriter(() => ({ multiLine: true, write: writeUsualDrawing }), 'between'),
  tokens: () => new TextWriter(() => ({ multiLine: true, write: writeTokens }), 'between'),
  hdu: () => new TextWriter(() => ({ multiLine: true, write: writeTokens }), 'between'),
  poj3076: () => new TextWriter(() => ({ multiLine: true, write: writeRows }), 'between'),
  acwing: () => new TextWriter(() => ({ multiLine: true, write: writeRows }), 'after'),
  luogu: () => new TextWriter(() => luoguWriter, 'between'),
} as const satisfies Record<string, () => SolutionWriter>;

/** Writes grids one after the other as text. */
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

  entry(
    out: ByteBuffer,
    block: RecordBlock,
    _index: number,
    cells: Uint8Array,
    offset: number,
    first: boolean,
  ): void {
    const { layout } = block;
    this.#use(layout);
    const { multiLine } = this.#writer;
    this.part(out, multiLine ? 'grid' : 'line', first);
    this.#writer.write(out, layout, cells, offset);
    if (multiLine && this.#blankLine === 'after') out.byte(LF);
  }

  entries(
    out: ByteBuffer,
    { layout }: RecordBlock,
    from: number,
    to: number,
    cells: Uint8Array,
    first: boolean,
  ): boolean {
    this.#use(layout);
    const blank = this.#writer.write === writeLine ? nineLineBlank(layout) : undefined;
    if (blank === undefined) return false;
    // Nothing parts a line from a line.
    this.part(out, 'line', first);
    writeNineLines(out, cells, from, to, blank);
    return true;
  }

  #use(layout: Layout): void {
    if (layout === this.#layout) return;
    this.#layout = layout;
    this.#writer = this.#writerOf(layout);
  }

  /** A blank line where a grid of several lines ends or begins. */
  override joint(out: ByteBuffer, before: EntryForm, behind: EntryForm): void {
    if (this.#blankLine === 'between' && (before === 'grid' || behind === 'grid')) out.byte(LF);
  }
}
