/**
 * OpenSudoku's XML: a game an element, its givens in the attribute `data`, 0 for a blank.
 *
 *     <opensudoku>
 *       <name>Easy</name>
 *       <game data="052006000160900004049803620400000800083201590001000002097305240200009056000100970" />
 *     </opensudoku>
 */
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import { TextPosition } from '../bytes/text-position.ts';
import {
  type CellTemplate,
  fillNextRecord,
  isLastPlain,
  matchesLastRecord,
  matchesTemplate,
  templateOf,
} from '../cells/cell-template.ts';
import { GridBuffer } from '../cells/grid-buffer.ts';
import type { ReaderCheckpoint, ReaderState, RecordReader, SolvedRecord } from '../reader.ts';
import { isSameButBlank, type Layout } from '../records/layout.ts';
import type { RecordBlock } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { WholeFormat } from '../whole-format.ts';
import { EntryWriter } from '../writing/entry-writer.ts';
import { writeCells } from '../writing/grid-text.ts';

export const opensudoku: WholeFormat = {
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

/** Longest element that is read. */
const MAX_ELEMENT_BYTES = 64 * 1024;

/** Bytes of an element that are looked at: a puzzle of the largest size and its other attributes. */
const KEPT_BYTES = 4096;

/** A character for each byte: what is looked for is ASCII. */
const decoder = new TextDecoder('latin1');

/** First letter of `game`. */
const GAME = 103;
const LESS = 60;
const GREATER = 62;

/** Looks at one element after the other; what stands between them is of no interest. */
class OpenSudokuReader implements RecordReader {
  readonly #sink: RecordSink;
  readonly #grid = new GridBuffer();
  readonly #position: TextPosition;
  /** The front of the element being read, from its `<`, and how many bytes there are so far. */
  readonly #element = new Uint8Array(KEPT_BYTES);
  #length = 0;
  #inElement = false;
  /** How the last game stood, for those that follow. */
  #form: (CellTemplate & { readonly layout: Layout }) | undefined;
  #start = new TextPosition();

  /** @param from where another reader stood that read everything before */
  constructor(sink: RecordSink, from?: ReaderState) {
    this.#sink = sink;
    this.#position = TextPosition.from(from);
  }

  *push(bytes: Uint8Array): Iterable<RecordBlock> {
    let counted = 0;
    for (let at = 0; at < bytes.length; at++) {
      if (!this.#inElement) {
        at = bytes.indexOf(LESS, at);
        if (at < 0) break;
        const taken = this.#takeStraight(bytes, counted, at);
        if (taken > 0) {
          counted = at + taken;
          at = counted - 1;
          if (this.#sink.hasReady) yield* this.#sink.takeReady();
          continue;
        }
      }
      const byte = bytes[at];
      if (byte === LESS) {
        this.#position.advance(bytes, counted, at);
        counted = at;
        // A game that is not closed before the next element starts was cut off.
        if (this.#inElement && (this.#element[1] | 0x20) === GAME) this.#enter(this.#text(), false);
        this.#start = this.#position.copy();
        this.#length = 0;
        this.#inElement = true;
      }
      if (this.#length < KEPT_BYTES) this.#element[this.#length] = byte;
      this.#length++;
      if (byte !== GREATER && this.#length < MAX_ELEMENT_BYTES) continue;
      this.#inElement = false;
      this.#position.advance(bytes, counted, at + 1);
      counted = at + 1;
      if ((this.#element[1] | 0x20) === GAME) this.#enter(this.#text(), byte === GREATER);
      if (this.#sink.hasReady) yield* this.#sink.takeReady();
    }
    this.#position.advance(bytes, counted, bytes.length);
  }

  *end(): Iterable<RecordBlock> {
    if (this.#inElement) this.#enter(this.#text(), false);
    this.#sink.finish();
    yield* this.#sink.takeReady();
  }

  *flush(): Iterable<RecordBlock> {
    this.#sink.finish();
    yield* this.#sink.takeReady();
  }

  checkpoint(): ReaderCheckpoint | undefined {
    if (this.#inElement) return undefined;
    return { state: { ...this.#position.state(), sink: this.#sink.state() }, unreadBytes: 0 };
  }

  /**
   * Takes the element at `at` straight from the bytes, if it is written like the last game.
   *
   * @param counted up to where lines were counted
   * @returns its length in bytes; 0 where it was not taken
   */
  #takeStraight(bytes: Uint8Array, counted: number, at: number): number {
    const form = this.#form;
    const block = this.#sink.currentBlock;
    if (form === undefined || block === undefined || at + form.bytes > bytes.length) return 0;
    if (!isSameButBlank(block.layout, form.layout) || !matchesTemplate(form, bytes, at)) return 0;
    if (!fillNextRecord(this.#sink, block, bytes, at, form)) return 0;
    this.#position.advance(bytes, counted, at);
    block.line[block.count] = this.#position.line;
    this.#position.advance(bytes, at, at + form.bytes);
    block.lineEnd[block.count++] = this.#position.line;
    this.#sink.finishIfFull();
    return form.bytes;
  }

  /** Remembers how the game in `#element` stands, whose cells begin at `from`. */
  #rememberForm(from: number, cellCount: number): void {
    this.#form = undefined;
    const offsets = Array.from({ length: cellCount }, (_, cell) => from + cell);
    const block = this.#sink.currentBlock;
    if (block === undefined || this.#length > KEPT_BYTES || !isLastPlain(this.#sink)) return;
    if (!matchesLastRecord(this.#sink, this.#element, offsets)) return;
    const places = templateOf(this.#element, 0, this.#length, offsets, cellCount);
    this.#form = { ...places, layout: block.layout };
  }

  /** What is kept of the element, a character for each byte. */
  #text(): string {
    return decoder.decode(this.#element.subarray(0, this.#length));
  }

  #enter(element: string, closed: boolean): void {
    if (!/^<game\b/i.test(element)) return;
    const { line, column } = this.#start;
    const lineEnd = this.#position.line;
    const found = /\bdata\s*=\s*["']([^"']*)["']/i.exec(element);
    const data = found?.[1];
    const geometry = data === undefined ? undefined : this.#sink.book.geometryOfCells(data.length);
    if (data === undefined || geometry === undefined) {
      const shown = data === undefined ? 'a game without data' : `${data.length} characters`;
      const code = closed ? 'bad_length' : 'truncated';
      const expected = 'data of 81 characters';
      const message = `line ${line}, column ${column}: found ${shown}: expected ${expected}`;
      this.#sink.enterError({ code, message, line, column, found: shown, expected }, line, lineEnd);
      return;
    }
    this.#grid.clear();
    for (let k = 0; k < data.length; k++) this.#grid.add(Math.min(data.charCodeAt(k), 255), k);
    const place = { format: 'opensudoku', geometry, spaced: false, line, lineEnd };
    const fault = this.#sink.enterGrid(this.#grid, place);
    if (fault === undefined) {
      const from = (found?.index ?? 0) + (found?.[0].length ?? 0) - 1 - data.length;
      if (closed) this.#rememberForm(from, data.length);
      return;
    }
    const { code, expected } = fault;
    const message = `line ${line}, column ${column}: found "${fault.found}" in a game: expected ${expected}`;
    this.#sink.enterError({ code, message, line, column, found: fault.found, expected }, line, lineEnd);
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

  override placeholder(out: ByteBuffer, text: string, first: boolean): void {
    this.beginEntry(out, 'line', first);
    // Two dashes may not stand within a comment.
    out.text(`<!-- ${text.replaceAll('--', '- -')} -->\n`);
  }

  override end(out: ByteBuffer): void {
    out.text('</opensudoku>\n');
  }
}
