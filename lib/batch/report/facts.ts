/** The sections of figures: solve times, puzzles per second, and the run. */
import { durationText, numberText, shortNumberText } from '../quantities.ts';
import { measuredRate } from '../results/measured-rate.ts';
import type { CountBar, JobStats } from '../results/statistics.ts';
import { RESULT_SCHEMA, VERSION } from '../version.ts';
import { boundText, countChart, durationChart, rateChart } from './charts.ts';
import { type Content, type HtmlMarkup, html, section, table } from './markup.ts';
import { NONE_SEARCHED } from './puzzle-section.ts';
import { percentText } from './status-section.ts';
import type { RateStep } from './throughput.ts';

type Fact = readonly [name: string, value: Content];

/** Solve times of the puzzles that an engine searched. */
export function durationSection({ timing }: JobStats): HtmlMarkup {
  const { solveUs, histogram } = timing;
  if (solveUs === undefined || histogram.length === 0) return section('times', 'Solve times', NONE_SEARCHED);
  const { min, mean, stddev, p50, p90, p95, p99, p999, max } = solveUs;
  const times: readonly (readonly [name: string, us: number])[] = [
    ['Fastest', min],
    ['50 % (median)', p50],
    ['90 %', p90],
    ['95 %', p95],
    ['99 %', p99],
    ['99.9 %', p999],
    ['Slowest', max],
    ['Mean', mean],
    ['Standard deviation', stddev],
  ];
  const counted = histogram.reduce((sum, { count }) => sum + count, 0);
  const percentiles = table(
    'Percentiles of the solve time',
    ['Puzzles', 'Time'],
    times.map(([name, us]) => [name, durationText(us)]),
  );
  const values = table(
    'Puzzles by solve time',
    ['From', 'Below', 'Puzzles', 'Share'],
    histogram.map(({ fromUs, toUs, count }) => [
      boundText(fromUs),
      boundText(toUs),
      numberText(count),
      percentText(count, counted),
    ]),
  );
  return section(
    'times',
    'Solve times',
    html`<p class="note">Engine time of each puzzle, on a logarithmic scale: the upper bound of each bar is twice that of the previous one.</p>
${durationChart(histogram, solveUs)}
<div class="columns">${percentiles}<details><summary>Values of the histogram</summary>${values}</details></div>`,
  );
}

/** Puzzles by difficulty, guesses and givens. */
export function countSection({ ratings, search, byGivens = [] }: JobStats): HtmlMarkup {
  const grades = Object.entries(ratings?.grades ?? {});
  const named = (bars: readonly CountBar[]) =>
    bars.map(
      ({ from, to, count }) =>
        [from === to ? numberText(from) : `${shortNumberText(from)}–${shortNumberText(to)}`, count] as const,
    );
  const charts = [
    ['Difficulty', 'Grade', grades],
    ['Guesses of the search', 'Guesses', named(search.byGuesses ?? [])],
    ['Givens', 'Givens', named(byGivens)],
  ] as const;
  const filled = charts.filter(([, , bars]) => bars.some(([, count]) => count > 0));
  return section(
    'counts',
    grades.length > 0 ? 'Difficulty, guesses and givens' : 'Guesses and givens',
    filled.length === 0 && NONE_SEARCHED,
    html`<div class="columns">${filled.map(([title, column, bars]) => {
      const sum = bars.reduce((total, [, count]) => total + count, 0);
      return html`<div><h3>${title}</h3>${countChart(`Histogram of puzzles: ${title}`, bars)}
<details><summary>Values of the histogram: ${column}</summary>${table(
        title,
        [column, 'Puzzles', 'Share'],
        bars.map(([name, count]) => [name, numberText(count), percentText(count, sum)]),
      )}</details></div>`;
    })}</div>`,
  );
}

/** Puzzles per second over the batch. */
export function rateSection(stats: JobStats, steps: readonly RateStep[]): HtmlMarkup {
  const rate = measuredRate(stats);
  const mean = `${numberText(rate ?? 0)} puzzles per second on average, from the first byte read to the last file closed.`;
  const content =
    rate === undefined
      ? html`<p>Less than a second of solving gives no rate.</p>`
      : steps.length === 0
        ? html`<p>${mean} The batch was too short for a chart.</p>`
        : html`<p class="note">${mean}</p>
${rateChart(steps)}
<details><summary>Values of the chart</summary>${table(
            'Puzzles per second over the batch',
            ['From', 'To', 'Puzzles per second'],
            steps.map(({ fromMs, toMs, perSecond }) => [
              durationText(fromMs * 1000),
              durationText(toMs * 1000),
              numberText(Math.round(perSecond)),
            ]),
          )}</details>`;
  return section('rate', 'Puzzles per second', content);
}

/** Times, search, options and machine. */
export function runSection(stats: JobStats, canonicalOptions: string): HtmlMarkup {
  const { timing, used, search, exactCover, engine, runtime } = stats;
  const times: Fact[] = [
    ['Wall time', durationText(timing.wallMs * 1000)],
    ['Waiting for input', durationText(timing.readMs * 1000)],
    ['Reading puzzles', durationText(timing.parseMs * 1000)],
    ['Solving, sum over all workers', durationText(timing.solveMs * 1000)],
    ['Writing', durationText(timing.writeMs * 1000)],
  ];
  if (used !== undefined) {
    times.push(
      ['Shards, and parts of them', `${numberText(used.shards)}, ${numberText(used.pieces)}`],
      ['Function time, sum', durationText(used.functionMs * 1000)],
      ['Memory used', `${numberText(used.gbSeconds)} GB-seconds`],
      ['Cost of the functions', `$${used.lambdaDollars}`],
    );
  }
  const searches: Fact[] = [
    ['Search nodes', numberText(search.nodes)],
    ['Guesses', numberText(search.guesses)],
    ['Puzzles solved without a guess', numberText(search.withoutGuess)],
    ['Memory of one search, at most', `${numberText(search.maxBytes)} bytes`],
  ];
  if (exactCover !== undefined) {
    const { solutions, primaryItems, secondaryItems, options, entries, matrixNodes, updates, cost } =
      exactCover;
    searches.push(
      ['Solutions found', numberText(BigInt(solutions))],
      ['Items, primary and secondary', `${numberText(primaryItems)}, ${numberText(secondaryItems)}`],
      ['Options', numberText(options)],
      ['Entries of all options', numberText(entries)],
      ['Nodes of the matrices', numberText(matrixNodes)],
      ['Updates', numberText(updates)],
    );
    if (cost !== undefined) searches.push(['Cost of the cheapest solutions', numberText(cost)]);
  }
  const options = Object.entries(JSON.parse(canonicalOptions) as Record<string, unknown>);
  const machine: Fact[] = [
    ['Engine', `${engine.name}, version ${engine.version}`],
    ['Workers', numberText(engine.workers)],
    ['Runtime', `Node ${runtime.node}, ${runtime.arch}`],
    ['Memory', `${numberText(runtime.memoryMb)} MB`],
    ['dlx-batch', `${VERSION} (${RESULT_SCHEMA})`],
  ];
  return section(
    'run',
    'Run',
    html`<div class="columns">${[
      table('Times', undefined, times),
      table('Search', undefined, searches),
      table(
        'Options',
        undefined,
        options.map(([name, value]) => [name, html`<bdi>${String(value)}</bdi>`]),
      ),
      table('Machine', undefined, machine),
    ]}</div>`,
  );
}
