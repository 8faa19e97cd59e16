/**
 * Makes `report.html`: the content of `stats.json` and the first exceptions as a page.
 *
 * The page uses no script, no network and no other file. Its content security policy forbids all three, so even text that
 * was not escaped could do nothing. Like `stats.json` it contains times, and so differs from run to run.
 */
import type { ExceptionSample } from '../results/exception-sample.ts';
import type { JobRecord } from '../results/job-record.ts';
import type { JobStats } from '../results/statistics.ts';
import { durationSection, rateSection, runSection } from './facts.ts';
import { type HtmlMarkup, html } from './markup.ts';
import { exceptionSection, hardestSection, slowestSection } from './puzzle-sections.ts';
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
  readonly exceptions: Pick<ExceptionSample, 'first' | 'total'>;
  readonly throughput: Throughput;
}

const SECTIONS: readonly (readonly [id: string, name: string])[] = [
  ['status', 'Status'],
  ['times', 'Solve times'],
  ['rate', 'Rate'],
  ['hardest', 'Hardest'],
  ['slowest', 'Slowest'],
  ['run', 'Run'],
];
const EXCEPTIONS = ['exceptions', 'Exceptions'] as const;

export function reportPage({
  inputName = 'puzzles',
  finishedAt,
  canonicalOptions,
  stats,
  hardest,
  exceptions,
  throughput,
}: ReportData): string {
  const wanted: number | 'all' = JSON.parse(canonicalOptions).solutions;
  const hasExceptions = exceptions.total > 0;
  const sections = hasExceptions ? [EXCEPTIONS, ...SECTIONS] : [...SECTIONS, EXCEPTIONS];
  const listed = exceptionSection(exceptions);
  const body = html`<header><p class="kicker">dlx-batch report</p><h1><bdi>${inputName}</bdi></h1>
<p class="verdict">${verdict(stats, wanted === 'all' || wanted > 2)}</p>
<nav aria-label="Sections"><ul>${sections.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav></header>
<main id="main">${hasExceptions && listed}
${keyFigures(stats)}
${statusSection(stats, wanted === 1)}
${durationSection(stats)}
${rateSection(stats, throughput.steps())}
${hardestSection(stats.hardest, hardest)}
${slowestSection(stats.slowest)}
${runSection(stats, canonicalOptions)}
${!hasExceptions && listed}</main>
<footer><p>Finished <time datetime="${finishedAt}">${finishedAt.slice(0, 19).replace('T', ' ')} UTC</time>. The same data in machine-readable form is in <code>stats.json</code>.</p></footer>`;
  return htmlPage(`${inputName} · dlx-batch report`, body);
}

/**
 * Adds the title, the styles and a content security policy that allows neither requests nor scripts.
 *
 * @param title plain text
 */
export function htmlPage(title: string, body: HtmlMarkup): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${PAGE_STYLES}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${body}
</body>
</html>
`.source;
}
