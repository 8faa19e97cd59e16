/** SQS for a function's tests: records how long the function hides failed messages. */
import * as z from 'zod';
import { ENVIRONMENT } from '../../lib/batch/names.ts';
import { JsonApiError, operation } from '../../lib/local/json-api.ts';
import { CREDENTIALS, REGION } from '../support/embedded-s3.ts';
import { startJsonEndpoint } from '../support/json-endpoint.ts';

export interface VisibilityCall {
  readonly receiptHandle: string;
  readonly seconds: number;
  readonly atEpochMs: number;
}

export interface QueueEndpoint {
  /** Environment variables of a function that uses the endpoint. */
  readonly environment: Readonly<Record<string, string>>;
  /** The calls since this was last called. */
  takeChanges(): VisibilityCall[];
  /** Makes the next call fail. */
  failOnce(): void;
  close(): Promise<void>;
}

export async function startQueueEndpoint(): Promise<QueueEndpoint> {
  const changes: VisibilityCall[] = [];
  let failing = false;
  const ChangeMessageVisibility = operation(
    'sqs:ChangeMessageVisibility',
    z.strictObject({ QueueUrl: z.string(), ReceiptHandle: z.string(), VisibilityTimeout: z.number() }),
    () => 'arn:queue',
    ({ ReceiptHandle: receiptHandle, VisibilityTimeout: seconds }) => {
      changes.push({ receiptHandle, seconds, atEpochMs: Date.now() });
      if (failing) {
        failing = false;
        throw new JsonApiError('MessageNotInflight', 'The message referred to is not in flight.');
      }
      return {};
    },
  );
  const endpoint = await startJsonEndpoint(
    [{ target: 'AmazonSQS.', signingName: 'sqs', operations: { ChangeMessageVisibility } }],
    { ...CREDENTIALS, region: REGION },
  );
  return {
    environment: {
      AWS_ENDPOINT_URL_SQS: endpoint.url,
      [ENVIRONMENT.queueUrl]: `${endpoint.url}/000000000000/jobs`,
    },
    takeChanges: () => changes.splice(0),
    failOnce() {
      failing = true;
    },
    close: () => endpoint.close(),
  };
}
