/** The embedded S3 for one test file: a versioned input bucket, a results bucket, a client, and its events. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3 } from '@aws-sdk/client-s3';
import { s3Store } from '../../lib/aws/s3-store.ts';
import type { ObjectStore } from '../../lib/batch/ports.ts';
import type { ObjectCreated, S3ServerOptions } from '../../lib/local/s3/server.ts';
import { uploadEvent } from './built-program.ts';
import { INPUT_BUCKET, RESULTS_BUCKET } from './dependencies.ts';
import { startS3Server } from './start-s3-server.ts';

export const CREDENTIALS = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' };
export const REGION = 'eu-central-1';

export interface EmbeddedS3 {
  readonly endpoint: string;
  readonly s3: S3;
  /** Its objects, for this process. */
  readonly store: ObjectStore;
  /** Uploads a file. @returns the body of the message about it */
  upload(key: string, body: string | Uint8Array, metadata?: Record<string, string>): Promise<string>;
  /** Keys of the results bucket. */
  results(prefix?: string): Promise<string[]>;
  json<Document>(key: string): Promise<Document>;
  stop(): Promise<void>;
}

export async function startEmbeddedS3(options: Partial<S3ServerOptions> = {}): Promise<EmbeddedS3> {
  const folder = await mkdtemp(join(tmpdir(), 'dlx-batch-test-'));
  const events: ObjectCreated[] = [];
  const server = await startS3Server({
    dataDir: join(folder, 'data'),
    port: 0,
    region: REGION,
    ...CREDENTIALS,
    buckets: [
      { name: INPUT_BUCKET, versioned: true },
      { name: RESULTS_BUCKET, versioned: true },
    ],
    onObjectCreated: (event) => void events.push(event),
    ...options,
  });
  const { endpoint } = server;
  const s3 = new S3({ endpoint, region: REGION, credentials: CREDENTIALS, forcePathStyle: true });
  return {
    endpoint,
    s3,
    store: server.withDirectReads(s3Store(s3)),
    async upload(key, body, metadata) {
      const Body = typeof body === 'string' ? Buffer.from(body) : body;
      await s3.putObject({
        Bucket: INPUT_BUCKET,
        Key: key,
        Body,
        ContentLength: Body.length,
        Metadata: metadata,
      });
      const created = events.findLast((event) => event.bucket === INPUT_BUCKET && event.key === key)!;
      return uploadEvent(created, new Date('2025-03-01T12:00:00Z'));
    },
    async results(prefix = '') {
      const { Contents = [] } = await s3.listObjectsV2({ Bucket: RESULTS_BUCKET, Prefix: prefix });
      return Contents.map(({ Key }) => Key!);
    },
    async json(key) {
      const { Body } = await s3.getObject({ Bucket: RESULTS_BUCKET, Key: key });
      return JSON.parse(await Body!.transformToString());
    },
    async stop() {
      s3.destroy();
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}
