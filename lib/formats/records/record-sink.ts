/**
 * Receives grids and errors from the readers of all formats: decodes the grids, fills blocks, makes records of errors.
 *
 * A block ends when it reaches its capacity, or before a puzzle of another layout; chunk boundaries do not matter.
 */
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { ByteSlab } from '../bytes/byte-slab.ts';
import { decimalAlphabet } from '../cells/alphabets.ts';
import type { CellDecoder, Decoding } from '../cells/cell-decoder.ts';
import { GridBuffer } from '../cells/grid-buffer.ts';
import type { BlockSource } from '../reader.ts';
import { WorkMeter } from '../work-meter.ts';
import { type Fault, makeFault } from './fault.ts';
import { type Cells, type Found, offsetOf } from './found.ts';
import type { HeadWatch } from './head-watch.ts';
import { isSameButBlank, type Layout } from './layout.ts';
import type { LayoutBook } from './layout-book.ts';
import type { ParseError, RecordBlock, RecordNotes } from './record-block.ts';

export type SinkState = ReturnType<RecordSink['state']>;

export class RecordSink {
  readonly book: LayoutBook;
  readonly decoder: CellDecoder;
  /** Set during detection. */
  readonly survey: HeadWatch | undefined;
  /** Limits the work of the reader. */
  readonly work: WorkMeter;
  /** Memory of the records' notes. */
  readonly slab = new ByteSlab();
  /** Size of the last entered puzzle; damage is compared with it. */
  lastSize: number | undefined;
  /** The layout of the last record, if the fast path may take others of it. */
  layout: Layout | undefined;
  /** The block being filled; it has space for at least one more record. */
  currentBlock: RecordBlock | undefined;
  /** Whether finished blocks wait. */
  hasReady = false;
  readonly #blocks: BlockSource;
  #ready: RecordBlock[] = [];
  /** Buffer for cells that are a range of bytes. */
  readonly #grid = new GridBuffer();

  constructor(
    book: LayoutBook,
    decoder: CellDecoder,
    blocks: BlockSource,
    survey?: HeadWatch,
    work = new WorkMeter(),
  ) {
    this.book = book;
    this.decoder = decoder;
    this.#blocks = blocks;
    this.survey = survey;
    this.work = work;
  }

  /**
   * Enters a puzzle.
   *
   * @returns why a cell is none, if so, at its offset; then nothing was entered
   */
  enter(found: Found): Fault | undefined {
    const { cells, geometry, notes, format, arrangement } = found;
    const { layout: last } = this;
    const isLikeLast =
      last?.format === format && last.geometry === geometry && last.arrangement === arrangement;
    // Most are written like the one before.
    if (isLikeLast && 'bytes' in cells && this.fill(cells.bytes, cells.from)) {
      this.enterFilled(found.line, found.lineEnd, notes);
      return undefined;
    }
    const { codes, count } = this.#gridOf(cells, geometry);
    // Codes after the last cell are those of an earlier grid.
    if (count !== geometry.cellCount) throw new RangeError(`a grid of ${count} cells`);
    const expected = this.book.rejection(geometry);
    if (expected !== undefined) {
      this.survey?.onWrongCells(codes, found);
      return { ...variantFault(geometry.size, expected), at: offsetOf(cells, 0) };
    }
    if (this.survey?.takeGrid(codes, found)) return undefined;
    const decoding = this.decoder.decode(geometry.size, codes, count, found.spaced === true);
    if (decoding === undefined) {
      const fault = this.decoder.fault!;
      this.survey?.onWrongCells(codes, found);
      return { ...fault, at: offsetOf(cells, fault.at) };
    }
    if (decoding.blanks.length > 1) this.survey?.onMixedBlanks(codes, found, decoding);
    const layout = this.book.layout(format, geometry, decoding.alphabet, decoding.blank, arrangement);
    this.survey?.onPuzzle(format);
    const block = this.#openBlock(layout);
    this.lastSize = geometry.size;
    const from = block.count * count;
    const { cells: into } = block;
    const { values } = this.decoder;
    for (let cell = 0; cell < count; cell++) into[from + cell] = values[cell];
    const own = withBlank(withWarnings(notes, decoding), layout, block.layout);
    this.#add(block, found.line, found.lineEnd, own);
    return undefined;
  }

  /**
   * Fills the next record of the current block with a puzzle whose first cell is at `at`, and notes its blank; the caller
   * counts the record.
   *
   * @param offsets of the cells from there; omitted if they are adjacent
   * @returns false if they are not written in a known way
   */
  fill(bytes: Uint8Array, at: number, offsets?: Int32Array): boolean {
    const block = this.currentBlock ?? this.blockFor(bytes, at, offsets);
    if (block === undefined) return false;
    const { layout, count, cells } = block;
    const decoding = this.#decode(layout, bytes, at, offsets, cells, count * layout.geometry.cellCount);
    if (decoding === undefined) return false;
    if (decoding.blank !== layout.blank) block.notes.set(count, { blank: decoding.blank });
    return true;
  }

  /** The current block, or another one like the last block, if a puzzle at `at` can fill it; see `fill`. */
  blockFor(bytes: Uint8Array, at: number, offsets?: Int32Array): RecordBlock | undefined {
    const { currentBlock, layout } = this;
    if (currentBlock !== undefined || layout === undefined) return currentBlock;
    const decoding = this.#decode(layout, bytes, at, offsets, this.decoder.values, 0);
    return decoding === undefined ? undefined : this.#openBlock(layout);
  }

  #decode(
    { geometry, alphabet }: Layout,
    bytes: Uint8Array,
    at: number,
    offsets: Int32Array | undefined,
    into: Uint8Array,
    to: number,
  ): Decoding | undefined {
    const decoding = this.decoder.decodeBytes(geometry, alphabet, bytes, at, offsets, into, to);
    if (decoding === undefined || decoding.reusable) return decoding;
    return this.survey?.surveysZeros(geometry.size) === true ? undefined : decoding;
  }

  /** Whether the bytes at `offsets` are the cells of the last record, and the fast path can take others like it. */
  isLastRecord(bytes: Uint8Array, offsets: ArrayLike<number>): boolean {
    const { currentBlock } = this;
    if (currentBlock === undefined || currentBlock.count === 0) return false;
    const { geometry, cells, count, layout } = currentBlock;
    const last = this.decoder.last(geometry.size);
    if (offsets.length !== geometry.cellCount || !last?.plain || last.alphabet !== layout.alphabet)
      return false;
    const { table } = last;
    const from = (count - 1) * offsets.length;
    let cell = 0;
    while (cell < offsets.length && table[bytes[offsets[cell]]] === cells[from + cell]) cell++;
    return cell === offsets.length;
  }

  /** Enters the record that the fast path has filled in the current block, with its blank in the notes. */
  enterFilled(line: number, lineEnd: number, notes?: RecordNotes): void {
    const { currentBlock } = this;
    if (currentBlock === undefined) return;
    this.lastSize = currentBlock.geometry.size;
    // `fill` has noted the blank if it differs from the layout's.
    const own = currentBlock.notes.size === 0 ? undefined : currentBlock.notes.get(currentBlock.count);
    this.#add(currentBlock, line, lineEnd, own === undefined ? notes : notes && { ...notes, ...own });
  }

  /** @returns the values of a grid that is not a record, such as an expected solution; undefined if it has errors */
  valuesOf(cells: Cells, geometry: Geometry, spaced = false): Uint8Array | undefined {
    const { size, cellCount } = geometry;
    const last = this.decoder.last(size);
    if ('bytes' in cells && last !== undefined) {
      const values = this.slab.take(cellCount);
      const { bytes, from } = cells;
      if (this.decoder.decodeBytes(geometry, last.alphabet, bytes, from, undefined, values, 0)) return values;
    }
    const { codes } = this.#gridOf(cells, geometry);
    if (this.decoder.decode(size, codes, cellCount, spaced) === undefined) return undefined;
    return this.slab.copy(this.decoder.values, 0, cellCount);
  }

  #gridOf(cells: Cells, { cellCount }: Geometry): GridBuffer {
    if (!('bytes' in cells)) return cells;
    this.#grid.clear();
    this.#grid.addBytes(cells.bytes, cells.from, cells.from + cellCount);
    return this.#grid;
  }

  /** Enters an unreadable record. @param notes which get the error */
  enterError(error: ParseError, line: number, lineEnd: number, notes: RecordNotes = {}): void {
    this.survey?.onError(error);
    const block = this.currentBlock ?? this.#openBlock(this.#anyLayout());
    const { cellCount } = block.geometry;
    block.cells.fill(0, block.count * cellCount, (block.count + 1) * cellCount);
    notes.error = error;
    this.#add(block, line, lineEnd, notes);
  }

  /** The block for the next puzzle of that layout, with space for at least one more record; its blank may differ. */
  #openBlock(layout: Layout): RecordBlock {
    const { currentBlock } = this;
    if (currentBlock !== undefined && isSameButBlank(currentBlock.layout, layout)) return currentBlock;
    this.finish();
    const block = this.#blocks.acquire(layout);
    this.currentBlock = block;
    this.layout = block.layout;
    return block;
  }

  /** Finishes the current block if it is full; for readers that fill it themselves. */
  finishIfFull(): void {
    const { currentBlock } = this;
    this.lastSize = currentBlock?.geometry.size;
    if (currentBlock !== undefined && currentBlock.count === currentBlock.capacity) this.finish();
  }

  /** Finishes the current block. */
  finish(): void {
    const { currentBlock } = this;
    if (currentBlock !== undefined && currentBlock.count > 0) {
      this.survey?.onBlock(currentBlock);
      this.#ready.push(currentBlock);
      this.hasReady = true;
      // With blocks of one record, each is read step by step: so tests compare both ways.
      if (currentBlock.capacity === 1) this.layout = undefined;
    }
    this.currentBlock = undefined;
  }

  /** Finishes the current block and yields all finished blocks. */
  *flush(): Iterable<RecordBlock> {
    this.finish();
    yield* this.takeReady();
  }

  /** State after the records so far, as plain data. */
  state() {
    return { lastSize: this.lastSize, allowed: this.book.sizes, decoder: this.decoder.state() };
  }

  /** Gives a new sink the state of another one. */
  restore(from: SinkState): void {
    this.lastSize = from.lastSize;
    for (const size of from.allowed) this.book.addSize(size);
    this.decoder.restore(from.decoder);
  }

  /** @returns the blocks finished since the last call */
  takeReady(): RecordBlock[] {
    const taken = this.#ready;
    this.#ready = [];
    this.hasReady = false;
    return taken;
  }

  #add(block: RecordBlock, line: number, lineEnd: number, notes: RecordNotes | undefined): void {
    const index = block.count++;
    block.line[index] = line;
    block.lineEnd[index] = lineEnd;
    if (notes !== undefined) block.notes.set(index, notes);
    if (block.count === block.capacity) this.finish();
  }

  /** A layout for a block that starts with an error; no puzzle may follow in it if its geometry is rejected. */
  #anyLayout(): Layout {
    const geometry = this.book.geometry(9);
    const format = this.book.rejection(geometry) === undefined ? 'line' : 'none';
    return this.book.layout(format, geometry, decimalAlphabet(9), '.');
  }
}

/** The puzzle's size does not fit the user's variant. */
function variantFault(size: number, expected: string): Fault {
  return makeFault('unsupported_variant', 0, `a ${size}x${size} puzzle`, expected);
}

/** Adds the puzzle's blank to its notes if the block's layout has another one. */
function withBlank(notes: RecordNotes | undefined, own: Layout, shared: Layout): RecordNotes | undefined {
  return own.blank === shared.blank ? notes : { ...notes, blank: own.blank };
}

function withWarnings(notes: RecordNotes | undefined, decoding: Decoding): RecordNotes | undefined {
  if (decoding.warnings === undefined) return notes;
  return { ...notes, warnings: [...(notes?.warnings ?? []), ...decoding.warnings] };
}
