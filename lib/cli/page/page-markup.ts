/** The initial markup of the page: the elements that its script fills. */
import { html } from '../../batch/report/markup.ts';

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
<main id="main">
<section aria-labelledby="choose" id="choosing"><h2 id="choose">Your puzzles</h2></section>
<section aria-labelledby="solved" id="answer" hidden=""></section>
<section aria-labelledby="uploads" id="uploads-section" hidden=""><h2 id="uploads">Uploads</h2><ul class="jobs" id="upload-list"></ul><p class="note" id="upload-more" hidden=""><span id="upload-more-text"></span> <button type="button" class="small" id="clear-uploads">Cancel and close all</button></p></section>
<section aria-labelledby="results"><h2 id="results" tabindex="-1">Files</h2><p class="note" id="no-jobs">Loading …</p><p class="note" id="job-totals" hidden=""></p>
<div class="tools" id="job-tools" hidden=""><p class="buttons"><a id="download-all" href="/_page/results.zip" download="">Download these results as one ZIP</a></p></div>
<ol class="jobs" id="job-list"></ol></section>
</main>
<p class="visually-hidden" role="status" id="announcements"></p>
<footer><p>A file with the same name is a new version, and its result replaces the older one in this list. Results are kept as long as the data of the stack.</p></footer>
</body>
</html>
`.source;
}
