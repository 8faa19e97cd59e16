/**
 * The events that services send about themselves. (Amazon S3 User Guide, "EventBridge event message structure"; Step
 * Functions Developer Guide, "Execution status change".)
 */
import { randomBytes } from 'node:crypto';
import type { ObjectCreated } from '../s3/server.ts';
import { LOCAL_ACCOUNT } from '../stack-names.ts';
import type { Execution } from '../states/executions.ts';
import type { SentEvent } from './event-bus.ts';

/** Keys are not encoded in these events. */
export function objectCreatedEvent({
  bucket,
  key,
  size,
  etag,
  versionId,
  sequencer,
  reason,
}: ObjectCreated): SentEvent {
  return {
    'detail-type': 'Object Created',
    source: 'aws.s3',
    resources: [`arn:aws:s3:::${bucket}`],
    detail: {
      version: '0',
      'event-version': '1.0',
      bucket: { name: bucket },
      object: { key, size, etag, 'version-id': versionId, sequencer },
      'request-id': randomBytes(8).toString('hex').toUpperCase(),
      requester: LOCAL_ACCOUNT,
      'source-ip-address': '127.0.0.1',
      reason,
    },
  };
}

/** @param execution that has ended */
export function statusChangeEvent(execution: Execution): SentEvent {
  const { arn, machineArn, name, input, outcome, startEpochMs, stopEpochMs = 0 } = execution;
  return {
    'detail-type': 'Step Functions Execution Status Change',
    source: 'aws.states',
    resources: [arn],
    detail: {
      executionArn: arn,
      stateMachineArn: machineArn,
      name,
      status: outcome?.status ?? 'RUNNING',
      startDate: startEpochMs,
      stopDate: stopEpochMs,
      input,
      // Nothing reads the output.
      ...(outcome?.status === 'SUCCEEDED'
        ? {}
        : { error: outcome?.error ?? null, cause: outcome?.cause ?? null }),
    },
  };
}
