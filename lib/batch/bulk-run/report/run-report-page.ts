/** Makes `report.html` of a bulk run: one page without scripts or other files. */
import { HtmlMarkup, html } from '../../report/markup.ts';
import type { RunReport, UnsolvedVersion } from './run-report.ts';

const STYLE =
  new HtmlMarkup(`body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem 1rem .2rem 0;text-align:left;vertical-align:top}
td.n{text-align:right;font-variant-numeric:tabular-nums}code{overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}}`);

export function runReportPage(report: RunReport): string {
  const { run, startedAt, endedAt, wallSeconds, versions, puzzles, dollars, unsolved } = report;
  const scope =
    run.rerunOf === undefined ? (run.prefix ?? 'all uploads') : `the unsolved files of run ${run.rerunOf}`;
  const notSolved = versions.planned - versions.solved;
  const more = notSolved - unsolved.length;
  return html`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Bulk run ${run.runId}</title><style>${STYLE}</style>
<h1>Bulk run ${run.runId}</h1>
<p>${number(versions.solved)} of ${number(versions.planned)} planned files solved, from ${scope}.
Started ${startedAt}, ended ${endedAt}: ${number(wallSeconds)} s.</p>
<h2>Files</h2>
${table([
  ['found', versions.found],
  ['already done', versions.alreadyDone],
  ['skipped: too new, waiting for their event', versions.tooYoung],
  ['skipped: sent by another run', versions.underWay],
  ['planned', versions.planned],
  ['solved', versions.solved],
  ['rejected: not readable as puzzles', versions.rejected],
  ['failed in every attempt', versions.failed],
  ['stalled: not finished in time', versions.stalled],
])}
<h2>Puzzles</h2>
${table(Object.entries(puzzles))}
<h2>Time and cost</h2>
${table([
  ['function time for solving, seconds', report.solveSeconds],
  ['Lambda, dollars', dollars.lambda],
  ['S3 requests, dollars', dollars.s3],
  ['SQS, dollars', dollars.sqs],
  ['total, dollars', dollars.total],
])}
<p>Approximate, at the prices of ${dollars.prices.date} in ${dollars.prices.region}.</p>
${notSolved === 0 ? '' : unsolvedTable(report, more)}${expiringTable(report)}</html>
`.source;
}

function unsolvedTable({ run, unsolved }: RunReport, more: number): HtmlMarkup {
  const rest = more > 0 && html`<p>and ${number(more)} more, in <code>unsolved.jsonl</code>.</p>\n`;
  return html`<h2>Not solved</h2>
<p>To solve only these again, run <code>dlx-batch run --rerun-failed ${run.runId}</code>.</p>
${versionsTable(unsolved)}${rest}`;
}

/** A bulk run of an older program had no such list. */
function expiringTable({ expiring }: Partial<Pick<RunReport, 'expiring'>>): HtmlMarkup | false {
  if (expiring === undefined || expiring.versions === 0) return false;
  const { versions, first } = expiring;
  const more = versions - first.length;
  return html`<h2>Not solved, and to be deleted</h2>
<p>${number(versions)} of these versions were replaced or deleted, so that their bucket keeps them for only as many days as
<code>dlx:uploadVersionDays</code> says (30 by default) since then.</p>
${versionsTable(first)}${more > 0 && html`<p>and ${number(more)} more, in <code>unsolved.jsonl</code>.</p>\n`}`;
}

function versionsTable(versions: readonly UnsolvedVersion[]): HtmlMarkup {
  const rows = versions.map(
    ({ key, versionId, outcome, message }) =>
      html`<tr><td>${outcome}<td><code>${key}</code><td><code>${versionId}</code><td>${message}\n`,
  );
  return html`<table><tr><th>outcome<th>key<th>version<th>reason
${rows}</table>
`;
}

function table(rows: readonly (readonly [label: string, value: number])[]): HtmlMarkup {
  const lines = rows.map(([label, value]) => html`<tr><td>${label}<td class="n">${number(value)}\n`);
  return html`<table>\n${lines}</table>`;
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 6 });
}
