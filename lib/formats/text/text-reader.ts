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
import type { Line } from './shape/line.ts';
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
    yield* this.flush();
  }

  flush(): Iterable<RecordBlock> {
    return this.#context.sink.flush();
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
      more = unlessInterrupted(() => this.#readLines());
      if (sink.hasReady) yield* sink.takeReady();
    }
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
      const line = context.lineAt(window.head);
      if (line === undefined) return false;
      const mayBeRow = line.isBlank && !context.stopped && (mayBeBlankRow(line) || isBlankRow(line));
      if (context.stopped || (line.isBlank && !mayBeRow) || line.isComment) {
        // Text after a line `end` is not read either.
        if (!line.isBlank) context.comments.addLine(window, line.at);
        window.consume(1);
        continue;
      }
      window.consume(mayBeRow ? this.#matchBlankRow(line) : this.#match(line));
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

  /** Lines taken from one that has spaces or tabs alone: a grid whose first row is blank, or lines to skip. */
  #matchBlankRow(line: Line): number {
    const tabs = isBlankRow(line);
    const recogniser = tabs ? cellGrids : spacedRows;
    if (!this.#recognisers.includes(recogniser)) return 1;
    const taken = tabs ? matchBlankRow(line) : spacedRows.match(line);
    if (taken === NO) return tabs ? 1 : idleRows(line);
    this.#finish(line.at, taken, false);
    return taken;
  }

  /** Counts the comments among the `lines` lines from `at` that a recogniser took, and remembers its puzzle. */
  #finish(at: number, lines: number, hasHashRows: boolean): void {
    const context = this.#context;
    if (context.example !== undefined) this.#sameShape.remember(context, context.example);
    context.example = undefined;
    for (let line = at + 1; line < at + lines && !hasHashRows; line++) {
      if (context.line(line).isComment) context.comments.addLine(this.#window, line);
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

  #match(line: Line): number {
    const context = this.#context;
    const window = this.#window;
    const { at, length, kinds } = line;
    context.firstLine ??= line.number;
    if (!line.isLong) {
      let work = 0;
      for (const { minBytes = 0, maxBytes = length, match, hashRows } of this.#candidatesFor(kinds)) {
        if (length < minBytes || length > maxBytes) continue;
        window.furthest = at;
        const taken = match(line);
        work += window.examinedBytes(at);
        if (taken === NO) continue;
        // An interrupted recogniser spends nothing, and all are asked again: so the work does not depend on the chunks.
        context.sink.work.spend(work);
        this.#finish(at, taken, hashRows === true);
        return taken;
      }
      context.sink.work.spend(work);
    }
    this.#unreadable.begin(line);
    return 1;
  }
}
