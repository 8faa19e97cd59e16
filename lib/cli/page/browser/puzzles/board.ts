/** Draws a record as a card: its boards, what became of it, and buttons that copy it. */
import type { Grade } from '../../../../api/rate.ts';
import type { SolveRecord } from '../../../../api/solve-all.ts';
import { numberText } from '../../../../batch/quantities.ts';
import { type DrawnGrid, drawnGrid, recordGrid } from '../../../../batch/report/drawn-grid.ts';
import { gridFigure } from '../../../../batch/report/grid-figure.ts';
import { html } from '../../../../batch/report/markup.ts';
import { reasonText } from '../../../../batch/report/puzzle-list.ts';
import { pageText } from '../../page-words.ts';
import { elementOf } from './trusted.ts';

/** A record, and what is known of it later. */
export interface Entry {
  readonly record: SolveRecord;
  /** How hard it is, as text; empty if it has no rating. */
  difficulty?: string;
  grade?: Grade;
  /** Of a puzzle with several solutions: two of them. */
  two?: readonly [string, string];
}

const STATUS_TEXTS: Readonly<Record<SolveRecord['status'], string>> = {
  solved: 'only solution',
  multiple: 'several solutions',
  unsolvable: 'no solution',
  invalid: 'givens clash',
  unreadable: 'not readable',
  limit: 'undecided',
};

/** `only solution`; of a status with puzzles in the plural. */
export function statusText(status: SolveRecord['status']): string {
  return STATUS_TEXTS[status];
}

/** Rows of symbols as text, which can be pasted again: `.` for a blank, a space between numbers. */
export function gridText({ rows, columns, cells }: DrawnGrid): string {
  const width = Math.max(...cells.map((cell) => cell?.symbol.length ?? 0));
  const symbolAt = (place: number) => {
    const cell = cells[place];
    return (cell === undefined ? '' : cell.symbol || '.').padStart(width);
  };
  const lines = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => symbolAt(row * columns + column)).join(
      width > 1 ? ' ' : '',
    ),
  );
  return `${lines.join('\n')}\n`;
}

/** The solution on one line; the puzzle if it has none. */
export function lineText({ puzzle = '', solution = puzzle }: SolveRecord): string {
  return typeof solution === 'string' ? solution : solution.join('\n');
}

/** What became of a record, in a sentence. */
export function whyText({ record, two }: Entry): string {
  return pageText(reasonText(record, two !== undefined));
}

/** @param onCopy receives the text to copy */
export function cardOf(entry: Entry, onCopy: (text: string) => void): Element {
  const { record, difficulty = '' } = entry;
  const { index, id = '', line, status, variant = 'standard', size, solution } = record;
  const name = `Puzzle ${numberText(index)}`;
  const facts = [`Line ${line}`, variant === 'standard' ? '' : variant, difficulty];
  const grids = gridsOf(entry);
  const drawings = grids.map((grid, k) => {
    const which = grids.length > 1 ? `, solution ${k + 1}` : '';
    return gridFigure(grid, `${name}, ${size}x${size}${which}: ${rowsText(grid)}`);
  });
  const [grid] = grids;
  const copies: [what: string, text: string][] = [];
  if (grid !== undefined || solution !== undefined) copies.push(['line', `${lineText(record)}\n`]);
  if (grid !== undefined) copies.push(['grid', gridText(grid)]);
  const why = whyText(entry);
  const card =
    elementOf(html`<li class="board"><h3>${name} ${id !== '' && html`<bdi class="id">${id}</bdi> `}<span class="status ${status}">${statusText(status)}</span></h3>
<p class="facts">${facts.filter(Boolean).join(' · ')}</p>${why !== '' && html`<p class="why">${why}</p>`}
<div class="pair">${drawings}${grid === undefined && typeof solution === 'object' && html`<pre tabindex="0">${solution.join('\n')}</pre>`}</div>
<p class="buttons">${copies.map(([what]) => html`<button type="button" class="small" aria-label="Copy ${what}: ${name}">Copy ${what}</button>`)}</p></li>`);
  for (const [k, button] of card.querySelectorAll('button').entries()) {
    button.addEventListener('click', () => onCopy(copies[k]![1]));
  }
  return card;
}

/** The board of a record; both, with framed differences, if two solutions are known. */
function gridsOf({ record, two }: Entry): DrawnGrid[] {
  const grid = recordGrid(record);
  if (grid === undefined) return [];
  const [one, other] = two ?? [typeof record.solution === 'string' ? record.solution : undefined];
  if (other === undefined) return [drawnGrid(grid, record, one)];
  return [drawnGrid(grid, record, one, other), drawnGrid(grid, record, other, one)];
}

/** The rows of a board for screen readers. */
function rowsText({ rows, columns, cells }: DrawnGrid): string {
  return Array.from({ length: rows }, (_, row) =>
    cells
      .slice(row * columns, (row + 1) * columns)
      .flatMap((cell) => (cell === undefined ? [] : cell.symbol || 'blank'))
      .join(' '),
  ).join('; ');
}
