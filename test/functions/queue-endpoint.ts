/** SQS for a function's tests: records for how long it hides the messages that failed. */
import { ENVIRONMENT } from '../../lib/batch/names.ts';
import { JsonApiError, type RequestParameters, startJsonEndpoint } from '../../lib/local/json-api.ts';
import { CREDENTIALS } from '../support/embedded-s3.ts';

export interface VisibilityChange {
  readonly receiptHandle: string;
  readonly seconds: number;
  readonly atEpochMs: number;
}

export interface QueueEndpoint {
  /** Variables of a function that uses it. */
  readonly environment: Readonly<Record<string, string>>;
  /** The calls since they were taken last. */
  takeChanges(): VisibilityChange[];
  /** Lets the next call fail. */
  failOnce(): void;
  close(): Promise<void>;
}

export async function startQueueEndpoint(): Promise<QueueEndpoint> {
  const changes: VisibilityChange[] = [];
  let failing = false;
  const ChangeMessageVisibility = {
    parameters: ['QueueUrl', 'ReceiptHandle', 'VisibilityTimeout'],
    run({ ReceiptHandle, VisibilityTimeout }: RequestParameters) {
      changes.push({
        receiptHandle: String(ReceiptHandle),
        seconds: Number(VisibilityTimeout),
        atEpochMs: Date.now(),
      });
      if (failing) {
        failing = false;
        throw new JsonApiError('MessageNotInflight', 'The message referred to is not in flight.');
      }
      return {};
    },
  };
  const endpoint = await startJsonEndpoint(
    [{ target: 'AmazonSQS.', operations: { ChangeMessageVisibility } }],
    CREDENTIALS,
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
