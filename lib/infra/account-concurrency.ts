/** Splits an account's concurrent executions between uploads and shards. */

/** Executions outside both settings: a step of a bulk run, and a plan or a merge of another large file. */
const OTHER_FUNCTIONS = 2;

export interface ConcurrencySettings {
  /** Concurrent executions of the account, 10 or more. */
  readonly accountConcurrency: number;
  /** Maximum number of files solved concurrently. */
  readonly maxConcurrency: number;
  /** Maximum number of shards of one file solved concurrently. */
  readonly shardConcurrency: number;
}

/**
 * Lowers both settings to fit the account: uploads get at most half of it, the shards of a file get the rest. So one
 * large file never takes a function from uploads or from the scheduled run.
 *
 * Reserved concurrency would limit the shards of all large files together, but AWS refuses it in accounts with a low
 * quota, and it reduces the concurrency of every other function.
 */
export function shareConcurrency(settings: ConcurrencySettings): { files: number; shards: number } {
  const shared = settings.accountConcurrency - OTHER_FUNCTIONS;
  const files = Math.min(settings.maxConcurrency, Math.floor(shared / 2));
  return { files, shards: Math.min(settings.shardConcurrency, shared - files) };
}
