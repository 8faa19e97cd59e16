/**
 * A queue with the rules of SQS standard queues, in memory:
 *
 *     send --> visible --receive--> hidden --delete--> gone
 *                 ^                   |
 *                 |                   | its visibility timeout ends; changeVisibility sets another
 *                 +---- received fewer than maxReceives times? ---> otherwise dead letter
 *
 * Delivery is at least once: a message that is not deleted in time comes again, with a new receipt handle, and the
 * old handle no longer deletes it. Not as in SQS: order is kept as far as no message comes again, and a message
 * that was received too often becomes a dead letter when it would become visible, not when it is next asked for.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import { LOCAL_ACCOUNT } from '../functions/lambda-environment.ts';
import { systemTimerClock, type TimerClock } from '../timer-clock.ts';
import type { DeadLetter, JournaledMessage, QueueJournal } from './queue-journal.ts';

export interface QueueOptions {
  readonly name: string;
  readonly region: string;
  /** For how long a received message is hidden from others. */
  readonly visibilityTimeoutMs: number;
  /** After so many deliveries without a deletion a message becomes a dead letter. */
  readonly maxReceives: number;
  /** @default the machine's clock */
  readonly clock?: TimerClock;
  /** Keeps what is not done with over a restart; its pending messages are sent again. @default nothing is kept */
  readonly journal?: QueueJournal;
  /** Told of each dead letter when it becomes one. */
  readonly onDeadLetter?: (letter: DeadLetter) => void;
}

/** The longest that a message may be hidden after it was received: 12 hours. */
export const MAX_HIDDEN_MS = 43_200_000;

/** What a change of visibility came to: `too long` is past {@link MAX_HIDDEN_MS}. */
export type VisibilityOutcome = 'changed' | 'too long' | 'not in flight' | 'unknown handle';

interface Message extends JournaledMessage {
  receives: number;
  firstReceivedEpochMs: number;
  receivedEpochMs: number;
  /** The handle of the last delivery; only this one deletes it. */
  receiptHandle: string;
  /** Ends the wait for it to become visible. */
  stopWaiting: () => void;
}

/** An SQS-like queue; `close` stops its timers. */
export class LocalQueue {
  readonly arn: string;
  readonly #options: QueueOptions;
  readonly #clock: TimerClock;
  readonly #visible: Message[] = [];
  /** In flight: received, and neither deleted nor visible again; by receipt handle. */
  readonly #hidden = new Map<string, Message>();
  readonly #deadLetters: DeadLetter[] = [];
  readonly #listeners = new Set<() => void>();
  #whenIdle: (() => void)[] = [];
  #closed = false;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemTimerClock;
    this.arn = `arn:aws:sqs:${options.region}:${LOCAL_ACCOUNT}:${options.name}`;
    for (const message of options.journal?.pending ?? []) this.#visible.push(newMessage(message));
    this.#deadLetters.push(...(options.journal?.dead ?? []));
  }

  /** Messages that were given up, in the order in which that happened; those of earlier runs first. */
  get deadLetters(): readonly DeadLetter[] {
    return this.#deadLetters;
  }

  /** Messages that are neither deleted nor given up. */
  get size(): number {
    return this.#visible.length + this.#hidden.size;
  }

  /**
   * Puts a message into the queue.
   *
   * @param copies how often it is delivered where nothing fails: 2 makes the duplicate that SQS may make, with
   *   the same message id
   * @returns its message id
   */
  send(body: string, copies = 1): string {
    const messageId = randomUUID();
    const sentEpochMs = this.#clock.nowEpochMs();
    for (let copy = 0; copy < copies; copy++) {
      const message = newMessage({ key: randomUUID(), messageId, body, sentEpochMs });
      this.#options.journal?.recordSend(message);
      this.#visible.push(message);
    }
    this.#tell();
    return messageId;
  }

  /** Takes up to `most` visible messages, oldest first, and hides them for the visibility timeout. */
  receive(most: number): SQSRecord[] {
    const now = this.#clock.nowEpochMs();
    return this.#visible.splice(0, most).map((message) => {
      message.receives++;
      if (message.receives === 1) message.firstReceivedEpochMs = now;
      message.receivedEpochMs = now;
      message.receiptHandle = randomUUID();
      this.#hide(message, this.#options.visibilityTimeoutMs);
      return this.#record(message);
    });
  }

  /** Deletes a message; false where its handle is not of the last delivery, or it is gone already. */
  delete(receiptHandle: string): boolean {
    const message = this.#unhide(receiptHandle);
    if (message === undefined) return false;
    this.#options.journal?.recordDelete(message.key);
    this.#checkIdle();
    return true;
  }

  /** Hides a message in flight for this long from now on, instead of for the rest of its visibility timeout. */
  changeVisibility(receiptHandle: string, delayMs: number): VisibilityOutcome {
    const message = this.#hidden.get(receiptHandle);
    if (message === undefined) {
      const isVisible = this.#visible.some((other) => other.receiptHandle === receiptHandle);
      return isVisible ? 'not in flight' : 'unknown handle';
    }
    if (this.#clock.nowEpochMs() + delayMs - message.receivedEpochMs > MAX_HIDDEN_MS) return 'too long';
    message.stopWaiting();
    this.#hide(message, delayMs);
    return 'changed';
  }

  /** Calls the listener, from now on, whenever there are messages to receive. */
  onVisible(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Resolves when no message waits, is in flight or is to be retried; dead letters do not count. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve);
      this.#checkIdle();
    });
  }

  /** Stops all timers: nothing becomes visible any more. What is in the journal stays there. */
  close(): void {
    this.#closed = true;
    for (const message of this.#hidden.values()) message.stopWaiting();
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
    message.stopWaiting = this.#clock.after(delayMs, () => this.#show(message));
  }

  #unhide(receiptHandle: string): Message | undefined {
    const message = this.#hidden.get(receiptHandle);
    message?.stopWaiting();
    this.#hidden.delete(receiptHandle);
    return message;
  }

  #show(message: Message): void {
    if (this.#closed) return;
    this.#hidden.delete(message.receiptHandle);
    if (message.receives >= this.#options.maxReceives) {
      const { key, messageId, body, sentEpochMs, receives } = message;
      const letter = { key, messageId, body, sentEpochMs, receives };
      this.#options.journal?.recordDead(key, receives);
      this.#deadLetters.push(letter);
      this.#options.onDeadLetter?.(letter);
      this.#checkIdle();
    } else {
      this.#visible.push(message);
      this.#tell();
    }
  }

  #tell(): void {
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
    stopWaiting: () => {},
  };
}
