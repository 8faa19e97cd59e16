/** Result sets on their way back. */

import { inParallel } from '../../batch/fan-out/parallel.ts';
import { DONE_PREFIX } from '../../batch/names.ts';
import type { DownloadFlags } from '../download.ts';
import { CommandError, EXIT_SOLVED, EXIT_UNSOLVED } from '../exit.ts';
import { type Connection, connect } from './connection.ts';
import { type Fetched, fetchResultSet, streamSolutions } from './fetch-results.ts';
import { latestOutcome } from './latest-outcome.ts';
import { remoteError } from './remote-error.ts';
import { checkFileName } from './result-file-names.ts';
import { resultFolder } from './safe-path.ts';

/** Result sets that are fetched side by side. */
const SETS_AT_ONCE = 8;

interface Downloaded extends Partial<Fetched> {
  readonly key: string;
  /** Why there is no result set. */
  readonly rejected?: string;
}

/**
 * Downloads.
 *
 * @returns the exit status
 */
export async function download(keys: readonly string[], flags: DownloadFlags): Promise<number> {
  if (flags.only !== undefined) checkFileName('only', flags.only);
  if ((flags.all === true) === keys.length > 0) {
    throw new CommandError('give keys of uploaded objects, or --all for every one');
  }
  const connection = await connect(flags);
  try {
    const wanted = flags.all === true ? await allKeys(connection, flags.prefix ?? '') : keys;
    // Standard output takes one after the other.
    const atOnce = flags.outputDir === '-' ? 1 : SETS_AT_ONCE;
    const downloaded = await inParallel(wanted, atOnce, async (key) => {
      const one = await downloadOne(connection, key, flags);
      if (flags.json !== true && flags.outputDir !== '-') tell(one);
      return one;
    });
    if (flags.json === true) process.stdout.write(`${JSON.stringify({ results: downloaded })}\n`);
    return downloaded.some(({ rejected }) => rejected !== undefined) ? EXIT_UNSOLVED : EXIT_SOLVED;
  } catch (error) {
    throw remoteError(error, 'downloading');
  } finally {
    connection.s3.destroy();
  }
}

async function downloadOne(connection: Connection, key: string, flags: DownloadFlags): Promise<Downloaded> {
  const outcome = await latestOutcome(connection, key);
  const rejected = outcome.kind === 'rejected' ? outcome.reject.error.message : undefined;
  if (flags.outputDir === '-') {
    if (outcome.kind === 'completed') await streamSolutions(connection, outcome.manifest);
    return { key, rejected };
  }
  const folder = resultFolder(flags.outputDir, key);
  return { key, rejected, ...(await fetchResultSet(connection, outcome, folder, { only: flags.only })) };
}

/** Keys of all inputs that have an outcome, each once. */
async function allKeys({ store, resultsBucket }: Connection, prefix: string): Promise<string[]> {
  const keys = new Set<string>();
  for await (const key of store.list(resultsBucket, `${DONE_PREFIX}${prefix}`)) {
    keys.add(key.slice(DONE_PREFIX.length, key.lastIndexOf('/')));
  }
  return [...keys];
}

function tell({ key, rejected, folder, files = [], kept = 0 }: Downloaded): void {
  const state = rejected === undefined ? `${files.length} files` : `rejected: ${rejected}`;
  const there = kept > 0 ? `, ${kept} of them there already` : '';
  process.stdout.write(`${key}: ${state}${there} in ${folder}\n`);
}
