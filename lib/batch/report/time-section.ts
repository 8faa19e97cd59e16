/** Sections about times: histogram, percentiles, rate over the batch. */
import { durationText, numberText } from '../quantities.ts';
import { measuredRate } from '../results/measured-rate.ts';
import type { JobStats } from '../results/statistics.ts';
import { boundText, durationChart } from './duration-chart.ts';
import { type HtmlMarkup, html } from './markup.ts';
import { rateChart, rateSteps } from './rate-chart.ts';
import { percentText } from './status-section.ts';
import type { ThroughputSample } from './throughput.ts';

/** Solve times of the puzzles that an engine searched. */
export function durationSection({ timing }: JobStats): HtmlMarkup {
  const { solveUs, histogram } = timing;
  if (solveUs === undefined || histogram.length === 0) {
    return html`<section aria-labelledby="times"><h2 id="times">Solve times</h2><p>No puzzle was searched.</p></section>`;
  }
  const { min, mean, stddev, p50, p90, p95, p99, p999, max } = solveUs;
  const rows: readonly (readonly [name: string, us: number])[] = [
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
  return html`<section aria-labelledby="times"><h2 id="times">Solve times</h2>
<p class="note">Engine time of each puzzle, on a logarithmic scale: the upper bound of each bar is twice that of the previous one.</p>
${durationChart(histogram, solveUs)}
<div class="columns"><table><caption>Percentiles of the solve time</caption>
<thead><tr><th scope="col">Puzzles</th><th scope="col" class="number">Time</th></tr></thead>
<tbody>${rows.map(([name, us]) => html`<tr><th scope="row">${name}</th><td class="number">${durationText(us)}</td></tr>`)}</tbody></table>
<details><summary>Values of the histogram</summary><table><caption>Puzzles by solve time</caption>
<thead><tr><th scope="col" class="number">From</th><th scope="col" class="number">Below</th><th scope="col" class="number">Puzzles</th><th scope="col" class="number">Share</th></tr></thead>
<tbody>${histogram.map(
    ({ fromUs, toUs, count }) =>
      html`<tr><th scope="row" class="number">${boundText(fromUs)}</th><td class="number">${boundText(toUs)}</td><td class="number">${numberText(count)}</td><td class="number">${percentText(count, counted)}</td></tr>`,
  )}</tbody></table></details></div></section>`;
}

/** Puzzles per second over the batch. */
export function rateSection(stats: JobStats, samples: readonly ThroughputSample[]): HtmlMarkup {
  const rate = measuredRate(stats);
  if (rate === undefined) {
    return html`<section aria-labelledby="rate"><h2 id="rate">Puzzles per second</h2><p>Less than a second of solving gives no rate.</p></section>`;
  }
  const steps = rateSteps(samples);
  const mean = `${numberText(rate)} puzzles per second on average, from the first byte read to the last file closed.`;
  if (steps.length === 0) {
    return html`<section aria-labelledby="rate"><h2 id="rate">Puzzles per second</h2><p>${mean} The batch was too short for a chart.</p></section>`;
  }
  return html`<section aria-labelledby="rate"><h2 id="rate">Puzzles per second</h2><p class="note">${mean}</p>
${rateChart(steps)}
<details><summary>Values of the chart</summary><table><caption>Puzzles per second over the batch</caption>
<thead><tr><th scope="col" class="number">From</th><th scope="col" class="number">To</th><th scope="col" class="number">Puzzles per second</th></tr></thead>
<tbody>${steps.map(
    ({ fromMs, toMs, perSecond }) =>
      html`<tr><th scope="row" class="number">${durationText(fromMs * 1000)}</th><td class="number">${durationText(toMs * 1000)}</td><td class="number">${numberText(Math.round(perSecond))}</td></tr>`,
  )}</tbody></table></details></section>`;
}
