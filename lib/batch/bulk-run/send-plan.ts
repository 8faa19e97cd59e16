/**
 * What is planned goes into the queue that uploads wait in.
 *
 * Sent again after a crash, a message makes a duplicate, which is acknowledged once the first is done; nothing is left
 * out, since the cursor moves behind a message only when the queue has it.
 */
import { readJsonLines } from '../storage/json-lines.ts';
import { messageFor, type PlannedVersion } from './planned-version.ts';
import { runKeys } from './run-keys.ts';
import { writeRunStatus } from './run-status.ts';
import {
  deadlineCheck,
  type RunDependencies,
  type RunStepInput,
  type RunStepOutput,
  type SweepCounts,
} from './steps.ts';

/** SQS takes so many at a time. */
const BATCH_MESSAGES = 10;
/** Uploads of the day shall find a queue that takes them at once, and requests that nobody throttles. */
const MESSAGES_PER_SECOND = 500;
/** Tries at a message that the queue did not take, and the first wait between two. */
const MAX_TRIES = 6;
const FIRST_WAIT_MS = 200;

interface SendCursor {
  readonly counts: SweepCounts;
  /** Where the next line begins. */
  readonly fromByte?: number;
  readonly sent?: number;
}

/** Sends a stretch of the plan. */
export async function sendPlan(input: RunStepInput, machinery: RunDependencies): Promise<RunStepOutput> {
  const { counts, fromByte = 0, sent = 0 } = input.cursor as unknown as SendCursor;
  const { store, inputBucket, resultsBucket, clock, pause } = machinery;
  const { runId } = input.run;
  const isOver = deadlineCheck(machinery);
  const begunMs = clock.monotonicMs();
  let batch: string[] = [];
  let done = { fromByte, sent };
  const flush = async (endByte: number) => {
    await sendBatch(batch, machinery);
    done = { fromByte: endByte, sent: done.sent + batch.length };
    batch = [];
    const dueMs = ((done.sent - sent) / MESSAGES_PER_SECOND) * 1000;
    const earlyMs = dueMs - (clock.monotonicMs() - begunMs);
    if (earlyMs > 0) await pause(earlyMs);
  };
  let end = fromByte;
  const lines = readJsonLines<PlannedVersion>(store, resultsBucket, runKeys(runId).plan, fromByte);
  for await (const { document, endByte } of lines) {
    batch.push(messageFor(document, inputBucket, runId));
    end = endByte;
    if (batch.length < BATCH_MESSAGES) continue;
    await flush(end);
    if (isOver()) {
      await writeRunStatus(input, machinery, { state: 'sending', ...counts, sent: done.sent });
      return { next: 'send', cursor: { counts, ...done }, waitSeconds: 1 };
    }
  }
  if (batch.length > 0) await flush(end);
  await writeRunStatus(input, machinery, { state: 'waiting', ...counts, sent: done.sent, settled: 0 });
  return { next: 'poll', cursor: { counts, sentAt: clock.timeOfDay() }, waitSeconds: 1 };
}

/** @throws Error where the queue keeps refusing a message */
async function sendBatch(bodies: readonly string[], { queue, pause }: RunDependencies): Promise<void> {
  let left = bodies;
  for (let tries = 1; ; tries++) {
    const refused = await queue.send(left);
    if (refused.length === 0) return;
    if (tries === MAX_TRIES) {
      throw new Error(
        `the queue refused ${refused.length} messages ${MAX_TRIES} times: the step is tried again`,
      );
    }
    left = refused.map((index) => left[index]!);
    await pause(FIRST_WAIT_MS * 2 ** (tries - 1));
  }
}
