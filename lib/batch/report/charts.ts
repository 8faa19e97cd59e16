/**
 * Draws histograms, and puzzles per second over time, as bars.
 *
 * Widths are in percent and heights in pixels, so that text keeps its size on a phone.
 *
 *     puzzles |        #                          /s |    #
 *             |      # # #                           |  # # #
 *             |  # # # # # # . .                     |# # # # # #
 *             +--|---|---|---|--                     +-------------
 *                8   16  32  64 µs                   0    1    2 s
 */
import { durationText, numberText, shortNumberText } from '../quantities.ts';
import type { DurationBar, DurationSummary } from '../results/duration-histogram.ts';
import { type Content, type HtmlMarkup, html } from './markup.ts';
import type { RateStep } from './throughput.ts';

/** Pixels above the highest value, from it to the axis, and below the axis. */
const HEAD = 46;
const PLOT = 180;
const FOOT = 24;
const AXIS = HEAD + PLOT;
/** With more bars, the scale is at the highest one, and no bar has its count above it. */
const MAX_COUNTED_BARS = 7;
/** One puzzle among millions is visible. */
const MIN_BAR_PIXELS = 2;
/** Labels on the time axis. */
const MAX_LABELS = 6;

/** Text that stays inside the drawing. @param x in percent */
function label(name: string, x: number, y: number, text: string): HtmlMarkup {
  const side = x < 8 ? ' first' : x > 92 ? ' last' : '';
  return html`<text class="${name}${side}" x="${rounded(x)}%" y="${y}">${text}</text>`;
}

/** The bounds of the bars double, so the time axis is logarithmic. @param bars at least one */
export function durationChart(bars: readonly DurationBar[], summary: DurationSummary): HtmlMarkup {
  const bounds = [...bars.map(({ fromUs }) => fromUs), bars.at(-1)!.toUs];
  const title = `Histogram of solve times from ${durationText(summary.min)} to ${durationText(summary.max)}; half of the puzzles took at most ${durationText(summary.p50)}. The values are in the table below.`;
  const labels = bounds.map((us, k) => [k / bars.length, boundText(us)] as const);
  const counts = bars.map(({ count }) => count);
  return barChart(title, counts, labels, [
    marker(bars, summary.p50, 'median', 12),
    marker(bars, summary.p99, 'p99', 26),
  ]);
}

/** A bar for each number or word, which is below its middle. @param bars at least one */
export function countChart(
  title: string,
  bars: readonly (readonly [name: string, count: number])[],
): HtmlMarkup {
  const labels = bars.map(([name], k) => [(k + 0.5) / bars.length, name] as const);
  const counts = bars.map(([, count]) => count);
  return barChart(`${title}. The values are in the table below.`, counts, labels);
}

/** @param labels below the axis at shares of its width, of which some are shown @param content what is drawn above the bars */
function barChart(
  title: string,
  counts: readonly number[],
  labels: readonly (readonly [share: number, text: string])[],
  content?: Content,
): HtmlMarkup {
  const every = Math.ceil(labels.length / MAX_LABELS);
  const shown = labels.filter((_, k) => k % every === 0);
  const highest = Math.max(1, ...counts);
  const step = 100 / counts.length;
  const isCounted = counts.length <= MAX_COUNTED_BARS;
  const bars = counts.map((count, k) => {
    const height = count === 0 ? 0 : Math.max(MIN_BAR_PIXELS, rounded((count / highest) * PLOT));
    const y = AXIS - height;
    return html`<rect class="bar" x="${rounded(k * step + step * 0.06)}%" width="${rounded(step * 0.88)}%" y="${y}" height="${height}"/>${isCounted && count > 0 && label('value', (k + 0.5) * step, y - 5, shortNumberText(count))}`;
  });
  return html`<svg class="chart" role="img" width="100%" height="${AXIS + FOOT}"><title>${title}</title>
${[AXIS - PLOT / 2, HEAD].map((y) => html`<line class="rule" x1="0" x2="100%" y1="${y}" y2="${y}"/>`)}
${bars}${content}
<line class="axis" x1="0" x2="100%" y1="${AXIS}" y2="${AXIS}"/>
${shown.map(([share, text]) => label('bound', share * 100, AXIS + 18, text))}
${!isCounted && html`<text class="scale" x="0" y="${HEAD - 4}">${numberText(highest)}</text>`}
</svg>`;
}

function marker(bars: readonly DurationBar[], us: number, name: string, y: number): HtmlMarkup | undefined {
  const k = bars.findIndex(({ toUs }) => us < toUs);
  if (k < 0) return undefined;
  const { fromUs, toUs } = bars[k]!;
  // The first bar may begin at 0, which has no logarithm.
  const share = Math.min(1, Math.max(0, 1 - Math.log2(toUs / Math.max(us, fromUs, toUs / 2))));
  const x = rounded(((k + share) * 100) / bars.length);
  const side = x > 70 ? ' last' : x < 30 ? ' first' : '';
  return html`<line class="marker" x1="${x}%" x2="${x}%" y1="${y + 3}" y2="${AXIS}"/><text class="mark${side}" x="${x}%" y="${y}">${name} ${durationText(us)}</text>`;
}

/** @param us a power of two, or 0 */
export function boundText(us: number): string {
  if (us < 1000) return `${us} µs`;
  if (us < 1_000_000) return `${Number((us / 1000).toPrecision(2))} ms`;
  return `${Number((us / 1_000_000).toPrecision(2))} s`;
}

/** @param steps at least one */
export function rateChart(steps: readonly RateStep[]): HtmlMarkup {
  const rates = steps.map(({ perSecond }) => Math.round(perSecond));
  const { toMs: endMs } = steps.at(-1)!;
  const title = `Puzzles per second over the batch: up to ${numberText(Math.max(...rates))} in one step. The values are in the table below.`;
  const labels = [0, 0.25, 0.5, 0.75, 1].map(
    (share) => [share, share === 0 ? '0' : durationText(endMs * 1000 * share)] as const,
  );
  return barChart(title, rates, labels);
}

/** Two decimals, for coordinates. */
function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
