/** A server for one test, with its folder and a client. */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { onTestFinished } from 'vitest';
import {
  type ObjectCreated,
  type S3ServerOptions,
  startS3Server,
} from '../../../lib/local/s3/http/server.ts';
import type { RawTarget } from './raw-request.ts';
import { BUCKET, PLAIN_BUCKET, TEST_CREDENTIALS } from './test-server-names.ts';

export interface TestServer extends RawTarget {
  readonly client: S3Client;
  readonly dataDir: string;
  /** What the server told of new objects, in order. */
  readonly events: readonly ObjectCreated[];
  /** Faults that the server told of; a test that expects none looks here. */
  readonly faults: readonly unknown[];
  /** Stops the server and starts it again on the same folder, twice: each start reads what the last one rewrote. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A folder that is removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dlx-batch-s3-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Starts a server that is stopped after the test. */
export async function startTestServer(options: Partial<S3ServerOptions> = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? join(await temporaryFolder(), 'data');
  const events: ObjectCreated[] = [];
  const faults: unknown[] = [];
  const start = (port: number) =>
    startS3Server({
      dataDir,
      port,
      ...TEST_CREDENTIALS,
      buckets: [
        { name: BUCKET, versioned: true },
        { name: PLAIN_BUCKET, versioned: false },
      ],
      onObjectCreated: (event) => void events.push(event),
      onFault: (fault) => void faults.push(fault),
      ...options,
    });
  let server = await start(0);
  let running = true;
  const { endpoint } = server;
  const { region, ...credentials } = TEST_CREDENTIALS;
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true, maxAttempts: 1 });
  const stop = async () => {
    if (running) await server.close();
    running = false;
  };
  onTestFinished(async () => {
    client.destroy();
    await stop();
  });
  return {
    ...TEST_CREDENTIALS,
    endpoint,
    client,
    dataDir,
    events,
    faults,
    stop,
    async restart() {
      for (let round = 0; round < 2; round++) {
        await stop();
        server = await start(Number(new URL(endpoint).port));
        running = true;
      }
    },
  };
}

/** How many files of object data a folder holds. */
export async function countDataFiles(dataDir: string): Promise<number> {
  const entries = await readdir(join(dataDir, 'objects'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}
