/**
 * Knuth's format, as his programs DLX1 and DLX2 read it (TAOCP 7.2.2.1):
 *
 *     | A simple example of color controls        a comment: "|" in front
 *     A B C | X Y                                 the items: primary ones, then "|" and secondary ones
 *     A B X:0 Y:0                                 an option each; secondary items may have a colour
 *     A C X:1 Y:1
 *     X:0 Y:1                                     no primary item: left out, with a warning
 *     B X:1
 *     C Y:1                                       one solution: A C X:1 Y:1 and B X:1
 *
 * Blank lines and comments may stand anywhere, so nothing parts one problem from the next: a file holds one problem,
 * and an error in it is an error of the whole problem. A problem without options is read, as it is by Knuth's programs;
 * it has no solution.
 */

import { CoverBuilder } from './cover-builder.ts';
import {
  type CoverFault,
  CoverLines,
  CoverWarnings,
  excessFault,
  longLineFault,
  warnIgnoredOption,
} from './cover-lines.ts';
import type { CoverError, CoverFormatName, CoverReader, CoverRecord } from './cover-record.ts';
import { isKnuthComment, type KnuthItems, readItemLine, readOptionLine } from './knuth-line.ts';
import { NameTable } from './name-table.ts';

export class KnuthReader implements CoverReader {
  readonly #format: CoverFormatName;
  readonly #lines = new CoverLines();
  readonly #warnings = new CoverWarnings();
  readonly #colours = new NameTable();
  #items: KnuthItems | undefined;
  #builder: CoverBuilder | undefined;
  #error: CoverError | undefined;
  /** First and last line of the problem; 0 before it begins. */
  #line = 0;
  #lineEnd = 0;

  constructor(format: CoverFormatName) {
    this.#format = format;
  }

  push(bytes: Uint8Array): Iterable<CoverRecord> {
    this.#lines.feed(bytes);
    this.#read();
    return [];
  }

  *end(): Iterable<CoverRecord> {
    this.#lines.finish();
    this.#read();
    if (this.#line === 0) return;
    if (this.#builder?.optionCount === 0) this.#warnings.addNoOptions(this.#line);
    yield {
      format: this.#format,
      line: this.#line,
      lineEnd: this.#lineEnd,
      warnings: this.#error === undefined ? this.#warnings.texts() : [],
      cover: this.#builder?.build(),
      error: this.#error,
    };
  }

  #read(): void {
    const lines = this.#lines;
    while (lines.has(lines.head)) {
      const at = lines.head;
      if (lines.tokens[at] > 0 && !isKnuthComment(lines, at)) this.#take(at);
      lines.consume(1);
    }
  }

  #take(at: number): void {
    const lines = this.#lines;
    this.#lineEnd = lines.number(at);
    if (this.#line === 0) this.#line = this.#lineEnd;
    if (this.#error !== undefined) return;
    const fault = lines.isLong(at) ? longLineFault(lines, at) : this.#faultOf(at);
    if (fault === undefined) return;
    this.#error = lines.errorOf(at, fault);
    this.#builder = undefined;
  }

  /** Takes a line in; what is wrong with it. */
  #faultOf(at: number): CoverFault | undefined {
    const lines = this.#lines;
    if (this.#items === undefined || this.#builder === undefined) {
      const items = readItemLine(lines, at, this.#warnings);
      if ('code' in items) return items;
      this.#items = items;
      this.#builder = new CoverBuilder(items.primaryCount, items.names.count - items.primaryCount);
      return undefined;
    }
    const builder = this.#builder;
    builder.beginOption();
    const fault = readOptionLine(lines, at, this.#items, this.#colours, builder, this.#warnings);
    if (fault !== undefined) return fault;
    if (!builder.endOption(lines.number(at))) warnIgnoredOption(this.#warnings, lines, at);
    return excessFault(lines, at, builder.excess);
  }
}
