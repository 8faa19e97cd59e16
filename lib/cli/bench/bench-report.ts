/** The measurements as a table for people, and as the rows of `--json`. */
import type { BenchCase } from './bench-case.ts';
import { SOLUTION_LIMIT } from './bench-solver.ts';
import { type Measurement, median } from './measure.ts';

/** One row of `--json`. */
export interface ResultRow {
  readonly solver: string;
  readonly version: string;
  readonly file: string;
  readonly limit: number;
  readonly puzzles: number;
  readonly puzzlesPerSecond: number;
  /** To the reference in the same run; left out where there is none. */
  readonly ratio?: number;
}

export function resultRows(puzzles: BenchCase, measurements: readonly Measurement[]): ResultRow[] {
  return measurements.map(({ solver, puzzles: count, rates, ratio }) => ({
    solver: solver.name,
    version: solver.version,
    file: puzzles.name,
    limit: SOLUTION_LIMIT,
    puzzles: count,
    puzzlesPerSecond: rounded(median(rates)),
    ratio: ratio === undefined ? undefined : rounded(ratio),
  }));
}

/** A table in Markdown, and below it what has to be said of it. */
export function resultTable(puzzles: BenchCase, measurements: readonly Measurement[]): string {
  const { size, variant } = puzzles.geometry;
  const withRatio = measurements.some(({ ratio }) => ratio !== undefined);
  const head = ['solver', 'version', 'puzzles', 'puzzles/s, median', 'best', 'spread'];
  if (withRatio) head.push('ratio');
  const rows = measurements.map(({ solver, step, puzzles: count, rates, ratio }) => [
    solver.name,
    solver.version,
    step === 1 ? grouped(count) : `${grouped(count)} (1 in ${step})`,
    grouped(rounded(median(rates))),
    grouped(rounded(Math.max(...rates))),
    `${Math.round((100 * (Math.max(...rates) - Math.min(...rates))) / median(rates))}%`,
    ...(withRatio ? [ratio === undefined ? '' : grouped(rounded(ratio))] : []),
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, k) => (k < 2 ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!))).join(' | ')} |`;
  const ruler = `|${widths.map((width, k) => (k < 2 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [
    `### ${puzzles.name}`,
    '',
    `${grouped(puzzles.count)} puzzles, ${variant} ${size}x${size}${sampleText(puzzles)}.`,
    '',
    line(head),
    ruler,
    ...rows.map(line),
    ...notes(measurements),
    '',
  ].join('\n');
}

function sampleText({ sampledFrom }: BenchCase): string {
  return sampledFrom === undefined ? '' : `: an even sample of the file's ${grouped(sampledFrom)}`;
}

function notes(measurements: readonly Measurement[]): string[] {
  return measurements.flatMap(({ solver, puzzles, limited }) =>
    limited === 0
      ? []
      : [
          '',
          `${solver.name} gave up ${grouped(limited)} of its ${grouped(puzzles)} puzzles, after ` +
            `${grouped(solver.maxNodes)} nodes each: its rate counts them as if they were solved.`,
        ],
  );
}

/** Three significant digits below 100, whole numbers above. */
function rounded(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}
