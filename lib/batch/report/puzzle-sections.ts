/** Sections of the hardest and the slowest puzzles, and of those without exactly one proven solution. */
import { durationText, numberText } from '../quantities.ts';
import type { ExceptionSample } from '../results/exception-sample.ts';
import type { JobRecord } from '../results/job-record.ts';
import { oneLine } from '../results/record-error.ts';
import type { HardPuzzle, SlowPuzzle } from '../results/statistics.ts';
import { type DrawnGrid, drawnGrid } from './drawn-grid.ts';
import { gridFigure, gridWidth } from './grid-figure.ts';
import { type HtmlMarkup, html, scrolling, section, table } from './markup.ts';

/** Characters shown of a message or a label; `exceptions.jsonl` has the whole text. */
const MAX_CHARACTERS = 600;
/** Width that a phone shows without scrolling. */
const PHONE_PIXELS = 300;

export const NONE_SEARCHED = html`<p>No puzzle was searched.</p>`;

/**
 * @param records the records of the puzzles that can be drawn
 */
export function hardestSection(hardest: readonly HardPuzzle[], records: readonly JobRecord[]): HtmlMarkup {
  const recordOf = new Map(records.map((record) => [record.index, record]));
  const drawn = records.some((record) => drawnGrid(record) !== undefined);
  if (hardest.length === 0) return section('hardest', 'Hardest puzzles', NONE_SEARCHED);
  return section(
    'hardest',
    'Hardest puzzles',
    html`<p class="note">The puzzles that took the most guesses, then the most search nodes: the same in every run.${drawn && ' Givens are bold on a tint; the other symbols are the solution.'}</p>
<ol class="cards">${hardest.map((puzzle, k) => hardCard(puzzle, recordOf.get(puzzle.index), k + 1))}</ol>`,
  );
}

function hardCard({ index, line, guesses, nodes }: HardPuzzle, record: JobRecord | undefined, rank: number) {
  const grid = record && drawnGrid(record);
  return html`<li><h3>${rank}. Puzzle ${numberText(index)}${label(record?.id)}</h3>
<p>${place(line, record?.lineEnd)} · <strong>${numberText(guesses)} ${guesses === 1 ? 'guess' : 'guesses'}</strong> · ${numberText(nodes)} ${nodes === 1 ? 'node' : 'nodes'}${record !== undefined && record.status !== 'solved' && ` · ${record.status}`}</p>
${record && grid && figureOf(record, grid)}</li>`;
}

export function slowestSection(slowest: readonly SlowPuzzle[]): HtmlMarkup {
  if (slowest.length === 0) return section('slowest', 'Slowest puzzles', NONE_SEARCHED);
  return section(
    'slowest',
    'Slowest puzzles',
    html`<p class="note">The puzzles with the longest solve times in this run. They depend on the load of the machine.</p>`,
    table(
      'Puzzles by solve time',
      ['Puzzle', 'Line', 'Time', 'Nodes'],
      slowest.map(({ index, line, solveUs, nodes }) => [
        numberText(index),
        numberText(line),
        durationText(solveUs),
        numberText(nodes),
      ]),
    ),
  );
}

/** The first exceptions, and the number of the others. */
export function exceptionSection({ first, total }: Pick<ExceptionSample, 'first' | 'total'>): HtmlMarkup {
  const more = total - first.length;
  return section(
    'exceptions',
    'Exceptions',
    total === 0
      ? html`<p>None: every puzzle has exactly one proven solution, or the one requested.</p>`
      : html`<p class="note">Puzzles without exactly one proven solution, or whose solution differs from the expected one in the file.</p>
<ol class="cards">${first.map(exceptionCard)}</ol>
${more > 0 && html`<p><strong>And ${numberText(more)} more</strong> in <code>exceptions.jsonl</code>.</p>`}`,
  );
}

function exceptionCard(record: JobRecord): HtmlMarkup {
  const { index, id, line, lineEnd, status } = record;
  const grid = drawnGrid(record);
  return html`<li><h3>${place(line, lineEnd)} <span class="badge"><span class="dot ${status}"></span>${status}</span></h3>
<p>Puzzle ${numberText(index)}${label(id)}</p>
<p class="why"><bdi>${shortened(why(record, grid !== undefined))}</bdi></p>
${grid && figureOf(record, grid)}</li>`;
}

function why({ status, error, solutions = 0, exact }: JobRecord, isDrawn: boolean): string {
  if (error !== undefined) return error.message;
  if (status === 'multiple') {
    const count = `${numberText(BigInt(solutions))}${exact === true ? '' : ' or more'} solutions`;
    return isDrawn ? `${count}; the first one is shown.` : `${count}.`;
  }
  return status === 'unsolvable' ? 'No solution.' : '';
}

function figureOf(record: JobRecord, grid: DrawnGrid): HtmlMarkup {
  const { index, puzzle = '', solution, variant } = record;
  const clashing = grid.cells.filter((cell) => cell?.isClashing === true).length;
  const clashes = clashing > 0 ? `, ${clashing} clashing givens framed` : '';
  const found = typeof solution === 'string' ? ' with its solution' : '';
  const title = `Puzzle ${index}, ${variant} ${record.size}x${record.size}${found}${clashes}`;
  const figure = gridFigure(grid, title);
  return html`<div>${gridWidth(grid) <= PHONE_PIXELS ? figure : scrolling(`Drawing of puzzle ${index}`, figure)}
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
