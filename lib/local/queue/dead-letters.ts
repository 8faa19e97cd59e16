/** The dead-letter queue: its messages are received, returned and deleted, but never processed. */
import { randomUUID } from 'node:crypto';
import type { DeadLetter } from './queue-journal.ts';

interface InFlight {
  readonly letter: DeadLetter;
  hiddenUntilEpochMs: number;
}

export interface ReceivedLetter extends DeadLetter {
  readonly receiptHandle: string;
}

export class DeadLetters {
  /** Oldest first; the same array as long as the queue exists. */
  readonly all: DeadLetter[] = [];
  readonly #inFlight = new Map<string, InFlight>();
  readonly #nowEpochMs: () => number;
  readonly #onDelete: (key: string) => void;

  /** @param onDelete called before a message is deleted, with its key in the journal */
  constructor(nowEpochMs: () => number, onDelete: (key: string) => void) {
    this.#nowEpochMs = nowEpochMs;
    this.#onDelete = onDelete;
  }

  /** Receives visible messages, and hides them. */
  receive(maxMessages: number, hiddenMs: number): ReceivedLetter[] {
    const now = this.#nowEpochMs();
    const hidden = new Set<DeadLetter>();
    for (const [handle, { letter, hiddenUntilEpochMs }] of this.#inFlight) {
      if (hiddenUntilEpochMs > now) hidden.add(letter);
      else this.#inFlight.delete(handle);
    }
    return this.all
      .filter((letter) => !hidden.has(letter))
      .slice(0, maxMessages)
      .map((letter) => {
        const receiptHandle = randomUUID();
        this.#inFlight.set(receiptHandle, { letter, hiddenUntilEpochMs: now + hiddenMs });
        return { ...letter, receiptHandle };
      });
  }

  delete(receiptHandle: string): boolean {
    const letter = this.#inFlight.get(receiptHandle)?.letter;
    if (letter === undefined) return false;
    this.#onDelete(letter.key);
    this.#inFlight.delete(receiptHandle);
    this.all.splice(this.all.indexOf(letter), 1);
    return true;
  }

  changeVisibility(receiptHandle: string, delayMs: number): 'changed' | 'unknown handle' {
    const found = this.#inFlight.get(receiptHandle);
    if (found === undefined) return 'unknown handle';
    found.hiddenUntilEpochMs = this.#nowEpochMs() + delayMs;
    return 'changed';
  }
}
