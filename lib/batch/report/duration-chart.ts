/**
 * Draws the histogram of solve times: the bounds of the bars double, so the time axis is logarithmic.
 *
 * Widths are in percent and heights in pixels, so that text keeps its size on a phone.
 *
 *     puzzles |        #
 *             |      # # #
 *             |  # # # # # # . .         . at least 2 pixels: one puzzle among millions is visible
 *             +--|---|---|---|--
 *                8   16  32  64 µs
 */

import { durationText, numberText, shortNumberText } from '../quantities.ts';
import type { DurationBar, DurationSummary } from '../results/duration-histogram.ts';
import { type HtmlMarkup, html } from './markup.ts';

/** Pixels above the highest bar, from its top to the axis, and below the axis. */
const HEAD = 46;
const PLOT = 180;
const FOOT = 24;
/** Maximum number of bars with counts above them, on a phone and on a wider screen. */
const MAX_COUNTED_BARS = 7;
const MAX_WIDE_COUNTED_BARS = 18;
/** Labels on the time axis. */
const MAX_BOUNDS = 6;
const MIN_BAR_PIXELS = 2;

/** With fewer bars, empty ones are added on both sides. */
const MIN_BARS = 5;

/** @param filled at least one bar */
export function durationChart(filled: readonly DurationBar[], summary: DurationSummary): HtmlMarkup {
  const bars = padded(filled);
  const highest = Math.max(...bars.map(({ count }) => count));
  const axis = HEAD + PLOT;
  const step = 100 / bars.length;
  const heightOf = (count: number) =>
    count === 0 ? 0 : Math.max(MIN_BAR_PIXELS, rounded((count / highest) * PLOT));
  const title = `Histogram of solve times from ${durationText(summary.min)} to ${durationText(summary.max)}; half of the puzzles took at most ${durationText(summary.p50)}. The values are in the table below.`;
  return html`<svg class="chart${bars.length > MAX_COUNTED_BARS && ' many'}" role="img" width="100%" height="${axis + FOOT}"><title>${title}</title>
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
  bars.length <= MAX_WIDE_COUNTED_BARS
    ? bars.map(({ count }, k) => {
        const x = rounded((k + 0.5) * step);
        return (
          count > 0 &&
          html`<text class="value" x="${x}%" y="${axis - heightOf(count) - 5}">${shortNumberText(count)}</text>`
        );
      })
    : undefined
}
${bars.length > MAX_COUNTED_BARS && html`<text class="scale${bars.length <= MAX_WIDE_COUNTED_BARS && ' instead'}" x="0" y="${HEAD - 4}">${numberText(highest)}</text>`}
</svg>`;
}

function padded(filled: readonly DurationBar[]): DurationBar[] {
  const bars = [...filled];
  while (bars.length < MIN_BARS) {
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

/** Draws up to `MAX_BOUNDS` + 1 bounds below the axis. */
function bounds(bars: readonly DurationBar[], axis: number): HtmlMarkup[] {
  const every = Math.ceil((bars.length + 1) / MAX_BOUNDS);
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
  // The first bar may begin at 0, which has no logarithm.
  const share = Math.min(1, Math.max(0, 1 - Math.log2(toUs / Math.max(us, fromUs, toUs / 2))));
  const x = rounded(((k + share) * 100) / bars.length);
  const side = x > 70 ? ' last' : x < 30 ? ' first' : '';
  return html`<line class="marker" x1="${x}%" x2="${x}%" y1="${y + 3}" y2="${axis}"/><text class="mark${side}" x="${x}%" y="${y}">${name} ${durationText(us)}</text>`;
}

/** @param us a power of two, or 0 */
export function boundText(us: number): string {
  if (us < 1000) return `${us} µs`;
  if (us < 1_000_000) return `${Number((us / 1000).toPrecision(2))} ms`;
  return `${Number((us / 1_000_000).toPrecision(2))} s`;
}

/** Two decimals, for coordinates. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
