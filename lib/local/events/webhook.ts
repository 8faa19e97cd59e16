/**
 * Posts events to a URL. The events wait in a queue with a journal, so that neither a slow receiver nor one that is down
 * delays the stack, and a restart continues. An event is posted at least once, for a day at most.
 */
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import type { InvocationResult } from '../functions/invocation-result.ts';
import { EventSourceMapping } from '../queue/event-source-mapping.ts';
import { LocalQueue } from '../queue/queue.ts';
import { QueueJournal } from '../queue/queue-journal.ts';
import { systemTimerClock } from '../timer-clock.ts';

const POST_TIMEOUT_MS = 10_000;
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 300_000;
/** EventBridge retries for as long. */
const MAX_AGE_MS = 86_400_000;
const POSTS_AT_ONCE = 4;

export interface WebhookOptions {
  readonly url: string;
  /** Path of the journal; created if missing. */
  readonly journal: string;
  /** Called if the receiver does not accept an event, once until it accepts one, and for each event that is dropped. */
  readonly onTrouble: (message: string) => void;
  /** @default the delay before the second try, and the age at which an event is dropped, in milliseconds */
  readonly limits?: { readonly firstDelayMs: number; readonly maxAgeMs: number };
}

export class Webhook {
  readonly #options: WebhookOptions;
  readonly #journal: QueueJournal;
  readonly #queue: LocalQueue;
  readonly #mapping: EventSourceMapping;
  readonly #closing = new AbortController();
  #isDown = false;

  constructor(options: WebhookOptions) {
    this.#options = options;
    this.#journal = new QueueJournal(options.journal);
    this.#queue = new LocalQueue({
      name: 'webhook',
      // Longer than a post; a failed one sets its own delay.
      visibilityTimeoutMs: 2 * POST_TIMEOUT_MS,
      journal: this.#journal,
    });
    this.#mapping = new EventSourceMapping({
      queue: this.#queue,
      invoke: (event) => this.#post(event),
      batchSize: 1,
      maxConcurrency: POSTS_AT_ONCE,
    });
  }

  /** Stores an event, which is posted later. @throws Error if it cannot be stored */
  send(event: string): void {
    this.#queue.send(event);
  }

  /** Stops; the next start with the same journal posts the events that remain. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#queue.close();
    await this.#mapping.stop();
    this.#journal.close();
  }

  async #post({ Records: [record] }: SQSEvent): Promise<InvocationResult> {
    const problem = await this.#problemOf(record!.body);
    const accepted = problem === undefined || this.#isDropped(record!, problem);
    const batchItemFailures = accepted ? [] : [{ itemIdentifier: record!.messageId }];
    return { requestId: '', ok: true, payload: { batchItemFailures } };
  }

  /** Why the receiver did not accept an event; undefined if it did. */
  async #problemOf(event: string): Promise<string | undefined> {
    const { url, onTrouble } = this.#options;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: event,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(POST_TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      if (!response.ok) return `answered ${response.status}`;
    } catch (error) {
      const { name, message, cause } = error as Error;
      if (name === 'TimeoutError') return `did not answer in ${POST_TIMEOUT_MS / 1000} s`;
      return `cannot be reached: ${cause instanceof Error ? cause.message || (cause as { code?: string }).code : message}`;
    }
    if (this.#isDown) onTrouble(`webhook ${url} accepts events again`);
    this.#isDown = false;
    return undefined;
  }

  /** Sets the delay of an event that was not accepted, and reports it. @returns whether it is too old for another try */
  #isDropped({ body, receiptHandle, attributes }: SQSRecord, problem: string): boolean {
    // The next start posts it.
    if (this.#closing.signal.aborted) return false;
    const { url, onTrouble, limits } = this.#options;
    const { firstDelayMs = FIRST_DELAY_MS, maxAgeMs = MAX_AGE_MS } = limits ?? {};
    const failed = `webhook ${url} ${problem}; ${nameOf(body)}`;
    if (systemTimerClock.nowEpochMs() - Number(attributes.SentTimestamp) >= maxAgeMs) {
      onTrouble(`${failed} was not accepted for a day, and is dropped`);
      return true;
    }
    if (!this.#isDown)
      onTrouble(`${failed} and later events are sent again until they are accepted, for a day`);
    this.#isDown = true;
    const tries = Number(attributes.ApproximateReceiveCount);
    this.#queue.changeVisibility(
      receiptHandle,
      Math.min(MAX_DELAY_MS, firstDelayMs * 2 ** Math.min(tries - 1, 20)),
    );
    return false;
  }
}

/** `JobCompleted of inbox/a.txt`. */
function nameOf(event: string): string {
  const { 'detail-type': type, detail } = JSON.parse(event);
  return `${type} of ${detail.input?.key ?? `run ${detail.runId}`}`;
}
