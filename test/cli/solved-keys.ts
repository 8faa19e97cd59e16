/** An S3 endpoint with result sets, for tests of downloads. */
import { afterAll } from 'vitest';
import { s3Store } from '../../lib/aws/s3-store.ts';
import type { ObjectStore } from '../../lib/batch/ports.ts';
import { solveUpload } from '../../lib/batch/upload/solve-upload.ts';
import { recordStack } from '../../lib/local/running-stack.ts';
import { LOCAL_STACK } from '../../lib/local/stack-names.ts';
import { temporaryFolder } from '../local/fixture-function.ts';
import { clientOf } from '../support/client-of.ts';
import { uploadDependencies } from '../support/dependencies.ts';
import { CREDENTIALS } from '../support/embedded-s3.ts';
import { EASY } from '../support/puzzles.ts';
import { startS3Server } from '../support/start-s3-server.ts';

/**
 * Starts an S3 server in which each key has an upload and its result, until the end of all tests.
 *
 * @param text of each upload
 */
export async function serveSolved(
  keys: readonly string[],
  text: (key: string) => string = () => `${EASY}\n`,
): Promise<{ readonly endpoint: string; readonly store: ObjectStore }> {
  const { inputBucket, resultsBucket } = LOCAL_STACK;
  const signer = { region: LOCAL_STACK.region, ...CREDENTIALS };
  const server = await startS3Server({
    ...signer,
    dataDir: temporaryFolder(afterAll),
    port: 0,
    buckets: [inputBucket, resultsBucket].map((name) => ({ name, versioned: true })),
  });
  const { endpoint } = server;
  afterAll(recordStack({ ...signer, endpoint }));
  const s3 = clientOf({ ...signer, endpoint }, afterAll);
  afterAll(() => server.close());
  const store = s3Store(s3);
  const dependencies = uploadDependencies(store, 'attempt-a', { resultsBucket });
  for (const key of keys) {
    const body = Buffer.from(text(key));
    await store.put(inputBucket, key, body, 'text/plain');
    const { versionId } = (await store.head(inputBucket, key))!;
    await solveUpload({ bucket: inputBucket, key, versionId, bytes: body.length }, false, dependencies);
  }
  return { endpoint, store };
}
