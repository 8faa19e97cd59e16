/** Writes solutions as JSON, in one list or one per line, in the shape of the puzzle, with the labels of its object. */

import { type Geometry, hasUsualBox, standardGeometry } from '../../sudoku/geometry/geometry.ts';
import { CLOSE_BRACE, COMMA, LF } from '../bytes/ascii.ts';
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import { type JsonShape, OBJECT, SHAPES } from '../objects/grid.ts';
import type { SolvedRecord } from '../reader.ts';
import type { Layout } from '../records/layout.ts';
import { recordShape } from '../records/record-shape.ts';
import { EntryWriter } from '../writing/entry-writer.ts';
import { CELL_MARK, drawnAs } from '../writing/grid-drawing.ts';

export class JsonWriter extends EntryWriter {
  readonly extension = 'json';
  readonly contentType = 'application/json';
  readonly #list: boolean;

  /** @param list whether all entries are in one list; otherwise each is on its own line */
  constructor(list: boolean) {
    super();
    this.#list = list;
  }

  override begin(out: ByteBuffer): void {
    if (this.#list) out.text('[');
  }

  entry(out: ByteBuffer, { block, index, cells, offset }: SolvedRecord, first: boolean): void {
    this.#open(out, first);
    const arrangement = block.layout.arrangement ?? 'strings';
    const inObject = arrangement.startsWith(OBJECT);
    const shape = inObject ? arrangement.slice(OBJECT.length) : arrangement;
    if (inObject) out.text(`{${rulesText(block.layout)}"solution":`);
    GRID_WRITERS[shape](out, escaped(block.layout), cells, offset);
    if (inObject) {
      const labels = block.notes.size === 0 ? undefined : block.notes.get(index)?.labels;
      if (labels !== undefined) out.text(labels.toString());
      out.byte(CLOSE_BRACE);
    }
    if (!this.#list) out.text('\n');
  }

  /** A puzzle without a solution becomes `null`, so that the file stays valid JSON. */
  override placeholder(out: ByteBuffer, _text: string, first: boolean): void {
    this.#open(out, first);
    out.text(this.#list ? 'null' : 'null\n');
  }

  /** JSON has no comments. */
  override heading(): boolean {
    return false;
  }

  override end(out: ByteBuffer): void {
    if (this.#list) out.text('\n]\n');
  }

  override writeSeparator(out: ByteBuffer): void {
    if (this.#list) out.byte(COMMA);
  }

  #open(out: ByteBuffer, first: boolean): void {
    this.beginEntry(out, 'line', first);
    if (this.#list) out.byte(LF);
  }
}

/** The members of an object that name its rules, for `rulesOf`; empty for an ordinary puzzle. */
function rulesText(layout: Layout): string {
  const { geometry } = layout;
  let text = rulesTexts.get(geometry);
  if (text === undefined) {
    const { variant, box, regions } = recordShape(layout);
    const isUsual = hasUsualBox(geometry.size) && geometry === standardGeometry(geometry.size);
    text = isUsual ? '' : `${JSON.stringify({ variant, box, regions }).slice(1, -1)},`;
    rulesTexts.set(geometry, text);
  }
  return text;
}

const rulesTexts = new WeakMap<Geometry, string>();

/** How grids are written, by their shape. */
const GRID_WRITERS = Object.fromEntries(
  SHAPES.map((shape) => [shape, drawnAs((layout) => gridJson(layout, shape))]),
);

/** The drawing of a grid in JSON. */
function gridJson({ geometry, alphabet }: Layout, shape: JsonShape): string {
  const { size, cellCount } = geometry;
  const mark = String.fromCharCode(CELL_MARK);
  const text = (count: number) =>
    `"${Array(count)
      .fill(mark)
      .join(alphabet.singleCharacter ? '' : ' ')}"`;
  const list = (count: number, each: string) => `[${Array(count).fill(each).join()}]`;
  const cell = shape === 'list' || shape === 'numbers' ? mark : text(1);
  if (shape === 'line') return text(cellCount);
  if (shape === 'list' || shape === 'cells') return list(cellCount, cell);
  return list(size, shape === 'rows' ? text(size) : list(size, cell));
}

/** A layout whose symbols are escaped, if one of them ends a text of JSON. */
function escaped(layout: Layout): Layout {
  const { symbols } = layout.alphabet;
  if (!symbols.includes('"') && !symbols.includes('\\')) return layout;
  const own = symbols.map((symbol) => JSON.stringify(symbol).slice(1, -1));
  return { ...layout, alphabet: { ...layout.alphabet, symbols: own } };
}
