/** Formats measurements as a table, and as the rows of `--json`. */
import { counted, numberText } from '../../batch/quantities.ts';
import { visibleText } from '../../formats/bytes/visible-text.ts';
import type { BenchCase } from './bench-case.ts';
import { SOLUTION_LIMIT } from './bench-solver.ts';
import { type Measurement, median } from './measure.ts';

/** One row of `--json`. */
export interface ResultRow {
  readonly solver: string;
  /** Undefined for a peer. */
  readonly version?: string;
  readonly file: string;
  readonly limit: number;
  readonly puzzles: number;
  readonly puzzlesPerSecond: number;
  /** Rate relative to the reference in the same run; undefined without a reference. */
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

/** Formats a Markdown table, followed by notes. */
export function resultTable(puzzles: BenchCase, measurements: readonly Measurement[]): string {
  const { size, variant } = puzzles.geometry;
  const withRatio = measurements.some(({ ratio }) => ratio !== undefined);
  const head = ['solver', 'version', 'puzzles', 'puzzles/s, median', 'best', 'spread'];
  if (withRatio) head.push('ratio');
  const rows = measurements.map(({ solver, step, puzzles: count, rates, ratio }) => [
    solver.name,
    solver.version ?? '',
    step === 1 ? numberText(count) : `${numberText(count)} (1 in ${step})`,
    numberText(rounded(median(rates))),
    numberText(rounded(Math.max(...rates))),
    `${Math.round((100 * (Math.max(...rates) - Math.min(...rates))) / median(rates))}%`,
    ...(withRatio ? [ratio === undefined ? '' : numberText(rounded(ratio))] : []),
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, k) => (k < 2 ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!))).join(' | ')} |`;
  const ruler = `|${widths.map((width, k) => (k < 2 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [
    `### ${visibleText(puzzles.name)}`,
    '',
    `${counted(puzzles.count, 'puzzle')}, ${variant} ${size}x${size}${sampleText(puzzles)}.`,
    '',
    line(head),
    ruler,
    ...rows.map(line),
    ...notes(measurements),
    '',
  ].join('\n');
}

function sampleText({ sampledFrom }: BenchCase): string {
  return sampledFrom === undefined ? '' : `: an even sample of the file's ${numberText(sampledFrom)}`;
}

function notes(measurements: readonly Measurement[]): string[] {
  return measurements.flatMap(({ solver, puzzles, limited }) =>
    limited === 0
      ? []
      : [
          '',
          `${solver.name} reached the limit of ${numberText(solver.maxNodes)} nodes in ${numberText(limited)} of ` +
            `${counted(puzzles, 'puzzle')}; its rate counts them as solved.`,
        ],
  );
}

/** Rounds to three significant digits below 100, and to a whole number above. */
function rounded(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
