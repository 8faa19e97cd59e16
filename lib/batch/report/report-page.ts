/**
 * Makes `report.html`: the content of `stats.json` and a sample of the puzzles as a page.
 *
 * The page uses one script, which has its hash in the content security policy, no network and no other file. The policy
 * forbids all others, so even text that was not escaped could do nothing. Without scripts the page shows the same puzzles.
 * Like `stats.json` it contains times, and so differs from run to run.
 */
import type { JobRecord } from '../results/job-record.ts';
import type { RecordSample } from '../results/record-sample.ts';
import type { JobStats } from '../results/statistics.ts';
import { countSection, durationSection, rateSection, runSection } from './facts.ts';
import { htmlPage, SKIP_LINK } from './html-page.ts';
import { type HtmlMarkup, html, section } from './markup.ts';
import { listed, PuzzleList } from './puzzle-list.ts';
import { NONE_SEARCHED, puzzleSection } from './puzzle-section.ts';
import { PAGE_SCRIPT } from './report-script.ts';
import { keyFigures, statusSection, verdict } from './status-section.ts';
import { PAGE_STYLES } from './styles.ts';
import type { Throughput } from './throughput.ts';

/** Collected while a job runs, or read from the parts of a large job. */
export interface ReportData {
  /** @default a generic name */
  readonly inputName?: string;
  /** ISO 8601 in UTC. */
  readonly finishedAt: string;
  /** See `canonicalOptions`. */
  readonly canonicalOptions: string;
  readonly stats: JobStats;
  /** Records of the hardest puzzles that are small enough to draw, hardest first. */
  readonly hardest: readonly JobRecord[];
  readonly sample: Pick<RecordSample, 'total' | 'listed' | 'exceptions' | 'groups'>;
  readonly throughput: Throughput;
}

/** Of the hardest puzzles, those that are open. */
const OPEN_HARDEST = 2;

const SECTIONS: readonly (readonly [id: string, name: string])[] = [
  ['puzzles', 'Puzzles'],
  ['status', 'Status'],
  ['counts', 'Difficulty'],
  ['times', 'Solve times'],
  ['rate', 'Rate'],
  ['hardest', 'Hardest'],
  ['run', 'Run'],
];

export function reportPage({
  inputName = 'puzzles',
  finishedAt,
  canonicalOptions,
  stats,
  hardest,
  sample,
  throughput,
}: ReportData): string {
  const wanted: number | 'all' = JSON.parse(canonicalOptions).solutions;
  const list = new PuzzleList();
  // First, as the page draws a number of puzzles.
  const hard = hardestSection(stats, [...sample.listed, ...hardest], list);
  const body = html`${SKIP_LINK}<header><p class="kicker">dlx-batch report</p><h1><bdi>${inputName}</bdi></h1>
<p class="verdict">${verdict(stats, wanted === 'all' || wanted > 2)}</p>
<nav aria-label="Sections"><ul>${SECTIONS.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav></header>
<main id="main">${puzzleSection(stats, sample, hardest, list)}
${keyFigures(stats)}
${statusSection(stats, wanted === 1)}
${countSection(stats)}
${durationSection(stats)}
${rateSection(stats, throughput.steps())}
${hard}
${runSection(stats, canonicalOptions)}
${list.shapes}</main>
<footer><p>Finished <time datetime="${finishedAt}">${finishedAt.slice(0, 19).replace('T', ' ')} UTC</time>. The same data in machine-readable form is in <code>stats.json</code>.</p></footer>`;
  return htmlPage(`${inputName} · dlx-batch report`, PAGE_STYLES, body, PAGE_SCRIPT);
}

/** @param records among which are those of the hardest puzzles that are small enough to draw */
function hardestSection({ hardest }: JobStats, records: readonly JobRecord[], list: PuzzleList): HtmlMarkup {
  const byIndex = new Map(records.map((record) => [record.index, record]));
  const puzzles = hardest
    .flatMap(({ index }) => byIndex.get(index) ?? [])
    .map((record, k) => ({ ...listed(record, undefined, k < OPEN_HARDEST), isRemarkable: true }));
  return section(
    'hardest',
    'Hardest puzzles',
    hardest.length === 0
      ? NONE_SEARCHED
      : html`<p class="note">The puzzles that took the most guesses, then the most search nodes: the same in every run.</p>
${list.list(puzzles)}`,
  );
}
