/**
 * Reads text in which puzzles of different layouts may follow each other.
 *
 * At each line where a puzzle may start, in this order: blank lines and comments are skipped; the fast paths take
 * puzzles written like the previous one straight from the bytes, which is all that runs for most lines of a large file;
 * the recognisers are tried in order. Lines that none of them takes are skipped until a puzzle may start again; they
 * are not kept.
 */
import { unlessInterrupted } from '../bytes/arrival.ts';
import { LineWindow } from '../bytes/line-window.ts';
import type { ReaderCheckpoint, ReaderState, RecordReader } from '../reader.ts';
import type { CommentLog } from '../records/comment-log.ts';
import type { RecordBlock } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { WordLayout } from '../records/word-layout.ts';
import type { FastPath } from './fast-path.ts';
import { cellGrids, isBlankRow, matchBlankRow } from './grids/cell-grids.ts';
import { skipIdleLines } from './idle-lines.ts';
import { LineBatches } from './lines/line-batches.ts';
import { wordLines } from './lines/words.ts';
import { NO, type Recogniser } from './recogniser.ts';
import { recognisersOf } from './registry.ts';
import { SameShape } from './rows/same-shape.ts';
import { idleRows, mayBeBlankRow, spacedRows } from './rows/spaced-blanks.ts';
import { type ContextState, TextContext, type TextSettings } from './text-context.ts';
import { TokenGrids } from './tokens/token-grids.ts';
import { UnreadableLines } from './unreadable.ts';

interface TextState extends ReaderState {
  readonly text?: ContextState;
}

export class TextReader implements RecordReader {
  readonly #window: LineWindow;
  readonly #context: TextContext;
  /** In the order in which they are tried. */
  readonly #recognisers: readonly Recogniser[];
  readonly #sameShape = new SameShape();
  /** In the order in which they are tried, before any recogniser. */
  readonly #fastPaths: readonly FastPath[] = [new LineBatches(), this.#sameShape, new TokenGrids()];
  readonly #unreadable: UnreadableLines;
  /** Those that may know a line, by the kinds of its bytes, and those of the last line: most lines are alike. */
  readonly #candidates = new Map<number, readonly Recogniser[]>();
  #lastKinds = -1;
  #lastCandidates: readonly Recogniser[] = [];

  /**
   * @param wordLayouts layouts of other modules
   * @param only the format that the user named, if any
   * @param from the state of a reader that read everything before
   */
  constructor(
    wordLayouts: readonly WordLayout[],
    sink: RecordSink,
    settings: TextSettings,
    only?: string,
    from?: ReaderState,
  ) {
    const words = wordLayouts.map(wordLines);
    this.#recognisers = recognisersOf(words, only);
    this.#unreadable = new UnreadableLines(words);
    this.#window = new LineWindow(from?.line);
    this.#context = new TextContext(this.#window, sink, settings, only);
    this.#context.restore((from as TextState | undefined)?.text ?? {});
  }

  get comments(): CommentLog {
    return this.#context.comments;
  }

  *push(bytes: Uint8Array): Iterable<RecordBlock> {
    this.#context.sink.work.feed(bytes.length);
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

  checkpoint(): ReaderCheckpoint | undefined {
    const unreadBytes = this.#window.unreadBytes;
    if (unreadBytes === undefined || this.#unreadable.isOpen) return undefined;
    const line = this.#window.number(this.#window.head);
    const state: TextState = { line, sink: this.#context.sink.state(), text: this.#context.state() };
    return { state, unreadBytes };
  }

  *#read(): Iterable<RecordBlock> {
    const { sink } = this.#context;
    for (let more = true; more; ) {
      more = this.#step();
      if (sink.hasReady) yield* sink.takeReady();
    }
  }

  /** Reads until a block is ready; false if more bytes are needed. */
  #step(): boolean {
    return unlessInterrupted(() => this.#readLines());
  }

  /** Reads until a block is ready; false at the end of the file. */
  #readLines(): boolean {
    const context = this.#context;
    const window = this.#window;
    while (!context.sink.hasReady) {
      if (this.#unreadable.isOpen) {
        this.#unreadable.follow(context);
        continue;
      }
      if (skipIdleLines(context)) continue;
      if (this.#takeFast()) continue;
      const at = window.head;
      if (!window.has(at)) return false;
      const isBlank = context.isBlank(at);
      const blankRow = isBlank && !context.stopped && (mayBeBlankRow(context, at) || isBlankRow(context, at));
      if (context.stopped || (isBlank && !blankRow) || context.isComment(at)) {
        // Text after a line `end` is not read either.
        if (!isBlank) context.comments.addLine(window, at);
        window.consume(1);
        continue;
      }
      window.consume(blankRow ? this.#matchBlankRow(at) : this.#match(at));
    }
    return true;
  }

  /** Takes puzzles by the first fast path that can; whether any was taken. */
  #takeFast(): boolean {
    const context = this.#context;
    if (context.stopped || context.hasSolutions || context.rule !== undefined) return false;
    for (const path of this.#fastPaths) if (path.take(context)) return true;
    return false;
  }

  /** Lines taken from `at`, which has spaces or tabs alone: a grid whose first row is blank, or lines to skip. */
  #matchBlankRow(at: number): number {
    const tabs = isBlankRow(this.#context, at);
    const recogniser = tabs ? cellGrids : spacedRows;
    if (!this.#recognisers.includes(recogniser)) return 1;
    const taken = tabs ? matchBlankRow(this.#context, at) : spacedRows.match(this.#context, at);
    if (taken === NO) return tabs ? 1 : idleRows(this.#context, at);
    this.#finish(at, taken, false);
    return taken;
  }

  /** Counts the comments among the `lines` lines from `at` that a recogniser took, and remembers its puzzle. */
  #finish(at: number, lines: number, hasHashRows: boolean): void {
    const context = this.#context;
    if (context.example !== undefined) this.#sameShape.remember(context, context.example);
    context.example = undefined;
    if (hasHashRows) return;
    for (let line = at + 1; line < at + lines; line++) {
      if (context.isComment(line)) context.comments.addLine(this.#window, line);
    }
  }

  /** The recognisers that may know a line with bytes of these kinds. */
  #candidatesFor(kinds: number): readonly Recogniser[] {
    if (kinds === this.#lastKinds) return this.#lastCandidates;
    let found = this.#candidates.get(kinds);
    if (found === undefined) {
      const mayKnow = ({ only = kinds, has = kinds }: Recogniser) =>
        (kinds & ~only) === 0 && (kinds & has) !== 0;
      found = this.#recognisers.filter(mayKnow);
      this.#candidates.set(kinds, found);
    }
    this.#lastKinds = kinds;
    this.#lastCandidates = found;
    return found;
  }

  #match(at: number): number {
    const context = this.#context;
    const window = this.#window;
    context.firstLine ??= window.number(at);
    if (!window.isLong(at)) {
      let work = 0;
      const bytes = window.end[at] - window.text[at];
      for (const { minBytes = 0, maxBytes = bytes, match, hashRows } of this.#candidatesFor(
        window.kinds[at],
      )) {
        if (bytes < minBytes || bytes > maxBytes) continue;
        window.furthest = at;
        const taken = match(context, at);
        work += window.examinedBytes(at);
        if (taken === NO) continue;
        // An interrupted recogniser spends nothing, and all are asked again: so the work does not depend on the chunks.
        context.sink.work.spend(work);
        this.#finish(at, taken, hashRows === true);
        return taken;
      }
      context.sink.work.spend(work);
    }
    this.#unreadable.begin(context, at);
    return 1;
  }
}
