/**
 * A queue with the rules of SQS standard queues:
 *
 *     send --> visible --receive--> hidden --delete--> gone
 *                 ^                   |
 *                 |                   | visibility timeout ends; changeVisibility changes it
 *                 +---- received fewer than maxReceives times? ---> otherwise to the dead-letter queue
 *
 * Delivery is at least once: a message that is not deleted in time is delivered again, with a new receipt handle, and
 * the old handle no longer deletes it. Differences from SQS: messages keep their order unless one is redelivered, and a
 * message that was received too often becomes a dead letter when it would become visible, not at the next receive.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import { LOCAL_ACCOUNT, LOCAL_STACK } from '../stack-names.ts';
import { systemTimerClock, type TimerClock } from '../timer-clock.ts';
import { writeFault } from '../write-fault.ts';
import type { JournaledMessage, QueueJournal } from './queue-journal.ts';

export interface QueueOptions {
  readonly name: string;
  /** How long a received message stays hidden. */
  readonly visibilityTimeoutMs: number;
  /** Deliveries without a deletion after which a message becomes a dead letter. @default it never does */
  readonly maxReceives?: number;
  readonly deadLetters?: LocalQueue;
  /** Whether it is a dead-letter queue, to which another one gives its messages, also those of earlier runs. */
  readonly isDeadLetters?: boolean;
  /** @default the system's clock */
  readonly clock?: TimerClock;
  /** Preserves messages across restarts; those of earlier runs are delivered. Shared with the dead-letter queue. */
  readonly journal: QueueJournal;
  /** Called if the end of a message cannot be journaled. @default writes to standard error */
  readonly onFault?: (error: unknown) => void;
}

/** Maximum time that a message may be hidden after its receive: 12 hours. */
export const MAX_HIDDEN_MS = 43_200_000;

/** A message that was received at least once. */
export interface Message extends JournaledMessage {
  receives: number;
  firstReceivedEpochMs: number;
  receivedEpochMs: number;
  /** Handle of the last delivery; only this one deletes the message. */
  receiptHandle: string;
  /** Cancels the timer that makes it visible. */
  cancelTimer: () => void;
}

/** A local queue; `close` stops its timers. */
export class LocalQueue {
  readonly arn: string;
  readonly #options: QueueOptions;
  readonly #clock: TimerClock;
  /** In the order of delivery: a message that was not received yet by its place in the journal, as it may wait for long. */
  readonly #visible: (Message | number)[] = [];
  /** In flight: received, and neither deleted nor visible again; by receipt handle. */
  readonly #hidden = new Map<string, Message>();
  readonly #listeners = new Set<() => void>();
  #whenIdle: (() => void)[] = [];
  #closed = false;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemTimerClock;
    this.arn = `arn:aws:sqs:${LOCAL_STACK.region}:${LOCAL_ACCOUNT}:${options.name}`;
    for (const { place, receives } of options.isDeadLetters === true ? [] : options.journal.earlier) {
      if (receives === undefined) this.#visible.push(place);
      else options.deadLetters?.add({ ...newMessage(options.journal.read(place)), receives });
    }
  }

  /** All messages that are not deleted, oldest first as far as they are in order. */
  get messages(): Message[] {
    return [...[...this.#visible].map((visible) => this.#read(visible)), ...this.#hidden.values()];
  }

  /** Number of messages that are not deleted. */
  get size(): number {
    return this.#visible.length + this.#hidden.size;
  }

  /** Adds a message to the queue. @returns its message id */
  send(body: string): string {
    const messageId = randomUUID();
    const message = { key: randomUUID(), messageId, body, sentEpochMs: this.#clock.nowEpochMs() };
    this.#visible.push(this.#options.journal.recordSend(message));
    this.#notify();
    return messageId;
  }

  /** Adds a message of another queue with the same journal. */
  add(message: Message): void {
    this.#visible.push(message);
    this.#notify();
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
    this.#record((journal) => journal.recordDelete(message.key));
    this.#checkIdle();
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
  }

  #hide(message: Message, delayMs: number): void {
    this.#hidden.set(message.receiptHandle, message);
    message.cancelTimer = this.#clock.after(delayMs, () => this.#onVisibilityTimeout(message));
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
    return typeof message === 'number' ? newMessage(this.#options.journal.read(message)) : message;
  }

  #take(message: Message): void {
    message.cancelTimer();
    if (!this.#hidden.delete(message.receiptHandle)) this.#visible.splice(this.#visible.indexOf(message), 1);
  }

  #onVisibilityTimeout(message: Message): void {
    if (this.#closed) return;
    this.#hidden.delete(message.receiptHandle);
    const { maxReceives = Number.POSITIVE_INFINITY, deadLetters } = this.#options;
    if (deadLetters === undefined || message.receives < maxReceives) {
      this.add(message);
      return;
    }
    this.#record((journal) => journal.recordDead(message.key, message.receives));
    deadLetters.add(message);
    this.#checkIdle();
  }

  /** Records the end of a message. If that fails, on a full disk, the next start delivers the message again. */
  #record(record: (journal: QueueJournal) => void): void {
    const { journal, onFault = (error) => writeFault('queue', error) } = this.#options;
    try {
      record(journal);
    } catch (error) {
      onFault(error);
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

function newMessage(message: JournaledMessage): Message {
  return {
    ...message,
    receives: 0,
    firstReceivedEpochMs: 0,
    receivedEpochMs: 0,
    receiptHandle: '',
    cancelTimer: () => {},
  };
}
