/**
 * OpenSudoku's XML: one element per game, with its cells in the attribute `data`, 0 for a blank.
 *
 *     <opensudoku>
 *       <name>Easy</name>
 *       <game data="052006000160900004049803620400000800083201590001000002097305240200009056000100970" />
 *     </opensudoku>
 */

import { GREATER, LESS } from '../bytes/ascii.ts';
import { excerptIn } from '../bytes/byte-text.ts';
import { ByteWindow } from '../bytes/byte-window.ts';
import type { TextPosition } from '../bytes/text-position.ts';
import { GridBuffer } from '../cells/grid-buffer.ts';
import type { FileFormat } from '../file-format.ts';
import type { ReaderState, RecordReader, SolutionWriter } from '../reader.ts';
import { errorAt, makeFault } from '../records/fault.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { recordReader } from '../records/record-stream.ts';
import { Template } from '../records/template.ts';
import { entryWriter } from '../writing/entry-writer.ts';
import { drawnAs, lineDrawing } from '../writing/grid-drawing.ts';

export const opensudoku: FileFormat = {
  name: 'opensudoku',
  recognise(head) {
    const front = new TextDecoder().decode(head.subarray(0, 4096));
    return /^\s*</.test(front) && /<(opensudoku|game)\b/i.test(front) ? {} : undefined;
  },
  open(_settings, sink, from) {
    return openSudokuReader(sink, from);
  },
  writer() {
    return openSudokuWriter();
  },
};

const MAX_ELEMENT_BYTES = 64 * 1024;
/** The first letter of a game. */
const GAME = 0x67;

/** Bytes kept of an element: enough for a puzzle of the largest size and its other attributes. */
const KEPT_BYTES = 4096;

/** One character per byte: tags and attributes are ASCII. */
const decoder = new TextDecoder('latin1');

/**
 * Reads one element after the other and ignores the text between them.
 *
 * @param from state of a reader that has read everything before
 */
function openSudokuReader(sink: RecordSink, from?: ReaderState): RecordReader {
  const window = new ByteWindow(from);
  const grid = new GridBuffer();
  /** Offset of the next byte, and up to where the end of its element was looked for. */
  let at = 0;
  let scanned = 0;
  let template: Template | undefined;

  /** Reads the next element; false at the end of the file. */
  function step(): boolean {
    const { bytes, length } = window;
    const next = bytes.indexOf(LESS, at);
    const start = next < 0 ? length : Math.min(next, length);
    at = start;
    if (window.byte(start) !== LESS) return false;
    const same = template?.fits(sink) === true ? template.match(bytes, start, length) : -1;
    if (template !== undefined && same >= 0 && template.fill(sink, bytes)) {
      window.moveTo(start);
      const { line } = window.position;
      window.skipTo(same);
      sink.enterFilled(line, window.position.line);
      at = same;
      return true;
    }
    const last = Math.min(length, start + MAX_ELEMENT_BYTES);
    let end = Math.max(start + 1, scanned);
    while (end < last && bytes[end] !== LESS && bytes[end] !== GREATER) end++;
    scanned = end;
    // Interrupts the reader if the element goes on. A game that is not closed before the next element is truncated.
    const isClosed = end < start + MAX_ELEMENT_BYTES && window.byte(end) === GREATER;
    at = isClosed ? end + 1 : end;
    // Most elements are no games: no text is made of them.
    if ((window.byte(start + 1) | 32) !== GAME) return true;
    window.moveTo(start);
    const place = window.position.copy();
    window.moveTo(at);
    enter(start, isClosed, place);
    return true;
  }

  /** Enters the element from `start` to `at`, if it is a game. */
  function enter(start: number, isClosed: boolean, place: TextPosition): void {
    const element = decoder.decode(window.bytes.subarray(start, Math.min(at, start + KEPT_BYTES)));
    if (!/^<game\b/i.test(element)) return;
    const lines = { line: place.line, lineEnd: window.position.line };
    const found = /\bdata\s*=\s*["']([^"']*)["']/i.exec(element);
    const data = found?.[1];
    const geometry = data === undefined ? undefined : sink.book.geometryOfCells(data.length);
    grid.clear();
    grid.addText(data ?? '', 0);
    const shown = data === undefined ? 'a game without data' : `${data.length} characters`;
    const fault =
      geometry === undefined
        ? makeFault(isClosed ? 'bad_length' : 'truncated', 0, shown, 'data of 81 characters')
        : sink.enter({ format: 'opensudoku', geometry, cells: grid, ...lines });
    if (fault !== undefined) {
      const where = geometry === undefined ? undefined : 'in a game';
      const text = excerptIn(window.bytes, start, Math.min(at, start + KEPT_BYTES));
      sink.enterError(errorAt(place, { ...fault, where }), lines.line, lines.lineEnd, { text });
    } else if (isClosed) {
      const first = start + found!.index + found![0].length - 1 - data!.length;
      const cells = Array.from(data!, (_, cell) => first + cell);
      template = Template.of(sink, window.bytes, start, at, { cells });
      if (template?.isPlain !== true) template = undefined;
    }
  }

  return recordReader(sink, {
    feed(bytes) {
      window.feed(bytes, at);
      scanned -= at;
      at = 0;
      return true;
    },
    finish() {
      window.ended = true;
    },
    step,
    checkpoint() {
      window.moveTo(at);
      const state = { ...window.position.state(), sink: sink.state() };
      return { state, unreadBytes: window.length - at };
    },
  });
}

const writeGame = drawnAs((layout) => `<game data="${lineDrawing(layout)}" />\n`);

function openSudokuWriter(): SolutionWriter {
  return entryWriter({
    extension: 'opensudoku',
    contentType: 'application/xml',
    begin: (out) => out.text('<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n'),
    write: (out, { block, cells, offset }) => writeGame(out, block.layout, cells, offset),
    // A comment must not contain two dashes.
    comment: (text) => `<!-- ${text.replaceAll('--', '- -')} -->\n`,
    end: (out) => out.text('</opensudoku>\n'),
  });
}
