/** The initial markup of the page: all options, and the elements that the script fills. */
import { type Content, type HtmlMarkup, html } from '../../batch/report/markup.ts';
import { FORMAT_NAMES, OUTPUT_PROFILES } from '../../formats/formats.ts';
import { ENGINE_NAMES } from '../../sudoku/engine.ts';
import { VARIANT_NAMES } from '../../sudoku/geometry/variants.ts';

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
  engine: { kind: 'choice', label: 'Engine', defaultText: 'dlx', values: ENGINE_NAMES },
  output: {
    kind: 'choice',
    label: 'Layout of the solutions',
    defaultText: 'same as the file',
    values: OUTPUT_PROFILES,
  },
  solutions: { kind: 'entry', label: 'Solutions to search for', defaultText: '2, which proves uniqueness' },
  'max-nodes': { kind: 'entry', label: 'Search nodes per puzzle', defaultText: '50000000' },
  format: { kind: 'choice', label: 'Input format', defaultText: 'detected', values: FORMAT_NAMES },
  variant: { kind: 'choice', label: 'Rules', defaultText: 'from the file', values: VARIANT_NAMES },
  alphabet: { kind: 'entry', label: 'Symbols for the digits', defaultText: 'such as ABCDEFGHI or 1-16' },
  box: { kind: 'entry', label: 'Box, rows x columns', defaultText: 'such as 2x3' },
  records: { kind: 'switch', label: 'Write records.jsonl: one record per puzzle, with its time' },
  strict: { kind: 'switch', label: 'Write only puzzles that are proven to have exactly one solution' },
  'csv-safe': {
    kind: 'switch',
    label: 'In tables, put an apostrophe before cells that spreadsheet programs would execute',
  },
};

export function pageMarkup(): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>dlx-batch: solve puzzle files</title>
<link rel="icon" href="/_page/icon.svg">
<link rel="stylesheet" href="/_page/page.css">
<script type="module" src="/_page/page.js"></script>
</head>
<body>
<a class="skip" href="#results">Skip to the results</a>
<header><p class="kicker">dlx-batch on this machine</p><h1>Solve puzzle files</h1>
<p>Drop files of puzzles anywhere on this page. They are solved here, and nothing leaves this machine.</p></header>
<p class="alert" id="notice" role="alert" hidden=""></p>
<noscript><p class="alert">This page needs JavaScript. Enable it for this address, or use dlx-batch upload.</p></noscript>
<p class="alert" id="connection-error" role="alert" hidden=""></p>
<main id="main">${choosing()}
<section aria-labelledby="uploads" id="uploads-section" hidden=""><h2 id="uploads">Uploads</h2><p class="buttons"><button type="button" class="main" id="send-all" hidden=""></button></p><ul class="jobs" id="upload-list"></ul><p class="note" id="upload-more" hidden=""><span id="upload-more-text"></span> <button type="button" class="small" id="clear-uploads">Cancel and close all</button></p></section>
<section aria-labelledby="results"><h2 id="results" tabindex="-1">Results</h2><p class="note" id="no-jobs">Loading …</p><p class="note" id="job-totals" hidden=""></p><ol class="jobs" id="job-list"></ol><p class="note" id="job-more" hidden=""></p></section>
</main>
<p class="visually-hidden" role="status" id="announcements"></p>
<footer><p>A file with the same name is a new version, and its result replaces the older one in this list. Results are kept as long as the data of the stack. <code>dlx-batch status</code> lists all of them.</p></footer>
</body>
</html>
`.source;
}

function choosing(): HtmlMarkup {
  return html`<section aria-labelledby="choose"><h2 id="choose">Your files</h2>
<div class="drop"><p>Drop files or a folder here, or</p>
<p class="buttons"><button type="button" class="main" id="choose-files">Choose files</button> <button type="button" id="choose-folder">Choose a folder</button></p>
<input type="file" id="files" multiple="" hidden="" aria-label="Puzzle files"><input type="file" id="folder" webkitdirectory="" hidden="" aria-label="Folder of puzzle files"></div>
<p class="switch"><input type="checkbox" id="review" checked=""> <label for="review">Show how each file is read before it is sent</label></p>
<details><summary>Paste puzzles</summary><form id="paste"><p><label for="pasted">Puzzles in any supported format</label>
<textarea id="pasted" rows="6" spellcheck="false" autocomplete="off"></textarea></p><p class="buttons"><button type="submit">Solve</button></p></form></details>
<details id="options"><summary>Options</summary><form id="option-fields"><p class="note">These apply to files you add next. The defaults suit most files.</p>
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
