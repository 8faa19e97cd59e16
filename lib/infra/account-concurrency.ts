/** How the functions that an account may run at one time are shared out. */

/** Functions that neither setting bounds: a step of a bulk run, and a plan or a merge of another large file. */
const OTHER_FUNCTIONS = 2;

export interface ConcurrencySettings {
  /** Functions that the account may run at one time, 10 or more. */
  readonly accountConcurrency: number;
  /** Most files at one time. */
  readonly maxConcurrency: number;
  /** Most shards of one file at one time. */
  readonly shardConcurrency: number;
}

/**
 * Lowers both settings to what the account has: uploads get half of it at most, the shards of a file what uploads leave.
 * So a large file alone takes no function from an upload or from the scheduled run.
 *
 * Reserved concurrency would bound the shards of several large files together, but AWS refuses it in accounts that
 * have few functions, and takes it from all others.
 */
export function shareConcurrency(settings: ConcurrencySettings): { files: number; shards: number } {
  const shared = settings.accountConcurrency - OTHER_FUNCTIONS;
  const files = Math.min(settings.maxConcurrency, Math.floor(shared / 2));
  return { files, shards: Math.min(settings.shardConcurrency, shared - files) };
}
