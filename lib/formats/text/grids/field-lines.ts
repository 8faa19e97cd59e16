import type { TextContext } from '../text-context.ts';
import { LineFields } from './line-fields.ts';
import { spanOf } from './line-span.ts';

/** Lines whose fields are kept: more than the rows of any grid. */
const SLOTS = 64;

/** The fields of the last lines, so that a line about which several readers ask is split once. */
export class FieldLines {
  readonly #lines = new Float64Array(SLOTS);
  readonly #sizes = new Float64Array(SLOTS);
  readonly #fields: LineFields[] = [];

  /** The fields of line `at`; valid until as many other lines are split. */
  of(context: TextContext, at: number): LineFields {
    const { window, sink } = context;
    const number = window.number(at);
    const slot = number % SLOTS;
    let fields = this.#fields[slot];
    if (fields === undefined) {
      fields = new LineFields();
      this.#fields[slot] = fields;
    }
    // The file may name a size between two lines.
    if (this.#lines[slot] === number && this.#sizes[slot] === sink.book.sizes.length) return fields;
    this.#lines[slot] = number;
    this.#sizes[slot] = sink.book.sizes.length;
    splitLine(context, at, fields, window.text[at], window.end[at]);
    return fields;
  }
}

/** Splits the bytes `from` to `to` (exclusive) of line `at`. */
export function splitLine(
  { window, sink }: TextContext,
  at: number,
  into: LineFields,
  from: number,
  to: number,
): void {
  const span = window.isLong(at) ? undefined : spanOf(window, at, from, to, sink.book);
  if (span === undefined) into.clear();
  else into.split(window.bytes, window.start[at], span, sink.book);
}
