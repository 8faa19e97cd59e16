/** Lambda entry: solves the uploads of the queue; a message that fails returns to the queue after a backoff. */

import { Logger } from '@aws-lambda-powertools/logger';
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { receivedMessages, sqsClient } from '../lib/aws/sqs-queue.ts';
import { sfnClient, stepFunctions } from '../lib/aws/step-functions.ts';
import { AttemptMayRunError } from '../lib/batch/delivery/commit.ts';
import { retryDelaySeconds } from '../lib/batch/delivery/retry-delay.ts';
import {
  solveUpload,
  type UploadDependencies,
  type UploadOutcome,
} from '../lib/batch/delivery/solve-upload.ts';
import { parseMessage, type Upload, uploadsInMessage } from '../lib/batch/delivery/upload-event.ts';
import {
  describedFailure,
  executionFailureIn,
  recordExecutionFailure,
} from '../lib/batch/fan-out/execution-failure.ts';
import { ALARM_FAILURE_COUNT, LARGE_JOB_SECONDS } from '../lib/batch/limits.ts';
import { ENVIRONMENT, METRICS, SERVICE_NAME } from '../lib/batch/names.ts';
import type { ReceivedMessages } from '../lib/batch/ports.ts';
import { requiredVariable } from '../lib/node/environment.ts';
import { dependenciesFor } from './dependencies.ts';
import { countCompleted, countRejected, jobMetrics } from './job-metrics.ts';

const logger = new Logger({ serviceName: SERVICE_NAME });
const metrics = jobMetrics();
const sqs = sqsClient();
const sfn = sfnClient();

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
    const lastReceive = receives >= maxReceives;
    try {
      await handle(parseMessage(body), lastReceive, dependencies);
    } catch (error) {
      // After the last receive, the queue moves a message to the dead-letter queue as soon as it is visible.
      const delaySeconds = retryDelaySeconds(receives, Math.random);
      const mayRunSeconds = error instanceof AttemptMayRunError ? error.seconds : 0;
      const hiddenSeconds = lastReceive ? 0 : Math.max(delaySeconds, mayRunSeconds);
      const text = lastReceive ? 'every try failed' : 'failed, will be retried';
      logger.error(text, { messageId, receives, hiddenSeconds, error });
      if (lastReceive) metrics.addMetric(METRICS.jobsFailed, MetricUnit.Count, 1);
      if (receives === ALARM_FAILURE_COUNT) metrics.addMetric(METRICS.thirdFailures, MetricUnit.Count, 1);
      failed.push({ messageId, receiptHandle, hiddenSeconds });
    }
  }
  metrics.publishStoredMetrics();
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

/** Handles a message, which names uploads or a large job that failed. */
async function handle(
  message: unknown,
  lastReceive: boolean,
  dependencies: UploadDependencies,
): Promise<void> {
  const found = executionFailureIn(message);
  if (found === undefined) return solveAll(uploadsInMessage(message), lastReceive, dependencies);
  const failure = await describedFailure(found, dependencies.large?.executions);
  await recordExecutionFailure(failure, dependencies);
  logger.error('a large job failed', { ...failure });
  metrics.addMetric(METRICS.jobsFailed, MetricUnit.Count, 1);
}

/**
 * Solves every upload of a message, even after one fails: the next delivery skips the uploads that are solved.
 *
 * @throws the error of the upload that failed, or an AggregateError of several
 */
async function solveAll(uploads: readonly Upload[], lastReceive: boolean, dependencies: UploadDependencies) {
  const errors: unknown[] = [];
  for (const upload of uploads) {
    const { bucket, key, versionId } = upload;
    try {
      const outcome = await solveUpload(upload, lastReceive, dependencies);
      logger.info(outcome.kind, { bucket, key, versionId, outcome });
      count(outcome);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1)
    throw new AggregateError(errors, `${errors.length} of ${uploads.length} uploads failed`);
}

function uploadDependencies(context: Context): UploadDependencies {
  return {
    ...dependenciesFor(context),
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
    case 'completed':
      countCompleted(metrics, outcome.stats);
      break;
    case 'duplicate':
      metrics.addMetric(METRICS.jobsDuplicate, MetricUnit.Count, 1);
      break;
    case 'handed-over':
      metrics.addMetric(METRICS.jobsHandedOver, MetricUnit.Count, 1);
      break;
    case 'rejected':
      countRejected(metrics, outcome.error);
      break;
  }
}
