/**
 * The messages of a queue on disk, so that they survive a crash: a line of JSON when a message is sent, and another
 * when it is deleted or becomes a dead letter, which may be deleted later. The next start delivers the messages without a second line.
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
  /** Distinguishes copies of one message. */
  readonly key: string;
  readonly messageId: string;
  readonly body: string;
  readonly sentEpochMs: number;
}

/** A message that was received too often. */
export interface DeadLetter extends JournaledMessage {
  /** Number of deliveries. */
  readonly receives: number;
}

type Entry =
  | ({ readonly op: 'send' } & JournaledMessage)
  | { readonly op: 'delete'; readonly key: string }
  | { readonly op: 'dead'; readonly key: string; readonly receives: number };

export class QueueJournal {
  /** The places of undelivered messages of earlier runs, in the order of sending. */
  readonly pending: readonly number[];
  /** Dead letters of earlier runs. */
  readonly dead: readonly DeadLetter[];
  readonly #file: JournalFile<Entry>;

  /**
   * Reads and compacts the journal of earlier runs; file and folder are created if missing.
   *
   * @throws Error with file and line if a line other than a truncated last one is malformed
   */
  constructor(path: string) {
    let dead: readonly DeadLetter[] = [];
    let pendingMessages = 0;
    const pending: number[] = [];
    const compact = (entries: Iterable<Entry>) => {
      const found = replay(entries);
      dead = found.dead;
      pendingMessages = found.pending.length;
      return entriesOf(found);
    };
    // Pending messages come first.
    this.#file = new JournalFile(path, 'queue journal', compact, (_, place) => {
      if (pending.length < pendingMessages) pending.push(place);
    });
    this.pending = pending;
    this.dead = dead;
  }

  /**
   * Records a message; the operating system has it when this returns.
   *
   * @returns its place for `read`
   */
  recordSend({ key, messageId, body, sentEpochMs }: JournaledMessage): number {
    return this.#file.append({ op: 'send', key, messageId, body, sentEpochMs });
  }

  /** Reads a message of this run again. @param place of the message */
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

interface QueueState {
  readonly pending: readonly JournaledMessage[];
  readonly dead: readonly DeadLetter[];
}

/** The shortest journal of a queue. */
function entriesOf({ pending, dead }: QueueState): Entry[] {
  return [
    ...pending.map((message): Entry => ({ op: 'send', ...message })),
    ...dead.flatMap(({ receives, ...message }): Entry[] => [
      { op: 'send', ...message },
      { op: 'dead', key: message.key, receives },
    ]),
  ];
}

function replay(entries: Iterable<Entry>): QueueState {
  const pending = new Map<string, JournaledMessage>();
  const dead = new Map<string, DeadLetter>();
  for (const entry of entries) {
    const { op, ...rest } = entry;
    const message = pending.get(rest.key);
    if (op === 'send') pending.set(rest.key, rest as JournaledMessage);
    else pending.delete(rest.key);
    if (op === 'delete') dead.delete(rest.key);
    if (op === 'dead' && message !== undefined) dead.set(rest.key, { ...message, receives: entry.receives });
  }
  return { pending: [...pending.values()], dead: [...dead.values()] };
}
