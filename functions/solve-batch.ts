/** Lambda entry: uploads from the queue in, result sets out; what fails is delivered again, and only that. */

import { Logger } from '@aws-lambda-powertools/logger';
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { stepFunctions } from '../lib/aws/step-functions.ts';
import { solveUpload, type UploadMachinery, type UploadOutcome } from '../lib/batch/delivery/solve-upload.ts';
import { messageIn, type Upload, uploadsIn } from '../lib/batch/delivery/upload-event.ts';
import { executionFailureIn, recordExecutionFailure } from '../lib/batch/fan-out/execution-failure.ts';
import { LARGE_JOB_SECONDS } from '../lib/batch/limits.ts';
import { ENVIRONMENT, METRICS, SERVICE_NAME } from '../lib/batch/names.ts';
import { requiredVariable } from '../lib/node/environment.ts';
import { countCompleted, jobMetrics } from './job-metrics.ts';
import { machineryFor } from './machinery.ts';

const logger = new Logger({ serviceName: SERVICE_NAME });
const metrics = jobMetrics();

export async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const machinery = uploadMachinery(context);
  const maxReceives = Number(requiredVariable(ENVIRONMENT.maxReceives));
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
  for (const { messageId, body, attributes } of event.Records) {
    const lastReceive = Number(attributes.ApproximateReceiveCount) >= maxReceives;
    try {
      await handle(messageIn(body), lastReceive, machinery);
    } catch (error) {
      logger.error(lastReceive ? 'failed for good' : 'failed, will be tried again', { messageId, error });
      if (lastReceive) metrics.addMetric(METRICS.jobsFailed, MetricUnit.Count, 1);
      batchItemFailures.push({ itemIdentifier: messageId });
    }
  }
  metrics.publishStoredMetrics();
  return { batchItemFailures };
}

/** A message tells of uploads, or of a large job that failed. */
async function handle(message: unknown, lastReceive: boolean, machinery: UploadMachinery): Promise<void> {
  const failure = executionFailureIn(message);
  if (failure === undefined) return solveAll(uploadsIn(message), lastReceive, machinery);
  await recordExecutionFailure(failure, machinery);
  logger.error('a large job failed', { ...failure });
  metrics.addMetric(METRICS.jobsFailed, MetricUnit.Count, 1);
}

/**
 * Solves every upload of a message, though one before it fails: the next delivery finds what is done.
 *
 * @throws the error of the upload that failed, or of all that did
 */
async function solveAll(uploads: readonly Upload[], lastReceive: boolean, machinery: UploadMachinery) {
  const errors: unknown[] = [];
  for (const upload of uploads) {
    const { bucket, key, versionId } = upload;
    try {
      const outcome = await solveUpload(upload, lastReceive, machinery);
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

function uploadMachinery(context: Context): UploadMachinery {
  return {
    ...machineryFor(context),
    defaults: JSON.parse(process.env[ENVIRONMENT.defaultOptions] ?? '{}'),
    large: largeJobs(),
  };
}

/** The state machine for large files; a stack without one rejects them. */
function largeJobs(): UploadMachinery['large'] {
  const stateMachineArn = process.env[ENVIRONMENT.stateMachine];
  if (stateMachineArn === undefined) return undefined;
  const seconds = Number(process.env[ENVIRONMENT.largeJobSeconds] ?? LARGE_JOB_SECONDS);
  return { executions: stepFunctions(stateMachineArn), jobMs: seconds * 1000 };
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
      metrics.addMetric(METRICS.jobsRejected, MetricUnit.Count, 1);
      break;
  }
}
