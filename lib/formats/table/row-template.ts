/**
 * The fast path of tables: rows that are written like the last one are read straight from the bytes.
 *
 *     12,53..7....,534678912,easy LF       text; cells, and the bytes around them that must be the same; text
 *
 * No field may need care: no line ends or quotes within quotes, no code, and no white space around a name. Any other row is
 * left to the reader, with the same result.
 */
import { BACKTICK, CR, DOT, LF, QUOTE } from '../bytes/ascii.ts';
import { DIGIT, KINDS, LETTER } from '../bytes/byte-kinds.ts';
import { textIn } from '../bytes/byte-text.ts';
import { type LineWindow, MAX_LINE_BYTES } from '../bytes/line-window.ts';
import type { RecordNotes } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { Template } from '../records/template.ts';
import type { CsvColumns } from './csv-columns.ts';
import { type RuleColumn, ruleIn } from './csv-rules.ts';
import type { RowFields } from './row-fields.ts';

export function rowTemplate(
  { puzzle, solution = -1, id = -1, rules = [], regions, ...columns }: CsvColumns,
  sink: RecordSink,
  window: LineWindow,
) {
  const delimiter = columns.delimiter.charCodeAt(0);
  const isSimple = regions === undefined && columns.delimiter !== '|';
  let template: Template | undefined;
  /** Bytes of the end of the row. */
  let ending = 1;
  /** The text with the name of the puzzle; negative if it has none. */
  let name = -1;
  /** The texts that may state a rule, with their columns. */
  let stating: ReadonlyArray<readonly [text: number, column: RuleColumn]> = [];

  /** Offset after the text at `at`: in quotes, at the next one. */
  function textEnd(bytes: Uint8Array, at: number, end: number): number {
    const separator = bytes[at - 1] === QUOTE ? QUOTE : delimiter;
    for (let next = at; next < end; next++) {
      const byte = bytes[next];
      if (byte === separator || byte === LF || byte === CR || byte === QUOTE) return next;
    }
    return -1;
  }

  /** Makes the row of the lines from `at` on, which was just entered with its notes, the template if rows like it can be taken. */
  function keep({ count, from, to }: RowFields, at: number, lines: number, notes: RecordNotes): void {
    const { bytes, start } = window;
    const end = window.lineAfter(at + lines - 1);
    template = undefined;
    if (!isSimple || notes.warnings !== undefined || bytes[end - 1] !== LF) return;
    const cells = Array.from({ length: to[puzzle] - from[puzzle] }, (_, cell) => from[puzzle] + cell);
    const isSolved = notes.expected !== undefined;
    const texts = Array.from({ length: count }, (_, index) => ({
      index,
      from: from[index],
      to: to[index],
    })).filter(({ index }) => index !== puzzle && index !== solution);
    if (isSolved && to[solution] - from[solution] !== cells.length) return;
    const parts = { cells, texts, ...(isSolved && { solution: from[solution] }) };
    const own = Template.of(sink, bytes, start[at], end, parts);
    if (own?.match(bytes, start[at], end, textEnd) !== end) return;
    stating = rules.flatMap((column) =>
      texts.flatMap(({ index }, text) => (index === column.index ? [[text, column] as const] : [])),
    );
    // Rows like it have its variant, unless a column states it.
    if (!isSilent(own, bytes)) return;
    template = own;
    ending = bytes[end - 2] === CR ? 2 : 1;
    name = texts.findIndex(({ index }) => index === id);
  }

  /** Takes rows until one differs; returns whether it took any. */
  function take(): boolean {
    const position = template?.fits(sink) ? window.rawPosition() : -1;
    if (template === undefined || position < 0) return false;
    const { bytes, length } = window;
    const first = window.number(window.head);
    let line = first;
    let at = position;
    while (!sink.hasReady) {
      const end = template.match(bytes, at, length, textEnd);
      const last = end - ending;
      if (end < 0 || !isRow(bytes, at) || bytes[last - 1] <= 32 || last - at > MAX_LINE_BYTES) break;
      if (!isSilent(template, bytes)) break;
      const notes: RecordNotes = {};
      if (name >= 0) {
        const [from, to] = [template.texts[name], template.starts[name + 1]];
        if (!isPlain(bytes, from, to)) break;
        if (from < to) notes.id = textIn(bytes, from, to);
      }
      if (!template.fill(sink, bytes, notes)) break;
      notes.source = sink.slab.copy(bytes, at, last);
      sink.enterFilled(line, line, notes);
      line++;
      at = end;
    }
    if (line === first) return false;
    window.skipTo(at, line - first);
    return true;
  }

  /** Whether no column of the row that matched states a rule or a variant. */
  function isSilent({ texts, starts }: Template, bytes: Uint8Array): boolean {
    for (const [text, column] of stating) {
      const [from, to] = [texts[text], starts[text + 1]];
      if (!isPlain(bytes, from, to) || ruleIn(column, textIn(bytes, from, to)) !== undefined) return false;
    }
    return true;
  }

  /** Whether the line at `at` begins like a row: others may be comments, or drawn. */
  function isRow(bytes: Uint8Array, at: number): boolean {
    const byte = bytes[at];
    return byte === delimiter || byte === DOT || byte === QUOTE || (KINDS[byte] & (DIGIT | LETTER)) !== 0;
  }

  return { keep, take };
}

/** Whether a text is empty, in quotes, or begins without a sign of code and ends without white space. */
function isPlain(bytes: Uint8Array, from: number, to: number): boolean {
  return (
    from === to ||
    bytes[from - 1] === QUOTE ||
    (bytes[from] > 32 && bytes[from] !== BACKTICK && bytes[to - 1] > 32)
  );
}
