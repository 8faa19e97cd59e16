/** Compares the engines on the user's files: reads each file, measures the engines on its puzzles, reports the results. */
import { availableParallelism, cpus } from 'node:os';
import { counted } from '../../batch/quantities.ts';
import { ENGINE_NAMES, type EngineName } from '../../sudoku/engine.ts';
import { CommandError, EXIT_SOLVED } from '../exit.ts';
import { forEachFile } from '../files/each-file.ts';
import { findInputFiles, type InputFile } from '../files/input-files.ts';
import { readWholeNumber } from '../options.ts';
import { complain, print, printJson } from '../terminal/output.ts';
import { ProgressLine } from '../terminal/progress.ts';
import { fileCases } from './bench-case.ts';
import { type ResultRow, resultRows, resultTable } from './bench-report.ts';
import { BENCH_NODES, engineSolver } from './bench-solver.ts';
import { benchPace, measure, type Pace } from './measure.ts';

interface BenchFlags {
  /** Undefined for all engines. */
  readonly engine?: readonly string[];
  readonly passes: string;
  readonly json?: boolean;
}

/** @returns the exit status */
export async function benchFiles(paths: readonly string[], flags: BenchFlags): Promise<number> {
  const pace: Pace = { ...benchPace, passes: readWholeNumber('passes', flags.passes, 1, 9999) };
  const engines = readEngines(flags.engine).map((name) => engineSolver(name, BENCH_NODES));
  const json = flags.json === true;
  const files = await findInputFiles(paths);
  const rows: ResultRow[] = [];
  if (!json) print([...preamble(pace), '']);
  const progress = new ProgressLine();
  const benchOne = async (file: InputFile) => {
    const { cases, unreadable } = await fileCases(file);
    if (unreadable > 0) complain(`${file.path}: omitted ${counted(unreadable, 'unreadable puzzle')}`);
    for (const puzzles of cases) {
      const refusals = engines.map((engine) => engine.refuses(puzzles.geometry));
      for (const [k, refusal] of refusals.entries()) {
        if (refusal === undefined) continue;
        complain(`${puzzles.name}: not measured with ${engines[k]!.name}: ${refusal}`);
      }
      const able = engines.filter((_, k) => refusals[k] === undefined);
      if (able.length === 0) continue;
      const measurements = await measure(puzzles, able, pace, (text) =>
        progress.show(() => ({ done: text })),
      );
      // The name of the file is escaped in the table.
      if (!json) print(resultTable(puzzles, measurements).split('\n'));
      rows.push(...resultRows(puzzles, measurements));
    }
    return EXIT_SOLVED;
  };
  const status = await forEachFile(files, 'measured', benchOne);
  if (json && rows.length > 0) printJson({ results: rows }, process.stdout, 2);
  return status;
}

function readEngines(names: readonly string[] = ENGINE_NAMES): EngineName[] {
  return [...new Set(names)].map((name) => {
    const known = ENGINE_NAMES.find((engine) => engine === name);
    if (known !== undefined) return known;
    throw new CommandError(`option "--engine" is "${name}": expected one of ${ENGINE_NAMES.join(', ')}`);
  });
}

function preamble({ passes, passMs, warmUpMs }: Pace): string[] {
  return [
    `Node ${process.versions.node}, ${process.arch}, ${availableParallelism()} x ${cpus()[0]?.model ?? 'unknown'}.`,
    `One thread, ${passes} ${passes === 1 ? 'pass' : 'passes'} of about ${passMs} ms per engine after ${warmUpMs} ms of ` +
      'warm-up, engines alternating.',
    'Solution limit 2, which proves uniqueness. Every answer is checked. Engines solve blocks of puzzles.',
  ];
}
