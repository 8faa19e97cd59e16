/**
 * Sends the planned versions to the queue of uploads.
 *
 * After a crash a message may be sent again; that is a duplicate, acknowledged after the first one is done. No message is
 * lost, because the cursor moves past a message only after the queue has accepted it.
 */
import { readJsonLines } from '../storage/json-lines.ts';
import { messageFor, type PlannedVersion } from './planned-version.ts';
import { runKeys } from './run-keys.ts';
import { writeRunStatus } from './run-status.ts';
import {
  type RunDependencies,
  type RunStepInput,
  type RunStepOutput,
  type SweepCounts,
  stepTime,
} from './steps.ts';

/** The limit of SQS. */
const BATCH_MESSAGES = 10;
/** Bounded, so that other uploads do not wait for a whole plan, and S3 requests are not throttled. */
const MESSAGES_PER_SECOND = 500;
/** Attempts to send a message, and the wait after the first attempt; it doubles with each attempt. */
const MAX_ATTEMPTS = 6;
const FIRST_WAIT_MS = 200;

interface SendCursor {
  readonly counts: SweepCounts;
  /** Offset of the next line. */
  readonly fromByte?: number;
  readonly sent?: number;
}

/** Sends the plan until the time is short. */
export async function sendPlan(input: RunStepInput, dependencies: RunDependencies): Promise<RunStepOutput> {
  const { counts, fromByte = 0, sent = 0 } = input.cursor as unknown as SendCursor;
  const { store, inputBucket, resultsBucket, clock, pause } = dependencies;
  const { runId } = input.run;
  const time = stepTime(dependencies);
  const startMs = clock.monotonicMs();
  let batch: string[] = [];
  let done = { fromByte, sent };
  const flush = async (endByte: number) => {
    await sendBatch(batch, dependencies);
    done = { fromByte: endByte, sent: done.sent + batch.length };
    batch = [];
    const dueMs = ((done.sent - sent) / MESSAGES_PER_SECOND) * 1000;
    const earlyMs = dueMs - (clock.monotonicMs() - startMs);
    if (earlyMs > 0) await pause(earlyMs);
  };
  let end = fromByte;
  const lines = readJsonLines<PlannedVersion>(store, resultsBucket, runKeys(runId).plan, fromByte);
  for await (const { document, endByte } of lines) {
    batch.push(messageFor(document, inputBucket, runId));
    end = endByte;
    if (batch.length < BATCH_MESSAGES) continue;
    await flush(end);
    if (time.isShort) {
      await writeRunStatus(input, dependencies, { state: 'sending', ...counts, sent: done.sent });
      return { next: 'send', cursor: { counts, ...done }, waitSeconds: 1 };
    }
  }
  if (batch.length > 0) await flush(end);
  await writeRunStatus(input, dependencies, { state: 'waiting', ...counts, sent: done.sent, settled: 0 });
  return { next: 'poll', cursor: { counts, sentAt: clock.timeOfDay() }, waitSeconds: 1 };
}

/** @throws Error if the queue refuses a message in every attempt */
async function sendBatch(bodies: readonly string[], { queue, pause }: RunDependencies): Promise<void> {
  let left = bodies;
  for (let attempts = 1; ; attempts++) {
    const refused = await queue.send(left);
    if (refused.length === 0) return;
    if (attempts === MAX_ATTEMPTS) {
      throw new Error(
        `the queue refused ${refused.length} messages ${MAX_ATTEMPTS} times; the step will be retried`,
      );
    }
    left = refused.map((index) => left[index]!);
    await pause(FIRST_WAIT_MS * 2 ** (attempts - 1));
  }
}
