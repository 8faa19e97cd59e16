/** Compares the engines on the user's files: reads each file, measures the engines on its puzzles, reports the results. */
import { availableParallelism, cpus } from 'node:os';
import { counted, numberText } from '../../batch/quantities.ts';
import { ENGINE_NAMES } from '../../sudoku/engine.ts';
import { EXIT_SOLVED } from '../exit.ts';
import { forEachFile } from '../files/each-file.ts';
import { findInputFiles, type InputFile } from '../files/input-files.ts';
import { readChoice, readWholeNumber } from '../option-values.ts';
import { complain, print, printJson } from '../terminal/output.ts';
import { ProgressLine } from '../terminal/progress.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { type BenchCase, fileCases } from './bench-case.ts';
import {
  BENCH_NODES,
  benchPace,
  engineSolver,
  type Measurement,
  measure,
  median,
  type Pace,
  SOLUTION_LIMIT,
} from './measure.ts';

interface BenchFlags {
  /** Undefined for all engines. */
  readonly engine?: readonly string[];
  readonly passes: string;
  readonly json?: boolean;
}

/** @returns the exit status */
export async function run(paths: readonly string[], flags: BenchFlags): Promise<number> {
  const pace: Pace = { ...benchPace, passes: readWholeNumber('passes', flags.passes, 1, 9999) };
  const names = [...new Set(flags.engine ?? ENGINE_NAMES)];
  const engines = names.map((name) => engineSolver(readChoice('engine', name, ENGINE_NAMES), BENCH_NODES));
  const json = flags.json === true;
  const files = await findInputFiles(paths);
  const results: object[] = [];
  if (!json) print([...preamble(pace), '']);
  const progress = new ProgressLine();
  const benchOne = async (file: InputFile) => {
    const { cases, unreadable } = await fileCases(file);
    if (unreadable > 0) complain(`${file.path}: omitted ${counted(unreadable, 'unreadable puzzle')}`);
    for (const puzzles of cases) {
      const able = engines.filter((engine) => {
        const refusal = engine.refuses(puzzles.geometry);
        if (refusal !== undefined) complain(`${puzzles.name}: not measured with ${engine.name}: ${refusal}`);
        return refusal === undefined;
      });
      if (able.length === 0) continue;
      const show = (text: string) => progress.show(() => ({ done: text }));
      const measurements = await measure(puzzles, able, pace, show);
      if (!json) print(resultLines(puzzles, measurements));
      results.push(...resultRows(puzzles, measurements));
    }
    return EXIT_SOLVED;
  };
  const status = await forEachFile(files, 'measured', benchOne);
  if (json && results.length > 0) printJson({ results }, process.stdout, 2);
  return status;
}

function preamble({ passes, passMs, warmUpMs }: Pace): string[] {
  return [
    `Node ${process.versions.node}, ${process.arch}, ${availableParallelism()} x ${cpus()[0]?.model ?? 'unknown'}.`,
    `One thread, ${passes} ${passes === 1 ? 'pass' : 'passes'} of about ${passMs} ms per engine after ${warmUpMs} ms of ` +
      'warm-up, engines alternating.',
    'Solution limit 2, which proves uniqueness. Every answer is checked. Engines solve blocks of puzzles.',
  ];
}

/** The rows of `--json`. */
export function resultRows(puzzles: BenchCase, measurements: readonly Measurement[]) {
  return measurements.map(({ solver, solved, rates }) => ({
    solver: solver.name,
    version: solver.version,
    file: puzzles.name,
    limit: SOLUTION_LIMIT,
    puzzles: Math.min(solved, puzzles.count),
    puzzlesPerSecond: rounded(median(rates)),
  }));
}

const COLUMNS: readonly Column[] = [
  { title: 'ENGINE' },
  { title: 'PUZZLES', align: 'right' },
  { title: 'PUZZLES/S, MEDIAN', align: 'right' },
  { title: 'BEST', align: 'right' },
  { title: 'SPREAD', align: 'right' },
];

function resultLines(puzzles: BenchCase, measurements: readonly Measurement[]): string[] {
  const { size, variant } = puzzles.geometry;
  const { name, count, sampledFrom } = puzzles;
  const sample =
    sampledFrom === undefined ? '' : `: a random sample of the file's ${numberText(sampledFrom)}`;
  const rows = measurements.map(({ solver, solved, rates }) => {
    const [middle, best] = [median(rates), Math.max(...rates)];
    return [
      solver.name,
      numberText(Math.min(solved, count)),
      numberText(rounded(middle)),
      numberText(rounded(best)),
      `${Math.round((100 * (best - Math.min(...rates))) / middle)}%`,
    ];
  });
  const notes = measurements
    .filter(({ limited }) => limited > 0)
    .map(
      ({ solver, solved, limited }) =>
        `${solver.name} reached the limit of ${numberText(solver.maxNodes)} nodes in ${numberText(limited)} of ` +
        `${counted(solved, 'answer')}; its rate counts them as solved.`,
    );
  const title = `${name}: ${counted(count, 'puzzle')}, ${variant} ${size}x${size}${sample}`;
  return [title, ...tableLines(COLUMNS, rows, undefined), ...notes, ''];
}

/** Rounds to three significant digits below 100, and to a whole number above. */
export function rounded(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
