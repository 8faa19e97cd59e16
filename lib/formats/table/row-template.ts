/**
 * The fast path of tables: rows with adjacent cells where the last row had them are read straight from the bytes.
 *
 *     12,53..7....,534678912,easy          text up to a separator; cells, as many as the last puzzle had; text
 *
 * The puzzle and its solution must have as many bytes, and no field may need care: no quotes or line ends within quotes, no
 * code, and no white space around those that are read. Any other row is left to the reader, with the same result.
 */
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { BACKTICK, CR, DOT, LF, QUOTE, SPACE } from '../bytes/ascii.ts';
import { DIGIT, KINDS, LETTER } from '../bytes/byte-kinds.ts';
import { textIn } from '../bytes/byte-text.ts';
import { type LineWindow, MAX_LINE_BYTES } from '../bytes/line-window.ts';
import type { RecordNotes } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { CsvColumns } from './csv-columns.ts';

export type RowTemplate = ReturnType<typeof rowTemplate>;

export function rowTemplate({ puzzle, solution = -1, id = -1, ...columns }: CsvColumns) {
  const delimiter = columns.delimiter.charCodeAt(0);
  const isSimple = columns.rules === undefined && columns.regions === undefined && columns.delimiter !== '|';
  /** Number of columns up to the last one that is read. */
  const count = Math.max(puzzle, solution, id) + 1;
  /** By column, where its field starts and ends. */
  const from = new Int32Array(count);
  const to = new Int32Array(count);
  let geometry: Geometry | undefined;

  /** Makes the last row, with a puzzle of that geometry, the template if rows like it can be taken; undefined if not. */
  function keep(sink: RecordSink, plain: Geometry | undefined): void {
    geometry = isSimple && sink.isLastPlain() ? plain : undefined;
  }

  /** Takes rows until one differs; returns whether it took any. */
  function take(window: LineWindow, sink: RecordSink): boolean {
    const position = geometry === undefined ? -1 : window.rawPosition();
    if (geometry === undefined || position < 0) return false;
    const { bytes, length } = window;
    const first = window.number(window.head);
    let line = first;
    let at = position;
    for (;;) {
      const end = rowEnd(bytes, at, length, geometry.cellCount);
      if (end < 0) break;
      const notes: RecordNotes = { source: sink.slab.copy(bytes, at, end) };
      if (id >= 0 && from[id] < to[id]) notes.id = textIn(bytes, from[id], to[id]);
      if (solution >= 0 && from[solution] < to[solution]) {
        const values = sink.valuesOf({ bytes, from: from[solution] }, geometry);
        if (values === undefined) break;
        notes.expected = { solution: values };
      }
      const found = { format: 'csv', geometry, line, lineEnd: line, notes };
      if (!sink.enterFast({ bytes, from: from[puzzle] }, found)) break;
      line++;
      at = bytes[end] === CR ? end + 2 : end + 1;
      if (sink.hasReady) break;
    }
    if (line === first) return false;
    window.skipTo(at, line - first);
    return true;
  }

  /** Finds the fields of the row at `start`, and its end; -1 if it is not like the last one, or not all there. */
  function rowEnd(bytes: Uint8Array, row: number, length: number, cellCount: number): number {
    const first = bytes[row];
    // Other rows may be comments, or drawn.
    if (first !== delimiter && first !== DOT && first !== QUOTE && (KINDS[first] & (DIGIT | LETTER)) === 0)
      return -1;
    let at = row;
    for (let column = 0; ; column++, at++) {
      while (bytes[at] === SPACE) at++;
      const isQuoted = bytes[at] === QUOTE;
      const start = isQuoted ? at + 1 : at;
      const isEmpty =
        bytes[start] === delimiter || bytes[start] === LF || bytes[start] === CR || bytes[start] === QUOTE;
      const areCells = column === puzzle || (column === solution && !isEmpty);
      const end = areCells ? start + cellCount : textEnd(bytes, start, length, isQuoted ? QUOTE : delimiter);
      at = isQuoted ? end + 1 : end;
      if (at >= length || (isQuoted && bytes[end] !== QUOTE)) return -1;
      if (column < count) {
        from[column] = start;
        to[column] = end;
        if (column === id && !isQuoted && !isPlain(bytes, start, end)) return -1;
      }
      if (bytes[at] === delimiter) continue;
      const isEnd = bytes[at] === LF || (bytes[at] === CR && at + 1 < length && bytes[at + 1] === LF);
      const isWhole = isEnd && column >= count - 1 && bytes[at - 1] > 32;
      return isWhole && at - row <= MAX_LINE_BYTES ? at : -1;
    }
  }

  return {
    keep,
    take,
  };
}

/** Offset of the separator, the line end or the quote after `from`. */
function textEnd(bytes: Uint8Array, from: number, length: number, separator: number): number {
  let at = from;
  for (; at < length; at++) {
    const byte = bytes[at];
    if (byte === separator || byte === LF || byte === CR || byte === QUOTE) break;
  }
  return at;
}

/** Whether a text is empty, or begins without a sign of code and ends without white space. */
function isPlain(bytes: Uint8Array, from: number, to: number): boolean {
  return from === to || (bytes[from] > 32 && bytes[from] !== BACKTICK && bytes[to - 1] > 32);
}
