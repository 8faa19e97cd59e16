/** A problem while its lines are read. */
import type { Multiplicities } from '../../exact-cover/problem.ts';
import { errorAt, makeFault } from '../records/fault.ts';
import type { CoverBuilder } from './cover-builder.ts';
import type { CoverLines } from './cover-lines.ts';
import type { CoverError, CoverProblem } from './cover-record.ts';
import { NameTable } from './name-table.ts';

/** Warnings of one kind that are listed. */
const MAX_WARNINGS_PER_KIND = 5;

/** The lines of numbers and of names above the rows of a matrix. */
export interface MatrixHead {
  readonly numbers: readonly number[];
  /** Names of the columns; 0 if there are none. */
  readonly names: number;
}

export class CoverDraft {
  /** Number of its first line. */
  readonly line: number;
  lineEnd: number;
  readonly builder: CoverBuilder;
  #names: NameTable | undefined;
  #colours: NameTable | undefined;
  /** 0 before the items are known, above the first option; Infinity if the options name them. */
  itemCount = 0;
  primaryCount = Infinity;
  head: MatrixHead = { numbers: [], names: 0 };
  /** What the head of a matrix states. */
  shape: { readonly rows?: number; readonly secondary: number } = { secondary: 0 };
  /** Lines of options that can be read, and that cannot. */
  good = 0;
  bad = 0;
  /** The first error. */
  error: CoverError | undefined;
  /** An error if the first number of that line is an item, and not the number of them. */
  repeated: CoverError | undefined;
  /** The problem; undefined before its end, or if there is an error. */
  cover: CoverProblem | undefined;

  // Signs of its format, for detection.
  /** Whether its items can be those of no other format. */
  isSure = false;
  hasPart = false;
  /** Whether the first row has both 0s and 1s alone and numbers of them. */
  isMixed = false;
  isAmbiguous = false;
  hasCounts = false;
  hasUniverse = false;
  /** Lines with names or brackets around their sets. */
  drawn = 0;

  readonly #warnings: string[] = [];
  readonly #warningCounts = new Map<string, number>();

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
    this.primaryCount = itemCount - secondaryCount;
    this.builder.setItems(this.primaryCount, secondaryCount, multiplicities);
  }

  /** Ends the option of line `at`. */
  endOption(lines: CoverLines, at: number): void {
    if (!this.builder.endOption(lines.number(at))) {
      // A search that covers primary items cannot find a solution with it.
      this.warn('options without a primary item', () => {
        const option = lines.shown(lines.text[at], lines.end[at]);
        return `line ${lines.number(at)}: the option "${option}" has no primary item: it is omitted, as in Knuth's programs`;
      });
    }
    const { excess } = this.builder;
    if (excess === undefined) return;
    const where = ', the limit for a problem in memory';
    lines.refuse('too_large', lines.text[at], excess, 'a smaller problem', where);
  }

  /** Ends the problem with an error about all of it, or about one line. */
  fail(
    code: CoverError['code'],
    found: string,
    expected: string,
    more?: Parameters<typeof makeFault>[4],
    line = this.line,
  ): void {
    this.error = errorAt({ line, column: 1 }, makeFault(code, 0, found, expected, more));
  }

  /**
   * @param kind in the plural, for the count of unlisted warnings
   * @param text called only if this warning is listed
   */
  warn(kind: string, text: () => string): void {
    const count = (this.#warningCounts.get(kind) ?? 0) + 1;
    this.#warningCounts.set(kind, count);
    if (count <= MAX_WARNINGS_PER_KIND) this.#warnings.push(text());
  }

  warnings(): string[] {
    if (this.error !== undefined) return [];
    const isEmpty = this.cover?.problem.optionCount === 0;
    const more = [...this.#warningCounts].filter(([, count]) => count > MAX_WARNINGS_PER_KIND);
    return [
      ...this.#warnings,
      ...(isEmpty ? [`line ${this.line}: the problem has items but no options`] : []),
      ...more.map(([kind, count]) => `and ${count - MAX_WARNINGS_PER_KIND} more ${kind}`),
    ];
  }
}
