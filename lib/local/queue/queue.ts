/**
 * An in-memory queue with the rules of SQS standard queues:
 *
 *     send --> visible --receive--> hidden --delete--> gone
 *                 ^                   |
 *                 |                   | visibility timeout ends; changeVisibility changes it
 *                 +---- received fewer than maxReceives times? ---> otherwise dead letter
 *
 * Delivery is at least once: a message that is not deleted in time is delivered again, with a new receipt handle, and
 * the old handle no longer deletes it. Differences from SQS: messages keep their order unless one is redelivered, and a
 * message that was received too often becomes a dead letter when it would become visible, not at the next receive.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import { LOCAL_ACCOUNT } from '../functions/lambda-environment.ts';
import { systemTimerClock, type TimerClock } from '../timer-clock.ts';
import { writeFault } from '../write-fault.ts';
import { DeadLetters } from './dead-letters.ts';
import type { DeadLetter, JournaledMessage, QueueJournal } from './queue-journal.ts';

export interface QueueOptions {
  readonly name: string;
  readonly region: string;
  /** How long a received message stays hidden. */
  readonly visibilityTimeoutMs: number;
  /** Deliveries without a deletion after which a message becomes a dead letter. */
  readonly maxReceives: number;
  /** @default the system's clock */
  readonly clock?: TimerClock;
  /** Preserves messages across restarts; its pending messages are delivered. @default messages are lost */
  readonly journal?: QueueJournal;
  /** Called for each new dead letter. */
  readonly onDeadLetter?: (letter: DeadLetter) => void;
  /** Called if the end of a message cannot be journaled. @default writes to standard error */
  readonly onFault?: (error: unknown) => void;
}

/** Maximum time that a message may be hidden after its receive: 12 hours. */
export const MAX_HIDDEN_MS = 43_200_000;

/** Result of a visibility change; `too long` exceeds {@link MAX_HIDDEN_MS}. */
export type VisibilityOutcome = 'changed' | 'too long' | 'unknown handle';

interface Message extends JournaledMessage {
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
  readonly #visible: (Message | number)[];
  /** In flight: received, and neither deleted nor visible again; by receipt handle. */
  readonly #hidden = new Map<string, Message>();
  /** The dead-letter queue. */
  readonly dead: DeadLetters;
  readonly #listeners = new Set<() => void>();
  #whenIdle: (() => void)[] = [];
  #closed = false;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemTimerClock;
    this.arn = `arn:aws:sqs:${options.region}:${LOCAL_ACCOUNT}:${options.name}`;
    this.#visible = [...(options.journal?.pending ?? [])];
    this.dead = new DeadLetters(
      () => this.#clock.nowEpochMs(),
      (key) => this.#journal((journal) => journal.recordDelete(key)),
    );
    this.dead.all.push(...(options.journal?.dead ?? []));
  }

  /** Dead letters, oldest first, including those of earlier runs. */
  get deadLetters(): readonly DeadLetter[] {
    return this.dead.all;
  }

  /** Bodies of all messages that are not deleted, dead letters included. */
  *bodies(): Generator<string> {
    for (const message of [...this.#visible]) yield this.#read(message).body;
    for (const { body } of [...this.#hidden.values(), ...this.dead.all]) yield body;
  }

  /** Number of messages that are neither deleted nor dead letters. */
  get size(): number {
    return this.#visible.length + this.#hidden.size;
  }

  /** Messages by state, as SQS counts them. */
  get depth(): { readonly visible: number; readonly hidden: number } {
    return { visible: this.#visible.length, hidden: this.#hidden.size };
  }

  /** Age of the oldest message that is neither deleted nor a dead letter, in seconds; 0 without messages. */
  get oldestSeconds(): number {
    const now = this.#clock.nowEpochMs();
    let oldestEpochMs = now;
    const note = (message: Message) => {
      oldestEpochMs = Math.min(oldestEpochMs, message.sentEpochMs);
    };
    for (const message of this.#hidden.values()) note(message);
    for (const message of this.#visible) if (typeof message !== 'number') note(message);
    // Those that were not received yet are in the order in which they were sent.
    const oldest = this.#visible.find((message) => typeof message === 'number');
    if (oldest !== undefined) note(this.#read(oldest));
    return (now - oldestEpochMs) / 1000;
  }

  get visibilityTimeoutMs(): number {
    return this.#options.visibilityTimeoutMs;
  }

  /**
   * Adds a message to the queue.
   *
   * @param copies number of deliveries if none fails: 2 simulates a duplicate of SQS, with the same message id
   * @returns its message id
   */
  send(body: string, copies = 1): string {
    const messageId = randomUUID();
    const sentEpochMs = this.#clock.nowEpochMs();
    for (let copy = 0; copy < copies; copy++) {
      const message = newMessage({ key: randomUUID(), messageId, body, sentEpochMs });
      this.#visible.push(this.#options.journal?.recordSend(message) ?? message);
    }
    this.#notify();
    return messageId;
  }

  /** Receives up to `maxMessages` visible messages, oldest first, and hides them for the visibility timeout. */
  receive(maxMessages: number): SQSRecord[] {
    const now = this.#clock.nowEpochMs();
    return this.#visible.splice(0, maxMessages).map((visible) => {
      const message = this.#read(visible);
      message.receives++;
      if (message.receives === 1) message.firstReceivedEpochMs = now;
      message.receivedEpochMs = now;
      message.receiptHandle = randomUUID();
      this.#hide(message, this.#options.visibilityTimeoutMs);
      return this.#record(message);
    });
  }

  /** Deletes a message; false if the handle is outdated or the message was already deleted. */
  delete(receiptHandle: string): boolean {
    const message = this.#received(receiptHandle);
    if (message === undefined) return false;
    this.#take(message);
    this.#journal((journal) => journal.recordDelete(message.key));
    this.#checkIdle();
    return true;
  }

  /**
   * Hides a message for this long from now, instead of the rest of its visibility timeout. As in SQS, its handle is
   * valid until the message is received again, also after the timeout.
   */
  changeVisibility(receiptHandle: string, delayMs: number): VisibilityOutcome {
    const message = this.#received(receiptHandle);
    if (message === undefined) return 'unknown handle';
    if (this.#clock.nowEpochMs() + delayMs - message.receivedEpochMs > MAX_HIDDEN_MS) return 'too long';
    this.#take(message);
    this.#hide(message, delayMs);
    return 'changed';
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

  #record(message: Message): SQSRecord {
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
      awsRegion: this.#options.region,
    };
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
    return typeof message === 'number' ? newMessage(this.#options.journal!.read(message)) : message;
  }

  #take(message: Message): void {
    message.cancelTimer();
    if (!this.#hidden.delete(message.receiptHandle)) this.#visible.splice(this.#visible.indexOf(message), 1);
  }

  #onVisibilityTimeout(message: Message): void {
    if (this.#closed) return;
    this.#hidden.delete(message.receiptHandle);
    if (message.receives >= this.#options.maxReceives) {
      const { key, messageId, body, sentEpochMs, receives } = message;
      const letter = { key, messageId, body, sentEpochMs, receives };
      this.#journal((journal) => journal.recordDead(key, receives));
      this.dead.all.push(letter);
      this.#options.onDeadLetter?.(letter);
      this.#checkIdle();
    } else {
      this.#visible.push(message);
      this.#notify();
    }
  }

  /** Records the end of a message. If that fails, on a full disk, the next start delivers the message again. */
  #journal(record: (journal: QueueJournal) => void): void {
    const { journal, onFault = (error) => writeFault('queue', error) } = this.#options;
    try {
      if (journal !== undefined) record(journal);
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
