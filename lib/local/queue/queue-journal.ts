/**
 * The messages of a queue and of its dead-letter queue on disk, so that they survive a crash: a line of JSON when a message
 * is sent, and another when it is deleted or becomes a dead letter, which may be deleted later.
 *
 *     {"op":"send","key":"...","messageId":"...","body":"...","sentEpochMs":1760000000000}
 *     {"op":"delete","key":"..."}
 *     {"op":"dead","key":"...","receives":5}
 *
 * Receive counts are not stored: stopping the stack while it works must not bring a message nearer to the dead-letter
 * queue.
 */
import { JournalFile } from '../journal-file.ts';

export interface JournaledMessage {
  readonly key: string;
  readonly messageId: string;
  readonly body: string;
  readonly sentEpochMs: number;
}

type Entry =
  | ({ readonly op: 'send' } & JournaledMessage)
  | { readonly op: 'delete'; readonly key: string }
  | { readonly op: 'dead'; readonly key: string; readonly receives: number };

/** A message that is not deleted. */
interface Kept {
  readonly place: number;
  /** Of a dead letter. */
  readonly receives?: number;
}

/** A journal of fewer lines is not worth being rewritten. */
const MIN_REWRITTEN_LINES = 1000;

export class QueueJournal {
  /** The messages of earlier runs, in the order of sending. */
  readonly earlier: readonly Kept[];
  readonly #file: JournalFile<Entry>;

  /**
   * Reads the journal of earlier runs; file and folder are created if missing.
   *
   * @throws Error with file and line if a line other than a truncated last one is malformed
   */
  constructor(path: string) {
    this.#file = new JournalFile(path, 'queue journal');
    let { lines, kept } = this.#replay();
    if (lines >= Math.max(MIN_REWRITTEN_LINES, 2 * kept.length)) {
      this.#file.rewrite(this.#entriesOf(kept));
      ({ lines, kept } = this.#replay());
    }
    this.earlier = kept;
  }

  #replay(): { lines: number; kept: readonly Kept[] } {
    const kept = new Map<string, Kept>();
    const lines = this.#file.replay((entry, place) => {
      const { op, key } = entry;
      if (op === 'send') kept.set(key, { place });
      else if (op === 'delete') kept.delete(key);
      else if (kept.has(key)) kept.set(key, { ...kept.get(key)!, receives: entry.receives });
    });
    return { lines, kept: [...kept.values()] };
  }

  *#entriesOf(kept: readonly Kept[]): Generator<Entry> {
    for (const { place, receives } of kept) {
      const message = this.read(place);
      yield { op: 'send', ...message };
      if (receives !== undefined) yield { op: 'dead', key: message.key, receives };
    }
  }

  /** Records a message; the operating system has it when this returns. @returns its place for `read` */
  recordSend(message: JournaledMessage): number {
    return this.#file.append({ op: 'send', ...message });
  }

  /** Reads a message again. @param place of the message */
  read(place: number): JournaledMessage {
    const { op: _, ...message } = this.#file.read(place) as Entry & { readonly op: 'send' };
    return message;
  }

  recordDelete(key: string): void {
    this.#file.append({ op: 'delete', key });
  }

  /** Records that a message became a dead letter. */
  recordDead(key: string, receives: number): void {
    this.#file.append({ op: 'dead', key, receives });
  }

  close(): void {
    this.#file.close();
  }
}
