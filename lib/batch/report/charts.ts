/**
 * Draws the solve times as a histogram, and puzzles per second as a step line.
 *
 * Widths are in percent and heights in pixels, so that text keeps its size on a phone.
 *
 *     puzzles |        #                          /s |     __
 *             |      # # #                           |  __|  |_
 *             |  # # # # # # . .                     |_|       |___
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
/** With fewer bars, empty ones are added on both sides. */
const MIN_BARS = 5;
/** One puzzle among millions is visible. */
const MIN_BAR_PIXELS = 2;
/** Labels on the time axis. */
const MAX_LABELS = 6;
/** A drawing with an axis, and labels below it at shares of its width. */
function chart(
  title: string,
  highest: string | false,
  labels: readonly (readonly [share: number, text: string])[],
  content: Content,
): HtmlMarkup {
  return html`<svg class="chart" role="img" width="100%" height="${AXIS + FOOT}"><title>${title}</title>
${[AXIS - PLOT / 2, HEAD].map((y) => html`<line class="rule" x1="0" x2="100%" y1="${y}" y2="${y}"/>`)}
${content}
<line class="axis" x1="0" x2="100%" y1="${AXIS}" y2="${AXIS}"/>
${labels.map(([share, text]) => label('bound', share * 100, AXIS + 18, text))}
${highest && html`<text class="scale" x="0" y="${HEAD - 4}">${highest}</text>`}
</svg>`;
}

/** Text that stays inside the drawing. @param x in percent */
function label(name: string, x: number, y: number, text: string): HtmlMarkup {
  const side = x < 8 ? ' first' : x > 92 ? ' last' : '';
  return html`<text class="${name}${side}" x="${rounded(x)}%" y="${y}">${text}</text>`;
}

/** The bounds of the bars double, so the time axis is logarithmic. @param filled at least one bar */
export function durationChart(filled: readonly DurationBar[], summary: DurationSummary): HtmlMarkup {
  const bars = padded(filled);
  const every = Math.ceil((bars.length + 1) / MAX_LABELS);
  const bounds = [...bars.map(({ fromUs }) => fromUs), bars.at(-1)!.toUs];
  const title = `Histogram of solve times from ${durationText(summary.min)} to ${durationText(summary.max)}; half of the puzzles took at most ${durationText(summary.p50)}. The values are in the table below.`;
  const labels = bounds
    .map((us, k) => [k / bars.length, boundText(us)] as const)
    .filter((_, k) => k % every === 0);
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
  const every = Math.ceil(bars.length / MAX_LABELS);
  const labels = bars
    .map(([name], k) => [(k + 0.5) / bars.length, name] as const)
    .filter((_, k) => k % every === 0);
  const counts = bars.map(([, count]) => count);
  return barChart(`${title}. The values are in the table below.`, counts, labels, undefined);
}

/** @param labels below the axis at shares of its width @param content what is drawn above the bars */
function barChart(
  title: string,
  counts: readonly number[],
  labels: readonly (readonly [share: number, text: string])[],
  content: Content,
): HtmlMarkup {
  const highest = Math.max(...counts);
  const step = 100 / counts.length;
  const isCounted = counts.length <= MAX_COUNTED_BARS;
  return chart(title, !isCounted && numberText(highest), labels, [
    counts.map((count, k) => {
      const height = count === 0 ? 0 : Math.max(MIN_BAR_PIXELS, rounded((count / highest) * PLOT));
      const y = AXIS - height;
      return html`<rect class="bar" x="${rounded(k * step + step * 0.06)}%" width="${rounded(step * 0.88)}%" y="${y}" height="${height}"/>${isCounted && count > 0 && label('value', (k + 0.5) * step, y - 5, shortNumberText(count))}`;
    }),
    content,
  ]);
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

/** The line is drawn in a square of 100 x 100 that scales to the width of the page. @param steps at least one */
export function rateChart(steps: readonly RateStep[]): HtmlMarkup {
  const highest = Math.max(...steps.map(({ perSecond }) => perSecond));
  const endMs = steps.at(-1)!.toMs;
  const y = (perSecond: number) => rounded(100 - (perSecond / (highest || 1)) * 100);
  const line = steps
    .map(({ toMs, perSecond }) => `V${y(perSecond)}H${rounded((toMs / endMs) * 100)}`)
    .join('');
  const title = `Puzzles per second over the batch: up to ${numberText(Math.round(highest))} in one step. The values are in the table below.`;
  const labels = [0, 0.25, 0.5, 0.75, 1].map(
    (share) => [share, share === 0 ? '0' : durationText(endMs * 1000 * share)] as const,
  );
  return chart(
    title,
    `${shortNumberText(highest)}/s`,
    labels,
    html`<svg y="${HEAD}" width="100%" height="${PLOT}" viewBox="0 0 100 100" preserveAspectRatio="none"><path class="area" d="M0 100${line}V100z"/><path class="line" d="M0 ${y(steps[0]!.perSecond)}${line}"/></svg>`,
  );
}

/** Two decimals, for coordinates. */
function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
