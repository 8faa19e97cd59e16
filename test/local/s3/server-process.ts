/** Runs a server in its own process, so that a test can kill it; sends its endpoint to the parent. */
import { startS3Server } from '../../support/start-s3-server.ts';
import { BUCKET, TEST_CREDENTIALS } from './test-server-names.ts';

const [, , dataDir] = process.argv;
const server = await startS3Server({
  dataDir,
  port: 0,
  ...TEST_CREDENTIALS,
  buckets: [{ name: BUCKET, versioned: true }],
});
process.send?.(server.endpoint);
