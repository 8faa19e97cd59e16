/**
 * The messages of a queue on disk, so that they survive a crash: a line of JSON when a message is sent, and another when
 * it is deleted or becomes a dead letter. The next start delivers the messages without a second line.
 *
 *     {"op":"send","key":"...","messageId":"...","body":"...","sentEpochMs":1760000000000}
 *     {"op":"delete","key":"..."}
 *     {"op":"dead","key":"...","receives":5}
 *
 * Receive counts are not stored: stopping the stack while it works must not bring a message nearer to the dead-letter
 * queue.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** A message in the journal. */
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

/** The journal of one queue, in one file with a single writer. */
export class QueueJournal {
  /** Undelivered messages of earlier runs, in the order of sending. */
  readonly pending: readonly JournaledMessage[];
  /** Dead letters of earlier runs. */
  readonly dead: readonly DeadLetter[];
  readonly #file: number;

  /**
   * Reads the journal of earlier runs, compacts it and opens it for appending; file and folder are created if missing.
   *
   * @throws Error with file and line if a line other than a truncated last one is malformed
   */
  constructor(path: string) {
    const { pending, dead } = replay(existsSync(path) ? readFileSync(path, 'utf8') : '', path);
    this.pending = pending;
    this.dead = dead;
    mkdirSync(dirname(path), { recursive: true });
    // Compacts into a new file first, so that a crash loses neither.
    const kept: Entry[] = pending.map((message) => ({ op: 'send', ...message }));
    for (const { receives, ...message } of dead) {
      kept.push({ op: 'send', ...message }, { op: 'dead', key: message.key, receives });
    }
    writeFileSync(`${path}.new`, kept.map(line).join(''));
    renameSync(`${path}.new`, path);
    this.#file = openSync(path, 'a');
  }

  /** Records a message; the operating system has it when this returns. */
  recordSend({ key, messageId, body, sentEpochMs }: JournaledMessage): void {
    this.#append({ op: 'send', key, messageId, body, sentEpochMs });
  }

  recordDelete(key: string): void {
    this.#append({ op: 'delete', key });
  }

  /** Records that a message became a dead letter. */
  recordDead(key: string, receives: number): void {
    this.#append({ op: 'dead', key, receives });
  }

  close(): void {
    closeSync(this.#file);
  }

  #append(entry: Entry): void {
    writeSync(this.#file, line(entry));
  }
}

function line(entry: Entry): string {
  return `${JSON.stringify(entry)}\n`;
}

function replay(text: string, path: string): { pending: JournaledMessage[]; dead: DeadLetter[] } {
  const pending = new Map<string, JournaledMessage>();
  const dead: DeadLetter[] = [];
  const lines = text.split('\n');
  // After the last line feed there is nothing, or a line that a crash truncated.
  lines.pop();
  for (const [index, entryText] of lines.entries()) {
    let entry: Entry;
    try {
      entry = JSON.parse(entryText) as Entry;
    } catch {
      throw new Error(
        `${path}, line ${index + 1}: expected a queue journal entry, found ${entryText.slice(0, 80)}`,
      );
    }
    const { op, ...rest } = entry;
    const message = pending.get(rest.key);
    if (op === 'send') pending.set(rest.key, rest as JournaledMessage);
    else pending.delete(rest.key);
    if (op === 'dead' && message !== undefined) dead.push({ ...message, receives: entry.receives });
  }
  return { pending: [...pending.values()], dead };
}
