/**
 * Where the readers of all formats put what they found: it decodes grids, fills blocks, and makes errors records.
 *
 * A block is full when its source says so, and ends early only where a puzzle of another layout comes; that
 * depends on the records alone, never on how the file's bytes were cut.
 */
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { ByteSlab } from '../bytes/byte-slab.ts';
import { visibleText } from '../bytes/visible-text.ts';
import { decimalAlphabet } from '../cells/alphabets.ts';
import {
  type CellDecoder,
  type DecodeFault,
  type DecoderState,
  type Decoding,
  NO_VALUE,
} from '../cells/cell-decoder.ts';
import { type CellTemplate, fillNextRecord } from '../cells/cell-template.ts';
import { GridBuffer } from '../cells/grid-buffer.ts';
import type { HeadSurvey } from '../head-survey.ts';
import type { BlockSource } from '../reader.ts';
import type { GridInfo } from './grid-info.ts';
import { isSameButBlank, type Layout } from './layout.ts';
import type { LayoutBook } from './layout-book.ts';
import type { ParseError, RecordBlock, RecordNotes } from './record-block.ts';

/** An error that is not yet a record. */
export interface DeferredError {
  readonly error: ParseError;
  readonly notes: RecordNotes | undefined;
  /** First and last line, from 1. */
  readonly line: number;
  readonly lineEnd: number;
}

export interface SinkState {
  readonly lastSize?: number;
  /** Sizes that the file named. */
  readonly allowed: readonly number[];
  readonly decoder: DecoderState;
}

export class RecordSink {
  readonly book: LayoutBook;
  readonly decoder: CellDecoder;
  readonly #blocks: BlockSource;
  /** Set while the head of a file is looked at. */
  readonly #survey: HeadSurvey | undefined;
  /** Size of the last puzzle that was entered; what could not be read is measured against it. */
  lastSize: number | undefined;
  /** For a grid that is no record. */
  readonly #grid = new GridBuffer();
  /** For what the notes of records hold. */
  readonly slab = new ByteSlab();
  #block: RecordBlock | undefined;
  #held: DeferredError | undefined;
  #ready: RecordBlock[] = [];

  constructor(book: LayoutBook, decoder: CellDecoder, blocks: BlockSource, survey?: HeadSurvey) {
    this.book = book;
    this.decoder = decoder;
    this.#blocks = blocks;
    this.#survey = survey;
  }

  /**
   * Enters a puzzle.
   *
   * @returns why a cell could not be understood; then nothing was entered
   */
  enterGrid(grid: GridBuffer, place: GridInfo, notes?: RecordNotes): DecodeFault | undefined {
    const { geometry } = place;
    const expected = this.book.rejection(geometry);
    if (expected !== undefined) return variantFault(geometry.size, expected);
    if (this.#survey?.takeGrid(grid.codes, place)) return undefined;
    const decoding = this.decoder.decode(geometry.size, grid.codes, geometry.cellCount, place.spaced);
    if (decoding === undefined) return this.decoder.fault;
    const layout = this.layoutOf(place, decoding);
    this.enterPuzzle(layout, this.decoder.values, place.line, place.lineEnd, withWarnings(notes, decoding));
    return undefined;
  }

  /**
   * Enters a puzzle whose cells stand side by side in `bytes` from `from` on, or at `places` from there, if it is written
   * like the one before; see `straight-cells.ts`.
   *
   * @returns whether it was entered
   */
  enterFast(
    bytes: Uint8Array,
    from: number,
    place: GridInfo,
    notes: RecordNotes | undefined,
    places?: CellTemplate,
  ): boolean {
    const block = this.currentBlock;
    if (block === undefined || !this.canUseFastPath) return false;
    const { format, geometry, arrangement } = block.layout;
    if (format !== place.format || geometry !== place.geometry || arrangement !== place.arrangement)
      return false;
    if (!fillNextRecord(this, block, bytes, from, places)) return false;
    this.lastSize = geometry.size;
    // The blank, where it is another one than that of the layout.
    const own = block.notes.size === 0 ? undefined : block.notes.get(block.count);
    this.#enter(block, place.line, place.lineEnd, own === undefined ? notes : notes && { ...notes, ...own });
    return true;
  }

  /** The last grid that was looked at only for its symbols, where others like it may be: see `symbols`. */
  get surveyedGrid(): GridInfo | undefined {
    return this.canUseFastPath ? this.#survey?.lastGrid : undefined;
  }

  /** Looks at the symbols of a grid that stands like the one `surveyed`, and is no record yet. */
  surveySymbols(codes: Uint16Array, place: GridInfo): void {
    this.#survey?.takeGrid(codes, place);
  }

  /** The layout of a puzzle that was decoded. */
  layoutOf(place: GridInfo, decoding: Decoding): Layout {
    return this.book.layout(
      place.format,
      place.geometry,
      decoding.alphabet,
      decoding.blank,
      place.arrangement,
    );
  }

  /** The values of a grid that is no record of its own, such as an expected solution; undefined where it has faults. */
  valuesOf(grid: GridBuffer, { size, cellCount }: Geometry, spaced: boolean): Uint8Array | undefined {
    if (this.decoder.decode(size, grid.codes, cellCount, spaced) === undefined) return undefined;
    return this.slab.copy(this.decoder.values, 0, cellCount);
  }

  /** The values of a grid whose cells stand side by side in `bytes` from `from` on; undefined where it has faults. */
  valuesIn(bytes: Uint8Array, from: number, geometry: Geometry): Uint8Array | undefined {
    const { size, cellCount } = geometry;
    const last = this.decoder.last(size);
    if (last?.plain === true && last.reusable) {
      const { table } = last;
      const values = this.slab.take(cellCount);
      let seen = 0;
      for (let cell = 0; cell < cellCount; cell++) {
        const value = table[bytes[from + cell]];
        values[cell] = value;
        seen |= value;
      }
      if (seen < NO_VALUE) return values;
    }
    this.#grid.clear();
    this.#grid.addBytes(bytes, from, from + cellCount);
    return this.valuesOf(this.#grid, geometry, false);
  }

  /** Enters a puzzle whose values are known. */
  enterPuzzle(layout: Layout, values: Uint8Array, line: number, lineEnd: number, notes?: RecordNotes): void {
    this.#survey?.onPuzzle(layout.format);
    this.#survey?.onCells(values, layout.geometry);
    const block = this.openBlock(layout);
    this.lastSize = layout.geometry.size;
    const { cellCount } = layout.geometry;
    const { cells } = block;
    const from = block.count * cellCount;
    for (let cell = 0; cell < cellCount; cell++) cells[from + cell] = values[cell];
    this.#enter(block, line, lineEnd, withBlank(notes, layout, block.layout));
  }

  /** Enters something that should have been a puzzle. */
  enterError(found: ParseError, line: number, lineEnd: number, notes?: RecordNotes): void {
    const error = visible(found);
    this.#survey?.onError(error);
    const block = this.currentBlock ?? this.openBlock(this.#anyLayout());
    const { cellCount } = block.geometry;
    block.cells.fill(0, block.count * cellCount, (block.count + 1) * cellCount);
    this.#enter(block, line, lineEnd, { ...notes, error });
  }

  /** Enters an error that what follows may turn out to belong to; it is entered at the latest before anything else. */
  defer(held: DeferredError): void {
    this.enterDeferred();
    this.#held = held;
  }

  /** Takes back the error that is held, if any. */
  takeDeferred(): DeferredError | undefined {
    const held = this.#held;
    this.#held = undefined;
    return held;
  }

  /** Whether an error is held. */
  get hasDeferred(): boolean {
    return this.#held !== undefined;
  }

  /** Enters the error that is held, if any. */
  enterDeferred(): void {
    const held = this.takeDeferred();
    if (held !== undefined) this.enterError(held.error, held.line, held.lineEnd, held.notes);
  }

  /** Something should have been a puzzle, and its record is entered when its end is known. */
  reportPending(error: ParseError): void {
    this.#survey?.onError(visible(error));
  }

  /** Whether grids may be taken without being looked at one by one. */
  get canUseFastPath(): boolean {
    return this.#survey === undefined || this.#survey.knowsMaps;
  }

  /** A line was found that says puzzles follow. */
  onHeader(): void {
    this.#survey?.onHeader();
  }

  /** The block that is being filled, with room for one more at least. */
  get currentBlock(): RecordBlock | undefined {
    if (this.#held !== undefined) this.enterDeferred();
    return this.#block;
  }

  /** The block in which the next puzzle of that layout goes, with room for one more at least; its blank may differ. */
  openBlock(layout: Layout): RecordBlock {
    if (this.#held !== undefined) this.enterDeferred();
    let block = this.#block;
    if (block !== undefined && isSameButBlank(block.layout, layout)) return block;
    this.finish();
    block = this.#blocks.acquire(layout);
    this.#block = block;
    return block;
  }

  /** Hands the current block on if it is full; for those who fill it themselves. */
  finishIfFull(): void {
    this.lastSize = this.#block?.geometry.size;
    if (this.#block !== undefined && this.#block.count === this.#block.capacity) this.finish();
  }

  /** Hands the current block on, full or not. */
  finish(): void {
    this.enterDeferred();
    if (this.#block !== undefined && this.#block.count > 0) this.#ready.push(this.#block);
    this.#block = undefined;
  }

  /** What is remembered of the records so far, as plain data. */
  state(): SinkState {
    return { lastSize: this.lastSize, allowed: this.book.allowedSizes, decoder: this.decoder.state() };
  }

  /** Puts a new sink where `state` was taken. */
  restore({ lastSize, allowed, decoder }: SinkState): void {
    this.lastSize = lastSize;
    for (const size of allowed) this.book.allowSize(size);
    this.decoder.restore(decoder);
  }

  /** Whether blocks wait to be taken. */
  get hasReady(): boolean {
    return this.#ready.length > 0;
  }

  /** The blocks handed on since the last call. */
  takeReady(): RecordBlock[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  #enter(block: RecordBlock, line: number, lineEnd: number, notes: RecordNotes | undefined): void {
    const index = block.count++;
    block.line[index] = line;
    block.lineEnd[index] = lineEnd;
    if (notes !== undefined) block.notes.set(index, notes);
    if (block.count === block.capacity) this.finish();
  }

  /** A layout for a block that starts with an error; no puzzle may follow in it where its geometry is not wanted. */
  #anyLayout(): Layout {
    const geometry = this.book.geometry(9);
    const format = this.book.rejection(geometry) === undefined ? 'line' : 'none';
    return this.book.layout(format, geometry, decimalAlphabet(9), '.');
  }
}

/** An error whose message shows all that it quotes of the file. */
function visible(error: ParseError): ParseError {
  const message = visibleText(error.message);
  return message === error.message ? error : { ...error, message };
}

/** A puzzle of another variant than the user asked for. */
function variantFault(size: number, expected: string): DecodeFault {
  const found = `a ${size}x${size} puzzle`;
  return {
    cell: 0,
    code: 'unsupported_variant',
    found,
    expected,
    problem: `found ${found}: expected ${expected}`,
  };
}

/** The notes of a puzzle in a block whose layout has another blank. */
function withBlank(notes: RecordNotes | undefined, own: Layout, shared: Layout): RecordNotes | undefined {
  return own.blank === shared.blank ? notes : { ...notes, blank: own.blank };
}

function withWarnings(notes: RecordNotes | undefined, decoding: Decoding): RecordNotes | undefined {
  if (decoding.warnings === undefined) return notes;
  return { ...notes, warnings: [...(notes?.warnings ?? []), ...decoding.warnings] };
}
