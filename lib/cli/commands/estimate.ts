/** Estimates time and cost of files on AWS by solving a sample of each. */
import { type CostSample, sampleCost } from '../../batch/estimate/cost-sample.ts';
import { type CoverEstimate, estimateCover } from '../../batch/estimate/cover-estimate.ts';
import { estimateJob, type JobEstimate } from '../../batch/estimate/job-estimate.ts';
import { mostDollarsOfDay } from '../../batch/estimate/most-dollars.ts';
import type { RecordSource } from '../../batch/job/record-source.ts';
import { DEFAULT_MAX_CONCURRENCY } from '../../batch/limits.ts';
import type { SolveOptions } from '../../batch/options.ts';
import { counted, numberText, roughNumberText } from '../../batch/quantities.ts';
import { type NoPuzzlesReason, noPuzzlesText } from '../../batch/results/job-totals.ts';
import { treeText } from '../../batch/results/tree-advice.ts';
import type { CoverDetection } from '../../formats/formats.ts';
import { systemClock } from '../../node/system.ts';
import { createEngine } from '../../sudoku/engines.ts';
import { CommandError, EXIT_SOLVED } from '../exit.ts';
import { forEachFile, type StoredFile, withSource } from '../files/each-file.ts';
import { checkStandardInput, findInputFiles } from '../files/input-files.ts';
import { optionTextsFromFlags, readSolveOptions, readWholeNumber } from '../option-values.ts';
import type { ConnectionFlags } from '../remote/connection.ts';
import { remoteError } from '../remote/remote-error.ts';
import { pause } from '../terminal/interrupt.ts';
import { print, printJson } from '../terminal/output.ts';
import { dollarsText, secondsText } from '../terminal/quantity-text.ts';

/** The command's own flags, in addition to the options of a job. */
interface EstimateFlags extends ConnectionFlags {
  readonly concurrency: string;
  readonly memory: string;
}

/** The size of the stack for which the estimate is made. */
interface StackSize {
  readonly memoryMb: number;
  readonly concurrency: number;
}

/** Estimates files and prints the results. @returns the exit status */
export async function run(paths: readonly string[], flags: EstimateFlags): Promise<number> {
  const options = readSolveOptions(optionTextsFromFlags({ ...flags }));
  const stack = {
    memoryMb: readWholeNumber('memory', flags.memory, 128, 10_240),
    concurrency: readWholeNumber('concurrency', flags.concurrency, 1, 10_000),
  };
  const files = (paths.length === 0 ? ['-'] : paths).map((path) => ({ path }));
  checkStandardInput(paths);
  const json = flags.json === true;
  const estimates: object[] = [];
  const estimateOne = async ({ path }: { readonly path: string }) => {
    const stored = path.startsWith('s3://') ? objectAt(path, flags) : fileAt(path);
    const estimated = stored.then((file) => estimateStored(file, options, stack));
    const found = await estimated.catch((error: unknown) => {
      throw remoteError(error, `estimating ${path}`);
    });
    estimates.push({ file: path, ...found });
    if (!json) print('covers' in found ? coverLines(path, found) : lines(path, found));
    return EXIT_SOLVED;
  };
  const status = await forEachFile(files, 'estimated', estimateOne, (file, message) => {
    estimates.push({ file, rejected: { message } });
  });
  const { memoryMb, concurrency: shards } = stack;
  const capacity = { files: DEFAULT_MAX_CONCURRENCY, memoryMb, shards, shardMemoryMb: memoryMb };
  const mostDollars = mostDollarsOfDay(capacity);
  if (json) printJson({ estimates, mostDollarsOfDay: mostDollars }, process.stdout, 2);
  else if (estimates.some((each) => 'dollars' in each && !('noPuzzles' in each))) {
    print([
      `The functions of a stack that solves ${capacity.files} files and ${shards} shards at the same time cost at most ` +
        `${dollarsText(mostDollars)} a day`,
    ]);
  }
  return status;
}

/** The sample of a file with only comments and blank lines, which is a valid job. */
const NO_PUZZLES: CostSample = {
  puzzles: 0,
  solveUs: 0,
  bytesPerPuzzle: Number.POSITIVE_INFINITY,
  usPerByte: 0,
};

/** The estimate of a file, its stored size if it is compressed, and why it has no puzzles. */
type FileEstimate = JobEstimate & { readonly storedBytes?: number; readonly noPuzzles?: NoPuzzlesReason };

/** The estimates of the first problems of an exact-cover file. */
interface CoversEstimate {
  /** Number of problems in the file. */
  readonly problems: number;
  readonly covers: readonly CoverEstimate[];
}

/** Problems of a file that are estimated: each takes a fifth of a second. */
const MAX_COVERS = 50;

/** Estimates one file from its bytes. @throws FileRejection if it cannot be read */
function estimateStored(
  file: StoredFile,
  options: SolveOptions,
  stack: StackSize,
): Promise<FileEstimate | CoversEstimate> {
  return withSource(file, options, async (source) => {
    const detection = await source.detectReadable();
    if (detection.kind === 'exact-cover') return coversEstimate(source, detection);
    const engine = createEngine(options.engine);
    const sample =
      detection.kind === 'empty'
        ? NO_PUZZLES
        : sampleCost({ source, detection, options, engine, clock: systemClock });
    if (source.textBytes === undefined) for await (const _ of source.text());
    const found = {
      ...estimateJob({ bytes: source.textBytes!, sample, ...stack }),
      ...(detection.kind === 'empty' && { noPuzzles: source.noPuzzles }),
    };
    if (source.form.container === undefined) return found;
    return { ...found, storedBytes: source.progress.storedBytes };
  });
}

async function coversEstimate(source: RecordSource, detection: CoverDetection): Promise<CoversEstimate> {
  const covers: CoverEstimate[] = [];
  let problems = 0;
  for await (const record of source.covers(detection)) {
    problems++;
    if (problems > MAX_COVERS) continue;
    await pause();
    covers.push(estimateCover(record, problems, systemClock));
  }
  return { problems, covers };
}

async function fileAt(path: string): Promise<StoredFile> {
  const [file] = await findInputFiles([path]);
  return { name: path, bytes: file!.bytes, stream: file!.open() };
}

async function objectAt(url: string, flags: ConnectionFlags): Promise<StoredFile> {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(url) ?? [];
  if (bucket === undefined || key === undefined) throw new CommandError(`${url}: expected s3://bucket/key`);
  const { objectStore } = await import('../remote/connection.ts');
  const object = await objectStore(flags).get(bucket, key);
  if (object === undefined) throw new CommandError(`${url}: no such object`);
  return { name: url, bytes: object.size, stream: object.body };
}

function coverLines(file: string, { problems, covers }: CoversEstimate): string[] {
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

function lines(file: string, found: FileEstimate): string[] {
  const { bytes, storedBytes, noPuzzles, puzzles, path, shards, vcpuSeconds, wallSeconds, dollars, prices } =
    found;
  if (noPuzzles !== undefined) return [`${file}: ${noPuzzlesText(noPuzzles)}`];
  const parts = path === 'one function' ? path : counted(shards, 'shard');
  const unpacked = storedBytes === undefined ? '' : `, unpacked from ${numberText(storedBytes)}`;
  return [
    `${file}: about ${counted(puzzles, 'puzzle')} in ${counted(bytes, 'byte')}${unpacked}`,
    `  ${parts}, ${secondsText(vcpuSeconds)} of vCPU time, finished in about ${secondsText(wallSeconds)}`,
    `  about ${dollarsText(dollars.total)}: Lambda ${dollarsText(dollars.lambda)}, Step Functions ${dollarsText(dollars.stepFunctions)}, ` +
      `S3 requests ${dollarsText(dollars.s3)}, SQS ${dollarsText(dollars.sqs)} (${prices.region}, prices of ${prices.date})`,
  ];
}
