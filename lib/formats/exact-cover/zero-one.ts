/**
 * Reads matrices of zeros and ones: a row is an option, a column an item.
 *
 *     dense              sparse             matrix
 *     7 2                7 2                                   number of items, and of secondary ones, which are the last
 *     0 0 1 0 1 1 0      2 4 5              0;0;1;0;1;1;0      one option per line: all columns, or the numbers of those
 *     1001001            0 3 6              1;0;0;1;0;0;1      with a 1, from 0; columns are adjacent, or separated by
 *     ...                ...                ...                spaces, commas or semicolons
 *
 *     4                  4                  0;1                another problem, after a blank line
 *
 * A matrix may have its rows and columns, and names of its columns, on the lines above it (`matrix-signs.ts`).
 *
 * Lines that start with `#` or `|` are comments. An error makes its problem unreadable; reading continues after the next
 * blank line. Options without a primary item are omitted, as in Knuth's format.
 */
import { isWhite, NINE, ONE, SPACE, ZERO } from '../bytes/ascii.ts';
import { CommentLog } from '../records/comment-log.ts';
import { makeFault } from '../records/fault.ts';
import { CoverBuilder } from './cover-builder.ts';
import {
  type CoverFault,
  CoverLines,
  CoverWarnings,
  excessFault,
  longLineFault,
  warnIgnoredOption,
} from './cover-lines.ts';
import {
  type CoverError,
  type CoverFormatName,
  type CoverReader,
  type CoverRecord,
  MAX_ITEMS,
} from './cover-record.ts';
import {
  isMatrixComment,
  type MatrixHead,
  NO_HEAD,
  nextCell,
  puzzleSizeOf,
  shapeStated,
  withHeadLine,
} from './matrix-signs.ts';

/** Maximum number of digits of an item and of a number of items. */
const MAX_DIGITS = 7;

type ZeroOneFormat = Exclude<CoverFormatName, 'dlx' | 'xcc'>;

/** The problem being read. */
interface OpenProblem {
  readonly line: number;
  lineEnd: number;
  readonly warnings: CoverWarnings;
  builder: CoverBuilder | undefined;
  itemCount: number;
  rows: number;
  error: CoverError | undefined;
}

export class ZeroOneReader implements CoverReader {
  readonly comments = new CommentLog();
  readonly #format: ZeroOneFormat;
  readonly #lines = new CoverLines();
  readonly #builder = new CoverBuilder(0, 0);
  #open: OpenProblem | undefined;
  /** The lines above the next matrix, and the number of the first of them. */
  #head = NO_HEAD;
  #headLine = 0;

  constructor(format: ZeroOneFormat) {
    this.#format = format;
  }

  *push(bytes: Uint8Array): Iterable<CoverRecord> {
    this.#lines.feed(bytes);
    yield* this.#read();
  }

  *end(): Iterable<CoverRecord> {
    this.#lines.finish();
    yield* this.#read();
    yield* this.#close();
  }

  *#read(): Iterable<CoverRecord> {
    const lines = this.#lines;
    while (lines.hasArrived(lines.head)) {
      const at = lines.head;
      if (lines.tokens[at] === 0) {
        // A blank line before the first row separates nothing.
        if (this.#open !== undefined && this.#open.rows > 0) yield* this.#close();
      } else if (isMatrixComment(lines, at)) this.comments.addLine(lines, at);
      else this.#readLine(at);
      lines.consume(1);
    }
  }

  *#close(): Iterable<CoverRecord> {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const { line, lineEnd, warnings, builder, error } = open;
    if (builder !== undefined && this.#format === 'matrix') warnOfPuzzleShape(open);
    if (builder?.optionCount === 0) warnings.addNoOptions(line);
    yield {
      format: this.#format,
      line,
      lineEnd,
      warnings: error === undefined ? warnings.texts() : [],
      cover: builder?.build(),
      error,
    };
  }

  #readLine(at: number): void {
    const lines = this.#lines;
    const line = lines.number(at);
    if (this.#open === undefined && this.#takeHeadLine(at)) return;
    if (this.#open === undefined) {
      const warnings = new CoverWarnings();
      const open = {
        line: this.#head === NO_HEAD ? line : this.#headLine,
        lineEnd: line,
        warnings,
        builder: undefined,
        itemCount: 0,
        rows: 0,
        error: undefined,
      };
      this.#open = open;
      const start = () =>
        this.#format === 'matrix'
          ? openMatrix(lines, at, open, this.#builder, this.#head)
          : openProblem(lines, at, open, this.#builder);
      this.#fail(open, at, lines.isLong(at) ? longLineFault(lines, at) : start());
      this.#head = NO_HEAD;
      if (this.#format !== 'matrix') return;
    }
    const open = this.#open;
    open.lineEnd = line;
    open.rows++;
    if (open.builder === undefined) return;
    this.#fail(open, at, lines.isLong(at) ? longLineFault(lines, at) : this.#row(at, open, open.builder));
  }

  /** Takes line `at`, which is above a matrix; false if it is its first row. */
  #takeHeadLine(at: number): boolean {
    const head = this.#format === 'matrix' ? withHeadLine(this.#lines, at, this.#head) : undefined;
    if (head === undefined) return false;
    if (this.#head === NO_HEAD) this.#headLine = this.#lines.number(at);
    this.#head = head;
    return true;
  }

  #fail(open: OpenProblem, at: number, fault: CoverFault | undefined): void {
    if (fault === undefined) return;
    open.error = this.#lines.errorOf(at, fault);
    open.builder = undefined;
    // The next blank line ends the problem, even if no row was read.
    open.rows++;
  }

  #row(at: number, { itemCount, warnings }: OpenProblem, builder: CoverBuilder): CoverFault | undefined {
    const lines = this.#lines;
    builder.beginOption();
    const readRow = this.#format === 'sparse' ? readSparseRow : readDenseRow;
    const fault = readRow(lines, at, itemCount, builder);
    if (fault !== undefined) return fault;
    if (!builder.endOption(lines.number(at))) warnIgnoredOption(warnings, lines, at);
    return excessFault(lines, at, builder.excess);
  }
}

/** Reads line `at` as the number of items, and starts their problem in `builder`. */
function openProblem(
  lines: CoverLines,
  at: number,
  open: OpenProblem,
  builder: CoverBuilder,
): CoverFault | undefined {
  const from = lines.text[at];
  const to = lines.tokenAfter(at, from);
  const second = lines.nextToken(at, to);
  const secondEnd = lines.tokenAfter(at, second);
  const items = integer(lines, from, to);
  const secondary = second < lines.end[at] ? integer(lines, second, secondEnd) : 0;
  const isHeader = items >= 1 && secondary >= 0 && secondary <= items && secondEnd === lines.end[at];
  if (!isHeader) {
    return fault(
      'bad_character',
      from,
      lines.shown(from, lines.end[at]),
      'the number of items, followed by the number of secondary ones, if any',
    );
  }
  if (items > MAX_ITEMS) {
    return fault('too_large', from, `${items} items`, `${MAX_ITEMS} items at most`);
  }
  open.itemCount = items;
  builder.restart(items - secondary, secondary);
  open.builder = builder;
  return undefined;
}

/** Starts a matrix in `builder`, with an item for each cell of its first row, which is line `at`. */
function openMatrix(
  lines: CoverLines,
  at: number,
  open: OpenProblem,
  builder: CoverBuilder,
  head: MatrixHead,
): CoverFault | undefined {
  let items = 0;
  for (let from = lines.text[at]; from < lines.end[at]; from = nextCell(lines, at, from)) items++;
  if (items > MAX_ITEMS) {
    return fault('too_large', lines.text[at], `${items} columns`, `${MAX_ITEMS} columns at most`);
  }
  const stated = shapeStated(head, items);
  if (stated === undefined) {
    const columns = head.names > 0 ? `${head.names} columns` : `columns as in "${head.numbers.join(' ')}"`;
    return fault('bad_length', lines.text[at], `${items} columns`, columns);
  }
  open.itemCount = items;
  builder.restart(items - stated.secondary, stated.secondary);
  open.builder = builder;
  return undefined;
}

function warnOfPuzzleShape({ line, itemCount, rows, warnings }: OpenProblem): void {
  const size = puzzleSizeOf(rows, itemCount);
  if (size === undefined) return;
  warnings.add('matrices in the shape of puzzles', () => {
    const shape = `${rows} rows of ${itemCount} are also the shape of ${size}x${size} puzzles`;
    return `line ${line}: ${shape}, in which 0 is a blank: --box or --format reads them as puzzles`;
  });
}

function readSparseRow(
  lines: CoverLines,
  at: number,
  itemCount: number,
  builder: CoverBuilder,
): CoverFault | undefined {
  const { bytes } = lines;
  const end = lines.end[at];
  let single = true;
  for (let from = lines.text[at]; from < end; ) {
    // One pass for short numbers separated by one space.
    let item = 0;
    let to = from;
    for (; to < end && bytes[to] >= ZERO && bytes[to] <= NINE; to++) item = item * 10 + bytes[to] - ZERO;
    if (to === from || to - from > MAX_DIGITS || (to < end && !isWhite(bytes[to]))) {
      to = lines.tokenAfter(at, from);
      item = -1;
    }
    if (item < 0) {
      return fault('bad_character', from, lines.shown(from, to), "an item's number");
    }
    if (item >= itemCount) {
      return fault('unknown_item', from, lines.shown(from, to), `an item from 0 to ${itemCount - 1}`);
    }
    if (!builder.addItem(item, 0)) {
      return fault('duplicate_item', from, lines.shown(from, to), 'each item once in an option');
    }
    from = to + 1;
    if (from < end && (bytes[to] !== SPACE || isWhite(bytes[from]))) {
      single = false;
      from = lines.nextToken(at, to);
    }
  }
  builder.addText(bytes, lines.text[at], end, single);
  return undefined;
}

function readDenseRow(
  lines: CoverLines,
  at: number,
  itemCount: number,
  builder: CoverBuilder,
): CoverFault | undefined {
  const { bytes } = lines;
  let item = 0;
  for (let from = lines.text[at]; from < lines.end[at]; from = nextCell(lines, at, from), item++) {
    if (bytes[from] !== ZERO && bytes[from] !== ONE) {
      return fault('bad_character', from, lines.characterFrom(from), '0 or 1');
    }
    if (bytes[from] === ONE && item < itemCount) builder.addItem(item, 0);
  }
  builder.addText(bytes, lines.text[at], lines.end[at]);
  if (item === itemCount) return undefined;
  return fault('bad_length', lines.text[at], `${item} columns`, `${itemCount} columns, one per item`);
}

/** @returns the number between two offsets; -1 if there is none, or if it has too many digits */
function integer({ bytes }: CoverLines, from: number, to: number): number {
  if (to === from || to - from > MAX_DIGITS) return -1;
  let number = 0;
  for (let at = from; at < to; at++) {
    if (bytes[at] < ZERO || bytes[at] > NINE) return -1;
    number = number * 10 + bytes[at] - ZERO;
  }
  return number;
}

function fault(code: CoverFault['code'], offset: number, found: string, expected: string): CoverFault {
  return makeFault(code, offset, found, expected, { isQuote: true });
}
