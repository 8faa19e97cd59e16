/**
 * Posts events to a URL. The events wait in a queue with a journal, so that neither a slow receiver nor one that is down
 * delays the stack, and a restart continues. An event is posted at least once, and again each minute, for a day at most.
 */
import type { SQSEvent } from 'aws-lambda';
import type { InvocationResult } from '../functions/invocation-result.ts';
import { EventSourceMapping } from '../queue/event-source-mapping.ts';
import { LocalQueue } from '../queue/queue.ts';
import { systemTimerClock, type TimerClock } from '../timer-clock.ts';

const POST_TIMEOUT_MS = 10_000;
const RETRY_MS = 60_000;
/** EventBridge retries for as long. */
const MAX_AGE_MS = 86_400_000;
const POSTS_AT_ONCE = 4;

export interface WebhookOptions {
  readonly url: string;
  /** Path of the journal; created if missing. */
  readonly journal: string;
  /** Called if the receiver does not accept an event, once until it accepts one, and for each event that is dropped. */
  readonly onTrouble: (message: string) => void;
  /** @default the system's */
  readonly clock?: TimerClock;
}

export class Webhook {
  readonly #options: WebhookOptions;
  readonly #queue: LocalQueue;
  readonly #mapping: EventSourceMapping;
  readonly #closing = new AbortController();
  #isDown = false;

  constructor(options: WebhookOptions) {
    this.#options = options;
    const { journal, clock } = options;
    this.#queue = new LocalQueue({ name: 'webhook', visibilityTimeoutMs: RETRY_MS, journal, clock });
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
    await this.#mapping.stop();
    this.#queue.close();
  }

  /** Posts an event, and reports it if the receiver does not accept it. */
  async #post({ Records: [record] }: SQSEvent): Promise<InvocationResult> {
    const { url, onTrouble, clock = systemTimerClock } = this.#options;
    const { body, messageId, attributes } = record!;
    const problem = await this.#problemOf(body);
    const isOld = clock.nowEpochMs() - Number(attributes.SentTimestamp) >= MAX_AGE_MS;
    const trouble = `webhook ${url} ${problem}; ${nameOf(body)}`;
    if (problem === undefined) {
      if (this.#isDown) onTrouble(`webhook ${url} accepts events again`);
    } else if (isOld) onTrouble(`${trouble} was not accepted for a day, and is dropped`);
    else if (!this.#isDown && !this.#closing.signal.aborted)
      onTrouble(`${trouble} and later events are sent again until they are accepted, for a day`);
    this.#isDown = problem !== undefined;
    const batchItemFailures = problem === undefined || isOld ? [] : [{ itemIdentifier: messageId }];
    return { requestId: '', ok: true, payload: { batchItemFailures } };
  }

  /** Why the receiver did not accept an event; undefined if it did. */
  async #problemOf(event: string): Promise<string | undefined> {
    try {
      const response = await fetch(this.#options.url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: event,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(POST_TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      return response.ok ? undefined : `answered ${response.status}`;
    } catch (error) {
      const { name, message, cause } = error as Error;
      if (name === 'TimeoutError') return `did not answer in ${POST_TIMEOUT_MS / 1000} s`;
      return `cannot be reached: ${cause instanceof Error ? cause.message || (cause as { code?: string }).code : message}`;
    }
  }
}

/** `JobCompleted of inbox/a.txt`. */
function nameOf(event: string): string {
  const { 'detail-type': type, detail } = JSON.parse(event);
  return `${type} of ${detail.input?.key ?? `run ${detail.runId}`}`;
}
