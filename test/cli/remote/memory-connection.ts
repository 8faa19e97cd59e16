/** A connection to buckets in memory. */
import type { Connection } from '../../../lib/cli/remote/connection.ts';
import { INPUT_BUCKET, RESULTS_BUCKET } from '../../support/dependencies.ts';
import { type MemoryBuckets, memoryStore } from '../../support/memory-store.ts';

/** Only what goes through the storage port: there is no client behind it. */
export function memoryConnection(buckets: MemoryBuckets): Connection {
  return {
    s3: undefined as never,
    store: memoryStore(buckets),
    inputBucket: INPUT_BUCKET,
    resultsBucket: RESULTS_BUCKET,
  };
}
