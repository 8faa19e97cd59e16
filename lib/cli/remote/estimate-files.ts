/** Estimates time and cost of files on AWS by solving a sample of each. */
import { open } from 'node:fs/promises';
import { s3Client } from '../../aws/s3-client.ts';
import { s3Store } from '../../aws/s3-store.ts';
import { type CostSample, sampleCost } from '../../batch/estimate/cost-sample.ts';
import { estimateJob, type JobEstimate } from '../../batch/estimate/job-estimate.ts';
import { formatHints } from '../../batch/job/format-hints.ts';
import { collectBytes, FileRejection, type StoredForm, storedForm } from '../../batch/job/input.ts';
import type { SolveOptions } from '../../batch/options.ts';
import { numberText } from '../../batch/quantities.ts';
import { Utf16Converter } from '../../formats/bytes/utf16.ts';
import { detectFormat } from '../../formats/formats.ts';
import { HEAD_BYTES } from '../../formats/reader.ts';
import { systemClock } from '../../node/system.ts';
import { createEngine } from '../../sudoku/engines.ts';
import { CommandError, EXIT_FAILED, EXIT_SOLVED } from '../exit.ts';
import { findInputFiles } from '../files/input-files.ts';
import { optionTextsFromFlags, readSolveOptions, readWholeNumber } from '../solve-options.ts';
import { dollarsText } from '../terminal/dollars-text.ts';
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
  const json = flags.json === true;
  const estimates: object[] = [];
  let exitCode = EXIT_SOLVED;
  for (const file of paths) {
    try {
      const estimated = { file, ...(await estimateFile(file, options, stack)) };
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
  if (json) printJson({ estimates }, process.stdout, 2);
  return exitCode;
}

/** The sample of a file with only comments and blank lines, which is a valid job. */
const NO_PUZZLES: CostSample = {
  puzzles: 0,
  solveUs: 0,
  bytesPerPuzzle: Number.POSITIVE_INFINITY,
  usPerByte: 0,
};

/** Estimates one file. @throws CommandError if it has no puzzles in cells */
async function estimateFile(path: string, options: SolveOptions, stack: StackSize): Promise<JobEstimate> {
  const stored = path.startsWith('s3://') ? await objectHead(path) : await fileHead(path);
  const { bytes, head } = plainHead(path, stored);
  const hints = { ...formatHints(options), fileName: path };
  const complete = stored.bytes <= stored.head.length;
  const detection = detectFormat(head, complete, hints);
  if (detection.kind === 'unreadable') throw new CommandError(`${path}: ${detection.error.message}`);
  if (detection.kind === 'exact-cover')
    throw new CommandError(`${path}: an exact-cover file cannot be estimated from a sample`);
  const sample =
    detection.kind === 'empty'
      ? NO_PUZZLES
      : sampleCost(head, complete, detection, hints, options, createEngine(options.engine), systemClock);
  return estimateJob({ bytes, sample, ...stack });
}

/** The first bytes of the plain text, and its size, which for UTF-16 is an estimate. */
function plainHead(path: string, { bytes, head }: StoredHead): StoredHead {
  const { container, encoding } = formOf(path, head);
  if (container !== undefined) {
    throw new CommandError(
      `${path} is ${container.name}, whose size does not give the number of puzzles: unpack it first`,
    );
  }
  if (encoding === undefined) return { bytes, head };
  const text = new Utf16Converter(encoding).convert(head);
  return { bytes: Math.round((bytes * text.length) / head.length), head: text };
}

function formOf(path: string, head: Uint8Array): StoredForm {
  try {
    return storedForm(head);
  } catch (error) {
    if (error instanceof FileRejection) throw new CommandError(`${path}: ${error.message}`);
    throw error;
  }
}

/** The size of a file, and its first bytes. */
interface StoredHead {
  readonly bytes: number;
  readonly head: Uint8Array;
}

async function fileHead(path: string): Promise<StoredHead> {
  const [file] = await findInputFiles([path]);
  if (file?.bytes === undefined) throw new CommandError(`${path} has no known size: expected a regular file`);
  const handle = await open(path);
  try {
    const head = new Uint8Array(Math.min(file.bytes, HEAD_BYTES));
    await handle.read(head, 0, head.length, 0);
    return { bytes: file.bytes, head };
  } finally {
    await handle.close();
  }
}

async function objectHead(url: string): Promise<StoredHead> {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(url) ?? [];
  if (bucket === undefined || key === undefined) {
    throw new CommandError(`${url}: expected s3://bucket/key`);
  }
  const { timeouts } = networkSettings;
  const s3 = s3Client(timeouts, retriesFor({}));
  const store = s3Store(s3, timeouts);
  const info = await store.head(bucket, key);
  if (info === undefined) throw new CommandError(`${url}: no such object`);
  if (info.size === 0) return { bytes: 0, head: new Uint8Array(0) };
  const object = await store.range(bucket, key, undefined, 0, Math.min(info.size, HEAD_BYTES));
  if (object === undefined) throw new CommandError(`${url}: no such object`);
  return { bytes: info.size, head: await collectBytes(object.body) };
}

function lines(estimate: JobEstimate & { readonly file: string }): string[] {
  const { file, bytes, puzzles, path, shards, vcpuSeconds, wallSeconds, dollars, prices } = estimate;
  const parts = path === 'one function' ? path : shards === 1 ? '1 shard' : `${numberText(shards)} shards`;
  return [
    `${file}: about ${numberText(puzzles)} puzzles in ${numberText(bytes)} bytes`,
    `  ${parts}, ${secondsText(vcpuSeconds)} of vCPU time, finished in about ${secondsText(wallSeconds)}`,
    `  about ${dollarsText(dollars.total)}: Lambda ${dollarsText(dollars.lambda)}, Step Functions ${dollarsText(dollars.stepFunctions)}, ` +
      `S3 requests ${dollarsText(dollars.s3)}, SQS ${dollarsText(dollars.sqs)} (${prices.region}, prices of ${prices.date})`,
  ];
}
