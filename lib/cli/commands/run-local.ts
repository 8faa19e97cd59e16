/** Sends files through the local stack and saves their results, or runs the stack for S3 clients. */
import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Retries } from '../../aws/retries.ts';
import { s3ClientFor } from '../../aws/s3-client.ts';
import { s3Store } from '../../aws/s3-store.ts';
import { uploadObject } from '../../aws/upload-object.ts';
import { parseSchedule, ScheduleError } from '../../batch/bulk-run/schedule-expression.ts';
import type { Manifest } from '../../batch/delivery/manifest.ts';
import { fetchFile, findOutcome, type VersionOutcome } from '../../batch/delivery/result-set.ts';
import { MIN_SHARD_BYTES } from '../../batch/limits.ts';
import { ENVIRONMENT, INBOX_PREFIX } from '../../batch/names.ts';
import type { OptionTexts } from '../../batch/options.ts';
import type { ObjectStore } from '../../batch/ports.ts';
import { EXCEPTIONS_FILE } from '../../batch/results/result-files.ts';
import type { JobStats } from '../../batch/results/statistics.ts';
import { jsonBytes } from '../../batch/storage/write-json.ts';
import { pageOrigins } from '../../local/own-requests.ts';
import { type RunningStack, recordStack } from '../../local/running-stack.ts';
import { type LocalStack, startLocalStack } from '../../local/stack.ts';
import { SkippingTimerClock } from '../../local/timer-clock.ts';
import { limitNewSpace } from '../../node/new-space.ts';
import { canOpenFiles } from '../../node/open-files.ts';
import { ResultFolder } from '../../node/result-folder.ts';
import { systemHashing } from '../../node/system.ts';
import {
  CommandError,
  EXIT_FAILED,
  EXIT_SOLVED,
  EXIT_UNSOLVED,
  failureLines,
  failureText,
  statusOfResults,
} from '../exit.ts';
import { filesLeft } from '../files/files-left.ts';
import { findInputFiles } from '../files/input-files.ts';
import { resultFolders } from '../files/result-folders.ts';
import { afterSamples, SAMPLES_INTRODUCTION, samples } from '../files/samples.ts';
import { type PageServer, startPageServer } from '../page/page-server.ts';
import {
  jobLimitTexts,
  optionTextsFromFlags,
  readJobLimits,
  readSolveOptions,
  readWholeNumber,
} from '../solve-options.ts';
import { onInterrupt, untilSignal } from '../terminal/interrupt.ts';
import { complain, print, printJson } from '../terminal/output.ts';
import { factsOf, summaryLines } from '../terminal/summary.ts';

export interface LocalFlags {
  readonly outputDir: string;
  readonly serve?: boolean;
  readonly schedule?: string;
  readonly webhook?: string;
  readonly fastRetries?: boolean;
  readonly port?: string;
  readonly pagePort?: string;
  readonly data?: string;
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly largeSeconds?: string;
  readonly shardBytes?: string;
}

/** Time that the stack has to end after an interruption; its processes then follow this one. */
const STOP_MS = 500;

/** Tries per file without `--serve`. The delays between tries are skipped then, so more tries would not help. */
const MAX_RECEIVES = 5;

/** Files that the stack opens at once for a few uploads: its servers, the pipes of functions, connections and objects. */
const OPEN_FILES = 32;

/** A file that was uploaded to the stack. */
interface SentFile {
  readonly path: string;
  readonly name: string;
  readonly key: string;
  readonly versionId: string;
}

/** The result of an uploaded file. */
interface ReceivedFile extends SentFile {
  readonly folder?: string;
  readonly stats?: JobStats;
  readonly manifest?: Manifest;
  /** Names of the files in the folder. */
  readonly files?: readonly string[];
  readonly trouble?: string;
}

/**
 * Runs the stack until all files are solved, or until it is interrupted.
 *
 * @param paths files to send; if empty, the samples, or nothing with `--serve`
 * @returns the exit status
 */
export async function runLocal(paths: readonly string[], flags: LocalFlags): Promise<number> {
  const texts = optionTextsFromFlags({ ...flags });
  readSolveOptions(texts);
  const port = readWholeNumber('port', flags.port ?? '0', 0, 65_535);
  const pagePort = readWholeNumber('page-port', flags.pagePort ?? '0', 0, 65_535);
  checkSchedule(flags);
  checkWebhook(flags);
  checkFastRetries(flags);
  if (!canOpenFiles(OPEN_FILES)) {
    throw new CommandError('too many open files: the stack needs a limit of 64 or more (ulimit -n 64)');
  }
  const solvesSamples = paths.length === 0 && flags.serve !== true;
  const explainsSamples = solvesSamples && flags.json !== true;
  if (explainsSamples) print([...SAMPLES_INTRODUCTION, '']);
  const bodies = await bodiesToSend(paths, flags.serve === true);
  const dataDir = flags.data ?? (await mkdtemp(join(tmpdir(), 'dlx-batch-')));
  const removeData = () => {
    if (flags.data === undefined) rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  };
  const received: ReceivedFile[] = [];
  let started: StartedStack | undefined;
  // A signal must also end the child processes and remove the temporary folder.
  using _ = onInterrupt({
    stop: async () => {
      await Promise.race([started?.stop(), sleep(STOP_MS)]);
      removeData();
    },
    left: () => [filesLeft(bodies, received.length, 'solved')],
  });
  try {
    const interrupted = flags.serve === true ? untilSignal() : new Promise<never>(() => {});
    started = await start(dataDir, port, pagePort, flags);
    try {
      const work = sendAndReceive(started.stack, bodies, received, texts, flags);
      const exitCode = await Promise.race([work, interrupted.then(() => EXIT_FAILED)]);
      if (flags.serve !== true) {
        // The samples contain malformed puzzles on purpose, so unsolved puzzles are a success.
        if (!solvesSamples || exitCode !== EXIT_UNSOLVED) return exitCode;
        if (explainsSamples) print(afterSamples(flags.outputDir));
        return EXIT_SOLVED;
      }
      await interrupted;
      return EXIT_SOLVED;
    } finally {
      await started.stop();
    }
  } finally {
    removeData();
  }
}

interface Body {
  readonly path: string;
  readonly name: string;
  open(): Readable;
}

async function bodiesToSend(paths: readonly string[], serve: boolean): Promise<Body[]> {
  if (paths.length > 0) {
    return findInputFiles(paths);
  }
  if (serve) return [];
  return samples().map(({ name, text }) => ({
    path: name,
    name,
    open: () => Readable.from([Buffer.from(text)]),
  }));
}

/** A running stack, with its page and its record if it serves. */
interface StartedStack {
  readonly stack: LocalStack;
  stop(): Promise<void>;
}

async function start(
  dataDir: string,
  port: number,
  pagePort: number,
  flags: LocalFlags,
): Promise<StartedStack> {
  try {
    let page: PageServer | undefined;
    const stack = await startLocalStack({
      dataDir,
      port,
      schedule: flags.schedule ?? (flags.serve === true ? true : undefined),
      webhook:
        flags.webhook === undefined
          ? undefined
          : { url: flags.webhook, onTrouble: (message) => complain(message) },
      environment: largeJobVariables(flags),
      jobLimits: readAllJobLimits(flags),
      ...(flags.serve !== true && { maxReceives: MAX_RECEIVES }),
      ...((flags.serve !== true || flags.fastRetries === true) && { queueClock: new SkippingTimerClock() }),
      onLog: flags.verbose === true ? ({ line }) => print([line], process.stderr) : undefined,
      origins: () => (page === undefined ? [] : pageOrigins(Number(new URL(page.url).port))),
    });
    if (flags.serve !== true) return { stack, stop: () => stack.close() };
    try {
      page = await servePage(stack, pagePort);
    } catch (error) {
      await stack.close();
      throw error;
    }
    limitNewSpace();
    const forget = remember(stack);
    // Node writes its cache when a process ends, but a stack may be killed: its next start would take half a second more.
    flushCompileCache();
    printAddresses(stack, page.url, flags.json === true);
    return {
      stack,
      async stop() {
        forget();
        await page?.close();
        await stack.close();
      },
    };
  } catch (error) {
    const { code, port: taken } = error as NodeJS.ErrnoException & { readonly port?: number };
    if (code === 'EADDRINUSE') {
      const option = taken === port ? '--port' : '--page-port';
      throw new CommandError(`port ${taken} is in use: choose another ${option}, or 0 for any free port`);
    }
    // A plain Error has a message for the user: the folder is in use, or holds other data. Defects have other names.
    if (error instanceof Error && error.name === 'Error' && code === undefined) {
      throw new CommandError(`the stack cannot start: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/** The web page, a client of the stack like any other, but for reads in this process. */
function servePage(stack: LocalStack, port: number): Promise<PageServer> {
  const { endpoint, store, inputBucket, resultsBucket } = stack;
  return startPageServer(
    { s3: s3ClientFor(stack), store, inputBucket, resultsBucket, retries: new Retries() },
    {
      port,
      endpoint,
      onFault: (error) => complain(...failureLines(error)),
    },
  );
}

/** Records the stack for commands in other shells; without a record, they need the printed keys. */
function remember(stack: RunningStack): () => void {
  try {
    return recordStack(stack);
  } catch (error) {
    complain(`commands in other shells need the keys in their environment: ${(error as Error).message}`);
    return () => {};
  }
}

function printAddresses(stack: LocalStack, page: string, json: boolean): void {
  const { endpoint, region, accessKeyId, secretAccessKey, inputBucket, resultsBucket } = stack;
  const facts = { endpoint, page, region, accessKeyId, secretAccessKey, inputBucket, resultsBucket };
  if (json) {
    printJson(facts);
    return;
  }
  print([
    `The stack is running at ${endpoint}. Stop it with Ctrl-C.`,
    '',
    `Web page: ${page}`,
    '',
    `dlx-batch commands on this machine find the keys with --endpoint ${endpoint}. With the AWS CLI:`,
    '',
    `  export AWS_ACCESS_KEY_ID=${accessKeyId} AWS_SECRET_ACCESS_KEY=${secretAccessKey} AWS_REGION=${region}`,
    `  aws --endpoint-url ${endpoint} s3 cp puzzles.txt s3://${inputBucket}/${INBOX_PREFIX}`,
    `  aws --endpoint-url ${endpoint} s3 ls --recursive s3://${resultsBucket}/`,
  ]);
}

async function sendAndReceive(
  stack: LocalStack,
  bodies: readonly Body[],
  received: ReceivedFile[],
  texts: OptionTexts,
  flags: LocalFlags,
): Promise<number> {
  const s3 = s3ClientFor(stack);
  const sent: SentFile[] = [];
  for (const { path, name, open } of bodies) {
    const key = `${INBOX_PREFIX}${name}`;
    const versionId = await uploadObject(s3, stack.inputBucket, key, open(), texts);
    sent.push({ path, name, key, versionId: versionId! });
  }
  await stack.idle();
  const folders = await resultFolders(
    flags.outputDir,
    sent.map(({ name, path }) => ({ name, id: path })),
    false,
  );
  for (const file of sent) {
    const receiving = receive(stack, s3Store(s3), file, folders.get(file.path)!);
    received.push(await receiving.catch((error) => ({ ...file, trouble: failureText(error) })));
  }
  if (received.length > 0) report(received, flags.json === true && flags.serve !== true);
  if (received.some(({ trouble }) => trouble !== undefined)) return EXIT_FAILED;
  return statusOfResults(
    received.map(({ stats }) => stats!),
    false,
  );
}

/** Saves the result set of an uploaded file, each file checked against the manifest. */
async function receive(
  stack: LocalStack,
  store: ObjectStore,
  sent: SentFile,
  path: string,
): Promise<ReceivedFile> {
  const { resultsBucket } = stack;
  const outcome = await findOutcome(store, resultsBucket, sent.key, sent.versionId, systemHashing);
  if (outcome === undefined) {
    return { ...sent, trouble: 'no result: the function failed in every attempt (--verbose writes its log)' };
  }
  const folder = new ResultFolder(path);
  await folder.lock();
  try {
    await folder.clear();
    return await receiveInto(folder, outcome, store, resultsBucket, sent);
  } finally {
    folder.release();
  }
}

async function receiveInto(
  folder: ResultFolder,
  outcome: VersionOutcome,
  store: ObjectStore,
  resultsBucket: string,
  sent: SentFile,
): Promise<ReceivedFile> {
  if (outcome.kind === 'rejected') {
    await folder.write('error.json', jsonBytes(outcome.reject));
    return { ...sent, folder: folder.path, trouble: outcome.reject.error.message };
  }
  for (const file of outcome.manifest.files) {
    await fetchFile(store, resultsBucket, file, folder.open(file.name), systemHashing);
  }
  await folder.write('manifest.json', jsonBytes(outcome.manifest));
  const stats: JobStats = JSON.parse(await readFile(join(folder.path, 'stats.json'), 'utf8'));
  return {
    ...sent,
    folder: folder.path,
    stats,
    manifest: outcome.manifest,
    files: [...outcome.manifest.files.map(({ name }) => name), 'manifest.json'],
  };
}

function report(received: readonly ReceivedFile[], json: boolean): void {
  if (json) {
    printJson({ files: received.map(({ manifest: _, ...file }) => file) });
    return;
  }
  for (const { name, stats, manifest, folder, files, trouble } of received) {
    const lines =
      stats === undefined || manifest === undefined
        ? [`${name}: ${trouble}`]
        : summaryLines(name, stats, factsOf(manifest, stats, join(folder!, EXCEPTIONS_FILE)));
    for (const file of files ?? []) lines.push(`  ${join(folder!, file)}`);
    if (stats === undefined && folder !== undefined) lines.push(`  ${join(folder, 'error.json')}`);
    print([...lines, '']);
  }
}

/** The flags for large files as environment variables of the functions. */
function largeJobVariables({ largeSeconds, shardBytes }: LocalFlags): Record<string, string> {
  const variables: Record<string, string> = {};
  if (largeSeconds !== undefined) {
    if (!(Number(largeSeconds) > 0 && Number.isFinite(Number(largeSeconds)))) {
      throw new CommandError(`option "--large-seconds" is "${largeSeconds}": expected a number above 0`);
    }
    variables[ENVIRONMENT.largeJobSeconds] = largeSeconds;
  }
  if (shardBytes !== undefined) {
    if (!/^\d{1,15}$/.test(shardBytes) || Number(shardBytes) < MIN_SHARD_BYTES) {
      throw new CommandError(
        `option "--shard-bytes" is "${shardBytes}": expected a whole number from ${MIN_SHARD_BYTES} up`,
      );
    }
    variables[ENVIRONMENT.shardBytes] = shardBytes;
  }
  return variables;
}

/** The limits that the flags set. @throws CommandError that names the invalid flag */
function readAllJobLimits(flags: LocalFlags): OptionTexts {
  readJobLimits({ ...flags });
  return jobLimitTexts({ ...flags });
}

function checkSchedule({ schedule, serve }: LocalFlags): void {
  if (schedule === undefined) return;
  if (serve !== true) throw new CommandError('--schedule needs --serve: without it the stack stops too soon');
  try {
    parseSchedule(schedule);
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    throw new CommandError(`option --schedule: ${error.message}`);
  }
}

function checkFastRetries({ fastRetries, serve }: LocalFlags): void {
  if (fastRetries !== true || serve === true) return;
  throw new CommandError('--fast-retries needs --serve: without it failed tries are repeated at once anyway');
}

function checkWebhook({ webhook, serve }: LocalFlags): void {
  if (webhook === undefined) return;
  if (serve !== true) throw new CommandError('--webhook needs --serve: without it the stack stops too soon');
  const url = URL.parse(webhook);
  if (
    url === null ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.username !== '' ||
    url.password !== ''
  ) {
    throw new CommandError(
      `option "--webhook" is "${webhook}": expected an http or https URL without a user name, such as http://localhost:8080/events`,
    );
  }
}
