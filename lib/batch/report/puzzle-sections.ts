/** The puzzles that are worth a look: the slowest ones, and those without exactly one proven solution. */

import { durationText, numberText } from '../quantities.ts';
import type { PuzzleRecord } from '../results/puzzle-record.ts';
import { oneLine } from '../results/record-error.ts';
import type { SlowPuzzle } from '../results/statistics.ts';
import { type DrawnGrid, drawnGrid } from './drawn-grid.ts';
import type { ExceptionRecord, ExceptionSample } from './exception-sample.ts';
import { gridFigure, gridWidth } from './grid-figure.ts';
import { html, type Markup } from './markup.ts';

/** Characters of a message, a label or a line of symbols; the whole stands in `exceptions.jsonl`. */
const MOST_CHARACTERS = 600;
/** What a phone shows without scrolling. */
const PHONE_PIXELS = 300;

/**
 * The slowest puzzles, each with its grid where there is one.
 *
 * @param records of those that can be drawn
 */
export function slowestSection(slowest: readonly SlowPuzzle[], records: readonly PuzzleRecord[]): Markup {
  const recordOf = new Map(records.map((record) => [record.index, record]));
  const drawn = records.some((record) => drawnGrid(record) !== undefined);
  return html`<section aria-labelledby="slowest"><h2 id="slowest">Hardest puzzles</h2>
${
  slowest.length === 0
    ? html`<p>No puzzle came to the engine.</p>`
    : html`<p class="note">Those that took the engine longest.${drawn && ' Givens are bold on a tint; the rest was found.'}</p>
<ol class="cards">${slowest.map((puzzle, k) => slowCard(puzzle, recordOf.get(puzzle.index), k + 1))}</ol>`
}</section>`;
}

function slowCard(
  { index, line, solveUs, nodes }: SlowPuzzle,
  record: PuzzleRecord | undefined,
  rank: number,
) {
  const grid = record && drawnGrid(record);
  return html`<li><h3>${rank}. Puzzle ${numberText(index)}${label(record?.id)}</h3>
<p>${place(line, record?.lineEnd)} · <strong>${durationText(solveUs)}</strong> · ${numberText(nodes)} ${nodes === 1 ? 'node' : 'nodes'}${record !== undefined && record.status !== 'solved' && ` · ${record.status}`}</p>
${record && grid && figureOf(record, grid)}</li>`;
}

/** The exceptions that are known by name, and how many more there are. */
export function exceptionSection({ first, total }: Pick<ExceptionSample, 'first' | 'total'>): Markup {
  const more = total - first.length;
  return html`<section aria-labelledby="exceptions"><h2 id="exceptions">Exceptions</h2>
${
  total === 0
    ? html`<p>None: every puzzle has exactly one proven solution, or the one that was asked for.</p>`
    : html`<p class="note">Puzzles without exactly one proven solution, or with another one than their file expects.</p>
<ol class="cards">${first.map(exceptionCard)}</ol>
${more > 0 && html`<p><strong>And ${numberText(more)} more</strong> in <code>exceptions.jsonl</code>.</p>`}`
}</section>`;
}

function exceptionCard(record: ExceptionRecord): Markup {
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
    const count = `${numberText(solutions)}${exact === true ? '' : ' or more'} solutions`;
    return isDrawn ? `${count}; the first one is drawn.` : `${count}.`;
  }
  return status === 'unsolvable' ? 'It has no solution.' : '';
}

function figureOf(record: ExceptionRecord, grid: DrawnGrid): Markup {
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

/** The name that the file gives a puzzle. */
function label(id: string | undefined): Markup | undefined {
  return id === undefined || id === '' ? undefined : html` · <bdi>${shortened(id)}</bdi>`;
}

function shortened(text: string): string {
  const line = oneLine(text);
  return line.length <= MOST_CHARACTERS ? line : `${line.slice(0, MOST_CHARACTERS).toWellFormed()}…`;
}
