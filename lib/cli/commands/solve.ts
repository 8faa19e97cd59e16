/** `dlx-batch solve`: solves files on this machine, without AWS. */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createManifest } from '../../batch/delivery/manifest.ts';
import { jobEvents } from '../../batch/job/job.ts';
import type { JobOutcome, RandomRequest, SearchProgress } from '../../batch/job/job-run.ts';
import type { JobLimits } from '../../batch/job-limits.ts';
import { canonicalOptions, type SolveOptions } from '../../batch/options.ts';
import type { ResultFiles } from '../../batch/ports.ts';
import { EXCEPTIONS_FILE } from '../../batch/results/result-files.ts';
import type { JobStats } from '../../batch/results/statistics.ts';
import { jsonBytes } from '../../batch/storage/write-json.ts';
import { ResultFolder } from '../../node/result-folder.ts';
import { openSolver, workersForMachine } from '../../node/solvers.ts';
import { runtimeInfo, systemClock, systemHashing } from '../../node/system.ts';
import { zlibUnpacking } from '../../node/unpacking.ts';
import { createEngine } from '../../sudoku/engines.ts';
import {
  CommandError,
  EXIT_FAILED,
  EXIT_SOLVED,
  failureText,
  isFixable,
  itemFailure,
  missingPuzzles,
  statusOfResults,
} from '../exit.ts';
import { filesLeft } from '../files/files-left.ts';
import { findFilesAndFolders, findInputFiles, type InputFile } from '../files/input-files.ts';
import { resultFolders } from '../files/result-folders.ts';
import { type WrittenSet, writtenLines, writtenSet } from '../files/written-sets.ts';
import {
  addJobLimits,
  addRequirePuzzles,
  addSolveOptions,
  optionTextsFromFlags,
  readJobLimits,
  readSolveOptions,
  readWholeNumber,
} from '../solve-options.ts';
import { onInterrupt, pause } from '../terminal/interrupt.ts';
import { complain, print, printJson } from '../terminal/output.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
import { StandardOutputFiles } from '../terminal/standard-output.ts';
import { summaryLines } from '../terminal/summary.ts';

interface SolveFlags {
  readonly outputDir?: string;
  readonly solutions?: string;
  readonly maxMs?: string;
  readonly workers?: string;
  readonly count?: boolean;
  readonly random?: string;
  readonly seed?: string;
  readonly explain?: boolean;
  readonly json?: boolean;
  readonly requirePuzzles?: boolean;
}

interface RunLimits {
  readonly maxMs: number;
  readonly workers: number;
  readonly jobLimits: JobLimits;
  readonly random: RandomRequest | undefined;
}

const EXAMPLES = `
Examples:
  dlx-batch solve puzzles.txt                    solutions to standard output, summary to standard error
  dlx-batch solve -o out puzzles.txt             full result set in out/puzzles.txt/
  dlx-batch solve -o out june/                   one for each file in the folder, in out/
  cat puzzles.txt | dlx-batch solve --output line
  dlx-batch solve --solutions all --count puzzles.txt
  dlx-batch solve --random 5 --seed 1 puzzles.txt  five random solutions of each puzzle
  dlx-batch solve --explain puzzles.txt          size of each puzzle's exact-cover matrix

Exit status: 0 all puzzles solved (with --explain: all readable), 1 some not, or not as the file expects,
2 a file rejected, or another error.`;

export function registerSolve(program: Command): void {
  const command = program
    .command('solve')
    .description('solve puzzle files on this machine, without AWS')
    .argument('[file...]', 'puzzle files, with -o also folders (default, or -: standard input)')
    .addHelpText('after', EXAMPLES);
  addJobLimits(addRequirePuzzles(addSolveOptions(command)))
    .option('-o, --output-dir <dir>', 'write the full result set of each file to <dir>/<file name>/')
    .option('--max-ms <n>', 'time budget per puzzle in milliseconds; results then depend on the machine')
    .option('--workers <n>', 'solver threads (default: number of cores)')
    .option('--count', 'with --solutions above 2: count the solutions instead of writing them')
    .option('--random <n>', 'draw n solutions of each puzzle at random, all with the same probability')
    .option('--seed <n>', 'seed of --random, a whole number (default: random, in the summary)')
    .option('--explain', "report the size of each puzzle's exact-cover matrix instead of solving")
    .option('--json', 'write the summary as JSON')
    .action(async (paths: string[], flags: SolveFlags) => {
      process.exitCode = await solve(paths, flags);
    });
}

async function solve(paths: readonly string[], flags: SolveFlags): Promise<number> {
  const options = readSolveOptions(optionTextsFromFlags({ ...flags }));
  const jobLimits = readJobLimits({ ...flags });
  const maxMs = readMaxMs(flags.maxMs);
  const workers =
    flags.workers === undefined ? workersForMachine() : readWholeNumber('workers', flags.workers, 1, 999);
  const random = readRandom(flags);
  if (flags.count === true && options.solutions <= 2) {
    throw new CommandError('--count needs --solutions above 2, or all');
  }
  const { outputDir } = flags;
  const files = await (outputDir === undefined
    ? findInputFiles(paths)
    : findFilesAndFolders(paths, outputDir));
  if (flags.explain === true) {
    const { explainFiles } = await import('./explain.ts');
    return explainFiles(files, options, jobLimits, flags.json === true);
  }
  let exitCode = EXIT_SOLVED;
  const summaries: Record<string, unknown>[] = [];
  const written: WrittenSet[] = [];
  const folders = await foldersOf(files, flags);
  let done = 0;
  using _ = onInterrupt({ left: () => [filesLeft(files, done, 'solved')] });
  for (const [index, file] of files.entries()) {
    done = index;
    const folder = folders.get(file.path);
    let outcome: JobOutcome;
    try {
      outcome = await solveFile(file, folder, options, { maxMs, workers, jobLimits, random }, flags);
    } catch (error) {
      if (!isFixable(error)) throw error;
      complain(itemFailure(file.path, error));
      summaries.push({ file: file.path, failed: { message: failureText(error) } });
      exitCode = EXIT_FAILED;
      continue;
    }
    if (outcome.kind === 'rejected') {
      if (folder !== undefined) written.push({ folder, files: ['error.json'], hasExceptions: true });
      const { line, message } = outcome.error;
      const place = line === undefined ? '' : `:${line}`;
      complain(`${file.path}${place}: ${message}`);
      summaries.push({ file: file.path, rejected: outcome.error });
      exitCode = EXIT_FAILED;
      continue;
    }
    summaries.push({ file: file.path, folder, ...outcome.stats });
    if (folder !== undefined) written.push(writtenSet(folder, outcome.files));
    if (flags.json !== true) {
      const lines = summaryLines(file.path, outcome.stats, {
        several: areSeveralRequested(options, random, outcome.stats),
        strict: options.strict,
        exceptions: folder === undefined ? `${EXCEPTIONS_FILE} with -o <dir>` : join(folder, EXCEPTIONS_FILE),
      });
      print(lines, process.stderr);
    }
    if (flags.requirePuzzles === true && outcome.stats.puzzles.total === 0) {
      complain(missingPuzzles(file.path, outcome.stats));
      exitCode = EXIT_FAILED;
    }
    if (exitCode !== EXIT_SOLVED) continue;
    exitCode = statusOfResults([outcome.stats], areSeveralRequested(options, random, outcome.stats));
  }
  if (flags.json !== true) print(writtenLines(written), process.stderr);
  else {
    const stream = flags.outputDir === undefined ? process.stderr : process.stdout;
    printJson({ files: summaries }, stream);
  }
  return exitCode;
}

/** Whether a puzzle with several solutions counts as solved: not if two are searched to prove uniqueness. */
function areSeveralRequested(
  { solutions, twoCheapest }: SolveOptions,
  random: RandomRequest | undefined,
  { exactCover }: JobStats,
): boolean {
  if (solutions !== 2 || random !== undefined) return true;
  return twoCheapest === true && exactCover?.cost !== undefined;
}

/** The folder of each file's result set, by path; none if the solutions go to standard output. */
async function foldersOf(
  files: readonly InputFile[],
  { outputDir }: SolveFlags,
): Promise<ReadonlyMap<string, string>> {
  if (outputDir === undefined) return new Map();
  const inputs = files.map(({ path, name }) => ({ id: path, name }));
  return resultFolders(outputDir, inputs, false);
}

async function solveFile(
  file: InputFile,
  path: string | undefined,
  options: SolveOptions,
  limits: RunLimits,
  flags: SolveFlags,
): Promise<JobOutcome> {
  if (path === undefined) return solveInto(undefined, file, options, limits, flags);
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
    return await solveInto(folder, file, options, limits, flags);
  } finally {
    folder.release();
  }
}

/** @param folder for the result set; if undefined, the solutions go to standard output */
async function solveInto(
  folder: ResultFolder | undefined,
  file: InputFile,
  options: SolveOptions,
  limits: RunLimits,
  flags: SolveFlags,
): Promise<JobOutcome> {
  const { maxMs, workers, jobLimits, random } = limits;
  const files: ResultFiles = folder ?? new StandardOutputFiles(process.stdout);
  const engine = createEngine(options.engine);
  const progress = new ProgressLine(file);
  const onSearch = (search: SearchProgress) => progress.showSearch(search);
  const { solver, close } = openSolver(workers, engine, file.bytes, onSearch, pause);
  const input = countedInput(file);
  const events = jobEvents(
    {
      input: input.stream,
      fileName: file.name,
      options,
      files,
      maxMs,
      jobLimits,
      storedBytes: file.bytes,
      countOnly: flags.count,
      random,
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
      if (next.value.kind !== 'head') progress.show(next.value);
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
      jsonBytes({ schema: 'dlx-batch/reject@1', input: { file: input.name }, error: outcome.error }),
    );
    return outcome;
  }
  const manifest = createManifest({
    input: { file: input.name, bytes: input.bytes },
    canonicalOptions: canonicalOptions(options),
    reproducible: !Number.isFinite(maxMs),
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

const MAX_DRAWS = 1_000_000_000;

/** @throws CommandError for values out of range, and for flags that contradict each other */
function readRandom({ random, seed, count, solutions, explain }: SolveFlags): RandomRequest | undefined {
  if (random === undefined) {
    if (seed !== undefined) throw new CommandError('--seed needs --random');
    return undefined;
  }
  if (count === true) throw new CommandError('--random counts all solutions before it draws: omit --count');
  if (solutions !== undefined) throw new CommandError('--random draws among all solutions: omit --solutions');
  if (explain === true) throw new CommandError('--explain solves nothing: omit --random');
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
