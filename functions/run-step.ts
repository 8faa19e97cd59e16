/** Lambda entry: a step of a bulk run, until the invocation's time is used up. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { s3Store } from '../lib/aws/s3-store.ts';
import { deadLetters, sqsClient, sqsQueue } from '../lib/aws/sqs-queue.ts';
import { stepFunctions } from '../lib/aws/step-functions.ts';
import { runStep } from '../lib/batch/bulk-run/run-step.ts';
import type { RunStepInput, RunStepOutput } from '../lib/batch/bulk-run/steps.ts';
import { DEFAULT_GRACE_MINUTES } from '../lib/batch/limits.ts';
import { ENVIRONMENT, INBOX_PREFIX, SCHEDULED_PREFIX } from '../lib/batch/names.ts';
import { prefixedStore } from '../lib/batch/storage/prefixed-store.ts';
import { requiredVariable } from '../lib/node/environment.ts';
import { systemClock, systemHashing, systemIds } from '../lib/node/system.ts';
import { eventDestination } from './event-destination.ts';

const s3 = s3Store();
const sqs = sqsClient();

/** The input of a step, with the ARN of the state machine that runs it. */
type StepEvent = RunStepInput & { readonly stateMachine: string };

export function handler({ stateMachine, ...input }: StepEvent, context: Context): Promise<RunStepOutput> {
  const resultsBucket = requiredVariable(ENVIRONMENT.resultsBucket);
  return runStep(input, {
    store: prefixedStore(s3, resultsBucket, process.env[ENVIRONMENT.resultsPrefix] ?? ''),
    inputBucket: requiredVariable(ENVIRONMENT.inputBucket),
    resultsBucket,
    events: eventDestination(),
    clock: systemClock,
    hashing: systemHashing,
    queue: sqsQueue(requiredVariable(ENVIRONMENT.queueUrl), sqs),
    deadLetters: deadLetters(
      requiredVariable(ENVIRONMENT.deadLettersArn),
      requiredVariable(ENVIRONMENT.queueArn),
      sqs,
    ),
    ids: systemIds,
    executions: stepFunctions(stateMachine),
    graceMinutes: Number(process.env[ENVIRONMENT.graceMinutes] ?? DEFAULT_GRACE_MINUTES),
    uploadPrefixes: {
      inbox: process.env[ENVIRONMENT.inboxPrefix] ?? INBOX_PREFIX,
      scheduled: process.env[ENVIRONMENT.scheduledPrefix] ?? SCHEDULED_PREFIX,
    },
    remainingMs: () => context.getRemainingTimeInMillis(),
    pause: (ms) => sleep(ms),
  });
}
