/**
 * A queue with the rules of SQS standard queues:
 *
 *     send --> visible --receive--> hidden --delete--> gone
 *                 ^                   |
 *                 |                   | visibility timeout ends; changeVisibility changes it
 *                 +---- received fewer than maxReceives times? ---> otherwise to the dead-letter queue, which is another one
 *
 * Delivery is at least once: a message that is not deleted in time is delivered again, with a new receipt handle, and
 * the old handle no longer deletes it. Differences from SQS: messages keep their order unless one is redelivered, and a
 * message that was received too often becomes a dead letter when it would become visible, not at the next receive.
 *
 * A journal has the messages, so that they survive a crash:
 *
 *     {"op":"send","key":"...","messageId":"...","body":"...","sentEpochMs":1760000000000}
 *     {"op":"delete","key":"..."}
 *
 * Receive counts are not stored: stopping the stack while it works must not bring a message nearer to the dead-letter
 * queue. In a dead-letter queue, a message has those of the queue that it comes from.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import { JournalFile, type JournalState } from '../journal-file.ts';
import { LOCAL_ACCOUNT, LOCAL_STACK } from '../stack-names.ts';
import { systemTimerClock, type TimerClock } from '../timer-clock.ts';
import { writeFault } from '../write-fault.ts';

export interface QueueOptions {
  readonly name: string;
  /** How long a received message stays hidden. */
  readonly visibilityTimeoutMs: number;
  /** Deliveries without a deletion after which a message becomes a dead letter. @default it never does */
  readonly maxReceives?: number;
  readonly deadLetters?: LocalQueue;
  /** @default the system's clock */
  readonly clock?: TimerClock;
  /** Path of the journal; created if missing. The messages of earlier runs are delivered. */
  readonly journal: string;
}

/** Maximum time that a message may be hidden after its receive: 12 hours. */
export const MAX_HIDDEN_MS = 43_200_000;

interface StoredMessage {
  readonly messageId: string;
  readonly body: string;
  readonly sentEpochMs: number;
  /** Of a dead letter, in the queue that it comes from. @default 0 */
  readonly receives?: number;
}

/** The key of a message is its id; in journals of older programs, another one. */
type Entry =
  | ({ readonly op: 'send'; readonly key: string } & StoredMessage)
  /** Older programs kept dead letters in the same journal: these are tried again. */
  | { readonly op: 'delete' | 'dead'; readonly key: string };

/** A message that was received at least once. */
export interface Message extends StoredMessage {
  readonly key: string;
  receives: number;
  firstReceivedEpochMs: number;
  receivedEpochMs: number;
  /** Handle of the last delivery; only this one deletes the message. */
  receiptHandle: string;
  /** When it becomes visible. */
  dueEpochMs: number;
  /** Cancels the timer that makes it visible. */
  cancelTimer: () => void;
}

/** A local queue; `close` stops its timers. */
export class LocalQueue {
  readonly arn: string;
  readonly #options: QueueOptions;
  readonly #clock: TimerClock;
  readonly #journal: JournalFile<Entry>;
  /** In the order of delivery: a message that was not received yet by its place in the journal, as it may wait for long. */
  readonly #visible: (Message | number)[];
  /** In flight: received, and neither deleted nor visible again; by receipt handle. */
  readonly #hidden = new Map<string, Message>();
  readonly #listeners = new Set<() => void>();
  #whenIdle: (() => void)[] = [];
  #closed = false;

  /** @throws Error with file and line if a line of the journal other than a truncated last one is malformed */
  constructor(options: QueueOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemTimerClock;
    this.arn = `arn:aws:sqs:${LOCAL_STACK.region}:${LOCAL_ACCOUNT}:${options.name}`;
    this.#journal = new JournalFile(options.journal, 'queue journal');
    this.#visible = [...this.#journal.load(() => new Undeleted(this.#journal)).places.values()];
  }

  /** All messages that are not deleted, oldest first as far as they are in order. */
  get messages(): Message[] {
    return [...this.#visible.map((visible) => this.#read(visible)), ...this.#hidden.values()];
  }

  /** Number of messages that are not deleted. */
  get size(): number {
    return this.#visible.length + this.#hidden.size;
  }

  /** Adds a message to the queue. @returns its message id */
  send(body: string): string {
    const messageId = randomUUID();
    this.#add({ messageId, body, sentEpochMs: this.#clock.nowEpochMs() });
    return messageId;
  }

  /** Receives up to `maxMessages` visible messages, oldest first, and hides them. */
  receive(maxMessages: number): SQSRecord[] {
    const now = this.#clock.nowEpochMs();
    return this.#visible.splice(0, maxMessages).map((visible) => {
      const message = this.#read(visible);
      message.receives++;
      message.firstReceivedEpochMs ||= now;
      message.receivedEpochMs = now;
      message.receiptHandle = randomUUID();
      this.#hide(message, this.#options.visibilityTimeoutMs);
      return {
        messageId: message.messageId,
        receiptHandle: message.receiptHandle,
        body: message.body,
        attributes: {
          ApproximateReceiveCount: String(message.receives),
          SentTimestamp: String(message.sentEpochMs),
          SenderId: LOCAL_ACCOUNT,
          ApproximateFirstReceiveTimestamp: String(message.firstReceivedEpochMs),
        },
        messageAttributes: {},
        md5OfBody: createHash('md5').update(message.body).digest('hex'),
        eventSource: 'aws:sqs',
        eventSourceARN: this.arn,
        awsRegion: LOCAL_STACK.region,
      };
    });
  }

  /** Deletes a message; false if the handle is outdated or the message was already deleted. */
  delete(receiptHandle: string): boolean {
    const message = this.#received(receiptHandle);
    if (message === undefined) return false;
    this.#take(message);
    this.#recordEnd(message);
    return true;
  }

  /**
   * Hides a message for this long from now, instead of the rest of its visibility timeout. As in SQS, its handle is
   * valid until the message is received again, also after the timeout.
   *
   * @returns whether the handle is valid, and the whole time at most {@link MAX_HIDDEN_MS}
   */
  changeVisibility(receiptHandle: string, delayMs: number): boolean {
    const message = this.#received(receiptHandle);
    if (message === undefined) return false;
    if (this.#clock.nowEpochMs() + delayMs - message.receivedEpochMs > MAX_HIDDEN_MS) return false;
    this.#take(message);
    this.#hide(message, delayMs);
    return true;
  }

  /** Adds a listener that is called whenever messages become visible. */
  onVisible(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Resolves when no message is visible or hidden; dead letters do not count. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve);
      this.#checkIdle();
    });
  }

  /** Stops all timers: no message becomes visible any more. The journal keeps its entries. */
  close(): void {
    this.#closed = true;
    for (const message of this.#hidden.values()) message.cancelTimer();
    this.#journal.close();
  }

  #add(message: StoredMessage): void {
    this.#visible.push(this.#journal.append({ op: 'send', key: message.messageId, ...message }));
    this.#notify();
  }

  /** Makes the next hidden message visible now. @returns whether one has become visible, or a dead letter */
  showNext(): boolean {
    const [next] = [...this.#hidden.values()].sort((a, b) => a.dueEpochMs - b.dueEpochMs);
    next?.cancelTimer();
    return next !== undefined && this.#show(next);
  }

  #hide(message: Message, delayMs: number): void {
    this.#hidden.set(message.receiptHandle, message);
    message.dueEpochMs = this.#clock.nowEpochMs() + delayMs;
    message.cancelTimer = this.#clock.after(delayMs, () => this.#show(message));
  }

  #received(receiptHandle: string): Message | undefined {
    return (
      this.#hidden.get(receiptHandle) ??
      this.#visible.find(
        (other): other is Message => typeof other !== 'number' && other.receiptHandle === receiptHandle,
      )
    );
  }

  #read(message: Message | number): Message {
    if (typeof message !== 'number') return message;
    const { op: _, receives = 0, ...stored } = this.#journal.read(message) as Entry & { op: 'send' };
    const times = { firstReceivedEpochMs: 0, receivedEpochMs: 0, dueEpochMs: 0 };
    return { ...stored, receives, ...times, receiptHandle: '', cancelTimer: () => {} };
  }

  #take(message: Message): void {
    message.cancelTimer();
    if (!this.#hidden.delete(message.receiptHandle)) this.#visible.splice(this.#visible.indexOf(message), 1);
  }

  /** Ends the visibility timeout of a message. @returns whether it is no longer hidden */
  #show(message: Message): boolean {
    if (this.#closed) return false;
    this.#hidden.delete(message.receiptHandle);
    const { maxReceives = Number.POSITIVE_INFINITY, deadLetters, visibilityTimeoutMs } = this.#options;
    if (deadLetters === undefined || message.receives < maxReceives) {
      this.#visible.push(message);
      this.#notify();
      return true;
    }
    const { messageId, body, sentEpochMs, receives } = message;
    // If this process is killed before the end is recorded, the message is in both queues, which are one job.
    const moved = this.#try(() => deadLetters.#add({ messageId, body, sentEpochMs, receives }));
    if (moved) this.#recordEnd(message);
    else this.#hide(message, visibilityTimeoutMs);
    return moved;
  }

  /** Records the end of a message. If that fails, the next start delivers the message again. */
  #recordEnd({ key }: Message): void {
    this.#try(() => this.#journal.append({ op: 'delete', key }));
    this.#checkIdle();
  }

  /** @returns whether a change was recorded: it is not if the disk is full */
  #try(record: () => void): boolean {
    try {
      record();
      return true;
    } catch (error) {
      writeFault('queue', error);
      return false;
    }
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #checkIdle(): void {
    if (this.size > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}

/** The messages of a journal that are not deleted: their places, by key. */
class Undeleted implements JournalState<Entry> {
  readonly places = new Map<string, number>();
  readonly #journal: JournalFile<Entry>;

  constructor(journal: JournalFile<Entry>) {
    this.#journal = journal;
  }

  apply({ op, key }: Entry, place: number): void {
    if (op === 'send') this.places.set(key, place);
    else if (op === 'delete') this.places.delete(key);
  }

  endReplay(): void {}

  get size(): number {
    return this.places.size;
  }

  *entries(): Generator<Entry> {
    for (const place of this.places.values()) yield this.#journal.read(place);
  }
}
