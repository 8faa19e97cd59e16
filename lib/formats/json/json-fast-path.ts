/** The fast path for JSON: records that are written like the last one are read without parsing. */
import { BACKSLASH, CLOSE_BRACKET, COMMA, CR, LF, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../bytes/ascii.ts';
import { textIn } from '../bytes/byte-text.ts';
import { isLastPlain } from '../cells/cell-template.ts';
import { LastRecordTemplate } from '../cells/last-record-template.ts';
import { isSameButBlank, type Layout } from '../records/layout.ts';
import type { RecordNotes } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import {
  findValues,
  noOffsets,
  ObjectLabels,
  type ObjectTemplate,
  objectTemplate,
} from './json-object-template.ts';
import type { JsonWindow } from './json-window.ts';
import { OBJECT } from './json-writer.ts';

/** Offsets in the current object. */
const offsets = noOffsets();

export class JsonFastPath {
  readonly #sink: RecordSink;
  readonly #window: JsonWindow;
  /** Template of the last grid, whether that is in a list, and whether it is on one line. */
  readonly #grid = new LastRecordTemplate();
  #inList = false;
  #isOneLine = false;
  #object: (ObjectTemplate & { readonly layout: Layout }) | undefined;

  constructor(sink: RecordSink, window: JsonWindow) {
    this.#sink = sink;
    this.#window = window;
  }

  clear(): void {
    this.#grid.clear();
    this.#object = undefined;
  }

  /**
   * Enters the grid at `at` if it matches the last one.
   *
   * @param inList whether it is in a list
   * @returns the offset after it; -1 if it does not match
   */
  takeGrid(at: number, inList: boolean): number {
    if (this.#inList !== inList) return -1;
    const [sink, window] = [this.#sink, this.#window];
    const length = this.#grid.fill(sink, window.bytes, at, window.length);
    if (length === 0) return -1;
    const end = at + length;
    window.moveTo(at);
    const { line } = window.position;
    if (this.#isOneLine) window.skipTo(end);
    else window.moveTo(end);
    sink.enterFilled(line, window.position.line);
    return end;
  }

  /**
   * Enters the object at `at` if it matches the last one.
   *
   * @returns the offset after it; -1 if it does not match
   */
  takeObject(at: number): number {
    const [sink, window, template] = [this.#sink, this.#window, this.#object];
    const block = sink.currentBlock;
    if (template === undefined || block === undefined) return -1;
    const { layout } = template;
    if (block.layout !== layout && !isSameButBlank(block.layout, layout)) return -1;
    const { bytes } = window;
    if (!findValues(template, bytes, at, window.length, offsets)) return -1;
    const notes: RecordNotes = {};
    if (offsets.id >= 0) notes.id = textIn(bytes, offsets.id, offsets.idEnd);
    if (offsets.solution >= 0) {
      const solution = sink.valuesOf({ bytes, from: offsets.solution }, layout.geometry);
      if (solution === undefined) return -1;
      notes.expected = { solution };
    }
    const { hasLabels } = template;
    if (hasLabels) {
      notes.labels = new ObjectLabels(template, bytes, at);
      window.keepBytes();
    }
    const hasNotes = hasLabels || notes.expected !== undefined;
    window.moveTo(at);
    const { line } = window.position;
    const { format, geometry, arrangement } = layout;
    const found = { format, geometry, arrangement, line, lineEnd: line, notes: hasNotes ? notes : undefined };
    if (!sink.enterFast({ bytes, from: offsets.puzzle }, found)) return -1;
    if (offsets.ascii) window.skipTo(offsets.end);
    return offsets.end;
  }

  /** Keeps the record in the bytes `from` to `to` (exclusive), which was just entered, as the template. */
  keep(from: number, to: number, inList: boolean): void {
    if (this.#window.bytes[from] === OPEN_BRACE) this.#keepObject(from, to);
    else this.#keepGrid(from, to, inList);
  }

  /** An object is kept if its puzzle is a text. */
  #keepObject(from: number, to: number): void {
    this.#object = undefined;
    const layout = this.#sink.currentBlock?.layout;
    if (layout?.arrangement !== `${OBJECT}line` || !isLastPlain(this.#sink)) return;
    const template = objectTemplate(this.#window.bytes, from, to, layout.geometry.cellCount);
    this.#object = template && { ...template, layout };
  }

  /** A grid is kept if every cell is one character. */
  #keepGrid(from: number, to: number, inList: boolean): void {
    const { bytes } = this.#window;
    if (this.#inList === inList && this.#grid.isOf(this.#sink, bytes, from, to - from)) return;
    const cells = cellsIn(bytes, from, to);
    this.#inList = inList;
    this.#isOneLine = !bytes.subarray(from, to).some((byte) => byte === LF || byte === CR);
    if (cells === undefined) this.#grid.clear();
    else this.#grid.keep(this.#sink, bytes, from, to - from, cells);
  }
}

/** Offsets of the cells of a grid without numbers of several digits, escapes or names; undefined for other records. */
function cellsIn(bytes: Uint8Array, from: number, to: number): number[] | undefined {
  const offsets: number[] = [];
  let inString = false;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) inString = !inString;
    else if (byte === BACKSLASH || byte > 126) return undefined;
    else if (inString) offsets.push(at);
    else if (byte > 32 && byte !== OPEN_BRACKET && byte !== CLOSE_BRACKET && byte !== COMMA) {
      if (byte < 48 || byte > 57 || offsets.at(-1) === at - 1) return undefined;
      offsets.push(at);
    }
  }
  return offsets;
}
