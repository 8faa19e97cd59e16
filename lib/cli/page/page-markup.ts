/** The initial markup of the page: all options, and the elements that the script fills. */
import { type Content, type HtmlMarkup, html } from '../../batch/report/markup.ts';
import { FORMAT_NAMES, OUTPUT_PROFILES } from '../../formats/formats.ts';
import { ENGINE_NAMES } from '../../sudoku/engine.ts';
import { VARIANT_NAMES } from '../../sudoku/geometry/variants.ts';
import { FIELD_LABELS } from './page-words.ts';

interface Choice {
  readonly kind: 'choice';
  readonly label: string;
  readonly defaultText: string;
  readonly values: readonly string[];
}
interface Entry {
  readonly kind: 'entry';
  readonly label: string;
  readonly defaultText: string;
}
interface Switch {
  readonly kind: 'switch';
  readonly label: string;
}

/** The fields by option name, most useful first. */
const FIELDS: Readonly<Record<string, Choice | Entry | Switch>> = {
  engine: { kind: 'choice', label: FIELD_LABELS.engine, defaultText: 'dlx', values: ENGINE_NAMES },
  output: {
    kind: 'choice',
    label: FIELD_LABELS.output,
    defaultText: 'same as the file',
    values: OUTPUT_PROFILES,
  },
  solutions: { kind: 'entry', label: FIELD_LABELS.solutions, defaultText: '2, which proves uniqueness' },
  'max-nodes': { kind: 'entry', label: FIELD_LABELS['max-nodes'], defaultText: '50000000' },
  format: { kind: 'choice', label: FIELD_LABELS.format, defaultText: 'detected', values: FORMAT_NAMES },
  variant: {
    kind: 'choice',
    label: FIELD_LABELS.variant,
    defaultText: 'from the file',
    values: VARIANT_NAMES,
  },
  alphabet: { kind: 'entry', label: FIELD_LABELS.alphabet, defaultText: 'such as ABCDEFGHI or 1-16' },
  box: { kind: 'entry', label: FIELD_LABELS.box, defaultText: 'such as 2x3' },
  rate: { kind: 'switch', label: FIELD_LABELS.rate },
  records: { kind: 'switch', label: FIELD_LABELS.records },
  strict: { kind: 'switch', label: FIELD_LABELS.strict },
  'csv-safe': { kind: 'switch', label: FIELD_LABELS['csv-safe'] },
};

export function pageMarkup(): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>dlx-batch: solve puzzles</title>
<link rel="icon" href="/_page/icon.svg">
<link rel="stylesheet" href="/_page/page.css">
<script type="module" src="/_page/page.js"></script>
</head>
<body class="puzzles">
<a class="skip" href="#results">Skip to the results</a>
<header><p class="kicker">dlx-batch on this machine</p><h1>Solve puzzles</h1>
<p>Paste a puzzle, or drop files anywhere on this page. Nothing leaves this machine.</p></header>
<p class="alert" id="notice" role="alert" hidden=""></p>
<noscript><p class="alert">This page needs JavaScript. Enable it for this address.</p></noscript>
<p class="alert" id="connection-error" role="alert" hidden=""></p>
<main id="main">${choosing()}
<section aria-labelledby="solved" id="answer-section" hidden=""><h2 id="solved" tabindex="-1">Answer</h2><div id="answer"></div></section>
<section aria-labelledby="uploads" id="uploads-section" hidden=""><h2 id="uploads">Uploads</h2><ul class="jobs" id="upload-list"></ul><p class="note" id="upload-more" hidden=""><span id="upload-more-text"></span> <button type="button" class="small" id="clear-uploads">Cancel and close all</button></p></section>
<section aria-labelledby="results"><h2 id="results" tabindex="-1">Files</h2><p class="note" id="no-jobs">Loading …</p><p class="note" id="job-totals" hidden=""></p>
<div class="tools" id="job-tools" hidden=""><p class="buttons filters" id="job-filters" role="group" aria-label="Show"></p><p class="find"><label for="find-job">Find a file by its name</label><input type="search" id="find-job" autocomplete="off" spellcheck="false"></p><p class="buttons"><a id="download-all" href="/_page/results.zip" download="">Download these results as one ZIP</a></p></div>
<ol class="jobs" id="job-list"></ol><p class="buttons paging" id="job-paging" hidden=""></p></section>
</main>
<p class="visually-hidden" role="status" id="announcements"></p>
<footer><p>A file with the same name is a new version, and its result replaces the older one in this list. Results are kept as long as the data of the stack.</p></footer>
</body>
</html>
`.source;
}

function choosing(): HtmlMarkup {
  return html`<section aria-labelledby="choose"><h2 id="choose">Your puzzles</h2>
<form id="paste"><p><label for="pasted">One puzzle or many, in any layout</label>
<textarea id="pasted" rows="9" spellcheck="false" autocomplete="off"></textarea></p><p class="buttons"><button type="submit" class="main">Solve</button></p></form>
<div class="drop"><p>Drop files or a folder here, or</p>
<p class="buttons"><button type="button" id="choose-files">Choose files</button> <button type="button" id="choose-folder">Choose a folder</button></p>
<input type="file" id="files" multiple="" hidden="" aria-label="Puzzle files"><input type="file" id="folder" webkitdirectory="" hidden="" aria-label="Folder of puzzle files"></div>
<details id="options"><summary>Options</summary><form id="option-fields"><p class="note">These apply to what you solve next. The defaults suit most puzzles.</p>
<div class="fields">${Object.entries(FIELDS).map(([name, shown]) => field(name, shown))}</div></form></details></section>`;
}

function field(name: string, shown: Choice | Entry | Switch): HtmlMarkup {
  const id = `option-${name}`;
  if (shown.kind === 'switch') {
    return html`<p class="switch"><input type="checkbox" id="${id}" name="${name}" value="true"> <label for="${id}">${shown.label}</label></p>`;
  }
  const control: Content =
    shown.kind === 'entry'
      ? html`<input id="${id}" name="${name}" placeholder="${shown.defaultText}" autocomplete="off" spellcheck="false">`
      : html`<select id="${id}" name="${name}"><option value="">${shown.defaultText}</option>${shown.values.map((value) => html`<option value="${value}">${value}</option>`)}</select>`;
  return html`<p><label for="${id}">${shown.label}</label>${control}</p>`;
}
