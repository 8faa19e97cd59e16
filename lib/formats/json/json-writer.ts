/** Writes solutions as JSON, in one list or one per line, in the shape of the puzzle, with the labels of its object. */

import { type Geometry, hasUsualBox, standardGeometry } from '../../sudoku/geometry/geometry.ts';
import { CLOSE_BRACE, COMMA, LF } from '../bytes/ascii.ts';
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import { type JsonShape, OBJECT } from '../objects/grid.ts';
import type { SolvedRecord } from '../reader.ts';
import type { Layout } from '../records/layout.ts';
import { recordShape } from '../records/record-shape.ts';
import { EntryWriter } from '../writing/entry-writer.ts';

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
    const shape = (inObject ? arrangement.slice(OBJECT.length) : arrangement) as JsonShape;
    if (inObject) out.text(`{${rulesText(block.layout)}"solution":`);
    writeGrid(out, block.layout, shape, cells, offset);
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

/** The text of a grid, and the offsets of its cells. */
interface GridForm {
  readonly bytes: Uint8Array;
  readonly cellOffset: Int32Array;
}

const forms = new Map<string, GridForm>();

/** A form that is copied and filled in; for grids with one character per cell. */
function formOf(geometry: Geometry, shape: JsonShape): GridForm {
  const key = `${geometry.cellCount} ${shape}`;
  let form = forms.get(key);
  if (form === undefined) {
    const text = gridJson(geometry, shape, () => '?');
    const bytes = new TextEncoder().encode(text);
    form = { bytes, cellOffset: Int32Array.from([...text.matchAll(/\?/g)], ({ index }) => index) };
    forms.set(key, form);
  }
  return form;
}

function writeGrid(
  out: ByteBuffer,
  layout: Layout,
  shape: JsonShape,
  cells: Uint8Array,
  offset: number,
): void {
  const { symbols, singleCharacter } = layout.alphabet;
  const { geometry } = layout;
  if (!singleCharacter || symbols.includes('"') || symbols.includes('\\')) {
    out.text(gridJson(geometry, shape, (cell) => symbols[cells[offset + cell]]));
    return;
  }
  const { bytes, cellOffset } = formOf(geometry, shape);
  out.ensure(bytes.length);
  out.bytes.set(bytes, out.length);
  for (let cell = 0; cell < cellOffset.length; cell++) {
    out.bytes[out.length + cellOffset[cell]] = symbols[cells[offset + cell]].charCodeAt(0);
  }
  out.length += bytes.length;
}

function gridJson(
  { size, cellCount }: Geometry,
  shape: JsonShape,
  symbolOf: (cell: number) => string,
): string {
  const texts = Array.from({ length: cellCount }, (_, cell) => symbolOf(cell));
  const joined = (part: string[]) =>
    JSON.stringify(part.join(part.some((text) => text.length > 1) ? ' ' : ''));
  if (shape === 'line') return joined(texts);
  if (shape === 'list') return `[${texts.join()}]`;
  if (shape === 'cells') return `[${texts.map((text) => JSON.stringify(text)).join()}]`;
  const rows = Array.from({ length: size }, (_, row) => {
    const part = texts.slice(row * size, (row + 1) * size);
    if (shape === 'rows') return joined(part);
    return `[${part.map((text) => (shape === 'numbers' ? text : JSON.stringify(text))).join()}]`;
  });
  return `[${rows.join()}]`;
}
