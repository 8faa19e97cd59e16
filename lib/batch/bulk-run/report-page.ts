/** `report.html` of a bulk run: one page that needs nothing else. */
import type { RunReport } from './run-report.ts';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem 1rem .2rem 0;text-align:left;vertical-align:top}
td.n{text-align:right;font-variant-numeric:tabular-nums}code{overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}}`;

export function reportPage(report: RunReport): string {
  const { run, startedAt, endedAt, wallSeconds, versions, puzzles, dollars, unsolved } = report;
  const scope = run.rerunOf === undefined ? (run.prefix ?? 'all uploads') : `what run ${run.rerunOf} left`;
  const notSolved = versions.planned - versions.solved;
  const more = notSolved - unsolved.length;
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Bulk run ${escaped(run.runId)}</title><style>${STYLE}</style>
<h1>Bulk run ${escaped(run.runId)}</h1>
<p>${number(versions.solved)} of ${number(versions.planned)} planned files solved, from ${escaped(scope)}.
It ran from ${escaped(startedAt)} to ${escaped(endedAt)}: ${number(wallSeconds)} s.</p>
<h2>Files</h2>
${table([
  ['found', versions.found],
  ['done before', versions.alreadyDone],
  ['left to their event: too young', versions.tooYoung],
  ['left to another run', versions.underWay],
  ['planned', versions.planned],
  ['solved', versions.solved],
  ['rejected: could not be read as puzzles', versions.rejected],
  ['failed in every try', versions.failed],
  ['stalled: no end of them in time', versions.stalled],
])}
<h2>Puzzles</h2>
${table(Object.entries(puzzles))}
<h2>Time and cost</h2>
${table([
  ['seconds of functions that solved', report.solveSeconds],
  ['Lambda, dollars', dollars.lambda],
  ['S3 requests, dollars', dollars.s3],
  ['SQS, dollars', dollars.sqs],
  ['together, dollars', dollars.total],
])}
<p>Prices of ${escaped(dollars.prices.date)}, ${escaped(dollars.prices.region)}; about.</p>
${notSolved === 0 ? '' : unsolvedTable(report, more)}</html>
`;
}

function unsolvedTable({ run, unsolved }: RunReport, more: number): string {
  const rows = unsolved.map(
    ({ key, versionId, outcome, message }) =>
      `<tr><td>${outcome}<td><code>${escaped(key)}</code><td><code>${escaped(versionId)}</code><td>${escaped(message)}`,
  );
  const rest = more > 0 ? `<p>and ${number(more)} more, in <code>unsolved.jsonl</code>.</p>\n` : '';
  return `<h2>Not solved</h2>
<p>Take just these again with <code>dlx-batch run --rerun-failed ${escaped(run.runId)}</code>.</p>
<table><tr><th>outcome<th>key<th>version<th>why
${rows.join('\n')}
</table>
${rest}`;
}

function table(rows: readonly (readonly [label: string, value: number])[]): string {
  const lines = rows.map(([label, value]) => `<tr><td>${escaped(label)}<td class="n">${number(value)}`);
  return `<table>\n${lines.join('\n')}\n</table>`;
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 6 });
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Keys and messages come from others: nothing in them may become markup. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}
