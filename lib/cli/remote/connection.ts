/** Finding a stack: by its name through CloudFormation's outputs, by its buckets, or at an endpoint of one's own. */
import { type S3Client, s3Client, s3ClientFor } from '../../aws/s3-client.ts';
import { s3Store } from '../../aws/s3-store.ts';
import { stackOutputs } from '../../aws/stack-outputs.ts';
import type { ObjectStore } from '../../batch/ports.ts';
import { LOCAL_STACK } from '../../local/stack-names.ts';
import { CommandError } from '../exit.ts';
import { type ConnectionFlags, DEFAULT_STACK } from './connection-flags.ts';
import { remoteError } from './remote-error.ts';

/** A stack that can be talked to. */
export interface Connection {
  readonly s3: S3Client;
  readonly store: ObjectStore;
  readonly inputBucket: string;
  readonly resultsBucket: string;
}

/**
 * Connects to a stack; nothing is sent to its buckets yet.
 *
 * @throws CommandError where there is no such stack, or AWS cannot be asked
 */
export async function connect(flags: ConnectionFlags): Promise<Connection> {
  const { endpoint, bucket, resultsBucket } = flags;
  if (endpoint !== undefined) return atEndpoint(endpoint, flags);
  if ((bucket === undefined) !== (resultsBucket === undefined)) {
    throw new CommandError('--bucket and --results-bucket go together: give both, or --stack');
  }
  const names =
    bucket !== undefined && resultsBucket !== undefined
      ? { inputBucket: bucket, resultsBucket }
      : await stackBuckets(flags.stack ?? DEFAULT_STACK);
  const s3 = s3Client();
  return { s3, store: s3Store(s3), ...names };
}

/**
 * An output of the deployed stack.
 *
 * @throws CommandError where the flags name only buckets, or the stack has no such output
 */
export async function stackOutput({ stack, bucket }: ConnectionFlags, output: string): Promise<string> {
  if (bucket !== undefined && stack === undefined) {
    throw new CommandError(`--bucket does not give the stack's ${output}: give --stack, too`);
  }
  const name = stack ?? DEFAULT_STACK;
  const value = (await stackOutputs(name)).get(output);
  if (value === undefined) {
    throw new CommandError(`the stack ${name} has no output ${output}: deploy it again, with this version`);
  }
  return value;
}

/** An endpoint of one's own; on this machine without credentials it is taken for the local stack's. */
function atEndpoint(endpoint: string, { bucket, resultsBucket }: ConnectionFlags): Connection {
  if (!URL.canParse(endpoint)) {
    throw new CommandError(
      `option "--endpoint" is "${endpoint}": expected a URL, such as http://127.0.0.1:9000`,
    );
  }
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const s3 = s3ClientFor({
    endpoint,
    region: AWS_REGION ?? AWS_DEFAULT_REGION ?? LOCAL_STACK.region,
    accessKeyId: AWS_ACCESS_KEY_ID ?? LOCAL_STACK.accessKeyId,
    secretAccessKey: AWS_SECRET_ACCESS_KEY ?? LOCAL_STACK.secretAccessKey,
    sessionToken: AWS_SESSION_TOKEN,
  });
  return {
    s3,
    store: s3Store(s3),
    inputBucket: bucket ?? LOCAL_STACK.inputBucket,
    resultsBucket: resultsBucket ?? LOCAL_STACK.resultsBucket,
  };
}

async function stackBuckets(name: string): Promise<{ inputBucket: string; resultsBucket: string }> {
  const outputs = await stackOutputs(name).catch((error: unknown) => {
    throw remoteError(error, `asking CloudFormation for the stack ${name}`);
  });
  const inputBucket = outputs.get('InputBucketName');
  const resultsBucket = outputs.get('ResultsBucketName');
  if (inputBucket === undefined || resultsBucket === undefined) {
    throw new CommandError(
      `the stack ${name} has no outputs InputBucketName and ResultsBucketName: it is no stack of dlx-batch; give another --stack`,
    );
  }
  return { inputBucket, resultsBucket };
}
