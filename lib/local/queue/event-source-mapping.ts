/**
 * Invokes a function with messages of a queue, as Lambda's event source mapping for SQS does: receives batches, invokes
 * the function with each one, deletes the messages that succeeded and leaves the others in the queue. The function
 * returns `batchItemFailures` (the mapping has `ReportBatchItemFailures`). A failed message becomes visible again when
 * its visibility timeout ends, which the function may have changed.
 */
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import type { InvocationResult } from '../functions/invocation-result.ts';
import { RunningWork } from '../running-work.ts';
import { writeFault } from '../write-fault.ts';
import type { LocalQueue } from './queue.ts';

export interface EventSourceMappingOptions {
  readonly queue: LocalQueue;
  readonly invoke: (event: SQSEvent) => Promise<InvocationResult>;
  /** Maximum number of messages in one event. */
  readonly batchSize: number;
  /** Maximum number of concurrent invocations. */
  readonly maxConcurrency: number;
  /** Whether the next hidden message becomes visible when no invocation runs and no other is. @default false */
  readonly fastRetries?: boolean;
}

/** Limits of the system, because of which no process can be started now. */
const LIMITS = ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'ENOSPC', 'EDQUOT'];
/** Time until the messages of such an invocation are visible again. */
const LIMIT_RETRY_MS = 5_000;

/** Polls a queue from its construction until `stop`. */
export class EventSourceMapping {
  readonly #options: EventSourceMappingOptions;
  /**
   * The invocations. Its failure is the error that `invoke` threw instead of returning it: the mapping then receives no more
   * messages, and those of the batch stay hidden.
   */
  readonly work = new RunningWork();
  #stopped = false;

  constructor(options: EventSourceMappingOptions) {
    this.#options = options;
    this.work.failure.catch(() => {
      this.#stopped = true;
    });
    options.queue.onVisible(() => this.#poll());
    this.#poll();
  }

  /** Receives no more messages; resolves when running invocations have finished. Undeleted messages stay hidden. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.work.idle();
  }

  #poll(): void {
    const { queue, batchSize, maxConcurrency, fastRetries } = this.#options;
    while (!this.#stopped && this.work.size < maxConcurrency) {
      const records = queue.receive(batchSize);
      if (records.length === 0) {
        if (this.work.size === 0 && fastRetries === true && queue.showNext()) continue;
        return;
      }
      this.work.add(this.#run(records), () => this.#poll());
    }
  }

  async #run(records: readonly SQSRecord[]): Promise<void> {
    const { queue, invoke } = this.#options;
    let result: InvocationResult;
    try {
      result = await invoke({ Records: [...records] });
    } catch (error) {
      if (!LIMITS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      writeFault('queue', error);
      for (const { receiptHandle } of records) queue.changeVisibility(receiptHandle, LIMIT_RETRY_MS);
      return;
    }
    const failed = failedMessages(records, result);
    for (const { messageId, receiptHandle } of records) {
      if (!failed.has(messageId)) queue.delete(receiptHandle);
    }
  }
}

/**
 * The messages of a batch that failed: none, those that the response names, or all if the function failed or the
 * response names a message outside the batch. (AWS Lambda Developer Guide, "Implementing partial batch responses".)
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
