/**
 * OpenSudoku's XML: one element per game, with its cells in the attribute `data`, 0 for a blank.
 *
 *     <opensudoku>
 *       <name>Easy</name>
 *       <game data="052006000160900004049803620400000800083201590001000002097305240200009056000100970" />
 *     </opensudoku>
 */

import { unlessInterrupted } from '../bytes/arrival.ts';
import { GREATER, LESS } from '../bytes/ascii.ts';
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import { excerptIn } from '../bytes/byte-text.ts';
import { ByteWindow } from '../bytes/byte-window.ts';
import type { TextPosition } from '../bytes/text-position.ts';
import { GridBuffer } from '../cells/grid-buffer.ts';
import type { FileFormat } from '../file-format.ts';
import type { ReaderCheckpoint, ReaderState, RecordReader, SolvedRecord } from '../reader.ts';
import { errorAt, makeFault } from '../records/fault.ts';
import type { RecordBlock } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { Template } from '../records/template.ts';
import { EntryWriter } from '../writing/entry-writer.ts';
import { writeCells } from '../writing/grid-drawing.ts';

export const opensudoku: FileFormat = {
  name: 'opensudoku',
  recognise(head) {
    const front = new TextDecoder().decode(head.subarray(0, 4096));
    return /^\s*</.test(front) && /<(opensudoku|game)\b/i.test(front) ? {} : undefined;
  },
  open(_settings, sink, from) {
    return new OpenSudokuReader(sink, from);
  },
  writer() {
    return new OpenSudokuWriter();
  },
};

const MAX_ELEMENT_BYTES = 64 * 1024;

/** Bytes kept of an element: enough for a puzzle of the largest size and its other attributes. */
const KEPT_BYTES = 4096;

/** One character per byte: tags and attributes are ASCII. */
const decoder = new TextDecoder('latin1');

/** Reads one element after the other and ignores the text between them. */
class OpenSudokuReader implements RecordReader {
  readonly #sink: RecordSink;
  readonly #grid = new GridBuffer();
  readonly #window: ByteWindow;
  /** Offset of the next byte, and up to where the end of its element was looked for. */
  #at = 0;
  #scanned = 0;
  #template: Template | undefined;

  /** @param from state of a reader that has read everything before */
  constructor(sink: RecordSink, from?: ReaderState) {
    this.#sink = sink;
    this.#window = new ByteWindow(from);
  }

  *push(bytes: Uint8Array): Iterable<RecordBlock> {
    this.#window.feed(bytes, this.#at);
    this.#scanned -= this.#at;
    this.#at = 0;
    yield* this.#read();
  }

  *end(): Iterable<RecordBlock> {
    this.#window.ended = true;
    yield* this.#read();
    yield* this.#sink.flush();
  }

  flush(): Iterable<RecordBlock> {
    return this.#sink.flush();
  }

  checkpoint(): ReaderCheckpoint {
    this.#window.moveTo(this.#at);
    const state = { ...this.#window.position.state(), sink: this.#sink.state() };
    return { state, unreadBytes: this.#window.length - this.#at };
  }

  *#read(): Iterable<RecordBlock> {
    while (unlessInterrupted(() => this.#element())) {
      if (this.#sink.hasReady) yield* this.#sink.takeReady();
    }
  }

  /** Reads the next element; false at the end of the file. */
  #element(): boolean {
    const window = this.#window;
    const { bytes, length } = window;
    const next = bytes.indexOf(LESS, this.#at);
    const from = next < 0 ? length : Math.min(next, length);
    this.#at = from;
    if (window.byte(from) !== LESS) return false;
    const template = this.#template;
    const same = template?.fits(this.#sink) === true ? template.match(bytes, from, length) : -1;
    if (template !== undefined && same >= 0 && template.fill(this.#sink, bytes)) {
      window.moveTo(from);
      const { line } = window.position;
      if (template.isPlain) window.skipTo(same);
      else window.moveTo(same);
      this.#sink.enterFilled(line, window.position.line);
      this.#at = same;
      return true;
    }
    const last = Math.min(length, from + MAX_ELEMENT_BYTES);
    let to = Math.max(from + 1, this.#scanned);
    while (to < last && bytes[to] !== LESS && bytes[to] !== GREATER) to++;
    this.#scanned = to;
    // Interrupts the reader if the element goes on. A game that is not closed before the next element is truncated.
    const isClosed = to < from + MAX_ELEMENT_BYTES && window.byte(to) === GREATER;
    this.#at = isClosed ? to + 1 : to;
    window.moveTo(from);
    const start = window.position.copy();
    window.moveTo(this.#at);
    this.#enter(from, isClosed, start);
    return true;
  }

  /** Enters the element from `from` to `#at`, if it is a game. */
  #enter(from: number, isClosed: boolean, start: TextPosition): void {
    const [sink, window] = [this.#sink, this.#window];
    const element = decoder.decode(window.bytes.subarray(from, Math.min(this.#at, from + KEPT_BYTES)));
    if (!/^<game\b/i.test(element)) return;
    const [line, lineEnd] = [start.line, window.position.line];
    const found = /\bdata\s*=\s*["']([^"']*)["']/i.exec(element);
    const data = found?.[1];
    const geometry = data === undefined ? undefined : sink.book.geometryOfCells(data.length);
    this.#grid.clear();
    for (let k = 0; k < (data?.length ?? 0); k++) this.#grid.add(Math.min(data!.charCodeAt(k), 255), k);
    const shown = data === undefined ? 'a game without data' : `${data.length} characters`;
    const fault =
      geometry === undefined
        ? makeFault(isClosed ? 'bad_length' : 'truncated', 0, shown, 'data of 81 characters')
        : sink.enter({ format: 'opensudoku', geometry, cells: this.#grid, line, lineEnd });
    if (fault !== undefined) {
      const where = geometry === undefined ? undefined : 'in a game';
      const text = excerptIn(window.bytes, from, Math.min(this.#at, from + KEPT_BYTES));
      sink.enterError(errorAt(start, { ...fault, where }), line, lineEnd, { text });
    } else if (isClosed) {
      const first = from + found!.index + found![0].length - 1 - data!.length;
      const cells = Array.from(data!, (_, cell) => first + cell);
      this.#template = Template.of(sink, window.bytes, from, this.#at, { cells });
    }
  }
}

class OpenSudokuWriter extends EntryWriter {
  readonly extension = 'opensudoku';
  readonly contentType = 'application/xml';

  override begin(out: ByteBuffer): void {
    out.text('<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n');
  }

  entry(out: ByteBuffer, { block, cells, offset }: SolvedRecord, first: boolean): void {
    this.beginEntry(out, 'line', first);
    out.text('<game data="');
    writeCells(out, block.layout.alphabet, cells, offset, block.geometry.cellCount);
    out.text('" />\n');
  }

  protected override comment(out: ByteBuffer, text: string, first: boolean): void {
    this.beginEntry(out, 'line', first);
    // A comment must not contain two dashes.
    out.text(`<!-- ${text.replaceAll('--', '- -')} -->\n`);
  }

  override end(out: ByteBuffer): void {
    out.text('</opensudoku>\n');
  }
}
