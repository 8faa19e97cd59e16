/** Runs `dlx-batch bench`: reads each file, measures engines and peers on its puzzles, and reports the results. */

import { availableParallelism, cpus } from 'node:os';
import { counted } from '../../batch/quantities.ts';
import { ENGINE_NAMES, type EngineName } from '../../sudoku/engine.ts';
import { CommandError, EXIT_FAILED, EXIT_SOLVED, isFixable, itemFailure } from '../exit.ts';
import { filesLeft } from '../files/files-left.ts';
import { findInputFiles } from '../files/input-files.ts';
import { readWholeNumber } from '../solve-options.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { complain, print, printJson } from '../terminal/output.ts';
import { LiveLine } from '../terminal/terminal.ts';
import { type BenchCase, type FileCases, fileCases } from './bench-case.ts';
import { type ResultRow, resultRows, resultTable } from './bench-report.ts';
import { BENCH_NODES, type BenchSolver, engineSolver, type PeerSolver } from './bench-solver.ts';
import { benchPace, measure, type Pace } from './measure.ts';
import { readPeers, withPeers } from './peer.ts';

export interface BenchFlags {
  /** Undefined for all engines. */
  readonly engine?: readonly string[];
  /** `NAME=COMMAND` of each peer. */
  readonly peer?: readonly string[];
  readonly passes: string;
  readonly json?: boolean;
}

/**
 * Measures engines and peers on files.
 *
 * @returns the exit status
 * @throws CommandError for invalid options, missing files, and errors of peers
 */
export async function benchFiles(paths: readonly string[], flags: BenchFlags): Promise<number> {
  const pace: Pace = { ...benchPace, passes: readWholeNumber('passes', flags.passes, 1, 9999) };
  const engines = readEngines(flags.engine).map((name) => engineSolver(name, BENCH_NODES));
  const commands = readPeers(flags.peer ?? [], ENGINE_NAMES);
  const reference = commands[0]?.name;
  const json = flags.json === true;
  const files = await findInputFiles(paths);
  const rows: ResultRow[] = [];
  let status = EXIT_SOLVED;
  if (!json) print([...preamble(pace, reference), '']);
  let done = 0;
  using _ = onInterrupt({ left: () => [filesLeft(files, done, 'measured')] });
  await withPeers(commands, async (peers) => {
    for (const [index, file] of files.entries()) {
      done = index;
      let found: FileCases;
      try {
        found = await fileCases(file);
      } catch (error) {
        if (!isFixable(error)) throw error;
        complain(itemFailure(file.path, error));
        status = EXIT_FAILED;
        continue;
      }
      const { cases, unreadable } = found;
      if (unreadable > 0) {
        complain(`${file.path}: omitted ${counted(unreadable, 'unreadable puzzle')}`);
      }
      for (const puzzles of cases) {
        rows.push(...(await benchCase(puzzles, [...engines, ...peers], pace, json, reference)));
      }
    }
  });
  if (json && rows.length > 0) printJson({ results: rows }, process.stdout, 2);
  return status;
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
    if (refusal !== undefined) complain(`${puzzles.name}: not measured with ${solver.name}: ${refusal}`);
  }
  const able = solvers.filter((solver) => solver.refuses(puzzles.geometry) === undefined);
  if (able.length === 0) return [];
  const progress = new LiveLine();
  const measurements = await measure(puzzles, able, pace, (text) => progress.show(() => text), reference);
  // The name of the file is escaped in the table.
  if (!json) print(resultTable(puzzles, measurements).split('\n'));
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

function preamble({ passes, passMs, warmUpMs }: Pace, reference: string | undefined): string[] {
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
  ];
}
