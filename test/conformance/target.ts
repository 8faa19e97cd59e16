/** The S3 under test: the embedded one, or the one that S3_ENDPOINT names. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  HeadBucketCommand,
  ListObjectVersionsCommand,
  type ObjectIdentifier,
  PutBucketVersioningCommand,
  S3,
  type S3ClientConfig,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { startS3Server } from '../support/start-s3-server.ts';

/** The server under test, with two new buckets. */
export interface Target {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** The SDK's client with its defaults. */
  readonly client: S3;
  readonly versionedBucket: string;
  readonly plainBucket: string;
  /** The SDK's client, which sends each request once. */
  readonly recordedClient: S3;
  /** Signs links that any body may be sent to. */
  readonly signer: S3;
  /** Creates another bucket. */
  newBucket(): Promise<string>;
  /** Another client with a changed configuration; the target closes it. */
  otherClient(config: S3ClientConfig): S3;
  /** A prefix that no other test uses. */
  newPrefix(): string;
  /** Removes the buckets and their contents, and closes the server. */
  close(): Promise<void>;
}

interface Endpoint {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Whether its data are removed when it is closed. */
  readonly isTemporary: boolean;
  close(): Promise<void>;
}

/** Opens the server that the environment names, or starts the embedded one. */
export async function openTarget(environment: NodeJS.ProcessEnv): Promise<Target> {
  const server =
    environment.S3_ENDPOINT === undefined ? await startEmbedded() : externalEndpoint(environment);
  const { endpoint, region, credentials } = server;
  const clients: S3[] = [];
  const otherClient = (config: S3ClientConfig) => {
    const client = new S3({ endpoint, region, credentials, forcePathStyle: true, ...config });
    clients.push(client);
    return client;
  };
  const client = otherClient({});
  const id = randomBytes(6).toString('hex');
  const versionedBucket = `dlx-batch-conformance-versioned-${id}`;
  const plainBucket = `dlx-batch-conformance-plain-${id}`;
  await client.send(new CreateBucketCommand({ Bucket: versionedBucket }));
  await client.send(new CreateBucketCommand({ Bucket: plainBucket }));
  await client.send(
    new PutBucketVersioningCommand({
      Bucket: versionedBucket,
      VersioningConfiguration: { Status: 'Enabled' },
    }),
  );
  const recordedClient = otherClient({ maxAttempts: 1 });
  // The recorded client sends no type if the caller names none.
  recordedClient.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> };
      if ((args.input as { ContentType?: string }).ContentType === undefined) delete headers['content-type'];
      return next(args);
    },
    { step: 'build', priority: 'low' },
  );
  let prefixes = 0;
  const buckets = [versionedBucket, plainBucket];
  return {
    endpoint,
    region,
    credentials,
    client,
    versionedBucket,
    plainBucket,
    otherClient,
    recordedClient,
    signer: otherClient({ requestChecksumCalculation: 'WHEN_REQUIRED' }),
    async newBucket() {
      const bucket = `dlx-batch-recorded-${id}-${buckets.length}`;
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
      buckets.push(bucket);
      return bucket;
    },
    newPrefix: () => `row-${++prefixes}/`,
    async close() {
      if (!server.isTemporary) for (const bucket of buckets) await removeBucket(client, bucket);
      for (const opened of clients) opened.destroy();
      await server.close();
    },
  };
}

async function startEmbedded(): Promise<Endpoint> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dlx-batch-conformance-'));
  const region = 'eu-west-1';
  const credentials = { accessKeyId: 'conformance', secretAccessKey: randomBytes(20).toString('hex') };
  const server = await startS3Server({ dataDir, port: 0, region, ...credentials, buckets: [] });
  return {
    endpoint: server.endpoint,
    region,
    credentials,
    isTemporary: true,
    async close() {
      await server.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

function externalEndpoint(environment: NodeJS.ProcessEnv): Endpoint {
  const { S3_ENDPOINT, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_DEFAULT_REGION } =
    environment;
  if (S3_ENDPOINT === undefined || AWS_ACCESS_KEY_ID === undefined || AWS_SECRET_ACCESS_KEY === undefined) {
    throw new Error('S3_ENDPOINT requires AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  }
  return {
    endpoint: S3_ENDPOINT,
    region: AWS_REGION ?? AWS_DEFAULT_REGION ?? 'us-east-1',
    credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
    isTemporary: false,
    close: async () => {},
  };
}

async function removeBucket(client: S3, bucket: string): Promise<void> {
  // Recorded tests remove some of theirs.
  if ((await requestOutcome(client.send(new HeadBucketCommand({ Bucket: bucket })))) === '404 NotFound')
    return;
  for (;;) {
    const page = await client.send(new ListObjectVersionsCommand({ Bucket: bucket, EncodingType: 'url' }));
    const found: ObjectIdentifier[] = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].map(
      ({ Key = '', VersionId }) => ({
        // Some servers do not encode the keys of versions; `EncodingType` is set if they do.
        Key: page.EncodingType === 'url' ? decodeURIComponent(Key.replaceAll('+', ' ')) : Key,
        VersionId,
      }),
    );
    if (found.length === 0) break;
    await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: found, Quiet: true } }));
  }
  await client.send(new DeleteBucketCommand({ Bucket: bucket }));
}

/** `accepted`, or the error of a request such as `404 NoSuchKey`; HEAD responses have only a status. */
export async function requestOutcome(request: Promise<unknown>): Promise<string> {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) return 'accepted';
  if (!(error instanceof S3ServiceException)) throw error;
  return `${error.$metadata.httpStatusCode} ${error.name}`;
}
