/**
 * What a queue must not forget when the plug is pulled: one line of JSON for each message that was sent, and one
 * when it is done with or given up. On the next start the messages without such a second line are sent again.
 *
 *     {"op":"send","key":"...","messageId":"...","body":"...","sentEpochMs":1760000000000}
 *     {"op":"delete","key":"..."}
 *     {"op":"dead","key":"...","receives":5}
 *
 * How often a message was received is not kept: stopping the stack in mid-work must not bring a message nearer to
 * the dead-letter queue.
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

/** A message as the journal keeps it. */
export interface JournaledMessage {
  /** Tells copies of the same message apart. */
  readonly key: string;
  readonly messageId: string;
  readonly body: string;
  readonly sentEpochMs: number;
}

/** A message that was given up. */
export interface DeadLetter extends JournaledMessage {
  /** How often it was delivered in vain. */
  readonly receives: number;
}

type Entry =
  | ({ readonly op: 'send' } & JournaledMessage)
  | { readonly op: 'delete'; readonly key: string }
  | { readonly op: 'dead'; readonly key: string; readonly receives: number };

/** The journal of one queue, in one file; nobody else may write to it meanwhile. */
export class QueueJournal {
  /** Messages of earlier runs that are still to be delivered, in the order in which they were sent. */
  readonly pending: readonly JournaledMessage[];
  /** Messages that earlier runs gave up. */
  readonly dead: readonly DeadLetter[];
  readonly #file: number;

  /**
   * Reads what earlier runs left, and goes on from there; file and folder are made if missing.
   *
   * @throws Error naming file and line where a line is not of the journal; the last one may be torn
   */
  constructor(path: string) {
    const { pending, dead } = replay(existsSync(path) ? readFileSync(path, 'utf8') : '', path);
    this.pending = pending;
    this.dead = dead;
    mkdirSync(dirname(path), { recursive: true });
    // What is done with is dropped now and then: here. A new file beside it, so that no crash can lose both.
    const kept: Entry[] = pending.map((message) => ({ op: 'send', ...message }));
    for (const { receives, ...message } of dead) {
      kept.push({ op: 'send', ...message }, { op: 'dead', key: message.key, receives });
    }
    writeFileSync(`${path}.new`, kept.map(line).join(''));
    renameSync(`${path}.new`, path);
    this.#file = openSync(path, 'a');
  }

  /** Notes a message; it is with the operating system when this returns. */
  recordSend({ key, messageId, body, sentEpochMs }: JournaledMessage): void {
    this.#append({ op: 'send', key, messageId, body, sentEpochMs });
  }

  /** Notes that a message is done with. */
  recordDelete(key: string): void {
    this.#append({ op: 'delete', key });
  }

  /** Notes that a message is given up. */
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
  // Behind the last line end there is nothing, or a line that was being written when the plug was pulled.
  lines.pop();
  for (const [index, entryText] of lines.entries()) {
    let entry: Entry;
    try {
      entry = JSON.parse(entryText) as Entry;
    } catch {
      throw new Error(
        `${path}, line ${index + 1}: expected a line of a queue's journal, found ${entryText.slice(0, 80)}`,
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
