/** Runs the steps of a bulk run as its state machine does, in this process; the test sets faults and concurrent events. */
import type { PlannedVersion } from '../../lib/batch/bulk-run/planned-version.ts';
import type { RunReport } from '../../lib/batch/bulk-run/report/run-report.ts';
import { runIdAt } from '../../lib/batch/bulk-run/run-keys.ts';
import { runStep } from '../../lib/batch/bulk-run/run-step.ts';
import { plannedVersions } from '../../lib/batch/bulk-run/slices.ts';
import type { BulkRun, RunDependencies, RunStepInput, RunStepName } from '../../lib/batch/bulk-run/steps.ts';
import { type Upload, uploadInMessage } from '../../lib/batch/delivery/upload-event.ts';
import type { MessageQueue } from '../../lib/batch/ports.ts';
import { systemHashing, systemIds } from '../../lib/node/system.ts';
import { FakeClock, INPUT_BUCKET, RESULTS_BUCKET } from './dependencies.ts';
import { type CallHooks, MemoryBuckets, memoryStore } from './memory-store.ts';
import { EASY } from './puzzles.ts';
import { deliver, upload } from './uploads.ts';

/** Twelve hours after the uploads of `MemoryBuckets`. */
export const STARTED_AT = '2025-03-01T12:00:00.000Z';

/** A queue that records its messages. */
export class SentMessages implements MessageQueue {
  readonly bodies: string[] = [];

  async send(bodies: readonly string[]): Promise<number[]> {
    this.bodies.push(...bodies);
    return [];
  }

  /** The uploads of the messages, in order. */
  get uploads(): Upload[] {
    return this.bodies.flatMap((body) => uploadInMessage(JSON.parse(body)) ?? []);
  }
}

/** A clock with a settable time of day. */
export class DayClock extends FakeClock {
  dayMs = Date.parse(STARTED_AT);

  override timeOfDay(): string {
    return new Date(this.dayMs).toISOString();
  }
}

export interface RunOptions {
  readonly queue?: MessageQueue;
  readonly clock?: DayClock;
  /** Hooks of the storage calls of one try of a step. */
  readonly hooks?: (step: string) => CallHooks;
  /** Tries of a step; the last error is thrown. @default 1 */
  readonly tries?: number;
  /** Called while the run waits for its next step. @default nothing */
  readonly whileWaiting?: () => Promise<void>;
  readonly dependencies?: Partial<RunDependencies>;
}

/** Runs a bulk run. @returns the names of the steps, in order @throws Error after 30,000 steps */
export async function runBulk(
  buckets: MemoryBuckets,
  run: BulkRun,
  { clock = new DayClock(), tries = 1, ...options }: RunOptions = {},
): Promise<string[]> {
  const queue = options.queue ?? new SentMessages();
  const steps: string[] = [];
  let next: RunStepName | 'end' = 'plan';
  let cursor: RunStepInput['cursor'] = null;
  /** The input of another execution that goes on with the run, and the number of the current one. */
  let continued: BulkRun | undefined;
  let execution: number | undefined;
  while (next !== 'end') {
    if (steps.length > 30_000) throw new Error('the run does not end');
    const input: RunStepInput = { run: continued ?? run, startedAt: STARTED_AT, step: next, cursor };
    for (let left = tries; ; left--) {
      steps.push(next);
      try {
        const answer = await runStep(input, {
          store: memoryStore(buckets, options.hooks?.(next)),
          inputBucket: INPUT_BUCKET,
          resultsBucket: RESULTS_BUCKET,
          clock,
          hashing: systemHashing,
          ids: systemIds,
          queue,
          deadLetters: { moveBack: async () => {} },
          executions: {
            async start(_, more) {
              continued = JSON.parse(more);
              return true;
            },
          },
          graceMinutes: 120,
          remainingMs: () => 900_000,
          pause: async () => {},
          ...options.dependencies,
        });
        next = answer.next;
        cursor = JSON.parse(JSON.stringify(answer.cursor));
        if (next === 'end' && continued !== undefined && continued.continues?.execution !== execution) {
          execution = continued.continues?.execution;
          [next, cursor] = ['plan', null];
        }
        if (next === 'follow') {
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

/** The run of most tests. */
export const RUN: BulkRun = { runId: runIdAt('2025-03-01T12:00:00Z') };
/** The prefix of that run's files in the results bucket. */
export const RUN_FOLDER = `runs/${RUN.runId}/`;

/** The parsed lines of a file of a run. */
export function runLines<Line>(buckets: MemoryBuckets, name: string, run = RUN): Line[] {
  const text = buckets.text(RESULTS_BUCKET, `runs/${run.runId}/${name}`);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

export function runReport(buckets: MemoryBuckets, run = RUN): RunReport {
  return buckets.json(RESULTS_BUCKET, `runs/${run.runId}/report.json`);
}

/** The versions that a run has planned. */
export async function planOf(buckets: MemoryBuckets, run = RUN): Promise<PlannedVersion[]> {
  const versions: PlannedVersion[] = [];
  const plan = plannedVersions({ store: memoryStore(buckets), resultsBucket: RESULTS_BUCKET }, run.runId);
  for await (const version of plan) versions.push(version);
  return versions;
}

/** A queue whose uploads are solved while the run waits. */
export function solvingQueue(
  buckets: MemoryBuckets,
  work: (uploaded: Upload) => Promise<unknown> = (uploaded) => deliver(buckets, uploaded),
) {
  const queue = new SentMessages();
  let worked = 0;
  return {
    queue,
    async whileWaiting() {
      for (const uploaded of queue.uploads.slice(worked)) {
        worked++;
        await work(uploaded).catch(() => {});
      }
    },
  };
}

/** Three uploads: one solved by its event, one whose event was lost, one for the run. */
export async function threeUploads(): Promise<MemoryBuckets> {
  const buckets = new MemoryBuckets();
  await deliver(buckets, upload(buckets, 'inbox/solved.txt', EASY));
  upload(buckets, 'inbox/lost.txt', EASY);
  upload(buckets, 'scheduled/night.txt', EASY);
  return buckets;
}
