/** Solves files on this machine, without AWS. */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { createManifest } from '../../batch/delivery/manifest.ts';
import { jobEvents } from '../../batch/job/job.ts';
import type { JobOutcome, JobRequest, RandomRequest, SearchProgress } from '../../batch/job/job-run.ts';
import { canonicalOptions, type SolveOptions } from '../../batch/options.ts';
import { counted } from '../../batch/quantities.ts';
import { EXCEPTIONS_FILE } from '../../batch/results/result-files.ts';
import { jsonBytes } from '../../batch/storage/write-json.ts';
import { ResultFolder } from '../../node/result-folder.ts';
import { openSolver, workersForMachine } from '../../node/solvers.ts';
import { runtimeInfo, systemClock, systemHashing } from '../../node/system.ts';
import { zlibUnpacking } from '../../node/unpacking.ts';
import { createEngine } from '../../sudoku/engines.ts';
import { CommandError, EXIT_FAILED, statusOfResults } from '../exit.ts';
import { forEachFile } from '../files/each-file.ts';
import { findInputFiles, type InputFile } from '../files/input-files.ts';
import { resultFolders } from '../files/result-folders.ts';
import { optionTextsFromFlags, readJobLimits, readSolveOptions, readWholeNumber } from '../option-values.ts';
import { onInterrupt, pause } from '../terminal/interrupt.ts';
import { complain, print, printJson } from '../terminal/output.ts';
import { fileProgress, ProgressLine } from '../terminal/progress.ts';
import { solutionsOnly } from '../terminal/standard-output.ts';
import { factsOf, summaryLines } from '../terminal/summary.ts';

interface SolveFlags {
  readonly outputDir?: string;
  readonly maxMs?: string;
  readonly workers?: string;
  readonly count?: boolean;
  readonly random?: string;
  readonly seed?: string;
  readonly json?: boolean;
}

export interface RunLimits extends Pick<JobRequest, 'maxMs' | 'jobLimits' | 'random' | 'countOnly'> {
  readonly maxMs: number;
  readonly workers: number;
}

/** @returns the exit status */
export async function run(paths: readonly string[], flags: SolveFlags): Promise<number> {
  const options = readSolveOptions(optionTextsFromFlags({ ...flags }));
  const limits = readLimits(flags);
  if (flags.count === true && options.solutions <= 2) {
    throw new CommandError('--count needs --solutions above 2, or all');
  }
  const { outputDir, json } = flags;
  const files = await findInputFiles(paths, outputDir === undefined ? {} : { folders: true, outputDir });
  const summaries: Record<string, unknown>[] = [];
  const inputs = files.map(({ path, name }) => ({ id: path, name }));
  const folders = outputDir === undefined ? undefined : await resultFolders(outputDir, inputs, false);
  const solveOne = async (file: InputFile): Promise<number> => {
    const folder = folders?.get(file.path);
    const outcome = await solveFile(file, folder, options, limits);
    if (outcome.kind === 'rejected') {
      const { line, message } = outcome.error;
      const report = folder === undefined ? '' : ` (${join(folder, 'error.json')})`;
      complain(`${file.path}${line === undefined ? '' : `:${line}`}: ${message}${report}`);
      summaries.push({ file: file.path, rejected: outcome.error });
      return EXIT_FAILED;
    }
    const { stats } = outcome;
    summaries.push({ file: file.path, folder, ...stats });
    const exceptions =
      folder === undefined ? `${EXCEPTIONS_FILE} with -o <dir>` : join(folder, EXCEPTIONS_FILE);
    const facts = factsOf(options, stats, exceptions);
    if (json !== true) {
      const lines = summaryLines(file.path, stats, facts);
      if (folder !== undefined) lines.push(`  ${counted(outcome.files.length + 1, 'file')} in ${folder}`);
      print(lines, process.stderr);
    }
    return statusOfResults([stats], facts.several);
  };
  const status = await forEachFile(files, 'solved', solveOne, (file, message) => {
    summaries.push({ file, failed: { message } });
  });
  if (json === true)
    printJson({ files: summaries }, outputDir === undefined ? process.stderr : process.stdout);
  return status;
}

/** @param path of the folder for the result set; if undefined, the solutions go to standard output */
export async function solveFile(
  file: InputFile,
  path: string | undefined,
  options: SolveOptions,
  limits: RunLimits,
): Promise<JobOutcome> {
  if (path === undefined) return solveInto(undefined, file, options, limits);
  const folder = new ResultFolder(path);
  await folder.lock();
  using _ = onInterrupt({
    stop: () => folder.discard(),
    left: () => [
      `interrupted: ${file.path} has no result, and partial files were removed; run the same command again`,
    ],
  });
  try {
    await folder.clear();
    return await solveInto(folder, file, options, limits);
  } finally {
    folder.release();
  }
}

/** @param folder for the result set; if undefined, the solutions go to standard output */
async function solveInto(
  folder: ResultFolder | undefined,
  file: InputFile,
  options: SolveOptions,
  { workers, ...limits }: RunLimits,
): Promise<JobOutcome> {
  const files = folder ?? solutionsOnly(process.stdout);
  const engine = createEngine(options.engine);
  const line = new ProgressLine();
  let latest = { puzzles: 0, storedBytes: 0 };
  // The search of a puzzle that other threads search too.
  const onSearch = (problem: SearchProgress) => {
    line.show(() => fileProgress(file, { ...latest, puzzles: latest.puzzles + problem.puzzles, problem }));
  };
  const { solver, close } = openSolver(workers, engine, file.bytes, onSearch, pause);
  const input = countedInput(file);
  const events = jobEvents(
    {
      input: input.stream,
      fileName: file.name,
      options,
      files,
      storedBytes: file.bytes,
      ...limits,
      // Only a folder can hold it.
      report: folder !== undefined,
    },
    {
      clock: systemClock,
      hashing: systemHashing,
      unpacking: zlibUnpacking,
      runtime: runtimeInfo(true),
      engine,
      solver,
    },
  );
  let next = await events.next();
  try {
    for (; next.done !== true; next = await events.next()) {
      if (next.value.kind !== 'head') {
        const progress = next.value;
        if (progress.problem === undefined) latest = progress;
        line.show(() => fileProgress(file, progress));
      }
      await pause();
    }
  } finally {
    await close();
  }
  const outcome = next.value;
  if (folder === undefined) return outcome;
  if (outcome.kind === 'rejected') {
    await folder.write(
      'error.json',
      jsonBytes({
        schema: 'dlx-batch/reject@1',
        input: { file: input.name, bytes: input.bytes },
        error: outcome.error,
      }),
    );
    return outcome;
  }
  const manifest = createManifest({
    input: { file: input.name, bytes: input.bytes },
    canonicalOptions: canonicalOptions(options),
    reproducible: !Number.isFinite(limits.maxMs),
    stats: outcome.stats,
    files: outcome.files,
  });
  await folder.write('manifest.json', jsonBytes(manifest));
  return outcome;
}

/** A file's bytes with a running count, because standard input has no known size. */
function countedInput({ path, name, openReusingBuffers }: InputFile) {
  async function* stream(): AsyncIterable<Uint8Array> {
    for await (const bytes of openReusingBuffers()) {
      input.bytes += bytes.length;
      yield bytes;
    }
  }
  const input = { name: path === '-' ? path : name, bytes: 0, stream: stream() };
  return input;
}

/** @throws CommandError for values out of range */
export function readLimits(flags: SolveFlags): RunLimits {
  const { maxMs, workers, count } = flags;
  return {
    maxMs: readMaxMs(maxMs),
    workers: workers === undefined ? workersForMachine() : readWholeNumber('workers', workers, 1, 999),
    jobLimits: readJobLimits({ ...flags }),
    random: readRandom(flags),
    countOnly: count,
  };
}

const MAX_DRAWS = 1_000_000_000;

function readRandom({ random, seed }: SolveFlags): RandomRequest | undefined {
  if (random === undefined) return undefined;
  return {
    count: readWholeNumber('random', random, 1, MAX_DRAWS),
    seed: seed === undefined ? randomInt(2 ** 32) : readWholeNumber('seed', seed, 0, Number.MAX_SAFE_INTEGER),
  };
}

function readMaxMs(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const maxMs = Number(text);
  if (Number.isFinite(maxMs) && maxMs > 0 && text.trim() !== '') return maxMs;
  throw new CommandError(`option "--max-ms" is "${text}": expected a number of milliseconds above 0`);
}
