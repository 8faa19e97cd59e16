/**
 * Reads Knuth's format of the programs DLX1, DLX2, DLX3 and DLX5 (TAOCP 7.2.2.1):
 *
 *     | A simple example of color controls        a comment starts with "|"
 *     A B C | X Y                                 the items: primary ones, then "|" and secondary ones
 *     A B X:0 Y:0                                 one option per line; secondary items may have a colour
 *     A C X:1 Y:1
 *     X:0 Y:1                                     no primary item: omitted, with a warning
 *     B X:1
 *     C Y:1                                       one solution: A C X:1 Y:1 and B X:1
 *
 *     A B 2:3|C | X Y                             multiplicity: a solution contains C twice or three times
 *     A C X:1 |7                                  cost of an option: the cheapest solutions are found first
 *
 * Blank lines and comments are allowed everywhere, so problems have no separator: a file has one problem, and an error
 * makes it unreadable. A problem without options is valid, as in Knuth's programs; it has no solution.
 */

import { CommentLog } from '../records/comment-log.ts';
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
  readonly comments = new CommentLog();
  readonly #format: CoverFormatName;
  readonly #lines = new CoverLines();
  readonly #warnings = new CoverWarnings();
  readonly #colours = new NameTable();
  #items: KnuthItems | undefined;
  #builder: CoverBuilder | undefined;
  #error: CoverError | undefined;
  /** First and last line of the problem; 0 before its start. */
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
    while (lines.hasArrived(lines.head)) {
      const at = lines.head;
      if (isKnuthComment(lines, at)) this.comments.addLine(lines, at);
      else if (lines.tokens[at] > 0) this.#readLine(at);
      lines.consume(1);
    }
  }

  #readLine(at: number): void {
    const lines = this.#lines;
    this.#lineEnd = lines.number(at);
    if (this.#line === 0) this.#line = this.#lineEnd;
    if (this.#error !== undefined) return;
    const fault = lines.isLong(at) ? longLineFault(lines, at) : this.#readItemsOrOption(at);
    if (fault === undefined) return;
    this.#error = lines.errorOf(at, fault);
    this.#builder = undefined;
  }

  /** Reads a line; returns its fault, if any. */
  #readItemsOrOption(at: number): CoverFault | undefined {
    const lines = this.#lines;
    if (this.#items === undefined || this.#builder === undefined) {
      const items = readItemLine(lines, at, this.#warnings);
      if ('code' in items) return items;
      this.#items = items;
      const { primaryCount, names, multiplicities } = items;
      this.#builder = new CoverBuilder(primaryCount, names.count - primaryCount, multiplicities);
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
