/** Runs `dlx-batch bench`: reads each file, measures engines and peers on its puzzles, and reports the results. */
import { availableParallelism, cpus } from 'node:os';
import { ENGINE_NAMES, type EngineName } from '../../sudoku/engine.ts';
import { CommandError } from '../exit.ts';
import { findInputFiles } from '../files/input-files.ts';
import { readWholeNumber } from '../solve-options.ts';
import { type BenchCase, fileCases } from './bench-case.ts';
import { type ResultRow, resultRows, resultTable } from './bench-report.ts';
import { BENCH_NODES, type BenchSolver, engineSolver, type PeerSolver } from './bench-solver.ts';
import { measure, type Pace } from './measure.ts';
import { readPeers, withPeers } from './peer.ts';

export interface BenchFlags {
  /** Undefined for all engines. */
  readonly engine?: readonly string[];
  /** `NAME=COMMAND` of each peer. */
  readonly peer?: readonly string[];
  readonly passes: string;
  readonly json?: boolean;
}

const WARM_UP_MS = 300;
const PASS_MS = 500;

/**
 * Measures engines and peers on files.
 *
 * @throws CommandError for invalid options and files, and for errors of peers
 */
export async function benchFiles(paths: readonly string[], flags: BenchFlags): Promise<void> {
  const pace: Pace = {
    warmUpMs: WARM_UP_MS,
    passMs: PASS_MS,
    passes: readWholeNumber('passes', flags.passes, 1, 9999),
  };
  const engines = readEngines(flags.engine).map((name) => engineSolver(name, BENCH_NODES));
  const commands = readPeers(flags.peer ?? [], ENGINE_NAMES);
  const reference = commands[0]?.name;
  const json = flags.json === true;
  const files = await findInputFiles(paths);
  const rows: ResultRow[] = [];
  if (!json) process.stdout.write(`${preamble(pace, reference)}\n\n`);
  await withPeers(commands, async (peers) => {
    for (const file of files) {
      const { cases, unreadable } = await fileCases(file);
      if (unreadable > 0) {
        warn(`${file.path}: omitted ${unreadable} unreadable ${unreadable === 1 ? 'puzzle' : 'puzzles'}`);
      }
      for (const puzzles of cases) {
        rows.push(...(await benchCase(puzzles, [...engines, ...peers], pace, json, reference)));
      }
    }
  });
  if (json) process.stdout.write(`${JSON.stringify({ results: rows }, undefined, 2)}\n`);
}

async function benchCase(
  puzzles: BenchCase,
  solvers: readonly (BenchSolver | PeerSolver)[],
  pace: Pace,
  json: boolean,
  reference: string | undefined,
): Promise<ResultRow[]> {
  for (const solver of solvers) {
    const refusal = solver.refuses(puzzles.geometry);
    if (refusal !== undefined) warn(`${puzzles.name}: not measured with ${solver.name}: ${refusal}`);
  }
  const able = solvers.filter((solver) => solver.refuses(puzzles.geometry) === undefined);
  if (able.length === 0) return [];
  const measurements = await measure(puzzles, able, pace, showProgress, reference);
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

function preamble({ passes, passMs, warmUpMs }: Pace, reference: string | undefined): string {
  return [
    `Node ${process.versions.node}, ${process.arch}, ${availableParallelism()} x ${cpus()[0]?.model ?? 'unknown'}.`,
    `One thread, ${passes} ${passes === 1 ? 'pass' : 'passes'} of about ${passMs} ms per engine after ${warmUpMs} ms of ` +
      'warm-up, engines alternating.',
    'Solution limit 2, which proves uniqueness. Every answer is checked. Engines solve blocks of puzzles.',
    ...(reference === undefined
      ? []
      : [
          'A peer measures its own time. Ratio: median over the passes of the rate divided by that of ' +
            `${reference} in the same round.`,
        ]),
  ].join('\n');
}

function warn(text: string): void {
  process.stderr.write(`dlx-batch: ${text}\n`);
}

function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
