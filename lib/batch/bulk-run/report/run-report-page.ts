/** Makes `report.html` of a bulk run: one page without scripts or other files. */
import { numberText } from '../../quantities.ts';
import { htmlPage } from '../../report/html-page.ts';
import { type Content, type HtmlMarkup, html, scrolling, section, table } from '../../report/markup.ts';
import { PAGE_STYLES } from '../../report/styles.ts';
import type { RunReport, UnsolvedVersion } from './run-report.ts';

export function runReportPage(report: RunReport): string {
  const { run, startedAt, endedAt, wallSeconds, versions, puzzles, dollars, unsolved, expiring } = report;
  const { planned, solved, sent, open } = versions;
  const notSolved = planned - solved - (planned - sent - versions.missing) - open;
  return htmlPage(
    `Bulk run ${run.runId}`,
    PAGE_STYLES,
    html`<main id="main"><h1>Bulk run ${run.runId}</h1>
<p>${numberText(versions.solved)} of ${numberText(versions.planned)} planned files solved, from ${scopeOf(run)}.
Started ${startedAt}, ended ${endedAt}: ${numberText(wallSeconds)} s.</p>
${report.cancelled && html`<p>It was cancelled: what it had not sent waits for another run.</p>`}
${report.heldBy.length > 0 && html`<p>It left out what other runs worked on: ${report.heldBy.join(', ')}.</p>`}
${counts('files', 'Files', [
  ['found', versions.found],
  ['already done', versions.alreadyDone],
  ['skipped: too new, waiting for their event', versions.tooYoung],
  ['planned', versions.planned],
  ['solved', versions.solved],
  ['rejected: not readable as puzzles', versions.rejected],
  ['failed in every attempt', versions.failed],
  ['stalled: no outcome for a day', versions.stalled],
  ['listed, but not uploaded', versions.missing],
  ['not sent: the run was cancelled', planned - sent - versions.missing],
  ['sent, and not finished when it was cancelled', open],
])}
${counts('puzzles', 'Puzzles', Object.entries(puzzles))}
${counts('cost', 'Time and cost', [
  ['function time for solving, seconds', report.solveSeconds],
  ['Lambda, dollars', dollars.lambda],
  ['S3 requests, dollars', dollars.s3],
  ['SQS, dollars', dollars.sqs],
  ['total, dollars', dollars.total],
])}
<p>Approximate, at the prices of ${dollars.prices.date} in ${dollars.prices.region}.</p>
${
  notSolved > 0 &&
  versionsSection(
    'unsolved',
    'Not solved',
    html`<p>To solve only these again, run <code>dlx-batch retry --run ${run.runId}</code>.</p>`,
    unsolved,
    notSolved,
  )
}
${
  expiring.versions > 0 &&
  versionsSection(
    'expiring',
    'Not solved, and to be deleted',
    html`<p>${numberText(expiring.versions)} of these versions were replaced or deleted, so that their bucket keeps them for only as many days as
<code>dlx:uploadVersionDays</code> says (30 by default) since then.</p>`,
    expiring.first,
    expiring.versions,
  )
}</main>`,
  );
}

function scopeOf({ prefix, rerunOf, manifest, rejected }: RunReport['run']): string {
  if (rerunOf !== undefined) return `the unsolved files of run ${rerunOf}`;
  if (manifest === true) return 'a list of files';
  const files = prefix ?? 'all uploads';
  return rejected === undefined ? files : `the rejected files of ${files}`;
}

function counts(
  id: string,
  title: string,
  rows: readonly (readonly [name: string, value: number])[],
): HtmlMarkup {
  const number = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 6 });
  return section(
    id,
    title,
    table(
      title,
      undefined,
      rows.map(([name, value]) => [name, number(value)]),
    ),
  );
}

/** @param all how many there are */
function versionsSection(
  id: string,
  title: string,
  note: Content,
  versions: readonly UnsolvedVersion[],
  all: number,
): HtmlMarkup {
  const rows = versions.map(({ key, versionId, outcome, message }) => [
    outcome,
    html`<code>${key}</code>`,
    html`<code>${versionId}</code>`,
    html`${message}`,
  ]);
  const more = all - versions.length;
  return section(
    id,
    title,
    note,
    scrolling(title, table(title, ['outcome', 'key', 'version', 'reason'], rows)),
    more > 0 && html`<p>and ${numberText(more)} more, in <code>unsolved.jsonl</code>.</p>`,
  );
}
