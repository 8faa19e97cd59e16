/** A server for one test, with its folder and a client. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { S3 } from '@aws-sdk/client-s3';
import { onTestFinished } from 'vitest';
import type { ObjectCreated, S3ServerOptions } from '../../../lib/local/s3/server.ts';
import { startS3Server } from '../../support/start-s3-server.ts';
import { temporaryFolder } from '../fixture-function.ts';
import type { RawTarget } from './raw-request.ts';
import { BUCKET, PLAIN_BUCKET, TEST_CREDENTIALS } from './test-server-names.ts';

export interface TestServer extends RawTarget {
  readonly client: S3;
  readonly dataDir: string;
  /** Events of new objects, in order. */
  readonly events: readonly ObjectCreated[];
  /** Errors that the server reported. */
  readonly faults: readonly unknown[];
  /** Restarts the server on the same folder, twice: the second start reads the journal that the first one rewrote. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server that is stopped after the test. */
export async function startTestServer(options: Partial<S3ServerOptions> = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? join(temporaryFolder(), 'data');
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
  const client = new S3({ endpoint, region, credentials, forcePathStyle: true, maxAttempts: 1 });
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

/** Number of object data files in a folder. */
export async function countDataFiles(dataDir: string): Promise<number> {
  const entries = await readdir(join(dataDir, 'objects'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}
