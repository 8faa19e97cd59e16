/** Downloads result sets: of keys, under prefixes, of a bulk run, or all. One that fails does not stop the others. */
import { resolve } from 'node:path';
import { isRunId, runKeys } from '../../batch/bulk-run/run-keys.ts';
import { plannedVersions } from '../../batch/bulk-run/slices.ts';
import { inParallel } from '../../batch/in-parallel.ts';
import { DONE_PREFIX } from '../../batch/names.ts';
import { counted, numberText } from '../../batch/quantities.ts';
import { CommandError, EXIT_FAILED, EXIT_SOLVED, EXIT_UNSOLVED } from '../exit.ts';
import { resultFolders } from '../files/result-folders.ts';
import { readChoice } from '../option-values.ts';
import { type Buckets, type ConnectionFlags, withConnection } from '../remote/connection.ts';
import { type FetchedResultSet, fetchResultSet, streamSolutions } from '../remote/fetch-results.ts';
import { findLatestOutcome, fullKey, latestOutcome, RESULT_FILES } from '../remote/outcomes.ts';
import { Work } from '../remote/work.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { print, printJson } from '../terminal/output.ts';
import { ProgressLine } from '../terminal/progress.ts';
import { bytesText } from '../terminal/quantity-text.ts';

interface DownloadFlags extends ConnectionFlags {
  readonly run?: string;
  readonly only?: string;
  /** Folder, or `-` for the solutions on standard output. */
  readonly outputDir: string;
}

/** Result sets downloaded in parallel. */
const PARALLEL_SETS = 8;

interface Downloaded extends Partial<FetchedResultSet> {
  readonly key: string;
  /** Why there is no result set. */
  readonly rejected?: string;
  /** Why it could not be downloaded. */
  readonly failed?: string;
  /** Set if the upload has no outcome yet. */
  readonly pending?: true;
}

/** @param keys of uploads, or prefixes; none: all @returns the exit status */
export async function run(keys: readonly string[], flags: DownloadFlags): Promise<number> {
  if (flags.only !== undefined) readChoice('only', flags.only, RESULT_FILES);
  if (flags.run !== undefined && keys.length > 0) {
    throw new CommandError('--run names all uploads of a bulk run: omit the keys');
  }
  if (flags.outputDir === '-' && flags.only !== undefined && flags.only !== 'solutions') {
    throw new CommandError('-o - writes the solutions: omit --only, or give a folder');
  }
  const work = new Work('result');
  const all = (signal: AbortSignal) =>
    withConnection(flags, 'downloading', (connection) => downloadAll(connection, keys, flags, work), signal);
  const downloaded = await interruptible(all, { left: () => ['interrupted', ...work.lines()] });
  // Standard output may carry the solutions.
  const output = flags.outputDir === '-' ? process.stderr : process.stdout;
  if (flags.json === true) printJson({ results: downloaded }, output);
  print(work.finalLines(), process.stderr);
  if (downloaded.some(({ failed }) => failed !== undefined)) return EXIT_FAILED;
  const isComplete = downloaded.every(({ rejected, pending }) => rejected === undefined && pending !== true);
  return isComplete ? EXIT_SOLVED : EXIT_UNSOLVED;
}

async function downloadAll(
  buckets: Buckets,
  keys: readonly string[],
  flags: DownloadFlags,
  work: Work,
): Promise<Downloaded[]> {
  const wanted = await buckets.retries.operation(() => wantedKeys(buckets, keys, flags.run));
  work.begin(wanted);
  const toStandardOutput = flags.outputDir === '-';
  const inputs = toStandardOutput ? [] : wanted.map((key) => ({ name: key, id: key }));
  const folders = await resultFolders(resolve(flags.outputDir), inputs, true);
  const line = new ProgressLine();
  let [done, received] = [0, 0];
  const onBytes = (count: number) => {
    buckets.retries.signal.throwIfAborted();
    received += count;
    line.show(() => ({
      share: done / wanted.length,
      done: `${numberText(done)} of ${counted(wanted.length, 'result')}, ${bytesText(received)}`,
      rate: (seconds) => bytesText(received / seconds),
    }));
  };
  // On standard output, results must follow one another.
  return inParallel(wanted, toStandardOutput ? 1 : PARALLEL_SETS, async (key) => {
    // Solutions on standard output may be incomplete, and others must not follow them.
    if (toStandardOutput && work.hasFailed) return { key, failed: 'not downloaded, after a failure' };
    try {
      buckets.retries.signal.throwIfAborted();
      const one = await downloadOne(buckets, key, folders.get(key), flags, onBytes);
      done++;
      work.set(key, 'done');
      if (flags.json !== true && !toStandardOutput) printResult(one);
      return one;
    } catch (error) {
      return { key, failed: work.failed(buckets, key, error, `downloading ${key}`) };
    }
  });
}

async function wantedKeys(
  buckets: Buckets,
  keys: readonly string[],
  run?: string,
): Promise<readonly string[]> {
  if (run !== undefined) return keysOfRun(buckets, run);
  const wanted = new Set<string>();
  for (const key of keys.length === 0 ? [''] : keys) {
    const isPrefix = key === '' || key.endsWith('/');
    for (const each of isPrefix ? await finishedKeys(buckets, key) : [key]) wanted.add(each);
  }
  return [...wanted];
}

/** Keys of the uploads under a prefix that have an outcome. */
async function finishedKeys(buckets: Buckets, prefix: string): Promise<string[]> {
  const { store, resultsBucket } = buckets;
  const parts = new Set<string>();
  for await (const key of store.list(resultsBucket, `${DONE_PREFIX}${prefix}`)) {
    parts.add(key.slice(DONE_PREFIX.length, key.lastIndexOf('/')));
  }
  return inParallel([...parts], PARALLEL_SETS, (part) => fullKey(buckets, part));
}

/** Keys in the plan of a bulk run. @throws CommandError if there is no such run */
async function keysOfRun(buckets: Buckets, run: string): Promise<string[]> {
  const { store, resultsBucket } = buckets;
  if (!isRunId(run) || (await store.head(resultsBucket, runKeys(run).status)) === undefined) {
    throw new CommandError(
      `no plan found for run ${run}: expected the id of a bulk run, such as 2026-11-21T02-00-00Z`,
    );
  }
  const keys = new Set<string>();
  for await (const { key } of plannedVersions(buckets, run)) keys.add(key);
  return [...keys];
}

async function downloadOne(
  buckets: Buckets,
  key: string,
  folder: string | undefined,
  { run, only }: DownloadFlags,
  onBytes: (count: number) => void,
): Promise<Downloaded> {
  const { retries } = buckets;
  // A key from a run's plan may be unsolved; a key that the user names should have a result.
  const find = run === undefined ? latestOutcome : findLatestOutcome;
  const outcome = await retries.operation(() => find(buckets, key));
  if (outcome === undefined) return { key, pending: true };
  const rejected = outcome.kind === 'rejected' ? outcome.reject.error.message : undefined;
  if (folder === undefined) {
    if (outcome.kind === 'completed') await streamSolutions(buckets, outcome.manifest);
    return { key, rejected };
  }
  return { key, rejected, ...(await fetchResultSet(buckets, outcome, folder, { only, onBytes })) };
}

function printResult({ key, rejected, pending, folder, files = [], kept = 0 }: Downloaded): void {
  if (pending === true) {
    print([`${key}: no result yet`]);
    return;
  }
  const state = rejected === undefined ? counted(files.length, 'file') : `rejected: ${rejected}; error.json`;
  const unchanged = kept > 0 ? ` (${kept} already present)` : '';
  print([`${key}: ${state}${unchanged} in ${folder}`]);
}
