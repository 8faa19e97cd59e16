/**
 * Drives a function from a queue, as Lambda's event source mapping for SQS does: takes messages in batches, runs
 * the function on each batch, deletes what succeeded and lets the rest come again. The function answers with
 * `batchItemFailures` (the mapping has `ReportBatchItemFailures`).
 *
 * Not as in Lambda: a failed message comes again after `retryDelayMs`, not only when its visibility timeout ends,
 * which here would mean to wait for an hour and a half.
 */
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import type { InvocationResult } from '../functions/invocation-result.ts';
import type { LocalQueue } from './queue.ts';

export interface EventSourceMappingOptions {
  readonly queue: LocalQueue;
  readonly invoke: (event: SQSEvent) => Promise<InvocationResult>;
  /** Most messages in one event. */
  readonly batchSize: number;
  /** Most events under way at once. */
  readonly maxConcurrency: number;
  /** After how long a failed message is delivered again. */
  readonly retryDelayMs: number;
  /** Told of each batch, and which message ids of it failed. */
  readonly onBatch?: (
    records: readonly SQSRecord[],
    result: InvocationResult,
    failed: readonly string[],
  ) => void;
}

/** Polls a queue from its construction until `stop`. */
export class EventSourceMapping {
  readonly #options: EventSourceMappingOptions;
  readonly #underWay = new Set<Promise<void>>();
  readonly #failure = Promise.withResolvers<never>();
  #stopped = false;

  constructor(options: EventSourceMappingOptions) {
    this.#options = options;
    // Whoever waits for the queue asks for it; where nobody waits it ends nothing.
    this.#failure.promise.catch(() => {});
    options.queue.onVisible(() => this.#poll());
    this.#poll();
  }

  /**
   * Never resolves; rejects with what `invoke` threw, which is meant to answer with an error. The mapping then
   * takes no more messages, and those of the batch stay as they are.
   */
  get failure(): Promise<never> {
    return this.#failure.promise;
  }

  /** Takes no more messages, and resolves when the events under way are done. What was not deleted stays hidden. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#underWay);
  }

  #poll(): void {
    const { queue, batchSize, maxConcurrency } = this.#options;
    while (!this.#stopped && this.#underWay.size < maxConcurrency) {
      const records = queue.receive(batchSize);
      if (records.length === 0) return;
      const run = this.#run(records)
        .catch((error: unknown) => {
          this.#stopped = true;
          this.#failure.reject(error);
        })
        .finally(() => {
          this.#underWay.delete(run);
          this.#poll();
        });
      this.#underWay.add(run);
    }
  }

  async #run(records: readonly SQSRecord[]): Promise<void> {
    const { queue, invoke, retryDelayMs, onBatch } = this.#options;
    const result = await invoke({ Records: [...records] });
    const failed = failedMessages(records, result);
    onBatch?.(records, result, [...failed]);
    for (const { messageId, receiptHandle } of records) {
      if (!failed.has(messageId)) queue.delete(receiptHandle);
      // Stopped meanwhile: it was most likely we who ended it, and it is not to come again in this run.
      else if (!this.#stopped) queue.changeVisibility(receiptHandle, retryDelayMs);
    }
  }
}

/**
 * The messages of a batch that must come again: none, those that the answer names, or all where the function
 * failed or its answer names anything that was not in the batch. (AWS Lambda Developer Guide, "Implementing
 * partial batch responses".)
 *
 * @returns message ids
 */
export function failedMessages(records: readonly SQSRecord[], result: InvocationResult): Set<string> {
  const sent = new Set(records.map((record) => record.messageId));
  if (!result.ok) return sent;
  const { payload } = result;
  if (payload === null || typeof payload !== 'object')
    return payload === null || payload === '' ? new Set() : sent;
  const failures = (payload as { batchItemFailures?: unknown }).batchItemFailures ?? [];
  if (!Array.isArray(failures)) return sent;
  const named = failures.map((failure) => (failure as { itemIdentifier?: unknown } | null)?.itemIdentifier);
  return named.every((id) => typeof id === 'string' && sent.has(id)) ? new Set(named as string[]) : sent;
}
