/** Connects to a stack: by its name through CloudFormation outputs, by its buckets, or at a custom endpoint. */
import { type S3Client, s3Client, s3ClientFor } from '../../aws/s3-client.ts';
import { s3Store } from '../../aws/s3-store.ts';
import { stackOutputs } from '../../aws/stack-outputs.ts';
import type { ObjectStore } from '../../batch/ports.ts';
import { runningStackAt } from '../../local/running-stack.ts';
import { LOCAL_STACK } from '../../local/stack-names.ts';
import { CommandError } from '../exit.ts';
import { type ConnectionFlags, DEFAULT_STACK } from './connection-flags.ts';
import { remoteError } from './remote-error.ts';

/** A stack and the clients for its buckets. */
export interface Connection {
  readonly s3: S3Client;
  readonly store: ObjectStore;
  readonly inputBucket: string;
  readonly resultsBucket: string;
}

/**
 * Connects to a stack without sending a request to its buckets.
 *
 * @throws CommandError if the stack does not exist or AWS cannot be reached
 */
export async function connect(flags: ConnectionFlags): Promise<Connection> {
  const { endpoint, bucket, resultsBucket } = flags;
  if (endpoint !== undefined) return atEndpoint(endpoint, flags);
  if ((bucket === undefined) !== (resultsBucket === undefined)) {
    throw new CommandError('--bucket and --results-bucket must be given together: give both, or --stack');
  }
  const names =
    bucket !== undefined && resultsBucket !== undefined
      ? { inputBucket: bucket, resultsBucket }
      : await stackBuckets(flags.stack ?? DEFAULT_STACK);
  const s3 = s3Client();
  return { s3, store: s3Store(s3), ...names };
}

/**
 * Connects to a stack, runs work, and disconnects.
 *
 * @param action the work for error messages, such as `reading jobs`
 */
export async function withConnection<Result>(
  flags: ConnectionFlags,
  action: string,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await connect(flags);
  try {
    return await work(connection);
  } catch (error) {
    throw remoteError(error, action);
  } finally {
    connection.s3.destroy();
  }
}

/**
 * Reads an output of the deployed stack.
 *
 * @throws CommandError if the flags name only buckets, or the stack has no such output
 */
export async function stackOutput({ stack, bucket }: ConnectionFlags, output: string): Promise<string> {
  if (bucket !== undefined && stack === undefined) {
    throw new CommandError(`--bucket does not name the stack's ${output}: also give --stack`);
  }
  const name = stack ?? DEFAULT_STACK;
  const value = (await stackOutputs(name)).get(output);
  if (value === undefined) {
    throw new CommandError(`the stack ${name} has no output ${output}: deploy this version of it`);
  }
  return value;
}

/**
 * Connects to a custom endpoint. A local stack that runs there has recorded its keys; other endpoints take them from the
 * environment.
 */
function atEndpoint(endpoint: string, { bucket, resultsBucket }: ConnectionFlags): Connection {
  if (!URL.canParse(endpoint)) {
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
  const s3 = s3ClientFor({ ...signer, endpoint });
  return {
    s3,
    store: s3Store(s3),
    inputBucket: bucket ?? LOCAL_STACK.inputBucket,
    resultsBucket: resultsBucket ?? LOCAL_STACK.resultsBucket,
  };
}

async function stackBuckets(name: string): Promise<{ inputBucket: string; resultsBucket: string }> {
  const outputs = await stackOutputs(name).catch((error: unknown) => {
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
