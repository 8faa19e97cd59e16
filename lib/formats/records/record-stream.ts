/** What the readers of all formats do alike: they read step by step, and yield the blocks that are full in between. */
import { unlessInterrupted } from '../bytes/arrival.ts';
import type { LineWindow } from '../bytes/line-window.ts';
import type { ReaderCheckpoint, ReaderState, RecordReader } from '../reader.ts';
import type { CommentLog } from './comment-log.ts';
import type { RecordBlock } from './record-block.ts';
import type { RecordSink } from './record-sink.ts';

/** The parts of a reader that depend on its format. */
interface ReaderParts {
  readonly comments?: CommentLog;
  /** Takes bytes. @returns whether they may be enough for a step that was interrupted */
  feed(bytes: Uint8Array): boolean;
  /** No bytes follow. */
  finish(): void;
  /** Reads the next record, or what is between records; false at the end of the file. See `unlessInterrupted`. */
  step(): boolean;
  /** Enters what is left after the last step. */
  close?(): void;
  checkpoint(): ReaderCheckpoint | undefined;
}

export function recordReader(
  sink: RecordSink,
  { comments, feed, finish, step, close, checkpoint }: ReaderParts,
): RecordReader {
  const readBlock = () => {
    while (!sink.hasReady) if (!step()) return false;
    return true;
  };
  function* read(): Iterable<RecordBlock> {
    for (let more = true; more; ) {
      more = unlessInterrupted(readBlock);
      if (sink.hasReady) yield* sink.takeReady();
    }
  }
  return {
    comments,
    *push(bytes) {
      sink.work.feed(bytes.length);
      if (feed(bytes)) yield* read();
    },
    *flush() {
      yield* read();
      yield* sink.flush();
    },
    *end() {
      finish();
      yield* read();
      close?.();
      yield* sink.flush();
    },
    checkpoint,
  };
}

/**
 * The parts of a reader of lines.
 *
 * @param state what it knows apart from its place; undefined if it is in a puzzle or in damage
 */
export function lineSource(window: LineWindow, state: () => Omit<ReaderState, 'line'> | undefined) {
  return {
    feed(bytes: Uint8Array) {
      window.feed(bytes);
      return true;
    },
    finish: () => window.finish(),
    checkpoint(): ReaderCheckpoint | undefined {
      const { unreadBytes } = window;
      const own = unreadBytes === undefined ? undefined : state();
      if (unreadBytes === undefined || own === undefined) return undefined;
      return { state: { ...own, sink: own.sink, line: window.number(window.head) }, unreadBytes };
    },
  };
}
