/** Finding a stack: by its name through CloudFormation's outputs, by its buckets, or at an endpoint of one's own. */
import type { Command } from 'commander';
import { type S3Client, s3Client, s3ClientFor } from '../../aws/s3-client.ts';
import { s3Store } from '../../aws/s3-store.ts';
import { stackOutputs } from '../../aws/stack-outputs.ts';
import type { ObjectStore } from '../../batch/ports.ts';
import { LOCAL_STACK } from '../../local/local-names.ts';
import { CommandError } from '../exit.ts';
import { remoteError } from './remote-error.ts';

/** How the command line names a stack. */
export interface ConnectionFlags {
  readonly stack?: string;
  readonly bucket?: string;
  readonly resultsBucket?: string;
  readonly endpoint?: string;
}

/** A stack that can be talked to. */
export interface Connection {
  readonly s3: S3Client;
  readonly store: ObjectStore;
  readonly inputBucket: string;
  readonly resultsBucket: string;
}

/** Name of the stack where nobody gives another. */
const DEFAULT_STACK = 'DlxBatch';

/** Adds the flags that name a stack to a command. */
export function addConnectionOptions(command: Command): Command {
  return command
    .option('--stack <name>', `the deployed stack (default: ${DEFAULT_STACK})`)
    .option('--bucket <name>', 'the input bucket, where no stack is to be asked')
    .option('--results-bucket <name>', 'the results bucket, with --bucket')
    .option('--endpoint <url>', 'an S3 endpoint of your own, such as that of local --serve');
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

/** An endpoint of one's own; on this machine without credentials it is taken for the local stack's. */
function atEndpoint(endpoint: string, { bucket, resultsBucket }: ConnectionFlags): Connection {
  if (!URL.canParse(endpoint)) {
    throw new CommandError(
      `option "--endpoint" is "${endpoint}": expected a URL, such as http://127.0.0.1:9000`,
    );
  }
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const s3 = s3ClientFor({
    endpoint,
    region: AWS_REGION ?? AWS_DEFAULT_REGION ?? LOCAL_STACK.region,
    accessKeyId: AWS_ACCESS_KEY_ID ?? LOCAL_STACK.accessKeyId,
    secretAccessKey: AWS_SECRET_ACCESS_KEY ?? LOCAL_STACK.secretAccessKey,
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
