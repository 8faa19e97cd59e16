/**
 * Puzzles per second over the time of a batch, as a line of steps: each step is the mean of a stretch of time, all of
 * them equally long. Puzzles come block by block, so a step lasts some blocks.
 *
 * The line is drawn in a square of 100 x 100 that is stretched to the width of the page; strokes and text are not.
 */
import { durationText, numberText, shortNumberText } from '../quantities.ts';
import { type HtmlMarkup, html } from './markup.ts';
import type { ThroughputSample } from './throughput.ts';

const HEAD = 18;
const PLOT = 140;
const FOOT = 24;
/** Steps of a line, so that noise is not all there is to see. */
const MOST_STEPS = 40;
/** Samples to a step, and steps without which there is no course to see. */
const SAMPLES_A_STEP = 3;
const LEAST_STEPS = 4;

/** A stretch of the batch. */
export interface RateStep {
  readonly fromMs: number;
  readonly toMs: number;
  readonly perSecond: number;
}

/** The steps of a batch, no more than can be seen; none where it has too few samples. */
export function rateSteps(samples: readonly ThroughputSample[]): RateStep[] {
  const count = Math.min(MOST_STEPS, Math.floor(samples.length / SAMPLES_A_STEP));
  const endMs = samples.at(-1)?.elapsedMs ?? 0;
  if (count < LEAST_STEPS || endMs <= 0) return [];
  const stepMs = endMs / count;
  const steps: RateStep[] = [];
  let before = 0;
  for (let k = 0; k < count; k++) {
    const toMs = k === count - 1 ? endMs : (k + 1) * stepMs;
    const puzzles = puzzlesAt(samples, toMs);
    steps.push({ fromMs: k * stepMs, toMs, perSecond: ((puzzles - before) / stepMs) * 1000 });
    before = puzzles;
  }
  return steps;
}

/** Puzzles done at a time; between two samples they count as evenly spread. */
function puzzlesAt(samples: readonly ThroughputSample[], ms: number): number {
  let before: ThroughputSample = { puzzles: 0, elapsedMs: 0 };
  for (const sample of samples) {
    if (sample.elapsedMs >= ms) {
      const share = (ms - before.elapsedMs) / (sample.elapsedMs - before.elapsedMs);
      return before.puzzles + (sample.puzzles - before.puzzles) * share;
    }
    before = sample;
  }
  return before.puzzles;
}

/**
 * The chart.
 *
 * @param steps at least one
 */
export function rateChart(steps: readonly RateStep[]): HtmlMarkup {
  const highest = Math.max(...steps.map(({ perSecond }) => perSecond));
  const endMs = steps.at(-1)!.toMs;
  const axis = HEAD + PLOT;
  const x = (ms: number) => rounded((ms / endMs) * 100);
  const y = (perSecond: number) => rounded(100 - (perSecond / (highest || 1)) * 100);
  const line = steps.map(({ toMs, perSecond }) => `V${y(perSecond)}H${x(toMs)}`).join('');
  const title = `Puzzles per second over the batch: up to ${numberText(Math.round(highest))} in a step. The figures follow in a table.`;
  return html`<svg class="chart" role="img" width="100%" height="${axis + FOOT}"><title>${title}</title>
${[0.5, 1].map((share) => {
  const at = axis - PLOT * share;
  return html`<line class="rule" x1="0" x2="100%" y1="${at}" y2="${at}"/><text class="scale" x="0" y="${at - 4}">${shortNumberText(highest * share)}/s</text>`;
})}
<svg y="${HEAD}" width="100%" height="${PLOT}" viewBox="0 0 100 100" preserveAspectRatio="none"><path class="area" d="M0 100${line}V100z"/><path class="line" d="M0 ${y(steps[0]!.perSecond)}${line}"/></svg>
<line class="axis" x1="0" x2="100%" y1="${axis}" y2="${axis}"/>
${[0, 0.25, 0.5, 0.75, 1].map((share) => {
  const side = share === 0 ? ' first' : share === 1 ? ' last' : '';
  return html`<text class="bound${side}" x="${share * 100}%" y="${axis + 18}">${share === 0 ? '0' : durationText(endMs * 1000 * share)}</text>`;
})}
</svg>`;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
