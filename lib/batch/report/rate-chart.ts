/**
 * Draws puzzles per second over the time of a batch, as a step line: each step is the mean over an interval, and all
 * intervals are equally long. Puzzles are counted block by block, so an interval spans several blocks.
 *
 * The line is drawn in a square of 100 x 100 that scales to the width of the page; strokes and text do not scale.
 */
import { durationText, numberText, shortNumberText } from '../quantities.ts';
import { rounded } from './duration-chart.ts';
import { type HtmlMarkup, html } from './markup.ts';
import type { ThroughputSample } from './throughput.ts';

const HEAD = 18;
const PLOT = 140;
const FOOT = 24;
/** More steps would show only noise. */
const MAX_STEPS = 40;
/** Samples per step; and the steps below which no chart is drawn. */
const SAMPLES_PER_STEP = 3;
const MIN_STEPS = 4;

/** An interval of the batch. */
export interface RateStep {
  readonly fromMs: number;
  readonly toMs: number;
  readonly perSecond: number;
}

/** @returns at most `MAX_STEPS` steps; none if there are too few samples */
export function rateSteps(samples: readonly ThroughputSample[]): RateStep[] {
  const count = Math.min(MAX_STEPS, Math.floor(samples.length / SAMPLES_PER_STEP));
  const endMs = samples.at(-1)?.elapsedMs ?? 0;
  if (count < MIN_STEPS || endMs <= 0) return [];
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

/** Interpolates the number of puzzles done at a time. */
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

/** @param steps at least one */
export function rateChart(steps: readonly RateStep[]): HtmlMarkup {
  const highest = Math.max(...steps.map(({ perSecond }) => perSecond));
  const endMs = steps.at(-1)!.toMs;
  const axis = HEAD + PLOT;
  const x = (ms: number) => rounded((ms / endMs) * 100);
  const y = (perSecond: number) => rounded(100 - (perSecond / (highest || 1)) * 100);
  const line = steps.map(({ toMs, perSecond }) => `V${y(perSecond)}H${x(toMs)}`).join('');
  const title = `Puzzles per second over the batch: up to ${numberText(Math.round(highest))} in one step. The values are in the table below.`;
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
