/**
 * The histogram of solve times: bars whose bounds double, so the time runs on a logarithmic scale.
 *
 * Everything across is in percent and everything down in pixels, so that text keeps its size on a phone.
 *
 *     puzzles |        #
 *             |      # # #
 *             |  # # # # # # . .         . at least 2 pixels: a single puzzle among millions is seen
 *             +--|---|---|---|--
 *                8   16  32  64 µs
 */

import { durationText, numberText, shortNumberText } from '../quantities.ts';
import type { DurationBar, DurationSummary } from '../results/duration-histogram.ts';
import { type HtmlMarkup, html } from './markup.ts';

/** Pixels from the top to the highest bar, from there to the axis, and below it. */
const HEAD = 46;
const PLOT = 180;
const FOOT = 24;
/** Bars whose counts fit above them on a phone, and on anything wider. */
const COUNTED_BARS = 7;
const WIDE_COUNTED_BARS = 18;
/** Bounds that are named. */
const MOST_BOUNDS = 6;
const LEAST_PIXELS = 2;

/** Bars without which a chart would be a wall. */
const LEAST_BARS = 5;

/**
 * The chart.
 *
 * @param filled at least one bar; empty ones may be added on both sides
 */
export function durationChart(filled: readonly DurationBar[], summary: DurationSummary): HtmlMarkup {
  const bars = padded(filled);
  const highest = Math.max(...bars.map(({ count }) => count));
  const axis = HEAD + PLOT;
  const step = 100 / bars.length;
  const heightOf = (count: number) =>
    count === 0 ? 0 : Math.max(LEAST_PIXELS, rounded((count / highest) * PLOT));
  const title = `Histogram of solve times from ${durationText(summary.min)} to ${durationText(summary.max)}; half of the puzzles took at most ${durationText(summary.p50)}. The figures follow in a table.`;
  return html`<svg class="chart${bars.length > COUNTED_BARS && ' many'}" role="img" width="100%" height="${axis + FOOT}"><title>${title}</title>
${[0.5, 1].map((share) => {
  const y = axis - PLOT * share;
  return html`<line class="rule" x1="0" x2="100%" y1="${y}" y2="${y}"/>`;
})}
${bars.map(({ count }, k) => {
  const height = heightOf(count);
  return html`<rect class="bar" x="${rounded(k * step + step * 0.06)}%" width="${rounded(step * 0.88)}%" y="${axis - height}" height="${height}"/>`;
})}
<line class="axis" x1="0" x2="100%" y1="${axis}" y2="${axis}"/>
${bounds(bars, axis)}
${marker(bars, summary.p50, 'median', axis, 12)}
${marker(bars, summary.p99, 'p99', axis, 26)}
${
  bars.length <= WIDE_COUNTED_BARS
    ? bars.map(({ count }, k) => {
        const x = rounded((k + 0.5) * step);
        return (
          count > 0 &&
          html`<text class="value" x="${x}%" y="${axis - heightOf(count) - 5}">${shortNumberText(count)}</text>`
        );
      })
    : undefined
}
${bars.length > COUNTED_BARS && html`<text class="scale${bars.length <= WIDE_COUNTED_BARS && ' instead'}" x="0" y="${HEAD - 4}">${numberText(highest)}</text>`}
</svg>`;
}

function padded(filled: readonly DurationBar[]): DurationBar[] {
  const bars = [...filled];
  while (bars.length < LEAST_BARS) {
    const { fromUs } = bars[0]!;
    const { toUs } = bars.at(-1)!;
    if (bars.length % 2 === 0 && fromUs >= 1) {
      bars.unshift({ fromUs: fromUs === 1 ? 0 : fromUs / 2, toUs: fromUs, count: 0 });
    } else {
      bars.push({ fromUs: toUs, toUs: toUs * 2, count: 0 });
    }
  }
  return bars;
}

/** Some of the bounds between bars, below the axis. */
function bounds(bars: readonly DurationBar[], axis: number): HtmlMarkup[] {
  const every = Math.ceil((bars.length + 1) / MOST_BOUNDS);
  const marks: HtmlMarkup[] = [];
  for (let k = 0; k <= bars.length; k += every) {
    const us = k === bars.length ? bars[k - 1]!.toUs : bars[k]!.fromUs;
    const x = rounded((k * 100) / bars.length);
    const side = k === 0 ? ' first' : k === bars.length ? ' last' : '';
    marks.push(
      html`<line class="axis" x1="${x}%" x2="${x}%" y1="${axis}" y2="${axis + 4}"/><text class="bound${side}" x="${x}%" y="${axis + 18}">${boundText(us)}</text>`,
    );
  }
  return marks;
}

function marker(
  bars: readonly DurationBar[],
  us: number,
  name: string,
  axis: number,
  y: number,
): HtmlMarkup | undefined {
  const k = bars.findIndex(({ toUs }) => us < toUs);
  if (k < 0) return undefined;
  const { fromUs, toUs } = bars[k]!;
  // The first bar may begin at 0, which no logarithm has.
  const share = Math.min(1, Math.max(0, 1 - Math.log2(toUs / Math.max(us, fromUs, toUs / 2))));
  const x = rounded(((k + share) * 100) / bars.length);
  const side = x > 70 ? ' last' : x < 30 ? ' first' : '';
  return html`<line class="marker" x1="${x}%" x2="${x}%" y1="${y + 3}" y2="${axis}"/><text class="mark${side}" x="${x}%" y="${y}">${name} ${durationText(us)}</text>`;
}

/** A bound of bars, a power of two of microseconds, as short as can be. */
export function boundText(us: number): string {
  if (us < 1000) return `${us} µs`;
  if (us < 1_000_000) return `${Number((us / 1000).toPrecision(2))} ms`;
  return `${Number((us / 1_000_000).toPrecision(2))} s`;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
