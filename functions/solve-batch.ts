/** Lambda entry: solves the uploads of the queue; a message that fails returns to the queue after a backoff. */

import { Logger } from '@aws-lambda-powertools/logger';
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { receivedMessages, sqsClient } from '../lib/aws/sqs-queue.ts';
import { sfnClient, stepFunctions } from '../lib/aws/step-functions.ts';
import { AttemptMayRunError } from '../lib/batch/delivery/commit.ts';
import { EventNotSentError } from '../lib/batch/delivery/outcome-events.ts';
import {
  parseMessage,
  UnknownMessageError,
  type Upload,
  uploadInMessage,
} from '../lib/batch/delivery/upload-event.ts';
import { ALARM_FAILURE_COUNT, LARGE_JOB_SECONDS, REPORT_DELAY_SECONDS } from '../lib/batch/limits.ts';
import { ENVIRONMENT, METRICS, SERVICE_NAME } from '../lib/batch/names.ts';
import type { ReceivedMessages } from '../lib/batch/ports.ts';
import { retryDelaySeconds } from '../lib/batch/retry-delay.ts';
import { executionFailureIn, recordExecutionFailure } from '../lib/batch/upload/execution-failure.ts';
import {
  MissingUploadError,
  reportUpload,
  solveUpload,
  type UploadDependencies,
  type UploadOutcome,
} from '../lib/batch/upload/solve-upload.ts';
import { requiredVariable } from '../lib/node/environment.ts';
import { dependenciesFor } from './dependencies.ts';
import { eventDestination } from './event-destination.ts';
import { countCompleted, countRejected, jobMetrics } from './job-metrics.ts';

const logger = new Logger({ serviceName: SERVICE_NAME });
const metrics = jobMetrics();
const sqs = sqsClient();
const sfn = sfnClient();

/** What a delivery of a message may do. After the last attempt, it only reports: see `reportUpload`. */
type Delivery = 'attempt' | 'last attempt' | 'report';

/** Thrown for an upload that failed in every attempt, so that its message goes to the dead-letter queue. */
class EveryAttemptFailedError extends Error {
  override readonly name = 'EveryAttemptFailedError';
}

/** How long a message is hidden after an error. */
function hiddenSecondsAfter(error: unknown, delivery: Delivery, receives: number): number {
  // Once more at once, to report the failure; and once that is reported, until it is in the dead-letter queue.
  const isFinal = error instanceof EveryAttemptFailedError || error instanceof UnknownMessageError;
  if (delivery === 'last attempt' || (delivery === 'report' && isFinal)) return 0;
  if (delivery === 'report') return REPORT_DELAY_SECONDS;
  const mayRunSeconds = error instanceof AttemptMayRunError ? error.seconds : 0;
  return Math.max(retryDelaySeconds(receives, Math.random), mayRunSeconds);
}

/** A message that failed, and how long it is hidden. */
interface FailedMessage {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly hiddenSeconds: number;
}

export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const dependencies = uploadDependencies(context);
  const maxReceives = Number(requiredVariable(ENVIRONMENT.maxReceives));
  const messages = receivedMessages(requiredVariable(ENVIRONMENT.queueUrl), sqs);
  const failed: FailedMessage[] = [];
  for (const { messageId, receiptHandle, body, attributes } of event.Records) {
    const receives = Number(attributes.ApproximateReceiveCount);
    const delivery =
      receives < maxReceives ? 'attempt' : receives === maxReceives ? 'last attempt' : 'report';
    try {
      await handle(parseMessage(body), delivery, dependencies);
    } catch (error) {
      const hiddenSeconds = hiddenSecondsAfter(error, delivery, receives);
      const text = delivery === 'attempt' ? 'failed, will be retried' : 'every attempt failed';
      logger.error(text, { messageId, receives, hiddenSeconds, error });
      const hasOutcome = error instanceof EventNotSentError;
      if (delivery === 'last attempt' && !hasOutcome)
        metrics.addMetric(METRICS.jobsFailed, MetricUnit.Count, 1);
      // An upload that was deleted soon is no failure.
      const isAlarming = receives === ALARM_FAILURE_COUNT && !(error instanceof MissingUploadError);
      if (isAlarming) metrics.addMetric(METRICS.jobsFailing, MetricUnit.Count, 1);
      failed.push({ messageId, receiptHandle, hiddenSeconds });
    }
  }
  if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
  // After all messages: a message hidden earlier could return while this invocation still runs.
  for (const message of failed) await hide(message, messages);
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** Makes a message return after its delay; if this fails, it returns when its visibility timeout ends. */
async function hide(
  { messageId, receiptHandle, hiddenSeconds }: FailedMessage,
  messages: ReceivedMessages,
): Promise<void> {
  try {
    await messages.hideFor(receiptHandle, hiddenSeconds);
  } catch (error) {
    logger.error('retry delay not set, so the message returns when its visibility timeout ends', {
      messageId,
      error,
    });
  }
}

/** Handles a message, which names an upload or a large job that failed. */
async function handle(message: unknown, delivery: Delivery, dependencies: UploadDependencies): Promise<void> {
  const failure = executionFailureIn(message);
  if (failure !== undefined) {
    await recordExecutionFailure(failure, dependencies.large?.executions, dependencies);
    logger.error('a large job failed', { ...failure });
    metrics.addMetric(METRICS.jobsFailed, MetricUnit.Count, 1);
    metrics.addMetric(METRICS.jobsFailing, MetricUnit.Count, 1);
    return;
  }
  const upload = uploadInMessage(message);
  if (upload === undefined) return;
  if (delivery === 'report') return report(upload, dependencies);
  const { bucket, key, versionId } = upload;
  const outcome = await solveUpload(upload, delivery === 'last attempt', dependencies);
  logger.info(outcome.kind, { bucket, key, versionId, outcome });
  count(outcome);
}

/** @throws EveryAttemptFailedError if the upload has no outcome, so that its message goes to the dead-letter queue */
async function report(upload: Upload, dependencies: UploadDependencies): Promise<void> {
  const reported = await reportUpload(upload, dependencies);
  if (reported === 'ended') return;
  if (reported === 'crashed') metrics.addMetric(METRICS.jobsFailed, MetricUnit.Count, 1);
  throw new EveryAttemptFailedError(`${upload.key}: every attempt failed, and its status is written`);
}

function uploadDependencies(context: Context): UploadDependencies {
  return {
    ...dependenciesFor(context),
    events: eventDestination(),
    onCommit: (stats) => countCompleted(metrics, stats),
    defaults: JSON.parse(process.env[ENVIRONMENT.defaultOptions] ?? '{}'),
    large: largeJobs(),
  };
}

/** The state machine for large files; without one, large files are rejected. */
function largeJobs(): UploadDependencies['large'] {
  const stateMachineArn = process.env[ENVIRONMENT.stateMachine];
  if (stateMachineArn === undefined) return undefined;
  const seconds = Number(process.env[ENVIRONMENT.largeJobSeconds] ?? LARGE_JOB_SECONDS);
  return { executions: stepFunctions(stateMachineArn, sfn), jobMs: seconds * 1000 };
}

function count(outcome: UploadOutcome): void {
  switch (outcome.kind) {
    case 'duplicate':
      metrics.addMetric(METRICS.jobsDuplicate, MetricUnit.Count, 1);
      break;
    case 'handed-over':
      metrics.addMetric(METRICS.jobsHandedOver, MetricUnit.Count, 1);
      break;
    case 'rejected':
      countRejected(metrics);
      break;
  }
}
