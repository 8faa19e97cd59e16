/** Measurements and their ratios to a reference: as a Markdown table, and as the rows of `--json`. */
import { counted, numberText } from '../../lib/batch/quantities.ts';
import type { BenchCase } from '../../lib/cli/bench/bench-case.ts';
import { resultRows, rounded } from '../../lib/cli/bench/bench-files.ts';
import { type Measurement, median } from '../../lib/cli/bench/measure.ts';

/** The median over the rounds of the rate divided by that of the reference; undefined if the reference was not measured. */
function ratioTo(
  reference: string,
  { rates }: Measurement,
  measurements: readonly Measurement[],
): number | undefined {
  const other = measurements.find(({ solver }) => solver.name === reference);
  return other && rounded(median(rates.map((rate, pass) => rate / other.rates[pass]!)));
}

export function ratioRows(puzzles: BenchCase, measurements: readonly Measurement[], reference: string) {
  return resultRows(puzzles, measurements).map((row, k) => ({
    ...row,
    ratio: ratioTo(reference, measurements[k]!, measurements),
  }));
}

/** Formats a Markdown table. */
export function ratioTable(
  puzzles: BenchCase,
  measurements: readonly Measurement[],
  reference: string,
): string {
  const { size, variant } = puzzles.geometry;
  const head = [
    'solver',
    'version',
    'puzzles',
    'puzzles/s, median',
    'best',
    'spread',
    'ratio',
    'at the limit',
  ];
  const rows = measurements.map((measurement) => {
    const { solver, solved, limited, rates } = measurement;
    const [middle, best] = [median(rates), Math.max(...rates)];
    return [
      solver.name,
      solver.version ?? '',
      numberText(Math.min(solved, puzzles.count)),
      numberText(rounded(middle)),
      numberText(rounded(best)),
      `${Math.round((100 * (best - Math.min(...rates))) / middle)}%`,
      String(ratioTo(reference, measurement, measurements) ?? ''),
      limited === 0 ? '' : `${numberText(limited)} of ${numberText(solved)}`,
    ];
  });
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    `### ${puzzles.name}`,
    '',
    `${counted(puzzles.count, 'puzzle')}, ${variant} ${size}x${size}.`,
    '',
    line(head),
    line(head.map((_, k) => (k < 2 ? '---' : '---:'))),
    ...rows.map(line),
    '',
  ].join('\n');
}
