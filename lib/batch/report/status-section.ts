/** The outcome of the puzzles: a sentence, the key figures, and the counts by status and by size. */
import { counted, countsText, durationText, numberText } from '../quantities.ts';
import {
  exceptionCount,
  exceptionKinds,
  type JobTotals,
  noPuzzlesText,
  type PuzzleCounts,
} from '../results/job-totals.ts';
import { measuredRate } from '../results/measured-rate.ts';
import type { JobStats } from '../results/statistics.ts';
import { PUZZLE_STATUSES, type PuzzleStatus } from '../solving/puzzle-status.ts';
import { type Content, type HtmlMarkup, html, scrolling, section, table } from './markup.ts';

const MEANINGS: Readonly<Record<PuzzleStatus, string>> = {
  solved: 'exactly one solution',
  multiple: 'more than one solution',
  unsolvable: 'no solution, proven',
  invalid: 'clashing givens',
  unreadable: 'text that is not a puzzle',
  limit: 'ran out of search budget: undecided',
};

/** The meaning of `solved` if one solution was requested. */
const FIRST_SOLUTION = 'a solution; others were not searched';

/** Minimum width of a part of the bar, in percent: one puzzle among millions is visible. */
const MIN_WIDTH = 0.8;

/**
 * Returns the outcome of all puzzles as one sentence.
 *
 * @param enumerated whether more than two solutions were requested: then several are not a failure
 */
export function verdict(stats: JobTotals, enumerated: boolean): string {
  const { puzzles } = stats;
  const { total, multiple } = puzzles;
  const several = enumerated ? multiple : 0;
  const solved = puzzles.solved + several;
  if (total === 0) return sentence(noPuzzlesText(stats.noPuzzles));
  const many = several > 0 ? `, ${numberText(several)} with more than one solution` : '';
  const outcome =
    solved < total
      ? `${numberText(solved)} of ${numberText(total)} puzzles were solved${many}`
      : total === 1
        ? `The puzzle was solved${many}`
        : `All ${numberText(total)} puzzles were solved${many}`;
  const others = PUZZLE_STATUSES.filter((status) => status !== 'multiple' || !enumerated);
  const parts = exceptionKinds(stats, others);
  if (parts.length === 0) return `${outcome}.`;
  return `${outcome}; ${counted(shownExceptions(stats, enumerated), 'exception')}: ${parts.join(', ')}.`;
}

/** The exceptions of a job; if solutions are enumerated, puzzles with several are as requested if all are written. */
export function shownExceptions(stats: JobTotals, enumerated: boolean): number {
  return exceptionCount(stats) - (enumerated ? stats.puzzles.multiple - (stats.cutResults ?? 0) : 0);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export function keyFigures(stats: JobStats): HtmlMarkup {
  const { puzzles, timing, search } = stats;
  const rate = measuredRate(stats);
  const searched = puzzles.total - puzzles.unreadable - puzzles.invalid;
  const figures: readonly (readonly [name: string, value: Content])[] = [
    ['Puzzles', numberText(puzzles.total)],
    ['Puzzles per second', rate !== undefined && numberText(rate)],
    ['Wall time', durationText(timing.wallMs * 1000)],
    ['Median solve time', timing.solveUs && durationText(timing.solveUs.p50)],
    ['99 % solved within', timing.solveUs && durationText(timing.solveUs.p99)],
    ['Without a guess', searched > 0 && percentText(search.withoutGuess, searched)],
  ];
  return html`<dl class="figures">${figures.map(
    ([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

/**
 * @param firstOnly whether one solution of each puzzle was requested
 */
export function statusSection({ puzzles, bySize }: JobStats, firstOnly: boolean): HtmlMarkup {
  const meanings = firstOnly ? { ...MEANINGS, solved: FIRST_SOLUTION } : MEANINGS;
  const sizes = Object.entries(bySize);
  const shown = PUZZLE_STATUSES.filter((status) => status !== 'unreadable');
  return section(
    'status',
    'Outcome',
    puzzles.total > 0 && statusBar(puzzles),
    table(
      'Puzzles by status',
      ['Status', 'Puzzles', 'Share', 'Meaning'],
      PUZZLE_STATUSES.map((status) => [
        html`<span class="dot ${status}"></span>${status}`,
        numberText(puzzles[status]),
        percentText(puzzles[status], puzzles.total),
        html`<span class="meaning">${meanings[status]}</span>`,
      ]),
      (row) => puzzles[PUZZLE_STATUSES[row]!] === 0,
    ),
    sizes.length > 1 &&
      scrolling(
        'Puzzles by size',
        table(
          'Puzzles by size',
          ['Size', 'Puzzles', ...shown],
          sizes.map(([size, counts]) => [
            size,
            numberText(counts.total),
            ...shown.map((status) => numberText(counts[status])),
          ]),
        ),
      ),
  );
}

function statusBar(puzzles: PuzzleCounts): HtmlMarkup {
  const present = PUZZLE_STATUSES.filter((status) => puzzles[status] > 0);
  const raised = present.map((status) => Math.max(MIN_WIDTH, (puzzles[status] / puzzles.total) * 100));
  const scale = 100 / raised.reduce((sum, width) => sum + width, 0);
  const title = countsText(present, (status) => puzzles[status]);
  let left = 0;
  return html`<svg class="bar" role="img" width="100%" height="22"><title>${title}</title>${present.map(
    (status, k) => {
      const x = left;
      left += raised[k]! * scale;
      return html`<rect class="${status}" x="${x.toFixed(3)}%" width="${(left - x).toFixed(3)}%" height="22"/>`;
    },
  )}</svg>`;
}

/** A share in percent; only 0 gives `0 %`, and only the whole gives `100 %`. */
export function percentText(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0 %';
  if (part === whole) return '100 %';
  const percent = (part / whole) * 100;
  if (percent < 0.01) return '< 0.01 %';
  if (percent > 99.99) return '> 99.99 %';
  return `${Number(percent.toPrecision(percent > 99 ? 4 : 3))} %`;
}
