/** Runs `dlx-batch bench`: reads each file, measures the engines on its puzzles, and reports the results. */
import { availableParallelism, cpus } from 'node:os';
import { ENGINE_NAMES, type EngineName } from '../../sudoku/engine.ts';
import { CommandError } from '../exit.ts';
import { findInputFiles } from '../files/input-files.ts';
import { readWholeNumber } from '../solve-options.ts';
import { type BenchCase, fileCases } from './bench-case.ts';
import { type ResultRow, resultRows, resultTable } from './bench-report.ts';
import { BENCH_NODES, type BenchSolver, engineSolver } from './bench-solver.ts';
import { measure, type Pace } from './measure.ts';

export interface BenchFlags {
  /** Undefined for all engines. */
  readonly engine?: readonly string[];
  readonly passes: string;
  readonly json?: boolean;
}

const WARM_UP_MS = 300;
const PASS_MS = 500;

/**
 * Measures engines on files.
 *
 * @throws CommandError for invalid options and files
 */
export async function benchFiles(paths: readonly string[], flags: BenchFlags): Promise<void> {
  const pace: Pace = {
    warmUpMs: WARM_UP_MS,
    passMs: PASS_MS,
    passes: readWholeNumber('passes', flags.passes, 1, 9999),
  };
  const solvers = readEngines(flags.engine).map((name) => engineSolver(name, BENCH_NODES));
  const json = flags.json === true;
  const files = await findInputFiles(paths);
  const rows: ResultRow[] = [];
  if (!json) process.stdout.write(`${preamble(pace)}\n\n`);
  for (const file of files) {
    const { cases, unreadable } = await fileCases(file);
    if (unreadable > 0) {
      warn(`${file.path}: omitted ${unreadable} unreadable ${unreadable === 1 ? 'puzzle' : 'puzzles'}`);
    }
    for (const puzzles of cases) rows.push(...benchCase(puzzles, solvers, pace, json));
  }
  if (json) process.stdout.write(`${JSON.stringify({ results: rows }, undefined, 2)}\n`);
}

function benchCase(
  puzzles: BenchCase,
  solvers: readonly BenchSolver[],
  pace: Pace,
  json: boolean,
): ResultRow[] {
  for (const solver of solvers) {
    const refusal = solver.refuses(puzzles.geometry);
    if (refusal !== undefined) warn(`${puzzles.name}: not measured with ${solver.name}: ${refusal}`);
  }
  const able = solvers.filter((solver) => solver.refuses(puzzles.geometry) === undefined);
  if (able.length === 0) return [];
  const measurements = measure(puzzles, able, pace, showProgress);
  showProgress('');
  if (!json) process.stdout.write(`${resultTable(puzzles, measurements)}\n`);
  return resultRows(puzzles, measurements);
}

function readEngines(names: readonly string[] = []): EngineName[] {
  if (names.length === 0) return [...ENGINE_NAMES];
  return [...new Set(names)].map((name) => {
    const known = ENGINE_NAMES.find((engine) => engine === name);
    if (known !== undefined) return known;
    throw new CommandError(`option "--engine" is "${name}": expected one of ${ENGINE_NAMES.join(', ')}`);
  });
}

function preamble({ passes, passMs, warmUpMs }: Pace): string {
  return [
    `Node ${process.versions.node}, ${process.arch}, ${availableParallelism()} x ${cpus()[0]?.model ?? 'unknown'}.`,
    `One thread, ${passes} ${passes === 1 ? 'pass' : 'passes'} of about ${passMs} ms per engine after ${warmUpMs} ms of ` +
      'warm-up, engines alternating.',
    'Solution limit 2, which proves uniqueness. Every answer is checked. Engines solve blocks of puzzles.',
  ].join('\n');
}

function warn(text: string): void {
  process.stderr.write(`dlx-batch: ${text}\n`);
}

function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
