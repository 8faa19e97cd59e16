/** Runs a bulk run's steps as its state machine does, in this process; faults and what happens meanwhile are the test's. */
import { runStep } from '../../lib/batch/bulk-run/run-step.ts';
import type { BulkRun, RunMachinery, RunStepInput, RunStepName } from '../../lib/batch/bulk-run/steps.ts';
import type { MessageQueue } from '../../lib/batch/ports.ts';
import { type Upload, uploadsIn } from '../../lib/batch/upload-event.ts';
import { systemHashing } from '../../lib/node/system.ts';
import { FakeClock, INPUT_BUCKET, RESULTS_BUCKET } from './machinery.ts';
import { type CallHooks, type MemoryBuckets, memoryStore } from './memory-store.ts';

/** Uploads were written long before, as `MemoryBuckets` has it. */
export const STARTED_AT = '2025-03-01T12:00:00.000Z';

/** A queue that keeps what it is sent. */
export class SentMessages implements MessageQueue {
  readonly bodies: string[] = [];

  async send(bodies: readonly string[]): Promise<number[]> {
    this.bodies.push(...bodies);
    return [];
  }

  /** The uploads that the messages name, in the order in which they were sent. */
  get uploads(): Upload[] {
    return this.bodies.flatMap((body) => uploadsIn(JSON.parse(body)));
  }
}

/** A clock whose time of day a test moves. */
export class DayClock extends FakeClock {
  dayMs = Date.parse(STARTED_AT);

  override timeOfDay(): string {
    return new Date(this.dayMs).toISOString();
  }
}

export interface RunOptions {
  readonly queue?: MessageQueue;
  readonly clock?: DayClock;
  /** Around the storage calls of one try of a step. */
  readonly hooks?: (step: string) => CallHooks;
  /** Times a step is tried; the last error is thrown. @default 1 */
  readonly tries?: number;
  /** What happens while the run waits for its next look. @default nothing */
  readonly whileWaiting?: () => Promise<void>;
  readonly machinery?: Partial<RunMachinery>;
}

/** What ran: the names of the steps, in order. @throws Error where it goes on for too long */
export async function runBulk(
  buckets: MemoryBuckets,
  run: BulkRun,
  { clock = new DayClock(), tries = 1, ...options }: RunOptions = {},
): Promise<string[]> {
  const queue = options.queue ?? new SentMessages();
  const steps: string[] = [];
  let next: RunStepName | 'end' = 'plan';
  let cursor: RunStepInput['cursor'] = null;
  while (next !== 'end') {
    if (steps.length > 10_000) throw new Error('the run does not end');
    const input: RunStepInput = { run, startedAt: STARTED_AT, step: next, cursor };
    for (let left = tries; ; left--) {
      steps.push(next);
      try {
        const answer = await runStep(input, {
          store: memoryStore(buckets, options.hooks?.(next)),
          inputBucket: INPUT_BUCKET,
          resultsBucket: RESULTS_BUCKET,
          clock,
          hashing: systemHashing,
          queue,
          graceMinutes: 120,
          remainingMs: () => 900_000,
          pause: async () => {},
          ...options.machinery,
        });
        next = answer.next;
        cursor = JSON.parse(JSON.stringify(answer.cursor));
        if (next === 'look') {
          clock.dayMs += answer.waitSeconds * 1000;
          await options.whileWaiting?.();
        }
        break;
      } catch (error) {
        if (left <= 1) throw error;
      }
    }
  }
  return steps;
}
