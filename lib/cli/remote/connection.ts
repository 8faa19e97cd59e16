/** Connects to a stack: by its name through CloudFormation outputs, by its buckets, or at a custom endpoint. */
import { Retries } from '../../aws/retries.ts';
import { type S3Client, type S3Endpoint, s3Client, s3ClientFor } from '../../aws/s3-client.ts';
import { s3Store } from '../../aws/s3-store.ts';
import { stackOutputs } from '../../aws/stack-outputs.ts';
import type { ObjectStore } from '../../batch/ports.ts';
import { runningStackAt } from '../../local/running-stack.ts';
import { LOCAL_STACK } from '../../local/stack-names.ts';
import { CommandError } from '../exit.ts';
import { complain } from '../terminal/output.ts';
import { type ConnectionFlags, DEFAULT_STACK } from './connection-flags.ts';
import { readDuration } from './duration-option.ts';
import { networkSettings } from './network-settings.ts';
import { outageText, remoteError } from './remote-error.ts';

/** A stack and the clients for its buckets. */
export interface Connection {
  readonly s3: S3Client;
  readonly store: ObjectStore;
  readonly inputBucket: string;
  readonly resultsBucket: string;
  /** Repeats what fails. The requests of `s3` and `store` are repeated already. */
  readonly retries: Retries;
}

/** Longest value of `--retry-for`, in seconds. */
const MAX_RETRY_SECONDS = 7 * 86_400;

/**
 * Connects to a stack without sending a request to its buckets.
 *
 * @param signal aborts requests and waits
 * @throws CommandError if the stack does not exist or AWS cannot be reached
 */
export async function connect(flags: ConnectionFlags, signal?: AbortSignal): Promise<Connection> {
  const { endpoint, bucket, resultsBucket } = flags;
  const { timeouts } = networkSettings;
  const retries = retriesFor(flags, signal);
  if (endpoint !== undefined) {
    const s3 = s3ClientFor(endpointSigner(endpoint), timeouts, retries);
    const names = {
      inputBucket: bucket ?? LOCAL_STACK.inputBucket,
      resultsBucket: resultsBucket ?? LOCAL_STACK.resultsBucket,
    };
    return { s3, store: s3Store(s3, timeouts), retries, ...names };
  }
  if ((bucket === undefined) !== (resultsBucket === undefined)) {
    throw new CommandError('--bucket and --results-bucket must be given together: give both, or --stack');
  }
  const names =
    bucket !== undefined && resultsBucket !== undefined
      ? { inputBucket: bucket, resultsBucket }
      : await stackBuckets(flags.stack ?? DEFAULT_STACK, retries);
  const s3 = s3Client(timeouts, retries);
  return { s3, store: s3Store(s3, timeouts), retries, ...names };
}

/** The retries of a command, which reports an outage in one line. */
export function retriesFor({ retryFor }: ConnectionFlags, signal?: AbortSignal): Retries {
  const expected = 'a duration such as 90s or 5m, 7d at most';
  const range = { min: 0, max: MAX_RETRY_SECONDS, expected };
  const forMs = retryFor === undefined ? {} : { forMs: readDuration('retry-for', retryFor, range) * 1000 };
  return new Retries({
    ...networkSettings.retries,
    ...forMs,
    signal,
    onOutage: (error, leftMs) => {
      complain(outageText(error, leftMs / 1000));
    },
  });
}

/**
 * Connects to a stack, runs work, and disconnects.
 *
 * @param action the work for error messages, such as `reading jobs`
 * @param signal aborts requests and waits
 */
export async function withConnection<Result>(
  flags: ConnectionFlags,
  action: string,
  work: (connection: Connection) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const connection = await connect(flags, signal);
  try {
    return await work(connection);
  } catch (error) {
    throw remoteError(error, action);
  } finally {
    connection.retries.close();
    connection.s3.destroy();
  }
}

/**
 * Reads an output of the deployed stack.
 *
 * @throws CommandError if the flags name only buckets, or the stack has no such output
 */
export async function stackOutput(
  { stack, bucket }: ConnectionFlags,
  output: string,
  retries: Retries,
): Promise<string> {
  if (bucket !== undefined && stack === undefined) {
    throw new CommandError(`--bucket does not name the stack's ${output}: also give --stack`);
  }
  const name = stack ?? DEFAULT_STACK;
  const value = (await retries.request(() => stackOutputs(name))).get(output);
  if (value === undefined) {
    throw new CommandError(`the stack ${name} has no output ${output}: deploy this version of it`);
  }
  return value;
}

/**
 * The credentials for a custom endpoint. A local stack that runs there has recorded its keys; other endpoints take them
 * from the environment.
 */
export function endpointSigner(endpoint: string): S3Endpoint {
  if (!/^https?:\/\/./.test(endpoint) || !URL.canParse(endpoint)) {
    throw new CommandError(
      `option "--endpoint" is "${endpoint}": expected a URL, such as http://127.0.0.1:9000`,
    );
  }
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_SESSION_TOKEN } = process.env;
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const signer = runningStackAt(endpoint) ?? {
    region: AWS_REGION ?? AWS_DEFAULT_REGION ?? LOCAL_STACK.region,
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN,
  };
  if (signer.accessKeyId === '' || signer.secretAccessKey === '') {
    throw new CommandError(
      `no local stack of yours runs at ${endpoint}: start it with dlx-batch local --serve, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
    );
  }
  return { ...signer, endpoint };
}

async function stackBuckets(
  name: string,
  retries: Retries,
): Promise<{ inputBucket: string; resultsBucket: string }> {
  const outputs = await retries
    .request(() => stackOutputs(name))
    .catch((error: unknown) => {
      throw remoteError(error, `reading the stack ${name} from CloudFormation`);
    });
  const inputBucket = outputs.get('InputBucketName');
  const resultsBucket = outputs.get('ResultsBucketName');
  if (inputBucket === undefined || resultsBucket === undefined) {
    throw new CommandError(
      `the stack ${name} has no outputs InputBucketName and ResultsBucketName, so it is not a dlx-batch stack: give another --stack`,
    );
  }
  return { inputBucket, resultsBucket };
}
