/** Sends files through the local stack and saves their results, or runs the stack for S3 clients. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Retries } from '../../aws/retries.ts';
import { s3ClientFor } from '../../aws/s3-client.ts';
import { s3Store } from '../../aws/s3-store.ts';
import { parseSchedule, ScheduleError } from '../../batch/bulk-run/schedule-expression.ts';
import { JOB_LIMIT_NAMES, MIN_SHARD_BYTES } from '../../batch/limits.ts';
import { ENVIRONMENT, INBOX_PREFIX } from '../../batch/names.ts';
import { OPTION_NAMES, type OptionTexts } from '../../batch/options.ts';
import type { ObjectStore } from '../../batch/ports.ts';
import { type RunningStack, recordStack } from '../../local/running-stack.ts';
import { type LocalStack, startLocalStack } from '../../local/stack.ts';
import { limitNewSpace } from '../../node/new-space.ts';
import { canOpenFiles } from '../../node/open-files.ts';
import { CommandError, EXIT_FAILED, EXIT_SOLVED, EXIT_UNSOLVED, failureLines } from '../exit.ts';
import { resultFolders } from '../files/result-folders.ts';
import { afterSamples, SAMPLES_INTRODUCTION, samples } from '../files/samples.ts';
import { checkedLimits, readSolveOptions, readWholeNumber } from '../option-values.ts';
import { RESULTS_FOLDER } from '../options.ts';
import { PAGE_PORT } from '../page/page-port.ts';
import { type PageServer, startPageServer } from '../page/page-server.ts';
import type { Buckets } from '../remote/connection.ts';
import { Work } from '../remote/work.ts';
import { onInterrupt, untilSignal } from '../terminal/interrupt.ts';
import { openInBrowser } from '../terminal/open-in-browser.ts';
import { complain, print, printFound, printJson } from '../terminal/output.ts';

import { findSources, type NamedSource, statusOfUploads, uploadFiles } from './upload.ts';

interface LocalFlags {
  readonly outputDir?: string;
  readonly serve?: boolean;
  readonly schedule?: string;
  readonly webhook?: string;
  readonly fastRetries?: boolean;
  readonly port: string;
  readonly open?: boolean;
  readonly data?: string;
  readonly set?: readonly string[];
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/** Time that the stack has to end after an interruption; its processes then follow this one. */
const STOP_MS = 500;

/** Ports that the page tries, if none is given. */
const PAGE_PORTS = 20;

/** Tries per file without `--serve`. The delays between tries are skipped then, so more tries would not help. */
const MAX_RECEIVES = 5;

/** Files that the stack opens at once for a few uploads: its servers, the pipes of functions, connections and objects. */
const OPEN_FILES = 32;

/** What `--set` sets. */
interface Settings {
  /** Options of the files of this command. */
  readonly options: OptionTexts;
  readonly jobLimits: OptionTexts;
  /** Environment variables of all functions. */
  readonly environment: OptionTexts;
}

/**
 * Runs the stack until all files are solved, or until it is interrupted.
 *
 * @param paths files to send; if empty, the samples, or nothing with `--serve`
 * @returns the exit status
 */
export async function run(paths: readonly string[], flags: LocalFlags): Promise<number> {
  const settings = readSettings(flags.set ?? []);
  const port = readWholeNumber('port', flags.port, 0, 65_535);
  checkServing(flags);
  if (!canOpenFiles(OPEN_FILES)) {
    throw new CommandError('too many open files: the stack needs a limit of 64 or more (ulimit -n 64)');
  }
  const serves = flags.serve === true;
  const solvesSamples = paths.length === 0 && !serves;
  // The budget of a puzzle is one of the stack, too.
  const name = Object.keys(settings.options).find((each) => each !== 'max-nodes');
  const ofFiles = name === undefined ? flags.outputDir && '-o' : `--set ${name}`;
  if (serves && paths.length === 0 && ofFiles !== undefined) {
    throw new CommandError(`${ofFiles} is an option of the files of this command: name them, or omit it`);
  }
  const explainsSamples = solvesSamples && flags.json !== true;
  if (explainsSamples) print([...SAMPLES_INTRODUCTION, '']);
  const sources = solvesSamples ? sampleSources() : paths.length === 0 ? [] : await findSources(paths, {});
  const dataDir = flags.data ?? (await mkdtemp(join(tmpdir(), 'dlx-batch-')));
  const removeData = () => {
    if (flags.data === undefined) rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  };
  const work = new Work('file');
  let started: StartedStack | undefined;
  // A signal must also end the child processes and remove the temporary folder.
  using _ = onInterrupt({
    stop: async () => {
      await Promise.race([started?.stop(), sleep(STOP_MS)]);
      removeData();
    },
    left: () => ['interrupted', ...work.lines()],
  });
  try {
    const interrupted = serves ? untilSignal() : new Promise<never>(() => {});
    started = await start(dataDir, port, settings, flags);
    try {
      const solving = sendAndReceive(started.stack, sources, settings.options, flags, work);
      const exitCode = await Promise.race([solving, interrupted.then(() => EXIT_SOLVED)]);
      if (serves) {
        await interrupted;
        return EXIT_SOLVED;
      }
      // The samples contain malformed puzzles on purpose, so unsolved puzzles are a success.
      if (!solvesSamples || exitCode !== EXIT_UNSOLVED) return exitCode;
      if (explainsSamples) print(afterSamples(flags.outputDir ?? RESULTS_FOLDER));
      return EXIT_SOLVED;
    } finally {
      await started.stop();
    }
  } finally {
    removeData();
  }
}

function sampleSources(): NamedSource[] {
  return samples().map(({ name, text }) => {
    const bytes = Buffer.from(text);
    return { path: name, key: INBOX_PREFIX + name, bytes: bytes.length, isStream: true, open: () => bytes };
  });
}

/** A running stack, with its page and its record if it serves. */
interface StartedStack {
  readonly stack: LocalStack;
  stop(): Promise<void>;
}

async function start(
  dataDir: string,
  port: number,
  { environment, jobLimits }: Settings,
  flags: LocalFlags,
): Promise<StartedStack> {
  try {
    const stack = await startLocalStack({
      dataDir,
      port,
      schedule: flags.schedule ?? (flags.serve === true ? true : undefined),
      webhook:
        flags.webhook === undefined
          ? undefined
          : { url: flags.webhook, onTrouble: (message) => complain(message) },
      environment,
      jobLimits,
      ...(flags.serve !== true && { maxReceives: MAX_RECEIVES }),
      fastRetries: flags.serve !== true || flags.fastRetries === true,
      onLog: flags.verbose === true ? ({ line }) => print([line], process.stderr) : undefined,
    });
    if (flags.serve !== true) return { stack, stop: () => stack.close() };
    const page = await servePage(stack).catch(async (error: unknown) => {
      await stack.close();
      throw error;
    });
    limitNewSpace();
    const forget = remember(stack);
    // Node writes its cache when a process ends, but a stack may be killed: its next start would take half a second more.
    flushCompileCache();
    printAddresses(stack, page.url, flags);
    if (flags.open === true) {
      openInBrowser(page.url, (reason) => complain(`no browser was opened (${reason}): open ${page.url}`));
    }
    return {
      stack,
      async stop() {
        forget();
        await page.close();
        await stack.close();
      },
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new CommandError(`port ${port} is in use: choose another --port, or 0 for any free port`);
    }
    // A plain Error has a message for the user: the folder is in use, or holds other data. Defects have other names.
    if (error instanceof Error && error.name === 'Error' && code === undefined) {
      throw new CommandError(`the stack cannot start: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/** The web page, a client of the stack like any other, but for reads in this process. */
async function servePage(stack: LocalStack): Promise<PageServer> {
  const onFault = (error: unknown) => complain(...failureLines(error));
  // One stack has the same address at each start; of several, each later one takes the next port.
  for (let tried = 0; ; tried++) {
    const port = tried < PAGE_PORTS ? PAGE_PORT + tried : 0;
    try {
      return await startPageServer(bucketsOf(stack, stack.store), { port, onFault });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || port === 0) throw error;
    }
  }
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

function printAddresses(stack: LocalStack, page: string, flags: LocalFlags): void {
  const { endpoint, region, accessKeyId, secretAccessKey, inputBucket, resultsBucket } = stack;
  const facts = { endpoint, page, region, accessKeyId, secretAccessKey, inputBucket, resultsBucket };
  printFound(flags, facts, [
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

/** Does what `upload --wait --download` does, but knows when all jobs have ended. @returns the exit status */
async function sendAndReceive(
  stack: LocalStack,
  sources: readonly NamedSource[],
  texts: OptionTexts,
  flags: LocalFlags,
  work: Work,
): Promise<number> {
  const inputs = sources.map(({ key }) => ({ name: key.slice(INBOX_PREFIX.length), id: key }));
  const folders = await resultFolders(flags.outputDir ?? RESULTS_FOLDER, inputs, false);
  const json = flags.json === true && flags.serve !== true;
  const request = { texts, force: true, wait: true, folders, prints: !json, ended: () => stack.idle() };
  const files = await uploadFiles(bucketsOf(stack, s3Store(s3ClientFor(stack))), sources, request, work);
  if (json) printJson({ files: files.map(({ manifest: _, ...file }) => file) });
  return statusOfUploads(files, EXIT_FAILED);
}

/** The buckets of a stack in this process. */
function bucketsOf(stack: LocalStack, store: ObjectStore): Buckets {
  const { inputBucket, resultsBucket } = stack;
  return { s3: s3ClientFor(stack), store, inputBucket, resultsBucket, retries: new Retries() };
}

const LIMITS: readonly string[] = JOB_LIMIT_NAMES;
const OPTIONS: readonly string[] = OPTION_NAMES;

/** @throws CommandError that names the invalid setting */
function readSettings(texts: readonly string[]): Settings {
  const settings = { options: {}, jobLimits: {}, environment: {} } as Record<
    keyof Settings,
    Record<string, string>
  >;
  for (const text of texts) {
    const [, name, value] = /^([\w-]+)=(.*)$/s.exec(text) ?? [];
    const wrong = (expected: string) => new CommandError(`option "--set" is "${text}": expected ${expected}`);
    if (name === undefined || value === undefined) throw wrong('NAME=VALUE, such as max-written=1000');
    if (LIMITS.includes(name)) settings.jobLimits[name] = value;
    else if (OPTIONS.includes(name)) settings.options[name] = value;
    else if (name === 'large-seconds') {
      if (!(Number(value) > 0 && Number.isFinite(Number(value)))) throw wrong('a number above 0');
      settings.environment[ENVIRONMENT.largeJobSeconds] = value;
    } else if (name === 'shard-bytes') {
      if (!/^\d{1,15}$/.test(value) || Number(value) < MIN_SHARD_BYTES) {
        throw wrong(`a whole number from ${MIN_SHARD_BYTES} up`);
      }
      settings.environment[ENVIRONMENT.shardBytes] = value;
    } else throw wrong(`one of ${[...OPTIONS, ...LIMITS, 'large-seconds', 'shard-bytes'].join(', ')}`);
  }
  readSolveOptions(settings.options);
  const maxNodes = settings.options['max-nodes'];
  // The budget of a puzzle is one of all jobs too: that of a job grows with it.
  if (maxNodes !== undefined) settings.jobLimits['max-nodes'] = maxNodes;
  checkedLimits(settings.jobLimits);
  return settings;
}

/** Checks the options that only a stack which goes on running has. */
function checkServing({ schedule, webhook }: LocalFlags): void {
  try {
    if (schedule !== undefined) parseSchedule(schedule);
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    throw new CommandError(`option --schedule: ${error.message}`);
  }
  const url = webhook === undefined ? undefined : URL.parse(webhook);
  if (url === undefined) return;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new CommandError(
      `option "--webhook" is "${webhook}": expected an http or https URL without a user name, such as http://localhost:8080/events`,
    );
  }
}
