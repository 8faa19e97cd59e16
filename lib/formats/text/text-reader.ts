/**
 * Reads text in which puzzles of different layouts may follow each other.
 *
 * At each line where a puzzle may start, in this order: blank lines and comments are skipped; the fast paths take
 * puzzles written like the previous one straight from the bytes, which is all that runs for most lines of a large file;
 * the recognisers are tried in order. Lines that none of them takes are skipped until a puzzle may start again; they
 * are not kept.
 */
import { COMMENT_SIGNS, KINDS } from '../bytes/byte-kinds.ts';
import { kept } from '../bytes/kept.ts';
import { LineWindow } from '../bytes/line-window.ts';
import type { ReaderState, RecordReader } from '../reader.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { lineSource, recordReader } from '../records/record-stream.ts';
import type { WordLayout } from '../records/word-layout.ts';
import type { FastPath } from './fast-path.ts';
import { skipIdleLines } from './idle-lines.ts';
import { LineBatches } from './lines/line-batches.ts';
import { wordLines } from './lines/words.ts';
import { NO, type Recogniser } from './recogniser.ts';
import { recognisersOf } from './registry.ts';
import { SameShape } from './rows/same-shape.ts';
import { idleRows } from './rows/spaced-blanks.ts';
import type { Line } from './shape/line.ts';
import { type ContextState, TextContext, type TextSettings } from './text-context.ts';
import { TokenGrids } from './tokens/token-grids.ts';
import { UnreadableLines } from './unreadable.ts';

/** A recogniser with all of its members: objects of one shape are read faster. */
type Candidate = Required<Pick<Recogniser, 'minBytes' | 'maxBytes' | 'match' | 'hashRows'>>;

/**
 * @param wordLayouts layouts of other modules
 * @param only the format that the user named, if any
 * @param from the state of a reader that read everything before
 */
export function textReader(
  wordLayouts: readonly WordLayout[],
  sink: RecordSink,
  settings: TextSettings,
  only?: string,
  from?: ReaderState,
): RecordReader {
  const words = wordLayouts.map(wordLines);
  /** In the order in which they are tried, and those that may know a line, by the kinds of its bytes. */
  const recognisers = recognisersOf(words, only);
  const candidates = new Map<number, readonly Candidate[]>();
  /** Those for the last line: most lines of a file have the same kinds of bytes. */
  let last: { readonly kinds: number; readonly candidates: readonly Candidate[] } | undefined;
  const unreadable = new UnreadableLines(words);
  const window = new LineWindow(from?.line);
  const context = new TextContext(window, sink, settings, only);
  context.restore((from?.text ?? {}) as ContextState);
  const { comments } = context;
  const sameShape = new SameShape();
  /** In the order in which they are tried, before any recogniser. */
  const fastPaths: readonly FastPath[] = [new LineBatches(), sameShape, new TokenGrids()];

  /** Reads lines that belong together; false at the end of the file. */
  function step(): boolean {
    if (unreadable.isOpen) unreadable.follow(context, recognise);
    else if (!skipIdleLines(context) && !takeFast()) {
      const line = context.lineAt(window.head);
      if (line === undefined) return false;
      const isSkipped = context.stopped || line.isComment || line.number < context.solutionEnd;
      // Text after a line `end` is not read either.
      if (isSkipped && !line.isBlank) {
        comments.addLine(window, line.at);
        context.endComment();
      }
      window.consume(isSkipped ? 1 : match(line));
    }
    return true;
  }

  /** Takes puzzles by the first fast path that can; whether any was taken. */
  function takeFast(): boolean {
    if (context.stopped || context.hasSolutions || context.rule !== undefined) return false;
    for (const path of fastPaths) if (path.take(context)) return true;
    return false;
  }

  /** The lines that belong to one: of a puzzle or a header, or the line that no recogniser takes. */
  function match(line: Line): number {
    const taken = recognise(line);
    if (taken !== NO) return taken;
    if (line.isBlank) return idleRows(line);
    unreadable.begin(line);
    return 1;
  }

  /** Lines taken from one on by the first recogniser that knows it. */
  function recognise(line: Line): number {
    const { at, length, kinds, isBlank } = line;
    if (!isBlank) context.firstLine ??= line.number;
    let work = 0;
    for (const { minBytes, maxBytes, match, hashRows } of line.isLong ? [] : candidatesOf(kinds)) {
      if (length < minBytes || length > maxBytes) continue;
      window.furthest = at;
      const taken = match(line);
      work += window.examinedBytes(at);
      if (taken === NO) continue;
      // An interrupted recogniser spends nothing, and all are asked again: so the work does not depend on the chunks.
      sink.work.spend(work);
      finish(at, taken, hashRows);
      return taken;
    }
    sink.work.spend(work);
    return NO;
  }

  /** The recognisers that may know a line with bytes of these kinds. */
  function candidatesOf(kinds: number): readonly Candidate[] {
    if (last?.kinds !== kinds) last = { kinds, candidates: kept(candidates, kinds, () => allFor(kinds)) };
    return last.candidates;
  }

  function allFor(kinds: number): Candidate[] {
    return recognisers
      .filter(({ only = kinds, has = kinds, blankRows }) =>
        kinds === 0 ? blankRows === true : (kinds & ~only) === 0 && (kinds & has) !== 0,
      )
      .map(({ minBytes = 0, maxBytes = Infinity, match, hashRows = false }) => {
        return { minBytes, maxBytes, match, hashRows };
      });
  }

  /** Counts the comments among the `lines` lines from `at` that a recogniser took, and remembers its puzzle. */
  function finish(at: number, lines: number, hasHashRows: boolean): void {
    if (context.example !== undefined) sameShape.remember(context, context.example);
    context.example = undefined;
    for (let line = at + 1; line < at + lines && !hasHashRows; line++) {
      if (KINDS[window.bytes[window.text[line]]] & COMMENT_SIGNS && context.line(line).isComment)
        comments.addLine(window, line);
    }
  }

  return recordReader(sink, {
    comments,
    step,
    ...lineSource(window, () =>
      unreadable.isOpen ? undefined : { sink: sink.state(), text: context.state() },
    ),
  });
}
