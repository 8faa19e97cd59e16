/** Sections of the hardest and the slowest puzzles, and of those without exactly one proven solution. */
import { durationText, numberText } from '../quantities.ts';
import type { ExceptionRecord, ExceptionSample } from '../results/exception-sample.ts';
import type { PuzzleRecord } from '../results/puzzle-record.ts';
import { oneLine } from '../results/record-error.ts';
import type { HardPuzzle, SlowPuzzle } from '../results/statistics.ts';
import { type DrawnGrid, drawnGrid } from './drawn-grid.ts';
import { gridFigure, gridWidth } from './grid-figure.ts';
import { type HtmlMarkup, html } from './markup.ts';

/** Characters shown of a message or a label; `exceptions.jsonl` has the whole text. */
const MAX_CHARACTERS = 600;
/** Width that a phone shows without scrolling. */
const PHONE_PIXELS = 300;

/**
 * @param records the records of the puzzles that can be drawn
 */
export function hardestSection(hardest: readonly HardPuzzle[], records: readonly PuzzleRecord[]): HtmlMarkup {
  const recordOf = new Map(records.map((record) => [record.index, record]));
  const drawn = records.some((record) => drawnGrid(record) !== undefined);
  return html`<section aria-labelledby="hardest"><h2 id="hardest">Hardest puzzles</h2>
${
  hardest.length === 0
    ? html`<p>No puzzle was searched.</p>`
    : html`<p class="note">The puzzles that took the most guesses, then the most search nodes: the same in every run.${drawn && ' Givens are bold on a tint; the other symbols are the solution.'}</p>
<ol class="cards">${hardest.map((puzzle, k) => hardCard(puzzle, recordOf.get(puzzle.index), k + 1))}</ol>`
}</section>`;
}

function hardCard(
  { index, line, guesses, nodes }: HardPuzzle,
  record: PuzzleRecord | undefined,
  rank: number,
) {
  const grid = record && drawnGrid(record);
  return html`<li><h3>${rank}. Puzzle ${numberText(index)}${label(record?.id)}</h3>
<p>${place(line, record?.lineEnd)} · <strong>${numberText(guesses)} ${guesses === 1 ? 'guess' : 'guesses'}</strong> · ${numberText(nodes)} ${nodes === 1 ? 'node' : 'nodes'}${record !== undefined && record.status !== 'solved' && ` · ${record.status}`}</p>
${record && grid && figureOf(record, grid)}</li>`;
}

export function slowestSection(slowest: readonly SlowPuzzle[]): HtmlMarkup {
  return html`<section aria-labelledby="slowest"><h2 id="slowest">Slowest puzzles</h2>
${
  slowest.length === 0
    ? html`<p>No puzzle was searched.</p>`
    : html`<p class="note">The puzzles with the longest solve times in this run. They depend on the load of the machine.</p>
<table><caption>Puzzles by solve time</caption>
<thead><tr><th scope="col">Puzzle</th><th scope="col" class="number">Line</th><th scope="col" class="number">Time</th><th scope="col" class="number">Nodes</th></tr></thead>
<tbody>${slowest.map(
        ({ index, line, solveUs, nodes }) =>
          html`<tr><th scope="row">${numberText(index)}</th><td class="number">${numberText(line)}</td><td class="number">${durationText(solveUs)}</td><td class="number">${numberText(nodes)}</td></tr>`,
      )}</tbody></table>`
}</section>`;
}

/** The first exceptions, and the number of the others. */
export function exceptionSection({ first, total }: Pick<ExceptionSample, 'first' | 'total'>): HtmlMarkup {
  const more = total - first.length;
  return html`<section aria-labelledby="exceptions"><h2 id="exceptions">Exceptions</h2>
${
  total === 0
    ? html`<p>None: every puzzle has exactly one proven solution, or the one requested.</p>`
    : html`<p class="note">Puzzles without exactly one proven solution, or whose solution differs from the expected one in the file.</p>
<ol class="cards">${first.map(exceptionCard)}</ol>
${more > 0 && html`<p><strong>And ${numberText(more)} more</strong> in <code>exceptions.jsonl</code>.</p>`}`
}</section>`;
}

function exceptionCard(record: ExceptionRecord): HtmlMarkup {
  const { index, id, line, lineEnd, status } = record;
  const grid = drawnGrid(record);
  return html`<li><h3>${place(line, lineEnd)} <span class="badge"><span class="dot ${status}"></span>${status}</span></h3>
<p>Puzzle ${numberText(index)}${label(id)}</p>
<p class="why"><bdi>${shortened(why(record, grid !== undefined))}</bdi></p>
${grid && figureOf(record, grid)}</li>`;
}

function why({ status, error, solutions = 0, exact }: ExceptionRecord, isDrawn: boolean): string {
  if (error !== undefined) return error.message;
  if (status === 'multiple') {
    const count = `${numberText(BigInt(solutions))}${exact === true ? '' : ' or more'} solutions`;
    return isDrawn ? `${count}; the first one is shown.` : `${count}.`;
  }
  return status === 'unsolvable' ? 'No solution.' : '';
}

function figureOf(record: ExceptionRecord, grid: DrawnGrid): HtmlMarkup {
  const { index, puzzle = '', solution, variant } = record;
  const clashes = grid.clashing.size > 0 ? `, ${grid.clashing.size} clashing givens framed` : '';
  const found = typeof solution === 'string' ? ' with its solution' : '';
  const title = `Puzzle ${index}, ${variant} ${record.size}x${record.size}${found}${clashes}`;
  const figure = gridFigure(grid, title);
  return html`<div>${gridWidth(grid) <= PHONE_PIXELS ? figure : html`<div class="scroll" role="region" aria-label="Drawing of puzzle ${index}" tabindex="0">${figure}</div>`}
<details><summary>As text</summary><dl class="text"><dt>Puzzle</dt><dd><code>${puzzle}</code></dd>${typeof solution === 'string' && html`<dt>Solution</dt><dd><code>${solution}</code></dd>`}</dl></details></div>`;
}

function place(line: number, lineEnd = line): string {
  return lineEnd === line
    ? `Line ${numberText(line)}`
    : `Lines ${numberText(line)} to ${numberText(lineEnd)}`;
}

/** The label of a puzzle in its file. */
function label(id: string | undefined): HtmlMarkup | undefined {
  return id === undefined || id === '' ? undefined : html` · <bdi>${shortened(id)}</bdi>`;
}

function shortened(text: string): string {
  const line = oneLine(text);
  return line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS).toWellFormed()}…`;
}
