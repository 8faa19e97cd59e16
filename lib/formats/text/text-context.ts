/** The data that the recognisers share while a file is read: its lines, the sink of its records, the place in it. */
import { needsRegions } from '../../sudoku/geometry/variants.ts';
import { HASH, SEMICOLON } from '../bytes/ascii.ts';
import { HIGH } from '../bytes/byte-kinds.ts';
import { excerptIn, MAX_EXCERPT_BYTES } from '../bytes/byte-text.ts';
import type { LineWindow } from '../bytes/line-window.ts';
import { isCodeComment, semicolonCells } from '../cells/comments.ts';
import { GridBuffer } from '../cells/grid-buffer.ts';
import { isHashLine, isMacro } from '../cells/hash-blanks.ts';
import { CommentLog } from '../records/comment-log.ts';
import { errorAt, type Fault, makeFault } from '../records/fault.ts';
import type { Cells, GridPlace } from '../records/found.ts';
import { RARE_SIZES } from '../records/layout-book.ts';
import type { ParseError, RecordNotes } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { type HeadingRule, ruleInBytes, ruleOfName } from './headers/rule-heading.ts';
import { isSolutionHeading, MAX_HEADING, namesSolution, withSolution } from './headers/solution.ts';
import { KnownTexts } from './known-texts.ts';
import type { MapPlace } from './maps/map-place.ts';
import { Line, rawText } from './shape/line.ts';

/** How lines of 16 (36) cells are read: as rows of a 16x16 (36x36), as a whole 4x4 (6x6) each, or either. */
export type RunKind = 'rows' | 'lines' | 'both';

/** Lines that are kept: more than the rows of any grid. */
const SLOTS = 64;

/** How a grid is written; cells are adjacent and all of its lines are its own unless it says otherwise. */
type GridForm = Pick<GridPlace, 'format' | 'geometry'> &
  Partial<GridPlace> & {
    /** The name beside its cells, which may be that of a rule. */
    readonly name?: string | undefined;
  };

/** What the head of a file says about its text; plain data. */
export interface TextSettings {
  /** Where the region maps among the grids are. */
  readonly regionMaps?: readonly MapPlace[];
  /** The file has a puzzle a line, most of this size: then each unreadable line is a record. */
  readonly lineSize?: number;
  /** Headings with solutions follow some puzzles; false if the file has no puzzles, and its solutions are read as such. */
  readonly hasSolutions?: boolean;
}

/** What another reader must know to continue, as plain data: lines are numbers in the file. */
const MEMORY = [
  'stopped',
  'nextId',
  'rule',
  'firstLine',
  'gridEndLine',
  'solutionEnd',
  'rowEndLine',
  'ruler',
  'run',
  'unlined',
  'lastCount',
  'openLists',
] as const;
export type ContextState = Partial<Pick<TextContext, (typeof MEMORY)[number]>>;

/** The last puzzle, if others may be written like it; see `same-shape.ts`. */
export interface Example {
  readonly at: number;
  readonly lines: number;
  /** Set if it was read without the next line, because another puzzle directly precedes it. */
  readonly predecessor: Predecessor | undefined;
  /** The map of its regions is among the lines: then the same shape has the same map. */
  readonly mapped?: boolean;
  /** A line that is drawn below it would belong to it. */
  readonly drawn?: boolean;
}

/**
 * A puzzle directly before another one: a grid of rows, or cells that were counted without regard to lines. A puzzle that is
 * a line, and no row of any grid, needs none.
 */
export type Predecessor = 'grid' | 'unlined' | 'none';

/** A record of unreadable lines, which the next lines may belong to; `line` and `lineEnd` are the first and the last one. */
export interface HeldError {
  readonly error: ParseError;
  readonly notes: RecordNotes;
  readonly line: number;
  readonly lineEnd: number;
}

export class TextContext {
  readonly window: LineWindow;
  readonly sink: RecordSink;
  /** The user's `--format`, if any. */
  readonly only: string | undefined;
  /** Where the region maps among the grids are; empty if there are none. */
  readonly maps: readonly MapPlace[];
  readonly lineSize: number | undefined;
  readonly hasSolutions: boolean;
  readonly hasSolutionsAlone: boolean;
  readonly comments = new CommentLog();
  /** Comments that name neither a solution nor a rule. */
  readonly #idle = new KnownTexts();
  /** Scratch: the grid being read. */
  readonly grid = new GridBuffer();
  /** Scratch: cells of several puzzles. */
  readonly cells = new GridBuffer();

  /** The name of the next puzzle, from a header. */
  nextId: string | undefined;
  /** A rule or a variant that a heading names: it makes the puzzles up to the next such heading unreadable. */
  rule: HeadingRule | undefined;
  /** A line of the file says that nothing more is read. */
  stopped = false;
  /** Number of the line after the last grid of rows: a grid may start there without a blank line before it. */
  gridEndLine = 0;
  /** Number of the line after the solution of the last puzzle, which is read with it. */
  solutionEnd = 0;
  /** Number of the line after an unreadable line that may be a row: no grid starts there. */
  rowEndLine = 0;
  /** Number of the file's first line with text that is not a comment. */
  firstLine: number | undefined;
  /** The last ruler above a grid, and the number of the line after it. */
  ruler: { readonly text: string; readonly nextLine: number } | undefined;
  /** How the last run of lines of characters is read, and the number of the line after those that were read. */
  run: { readonly kind: RunKind; readonly width: number; readonly nextLine: number } | undefined;
  /** Size of the last puzzle whose cells were counted without regard to lines, and the number of the line after it. */
  unlined: { readonly size: number; readonly nextLine: number } | undefined;
  /** The last integer that was read as a count. */
  lastCount: number | undefined;
  /** Lines that opened a list, less those that closed one. */
  openLists = 0;
  /** It is entered before any other record. */
  held: HeldError | undefined;
  /** Set by a recogniser; the reader takes it. */
  example: Example | undefined;

  /** The last lines, by slot. */
  readonly #lines: Line[] = [];
  /** Runs of lines, by number, of which something is known: each is read once, not once for each line before it. */
  readonly #runs = new Map<unknown, { first: number; until: number }>();

  constructor(window: LineWindow, sink: RecordSink, settings: TextSettings, only?: string) {
    this.window = window;
    this.sink = sink;
    this.only = only;
    this.maps = settings.regionMaps ?? [];
    this.lineSize = settings.lineSize;
    this.hasSolutions = settings.hasSolutions === true;
    this.hasSolutionsAlone = settings.hasSolutions === false;
  }

  state(): ContextState {
    return Object.fromEntries(MEMORY.map((name) => [name, this[name]]));
  }

  restore(state: ContextState): void {
    Object.assign(this, state);
  }

  /** Line `at` of the window, which has arrived. */
  line(at: number): Line {
    const { window } = this;
    const number = window.number(at);
    const slot = number % SLOTS;
    const known = this.#lines[slot];
    if (known?.number === number && known.at === at && known.start === window.start[at]) return known;
    const line = new Line(this, at, number);
    this.#lines[slot] = line;
    return line;
  }

  /** Line `at` of the window; undefined at the end of the file. */
  lineAt(at: number): Line | undefined {
    return this.window.has(at) ? this.line(at) : undefined;
  }

  /** The first line from `at` on with text that is no comment; undefined if there is none. */
  nextText(at: number): Line | undefined {
    let line = this.lineAt(at);
    while (line !== undefined && (line.isBlank || line.isComment)) line = line.next;
    return line;
  }

  /** Whether only blank lines and comments follow from line `at` on. */
  isLast(at: number): boolean {
    return this.nextText(at) === undefined && this.window.ended;
  }

  /** The line after the run of which something is noted, and in which line `at` is; `at` if it is in none. */
  afterRun(about: unknown, at: number): number {
    const number = this.window.number(at);
    const run = this.#runs.get(about);
    return run !== undefined && run.first <= number && number < run.until ? at + run.until - number : at;
  }

  /** Notes something about line `at` and those up to line `end` (exclusive); a run that they continue grows. */
  noteRun(about: unknown, at: number, end: number): void {
    const { window } = this;
    const first = this.afterRun(about, at) > at ? this.#runs.get(about)!.first : window.number(at);
    this.#runs.set(about, { first, until: window.number(end) });
  }

  /** Looks for a rare size as well, which the file names: what is known of lines may change. */
  allowSize(size: number): void {
    const { book } = this.sink;
    if (book.isSize(size) || !RARE_SIZES.includes(size)) return;
    book.addSize(size);
    this.#lines.length = 0;
    this.#runs.clear();
  }

  /** The ruler directly above line `number` of the file, if any. */
  rulerAbove(number: number): string | undefined {
    return this.ruler?.nextLine === number ? this.ruler.text : undefined;
  }

  /** Remembers a ruler, for a grid that starts on the next line. */
  setRuler(line: Line): void {
    this.ruler = { text: line.string(line.start, line.end), nextLine: line.number + 1 };
  }

  /** Whether a line may be a later row of a damaged grid, whose first rows are records of their own. */
  followsRow(line: Line): boolean {
    return this.rowEndLine === line.number;
  }

  /** Whether a line with the text `from` to `end` (exclusive) is a comment. */
  isCommentText(from: number, end: number, isLong = false): boolean {
    if (!this.#hasCommentSign(from, end, isLong)) return false;
    const { bytes } = this.window;
    if (end - from > MAX_HEADING) return true;
    if (this.#idle.has(bytes, from, end)) return true;
    if (namesSolution(bytes, from, end)) return !isSolutionHeading(rawText(bytes, from, end));
    if (ruleInBytes(bytes, from, end, true) !== undefined) return false;
    this.#idle.add(bytes, from, end);
    return true;
  }

  #hasCommentSign(from: number, end: number, isLong: boolean): boolean {
    const { bytes } = this.window;
    const { book } = this.sink;
    if (bytes[from] === HASH)
      return isLong || !(isHashLine(bytes, from, end, book) || isMacro(bytes, from, end));
    if (bytes[from] !== SEMICOLON) return isCodeComment(bytes, from, end);
    const cells = isLong ? 0 : semicolonCells(rawText(bytes, from, end));
    const isRow = (count: number) => book.isSize(count) || book.sizeOfCells(count) !== undefined;
    // A separator may end the row as well.
    return cells === 0 || !(isRow(cells) || isRow(cells - 1));
  }

  /**
   * Enters a grid in `lines` lines, by default the one in `grid`, or its error.
   *
   * @param first of the lines
   * @returns whether it is a puzzle without its own notes; a header may have named it
   */
  enter(form: GridForm, first: Line, lines: number, stated?: RecordNotes, cells: Cells = this.grid): boolean {
    this.enterHeld();
    const { format, geometry, spaced, arrangement, name } = form;
    const { line = first.number, lineEnd = first.number + lines - 1 } = form;
    const isAlone = line === first.number && lineEnd === line + lines - 1;
    const own =
      this.hasSolutions && isAlone ? withSolution(this, first.at + lines, geometry, cells, stated) : stated;
    this.nextId ??= name;
    const notes = this.named(own);
    const ownRule = name === undefined ? undefined : ruleOfName(name);
    const rule = ownRule ?? this.rule;
    if (this.rule?.comment === 'above') this.rule = { ...this.rule, comment: 'below' };
    if (rule !== undefined && !this.#hasRule(geometry.variant, rule)) {
      // The lines are a puzzle below a heading with that rule.
      const named = `a ${ownRule === undefined ? 'heading that names' : 'name that means'} ${rule.name}`;
      const expected = 'a puzzle given by its givens alone';
      const advice = adviceFor(rule);
      const fault = makeFault('unsupported_variant', first.from, named, expected, { advice });
      this.enterError(first, lines, fault, notes);
      return false;
    }
    const fault = this.sink.enter({ format, geometry, spaced, arrangement, line, lineEnd, cells, notes });
    if (fault === undefined) return own === undefined;
    const { at: offset, isQuote, found } = fault;
    const isText = isQuote && offset < this.window.length && this.window.bytes[offset] > 127;
    const where = isQuote ? `in a ${geometry.size}x${geometry.size} puzzle` : fault.where;
    const shown = isText ? first.characterAt(offset) : found;
    this.enterError(first, lines, { ...fault, found: shown, where }, notes);
    return false;
  }

  /** A comment below a puzzle ends the rule of one above it. */
  endComment(): void {
    if (this.rule?.comment === 'below') this.rule = undefined;
  }

  /** Whether puzzles of a variant have the rule of a heading. */
  #hasRule(own: string, { variant }: HeadingRule): boolean {
    if (variant === undefined) return false;
    // Region maps are known after the survey.
    if (this.sink.survey !== undefined && needsRegions(variant)) return true;
    return own === variant || own.startsWith(`${variant}-`) || own.endsWith(`-${variant}`);
  }

  /**
   * Enters `lines` lines, which should have been a puzzle, as an error; it is at an offset in the window.
   *
   * @returns `lines`
   */
  enterError(first: Line, lines: number, fault: Fault, notes?: RecordNotes): number {
    this.enterHeld();
    const stated = this.named(notes) ?? {};
    stated.text = this.excerpt(first, lines);
    this.sink.enterError(this.errorOf(fault, first, lines), first.number, first.number + lines - 1, stated);
    return lines;
  }

  enterHeld(): void {
    if (this.held === undefined) return;
    const { error, notes, line, lineEnd } = this.held;
    this.held = undefined;
    this.sink.enterError(error, line, lineEnd, notes);
  }

  /** The text of `lines` lines, or its beginning. */
  excerpt(first: Line, lines: number): string {
    const { bytes, end } = this.window;
    const { from, start, kinds, length } = first;
    // Most are a line whose text was made when it was looked at.
    if (lines === 1 && from === start && (kinds & HIGH) === 0 && length <= MAX_EXCERPT_BYTES)
      return first.text;
    return excerptIn(bytes, first.start, end[first.at + lines - 1]);
  }

  /** A fault in `lines` lines, with its place in the file. */
  errorOf(fault: Fault, first: Line, lines = 1): ParseError {
    const line = this.lineOf(fault.at, first.at, lines);
    return errorAt({ line: this.window.number(line), column: this.window.column(line, fault.at) }, fault);
  }

  /** The line, among `lines` from `at`, that holds the byte at `offset`. */
  lineOf(offset: number, at: number, lines: number): number {
    let line = at;
    while (line + 1 < at + lines && this.window.start[line + 1] <= offset) line++;
    return line;
  }

  /** Notes with the name from a header; the name applies to one record. */
  named(notes: RecordNotes | undefined): RecordNotes | undefined {
    if (this.nextId === undefined) return notes;
    const id = this.nextId;
    this.nextId = undefined;
    return { id, ...notes };
  }
}

/** What to do about a puzzle that is not written as the variant that a heading names. */
function adviceFor({ variant }: HeadingRule): string | undefined {
  if (variant === undefined || variant === 'samurai') return undefined;
  return needsRegions(variant)
    ? 'give the map of its regions, too'
    : `use --variant ${variant} if it has that rule`;
}
