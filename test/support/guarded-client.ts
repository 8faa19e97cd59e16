/** A client for S3 that is refused what a role may not do: the embedded S3 asks for no permissions. */
import { S3 } from '@aws-sdk/client-s3';
import { CREDENTIALS, REGION } from './embedded-s3.ts';

/** Whether a role may do this; `resource` is `bucket` or `bucket/key`. */
export type Allows = (action: string, resource: string) => boolean;

type Input = Readonly<Record<string, string | undefined>>;

const READ = ({ VersionId }: Input) => [VersionId === undefined ? 's3:GetObject' : 's3:GetObjectVersion'];

/**
 * What S3 asks for, for each of its operations that `lib/aws` calls itself or through `@aws-sdk/lib-storage`.
 * Source: "Required permissions for Amazon S3 API operations", Amazon S3 User Guide.
 */
const ACTIONS: Readonly<Record<string, (input: Input) => string[]>> = {
  HeadObjectCommand: READ,
  GetObjectCommand: READ,
  PutObjectCommand: ({ IfMatch }) => ['s3:PutObject', ...(IfMatch === undefined ? [] : ['s3:GetObject'])],
  CreateMultipartUploadCommand: () => ['s3:PutObject'],
  UploadPartCommand: () => ['s3:PutObject'],
  UploadPartCopyCommand: () => ['s3:PutObject'],
  CompleteMultipartUploadCommand: () => ['s3:PutObject'],
  AbortMultipartUploadCommand: () => ['s3:AbortMultipartUpload'],
  ListPartsCommand: () => ['s3:ListMultipartUploadParts'],
  DeleteObjectCommand: () => ['s3:DeleteObject'],
};
const BUCKET_ACTIONS: Readonly<Record<string, string>> = {
  ListObjectsV2Command: 's3:ListBucket',
  ListObjectVersionsCommand: 's3:ListBucketVersions',
};

/** @param used gets the name of every operation that was called */
export function guardedClient(endpoint: string, allows: Allows, used: Set<string>): S3 {
  const s3 = new S3({ endpoint, region: REGION, credentials: CREDENTIALS, forcePathStyle: true });
  s3.middlewareStack.add(
    (next, { commandName = '' }) =>
      (call) => {
        used.add(commandName.replace('Command', ''));
        for (const [action, resource] of permissionsFor(commandName, call.input as Input)) {
          if (!allows(action, resource)) throw refusal(`${action} on ${resource} is not allowed`);
        }
        return next(call);
      },
    { step: 'initialize' },
  );
  return s3;
}

function permissionsFor(command: string, input: Input): [action: string, resource: string][] {
  const onBucket = BUCKET_ACTIONS[command];
  if (onBucket !== undefined) return [[onBucket, input.Bucket!]];
  const actions = ACTIONS[command];
  if (actions === undefined) throw new Error(`${command}: say which permissions it needs`);
  const resource = `${input.Bucket}/${input.Key}`;
  const needed = actions(input).map((action): [string, string] => [action, resource]);
  if (input.CopySource !== undefined) needed.push(['s3:GetObject', decodeURIComponent(input.CopySource)]);
  return needed;
}

function refusal(message: string): Error {
  return Object.assign(new Error(message), { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
}
