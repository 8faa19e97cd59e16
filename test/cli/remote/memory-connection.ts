import { Retries } from '../../../lib/aws/retries.ts';
import type { Buckets } from '../../../lib/cli/remote/connection.ts';
import { INPUT_BUCKET, RESULTS_BUCKET } from '../../support/dependencies.ts';
import { type MemoryBuckets, memoryStore } from '../../support/memory-store.ts';

/** A connection that supports only the storage port; it has no S3 client. */
export function memoryConnection(buckets: MemoryBuckets): Buckets {
  return {
    s3: undefined as never,
    store: memoryStore(buckets),
    retries: new Retries(),
    inputBucket: INPUT_BUCKET,
    resultsBucket: RESULTS_BUCKET,
  };
}
