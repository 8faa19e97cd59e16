/** A problem while its lines are read. */
import type { Multiplicities } from '../../exact-cover/problem.ts';
import type { CoverBuilder } from './cover-builder.ts';
import {
  type CoverFault,
  type CoverLines,
  CoverWarnings,
  excessFault,
  warnIgnoredOption,
} from './cover-lines.ts';
import type { CoverError } from './cover-record.ts';
import { type CoverHead, NO_HEAD, type Shape } from './heads.ts';
import { NameTable } from './name-table.ts';
import type { Items } from './option-lines.ts';

export class CoverDraft {
  /** Number of its first line. */
  readonly line: number;
  lineEnd: number;
  readonly warnings = new CoverWarnings();
  readonly builder: CoverBuilder;
  #names: NameTable | undefined;
  #colours: NameTable | undefined;
  /** 0 before the items are known, above the first option; Infinity if the options name them. */
  itemCount = 0;
  /** The items that have names. */
  items: Items | undefined;
  head: CoverHead = NO_HEAD;
  shape: Shape | undefined;
  /** Lines of options that can be read, and that cannot. */
  good = 0;
  bad = 0;
  /** The first error. */
  error: CoverError | undefined;
  /** An error if the first number of that line is an item, and not the number of them. */
  repeated: CoverError | undefined;
  /** Signs of its format, for detection. */
  readonly signs = {
    strong: false,
    hasPart: false,
    /** Whether the first row has both 0s and 1s alone and numbers of them. */
    isMixed: false,
    hasUniverse: false,
    isAmbiguous: false,
    hasCounts: false,
    named: 0,
    bracketed: 0,
  };

  /** @param builder emptied; drafts may share one if each is built before the next */
  constructor(line: number, builder: CoverBuilder) {
    this.line = line;
    this.lineEnd = line;
    this.builder = builder;
    builder.restart();
  }

  /** The names of its items. */
  get names(): NameTable {
    this.#names ??= new NameTable();
    return this.#names;
  }

  get colours(): NameTable {
    this.#colours ??= new NameTable();
    return this.#colours;
  }

  /** Starts the options. */
  start(itemCount: number, secondaryCount: number, multiplicities?: Multiplicities): void {
    this.itemCount = itemCount;
    if (itemCount !== Infinity)
      this.builder.setItems(itemCount - secondaryCount, secondaryCount, multiplicities);
  }

  /** Begins an option; `from` and `to` are the offsets of its text. */
  begin({ bytes }: CoverLines, from: number, to: number): void {
    this.builder.beginOption();
    this.builder.addText(bytes, from, to);
  }

  /** Ends the option of line `at`. */
  end(lines: CoverLines, at: number): CoverFault | undefined {
    if (!this.builder.endOption(lines.number(at))) warnIgnoredOption(this.warnings, lines, at);
    return excessFault(lines, at, this.builder.excess);
  }
}
