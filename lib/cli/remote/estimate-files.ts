/** Estimates time and cost of files on AWS by solving a sample of each. */
import { s3Client } from '../../aws/s3-client.ts';
import { s3Store } from '../../aws/s3-store.ts';
import { type CostSample, sampleCost } from '../../batch/estimate/cost-sample.ts';
import { type CoverEstimate, estimateCover } from '../../batch/estimate/cover-estimate.ts';
import { textBytesByHead } from '../../batch/estimate/forecast.ts';
import { estimateJob, type JobEstimate } from '../../batch/estimate/job-estimate.ts';
import { mostDollarsOfDay } from '../../batch/estimate/most-dollars.ts';
import { formatHints } from '../../batch/job/format-hints.ts';
import { RecordSource } from '../../batch/job/record-source.ts';
import { rejectionOf } from '../../batch/job/rejection.ts';
import type { JobLimits } from '../../batch/job-limits.ts';
import { DEFAULT_MAX_CONCURRENCY } from '../../batch/limits.ts';
import type { SolveOptions } from '../../batch/options.ts';
import { counted, numberText, roughNumberText } from '../../batch/quantities.ts';
import { treeText } from '../../batch/results/tree-advice.ts';
import type { CoverDetection } from '../../formats/formats.ts';
import { systemClock } from '../../node/system.ts';
import { zlibUnpacking } from '../../node/unpacking.ts';
import { createEngine } from '../../sudoku/engines.ts';
import { CommandError, EXIT_FAILED, EXIT_SOLVED } from '../exit.ts';
import { filesLeft } from '../files/files-left.ts';
import { checkStandardInput, findInputFiles } from '../files/input-files.ts';
import { optionTextsFromFlags, readJobLimits, readSolveOptions, readWholeNumber } from '../solve-options.ts';
import { dollarsText } from '../terminal/dollars-text.ts';
import { blocking, onInterrupt } from '../terminal/interrupt.ts';
import { complain, print, printJson } from '../terminal/output.ts';
import { secondsText } from '../terminal/time-text.ts';
import { retriesFor } from './connection.ts';
import { networkSettings } from './network-settings.ts';
import { remoteError } from './remote-error.ts';

/** The command's own flags, in addition to the options of a job. */
export interface EstimateFlags {
  readonly concurrency: string;
  readonly memory: string;
  readonly json?: boolean;
}

/** The size of the stack for which the estimate is made. */
interface StackSize {
  readonly memoryMb: number;
  readonly concurrency: number;
}

/**
 * Estimates files and prints the results. A file that cannot be estimated is reported, and the others continue.
 *
 * @returns the exit status
 */
export async function estimateFiles(paths: readonly string[], flags: EstimateFlags): Promise<number> {
  const options = readSolveOptions(optionTextsFromFlags({ ...flags }));
  const stack = {
    memoryMb: readWholeNumber('memory', flags.memory, 128, 10_240),
    concurrency: readWholeNumber('concurrency', flags.concurrency, 1, 10_000),
  };
  const jobLimits = readJobLimits({ ...flags });
  const files = paths.length === 0 ? ['-'] : paths;
  checkStandardInput(files);
  const json = flags.json === true;
  const estimates: object[] = [];
  let exitCode = EXIT_SOLVED;
  let done = 0;
  using _ = onInterrupt({
    left: () => [
      filesLeft(
        files.map((path) => ({ path })),
        done,
        'estimated',
      ),
    ],
  });
  for (const [index, file] of files.entries()) {
    done = index;
    try {
      const estimate = await estimateFile(file, options, jobLimits, stack);
      if ('covers' in estimate) {
        estimates.push({ file, ...estimate });
        if (!json) print(coverLines({ file, ...estimate }));
        continue;
      }
      const estimated = { file, ...estimate };
      estimates.push(estimated);
      if (!json) print(lines(estimated));
    } catch (error) {
      const reported = remoteError(error, `estimating ${file}`);
      if (!(reported instanceof CommandError)) throw reported;
      complain(reported.message);
      estimates.push({ file, rejected: { message: reported.message } });
      exitCode = EXIT_FAILED;
    }
  }
  const { memoryMb, concurrency: shards } = stack;
  const capacity = { files: DEFAULT_MAX_CONCURRENCY, memoryMb, shards, shardMemoryMb: memoryMb };
  const mostDollars = mostDollarsOfDay(capacity);
  if (json) printJson({ estimates, mostDollarsOfDay: mostDollars }, process.stdout, 2);
  else if (estimates.some((estimate) => 'dollars' in estimate)) {
    print([
      `The functions of a stack that solves ${capacity.files} files and ${shards} shards at the same time cost at most ` +
        `${dollarsText(mostDollars)} a day`,
    ]);
  }
  return exitCode;
}

/** The sample of a file with only comments and blank lines, which is a valid job. */
const NO_PUZZLES: CostSample = {
  puzzles: 0,
  solveUs: 0,
  bytesPerPuzzle: Number.POSITIVE_INFINITY,
  usPerByte: 0,
};

/** The estimate of a file, and its stored size if it is compressed. */
type FileEstimate = JobEstimate & { readonly storedBytes?: number };

/** The estimates of the first problems of an exact-cover file. */
interface CoversEstimate {
  /** Number of problems in the file. */
  readonly problems: number;
  readonly covers: readonly CoverEstimate[];
}

/** Problems of a file that are estimated: each takes a fifth of a second. */
const MAX_COVERS = 50;

/** Estimates one file. @throws CommandError if it cannot be read */
async function estimateFile(
  path: string,
  options: SolveOptions,
  jobLimits: JobLimits,
  stack: StackSize,
): Promise<FileEstimate | CoversEstimate> {
  const file = path.startsWith('s3://') ? await objectAt(path) : await fileAt(path);
  return estimateStored(path, file, options, jobLimits, stack);
}

/** Estimates one file from its bytes. @throws CommandError if it cannot be read */
export async function estimateStored(
  path: string,
  { bytes: storedBytes, stream }: StoredFile,
  options: SolveOptions,
  { unpackedBytes }: JobLimits,
  stack: StackSize,
): Promise<FileEstimate | CoversEstimate> {
  const hints = { ...formatHints(options), fileName: path };
  const limits = { maxBytes: unpackedBytes, storedBytes };
  const source = new RecordSource(stream, hints, zlibUnpacking, systemClock, false, limits);
  try {
    const detection = await source.detect();
    if (detection.kind === 'unreadable') throw new CommandError(`${path}: ${detection.error.message}`);
    if (detection.kind === 'exact-cover') return await coversEstimate(source, detection);
    const engine = createEngine(options.engine);
    const sample =
      detection.kind === 'empty'
        ? NO_PUZZLES
        : await blocking(() => sampleCost({ source, detection, hints, options, engine, clock: systemClock }));
    const bytes = textBytesByHead(source, storedBytes) ?? (await source.countText());
    const estimate = estimateJob({ bytes, sample, ...stack });
    if (source.form.container === undefined) return estimate;
    return { ...estimate, storedBytes: source.progress.storedBytes };
  } catch (error) {
    const rejection = rejectionOf(error);
    throw rejection === undefined ? error : new CommandError(`${path}: ${rejection.message}`);
  } finally {
    await source.close();
  }
}

async function coversEstimate(source: RecordSource, detection: CoverDetection): Promise<CoversEstimate> {
  const covers: CoverEstimate[] = [];
  let problems = 0;
  for await (const record of source.covers(detection)) {
    problems++;
    if (problems <= MAX_COVERS)
      covers.push(await blocking(() => estimateCover(record, problems, systemClock)));
  }
  return { problems, covers };
}

/** The stored bytes of a file, and how many they are, if that is known. */
interface StoredFile {
  readonly bytes: number | undefined;
  readonly stream: AsyncIterable<Uint8Array>;
}

async function fileAt(path: string): Promise<StoredFile> {
  const [file] = await findInputFiles([path]);
  return { bytes: file!.bytes, stream: file!.open() };
}

async function objectAt(url: string): Promise<StoredFile> {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(url) ?? [];
  if (bucket === undefined || key === undefined) {
    throw new CommandError(`${url}: expected s3://bucket/key`);
  }
  const { timeouts } = networkSettings;
  const object = await s3Store(s3Client(timeouts, retriesFor({})), timeouts).get(bucket, key);
  if (object === undefined) throw new CommandError(`${url}: no such object`);
  return { bytes: object.size, stream: object.body };
}

function coverLines({ file, problems, covers }: CoversEstimate & { readonly file: string }): string[] {
  const others = problems - covers.length;
  return [
    `${file}: ${counted(problems, 'exact-cover problem')}`,
    ...covers.map((cover) => `  puzzle ${cover.index} (line ${cover.line}): ${coverText(cover)}`),
    ...(others > 0 ? [`  and ${numberText(others)} more, which are not estimated`] : []),
  ];
}

function coverText({ nodes, low, high, updates, seconds, error }: CoverEstimate): string {
  if (error !== undefined) return error;
  if (nodes === undefined || updates === undefined || seconds === undefined)
    return 'too large to be estimated';
  const tree =
    low === undefined || high === undefined ? numberText(nodes) : `about ${treeText({ nodes, low, high })}`;
  const time = seconds < MAX_SECONDS ? secondsText(seconds) : 'years';
  return `${tree} ${nodes === 1 ? 'node' : 'nodes'}, ${roughNumberText(updates)} updates, ${time} for all solutions on one core`;
}

/** Beyond a year, the number does not matter. */
const MAX_SECONDS = 365 * 24 * 3600;

function lines(estimate: FileEstimate & { readonly file: string }): string[] {
  const { file, bytes, storedBytes, puzzles, path, shards, vcpuSeconds, wallSeconds, dollars, prices } =
    estimate;
  const parts = path === 'one function' ? path : counted(shards, 'shard');
  const unpacked = storedBytes === undefined ? '' : `, unpacked from ${numberText(storedBytes)}`;
  return [
    `${file}: about ${counted(puzzles, 'puzzle')} in ${counted(bytes, 'byte')}${unpacked}`,
    `  ${parts}, ${secondsText(vcpuSeconds)} of vCPU time, finished in about ${secondsText(wallSeconds)}`,
    `  about ${dollarsText(dollars.total)}: Lambda ${dollarsText(dollars.lambda)}, Step Functions ${dollarsText(dollars.stepFunctions)}, ` +
      `S3 requests ${dollarsText(dollars.s3)}, SQS ${dollarsText(dollars.sqs)} (${prices.region}, prices of ${prices.date})`,
  ];
}
