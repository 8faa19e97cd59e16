/** `dlx-batch solve`: solves files here, with no AWS. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { createManifest, jsonBytes } from '../../batch/delivery/manifest.ts';
import { type JobOutcome, type JobProgress, runJob } from '../../batch/job/job.ts';
import { canonicalOptions, type SolveOptions } from '../../batch/options.ts';
import type { ResultFiles } from '../../batch/ports.ts';
import type { JobStats } from '../../batch/results/statistics.ts';
import { zlibUnpacking } from '../../node/gunzip.ts';
import { ResultFolder } from '../../node/result-folder.ts';
import { openSolver, workersHere } from '../../node/solvers.ts';
import { runtimeInfo, systemClock, systemHashing } from '../../node/system.ts';
import { createEngine } from '../../sudoku/engines.ts';
import { CommandError, EXIT_FAILED, EXIT_SOLVED, EXIT_UNSOLVED } from '../exit.ts';
import { findInputFiles, type InputFile } from '../files/input-files.ts';
import { removeOnInterrupt } from '../files/remove-on-interrupt.ts';
import { addSolveOptions, optionTextsFromFlags, readSolveOptions } from '../solve-options.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
import { StandardOutputFiles } from '../terminal/standard-output.ts';
import { summaryLines } from '../terminal/summary.ts';

interface SolveFlags {
  readonly outputDir?: string;
  readonly maxMs?: string;
  readonly workers?: string;
  readonly count?: boolean;
  readonly explain?: boolean;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  dlx-batch solve puzzles.txt                    solutions to standard output, a summary to standard error
  dlx-batch solve -o out puzzles.txt             the whole result set in out/puzzles.txt/
  cat puzzles.txt | dlx-batch solve --output line
  dlx-batch solve --solutions all --count puzzles.txt
  dlx-batch solve --explain puzzles.txt          each puzzle's exact-cover matrix: options, items, nodes, bytes

Exit status: 0 every puzzle solved (with --explain: every one could be read), 1 some were not, 2 it could not run.`;

/** Registers the command. */
export function registerSolve(program: Command): void {
  const command = program
    .command('solve')
    .description('solve puzzle files here: no AWS, no network')
    .argument('[file...]', 'puzzle files; none, or -, reads standard input')
    .addHelpText('after', EXAMPLES);
  addSolveOptions(command)
    .option('-o, --output-dir <dir>', 'write the full result set of each file to <dir>/<name of file>/')
    .option('--max-ms <n>', 'time allowed for each puzzle; results then depend on the machine')
    .option('--workers <n>', 'threads that solve (default: the number of cores)')
    .option('--count', 'with --solutions above 2: count the solutions, write none')
    .option('--explain', "report each puzzle's exact-cover matrix instead of solving")
    .option('--json', 'the summary as JSON')
    .action(async (paths: string[], flags: SolveFlags) => {
      process.exitCode = await solve(paths, flags);
    });
}

async function solve(paths: readonly string[], flags: SolveFlags): Promise<number> {
  const options = readSolveOptions(optionTextsFromFlags({ ...flags }));
  const maxMs = readMaxMs(flags.maxMs);
  const workers = readWorkers(flags.workers);
  if (flags.count === true && options.solutions <= 2) {
    throw new CommandError(
      'option "--count" needs --solutions above 2, or all: without it nothing is counted',
    );
  }
  const files = await findInputFiles(paths);
  if (flags.explain === true) {
    const { explainFiles } = await import('./explain.ts');
    return explainFiles(files, options, flags.json === true);
  }
  let exitCode = EXIT_SOLVED;
  const summaries: Record<string, unknown>[] = [];
  for (const file of files) {
    const outcome = await solveFile(file, options, { maxMs, workers }, flags);
    if (outcome.kind === 'rejected') {
      const { line, message } = outcome.error;
      const place = line === undefined ? '' : `:${line}`;
      process.stderr.write(`dlx-batch: ${file.path}${place}: ${message}\n`);
      summaries.push({ file: file.path, rejected: outcome.error });
      exitCode = EXIT_FAILED;
      continue;
    }
    summaries.push({ file: file.path, ...outcome.stats });
    if (flags.json !== true) process.stderr.write(`${summaryLines(file.path, outcome.stats).join('\n')}\n`);
    if (exitCode === EXIT_SOLVED && !allSolved(outcome.stats, options)) exitCode = EXIT_UNSOLVED;
  }
  if (flags.json === true) {
    const stream = flags.outputDir === undefined ? process.stderr : process.stdout;
    stream.write(`${JSON.stringify({ files: summaries })}\n`);
  }
  return exitCode;
}

async function solveFile(
  file: InputFile,
  options: SolveOptions,
  { maxMs, workers }: { readonly maxMs: number; readonly workers: number },
  flags: SolveFlags,
): Promise<JobOutcome> {
  if (flags.outputDir === undefined) return solveInto(undefined, file, options, { maxMs, workers }, flags);
  const folder = new ResultFolder(join(flags.outputDir, file.name));
  await folder.take();
  // Alone, this thread hears no signal before a search ends, so there it is left to the system to stop it at once.
  const leaveSignals = workers === 1 ? () => {} : cleanWhenInterrupted(folder, file);
  try {
    await folder.begin();
    return await solveInto(folder, file, options, { maxMs, workers }, flags);
  } finally {
    leaveSignals();
    folder.end();
  }
}

/** @param folder where the result set goes; without one, the solutions go to standard output */
async function solveInto(
  folder: ResultFolder | undefined,
  file: InputFile,
  options: SolveOptions,
  { maxMs, workers }: { readonly maxMs: number; readonly workers: number },
  flags: SolveFlags,
): Promise<JobOutcome> {
  const files: ResultFiles = folder ?? new StandardOutputFiles(process.stdout);
  const engine = createEngine(options.engine);
  const { solver, close } = openSolver(workers, engine, file.bytes);
  const progress = new ProgressLine(file);
  const input = countedInput(file);
  const onProgress = (now: JobProgress) => {
    progress.show(now);
    return undefined;
  };
  const outcome = await runJob(
    {
      input: input.stream,
      fileName: file.name,
      options,
      files,
      maxMs,
      countOnly: flags.count,
      // Standard output has no place for it.
      report: folder !== undefined,
      stopReason: onProgress,
    },
    {
      clock: systemClock,
      hashing: systemHashing,
      unpacking: zlibUnpacking,
      runtime: runtimeInfo(true),
      engine,
      solver,
    },
  ).finally(close);
  progress.clear();
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
    puzzles: outcome.stats.puzzles,
    engine: outcome.stats.engine,
    files: outcome.files,
  });
  await folder.write('manifest.json', jsonBytes(manifest));
  return outcome;
}

/** On Ctrl-C nothing half-written stays in the folder of a result set. */
function cleanWhenInterrupted(folder: ResultFolder, { path }: InputFile): () => void {
  return removeOnInterrupt(
    () => folder.unfinished(),
    () => `interrupted: ${path} has no result, and nothing is half-written; run the same command again`,
  );
}

/** A file's bytes, counted while they pass: standard input has no size to ask for. */
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

/** Under an enumeration, a puzzle with several solutions is no failure. */
function allSolved({ puzzles }: JobStats, { solutions }: SolveOptions): boolean {
  const fine = puzzles.solved + (solutions > 2 || solutions === 1 ? puzzles.multiple : 0);
  return fine === puzzles.total;
}

function readMaxMs(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const maxMs = Number(text);
  if (Number.isFinite(maxMs) && maxMs > 0 && text.trim() !== '') return maxMs;
  throw new CommandError(`option "--max-ms" is "${text}": expected a number of milliseconds above 0`);
}

function readWorkers(text: string | undefined): number {
  if (text === undefined) return workersHere();
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new CommandError(`option "--workers" is "${text}": expected a whole number from 1 to 999`);
}
