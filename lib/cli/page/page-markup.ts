/** The page as it is before its script has run: every choice, and the places that the script fills. */
import { type Content, type HtmlMarkup, html } from '../../batch/report/markup.ts';
import { FORMAT_NAMES, OUTPUT_PROFILES } from '../../formats/formats.ts';
import { ENGINE_NAMES } from '../../sudoku/engine.ts';
import { VARIANT_NAMES } from '../../sudoku/geometry/variants.ts';

interface Choice {
  readonly kind: 'choice';
  readonly label: string;
  /** What holds where nothing is chosen. */
  readonly otherwise: string;
  readonly values: readonly string[];
}
interface Entry {
  readonly kind: 'entry';
  readonly label: string;
  readonly otherwise: string;
}
interface Switch {
  readonly kind: 'switch';
  readonly label: string;
}

/** By the names that the options have everywhere, in the order in which people may want them. */
const FIELDS: Readonly<Record<string, Choice | Entry | Switch>> = {
  engine: { kind: 'choice', label: 'Engine', otherwise: 'dlx', values: ENGINE_NAMES },
  output: {
    kind: 'choice',
    label: 'Solutions are written',
    otherwise: 'as the file is',
    values: OUTPUT_PROFILES,
  },
  solutions: { kind: 'entry', label: 'Solutions to look for', otherwise: '2, proves that there is one only' },
  'max-nodes': { kind: 'entry', label: 'Search nodes for each puzzle', otherwise: '50000000' },
  format: { kind: 'choice', label: 'Read as format', otherwise: 'what it looks like', values: FORMAT_NAMES },
  variant: { kind: 'choice', label: 'Rules', otherwise: 'what the file says', values: VARIANT_NAMES },
  alphabet: { kind: 'entry', label: 'Symbols of the digits', otherwise: 'such as ABCDEFGHI or 1-16' },
  box: { kind: 'entry', label: 'Box, rows x columns', otherwise: 'such as 2x3' },
  records: { kind: 'switch', label: 'A record for each puzzle, with its time (records.jsonl)' },
  strict: { kind: 'switch', label: 'Leave puzzles without a solution out of the solutions' },
};

/** The whole page, with a final newline. */
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
<p class="trouble" id="notice" role="alert" hidden=""></p>
<noscript><p class="trouble">This page works by its script, and scripts are turned off: turn them on for this address, or use dlx-batch upload.</p></noscript>
<p class="trouble" id="trouble" role="alert" hidden=""></p>
<main id="main">${choosing()}
<section aria-labelledby="uploads" id="uploads-section" hidden=""><h2 id="uploads">On the way</h2><ul class="jobs" id="upload-list"></ul><p class="note" id="upload-more" hidden=""><span id="upload-more-text"></span> <button type="button" class="small" id="clear-uploads">Cancel and close all</button></p></section>
<section aria-labelledby="results"><h2 id="results" tabindex="-1">Results</h2><p class="note" id="no-jobs">Looking for files that are there already …</p><p class="note" id="job-totals" hidden=""></p><ol class="jobs" id="job-list"></ol><p class="note" id="job-more" hidden=""></p></section>
</main>
<p class="unseen" role="status" id="said"></p>
<footer><p>A file of the same name is a new version, and its result takes the place of the older one here. What stands here is kept as long as the stack keeps its data; <code>dlx-batch status</code> lists all of it.</p></footer>
</body>
</html>
`.source;
}

function choosing(): HtmlMarkup {
  return html`<section aria-labelledby="choose"><h2 id="choose">Your files</h2>
<div class="drop"><p>Drop files or a folder here, or</p>
<p class="buttons"><button type="button" class="main" id="choose-files">Choose files</button> <button type="button" id="choose-folder">Choose a folder</button></p>
<input type="file" id="files" multiple="" hidden="" aria-label="Puzzle files"><input type="file" id="folder" webkitdirectory="" hidden="" aria-label="Folder of puzzle files"></div>
<details><summary>Paste puzzles</summary><form id="paste"><p><label for="pasted">Puzzles, in any layout that a file may have</label>
<textarea id="pasted" rows="6" spellcheck="false" autocomplete="off"></textarea></p><p class="buttons"><button type="submit">Solve them</button></p></form></details>
<details id="options"><summary>Options</summary><form id="option-fields"><p class="note">They hold for what you choose from now on. What you leave as it is does not matter for most files.</p>
<div class="fields">${Object.entries(FIELDS).map(([name, shown]) => field(name, shown))}</div></form></details></section>`;
}

function field(name: string, shown: Choice | Entry | Switch): HtmlMarkup {
  const id = `option-${name}`;
  if (shown.kind === 'switch') {
    return html`<p class="switch"><input type="checkbox" id="${id}" name="${name}" value="true"> <label for="${id}">${shown.label}</label></p>`;
  }
  const control: Content =
    shown.kind === 'entry'
      ? html`<input id="${id}" name="${name}" placeholder="${shown.otherwise}" autocomplete="off" spellcheck="false">`
      : html`<select id="${id}" name="${name}"><option value="">${shown.otherwise}</option>${shown.values.map((value) => html`<option value="${value}">${value}</option>`)}</select>`;
  return html`<p><label for="${id}">${shown.label}</label>${control}</p>`;
}
