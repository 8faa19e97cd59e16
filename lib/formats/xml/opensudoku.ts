/**
 * OpenSudoku's XML: one element per game, with its cells in the attribute `data`, 0 for a blank.
 *
 *     <opensudoku>
 *       <name>Easy</name>
 *       <game data="052006000160900004049803620400000800083201590001000002097305240200009056000100970" />
 *     </opensudoku>
 */
import { GREATER, LESS } from '../bytes/ascii.ts';
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import { TextPosition } from '../bytes/text-position.ts';
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

/** First letter of `game`. */
const GAME = 103;

/** Reads one element after the other and ignores the text between them. */
class OpenSudokuReader implements RecordReader {
  readonly #sink: RecordSink;
  readonly #grid = new GridBuffer();
  readonly #position: TextPosition;
  /** The first bytes of the element being read, from its `<`. */
  readonly #element = new Uint8Array(KEPT_BYTES);
  /** Bytes of the element so far, kept or not. */
  #length = 0;
  #inElement = false;
  #template: Template | undefined;
  #start = new TextPosition();

  /** @param from state of a reader that has read everything before */
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
        const taken = this.#takeFast(bytes, counted, at);
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
        // A game that is not closed before the next element is truncated.
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
    yield* this.#sink.flush();
  }

  flush(): Iterable<RecordBlock> {
    return this.#sink.flush();
  }

  checkpoint(): ReaderCheckpoint | undefined {
    if (this.#inElement) return undefined;
    return { state: { ...this.#position.state(), sink: this.#sink.state() }, unreadBytes: 0 };
  }

  /**
   * Reads the element at `at` on the fast path, if it matches the last game.
   *
   * @param counted offset up to which lines are counted
   * @returns its length in bytes; 0 if it does not match
   */
  #takeFast(bytes: Uint8Array, counted: number, at: number): number {
    const [sink, template] = [this.#sink, this.#template];
    if (template === undefined || !template.fits(sink)) return 0;
    const end = template.match(bytes, at, bytes.length);
    if (end < 0 || !template.fill(sink, bytes)) return 0;
    this.#position.advance(bytes, counted, at);
    const { line } = this.#position;
    if (template.isPlain) this.#position.skip(end - at);
    else this.#position.advance(bytes, at, end);
    sink.enterFilled(line, this.#position.line);
    return end - at;
  }

  /** Keeps the game in `#element`, with cells starting at `from`, as the template. */
  #keepTemplate(from: number, cellCount: number): void {
    const cells = Array.from({ length: cellCount }, (_, cell) => from + cell);
    this.#template =
      this.#length > KEPT_BYTES
        ? undefined
        : Template.of(this.#sink, this.#element, 0, this.#length, { cells });
  }

  /** The kept bytes of the element, as one character each. */
  #text(): string {
    return decoder.decode(this.#element.subarray(0, this.#length));
  }

  #enter(element: string, closed: boolean): void {
    if (!/^<game\b/i.test(element)) return;
    const { line } = this.#start;
    const lineEnd = this.#position.line;
    const found = /\bdata\s*=\s*["']([^"']*)["']/i.exec(element);
    const data = found?.[1];
    const geometry = data === undefined ? undefined : this.#sink.book.geometryOfCells(data.length);
    if (data === undefined || geometry === undefined) {
      const shown = data === undefined ? 'a game without data' : `${data.length} characters`;
      const code = closed ? 'bad_length' : 'truncated';
      const wrong = makeFault(code, 0, shown, 'data of 81 characters');
      this.#sink.enterError(errorAt(this.#start, wrong), line, lineEnd);
      return;
    }
    this.#grid.clear();
    for (let k = 0; k < data.length; k++) this.#grid.add(Math.min(data.charCodeAt(k), 255), k);
    const fault = this.#sink.enter({ format: 'opensudoku', geometry, cells: this.#grid, line, lineEnd });
    if (fault === undefined) {
      const from = (found?.index ?? 0) + (found?.[0].length ?? 0) - 1 - data.length;
      if (closed) this.#keepTemplate(from, data.length);
      return;
    }
    this.#sink.enterError(errorAt(this.#start, { ...fault, where: 'in a game' }), line, lineEnd);
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
