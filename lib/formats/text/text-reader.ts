/**
 * Reads text in which puzzles of any layout may follow one another.
 *
 * At each line where a puzzle may start the formats are asked in turn, see `text-format.ts`. Before that, blank
 * lines and comments are passed over, and lines and grids written exactly like the one before are taken, straight
 * from the bytes: through a file of millions of them nothing else runs. Lines that no format knows are followed
 * until a puzzle may start again, without being kept.
 */
import type { ReaderRest, ReaderState, RecordReader } from '../reader.ts';
import type { RecordBlock } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { contextState, restoreContext } from './context-state.ts';
import { skipIdleLines } from './idle-lines.ts';
import { LineWindow } from './line-window.ts';
import { takeFastLines } from './lines/line-batches.ts';
import { MORE, NO, type TextFormat } from './recogniser.ts';
import { takeSameShape } from './rows/same-shape.ts';
import { idleRows, mayBeBlankRow, spacedRows } from './rows/spaced-blanks.ts';
import { takeSpaced } from './rows/spaced-straight.ts';
import { TextContext } from './text-context.ts';
import { takeTokenGrids } from './tokens/token-grids.ts';
import { beginStretch, followStretch } from './unreadable.ts';

export class TextReader implements RecordReader {
  readonly #window: LineWindow;
  readonly #context: TextContext;
  readonly #formats: readonly TextFormat[];

  /**
   * @param formats in the order in which they are asked
   * @param only the one format the user named, if any
   * @param regionMaps whether maps of jigsaws' regions stand behind their puzzles
   * @param from where another reader stood that read everything before
   */
  constructor(
    formats: readonly TextFormat[],
    sink: RecordSink,
    only?: string,
    regionMaps = false,
    from?: ReaderState,
  ) {
    this.#formats = formats;
    this.#window = new LineWindow(from?.line);
    this.#context = new TextContext(this.#window, sink, only, regionMaps);
    if (from !== undefined) restoreContext(this.#context, from);
  }

  *push(bytes: Uint8Array): Iterable<RecordBlock> {
    this.#window.feed(bytes);
    yield* this.#read();
  }

  *end(): Iterable<RecordBlock> {
    this.#window.finish();
    yield* this.#read();
    this.#context.sink.finish();
    yield* this.#context.sink.takeReady();
  }

  *flush(): Iterable<RecordBlock> {
    this.#context.sink.finish();
    yield* this.#context.sink.takeReady();
  }

  rest(): ReaderRest | undefined {
    const unreadBytes = this.#window.unreadBytes;
    if (unreadBytes === undefined || this.#context.stretch !== undefined) return undefined;
    if (this.#context.sink.isHolding) return undefined;
    return { state: contextState(this.#context), unreadBytes };
  }

  *#read(): Iterable<RecordBlock> {
    const { sink } = this.#context;
    for (let more = true; more; ) {
      more = this.#step();
      if (sink.hasReady) yield* sink.takeReady();
    }
  }

  /** Reads until a block is ready; false when further bytes are needed. */
  #step(): boolean {
    const context = this.#context;
    const window = this.#window;
    while (!context.sink.hasReady) {
      if (context.stretch !== undefined) {
        if (!followStretch(context)) return false;
        continue;
      }
      if (skipIdleLines(window)) continue;
      const mayHurry = !context.stopped && !context.sink.isHolding;
      if (mayHurry && takeStraight(context)) continue;
      const at = window.head;
      if (!window.has(at)) return false;
      const blankRow = !context.stopped && mayBeBlankRow(context, at);
      if (context.stopped || (context.isBlank(at) && !blankRow) || context.isComment(at)) {
        window.consume(1);
        continue;
      }
      const taken = blankRow ? this.#matchBlankRow(at) : this.#match(at);
      if (taken === MORE) return false;
      window.consume(taken);
    }
    return true;
  }

  /** Lines taken from `at`, which has spaces alone: a grid that begins with a row of blanks, or a line that is passed over. */
  #matchBlankRow(at: number): number {
    if (!this.#formats.includes(spacedRows)) return 1;
    const taken = spacedRows.match(this.#context, at);
    if (taken === NO) return idleRows(this.#context, at);
    if (taken !== MORE) this.#context.sink.release();
    return taken;
  }

  #match(at: number): number {
    const context = this.#context;
    context.firstLine ??= this.#window.number(at);
    if (!this.#window.isLong(at)) {
      const bytes = this.#window.end[at] - this.#window.text[at];
      for (const format of this.#formats) {
        if (format.leastBytes !== undefined && bytes < format.leastBytes) continue;
        const taken = format.match(context, at);
        if (taken === NO) continue;
        if (taken !== MORE) context.sink.release();
        return taken;
      }
    }
    beginStretch(context, at);
    return 1;
  }
}

/** Takes puzzles written like the one before straight from the bytes; whether there was any. */
function takeStraight(context: TextContext): boolean {
  return takeFastLines(context) || takeSameShape(context) || takeTokenGrids(context) || takeSpaced(context);
}
