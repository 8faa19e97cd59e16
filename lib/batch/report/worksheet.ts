/** A page of puzzles to print: some on each sheet, in large print, and their solutions at the end. */
import type { JobRecord } from '../results/job-record.ts';
import { drawnGrid, recordGrid } from './drawn-grid.ts';
import { gridFigure } from './grid-figure.ts';
import { htmlPage } from './html-page.ts';
import { type HtmlMarkup, html } from './markup.ts';

/** By paper: its name in CSS, and by puzzles on a page, the side of a grid in millimetres. */
const SIDES = {
  A4: { 2: 118, 4: 86, 6: 76, key: 52 },
  Letter: { 2: 108, 4: 86, 6: 70, key: 52 },
} as const;

export type Paper = keyof typeof SIDES;

/** Solutions on a page. */
const KEYS = 12;

/** The record of a puzzle with its solution, and what is told below it. */
export interface WorksheetPuzzle extends Omit<JobRecord<string>, 'index' | 'line' | 'lineEnd' | 'status'> {
  readonly notes: readonly string[];
}

export interface Worksheet {
  readonly puzzles: readonly WorksheetPuzzle[];
  readonly seed: number;
  /** 2, 4 or 6. */
  readonly perPage: number;
  readonly paper: Paper;
}

export function worksheetPage({ puzzles, seed, perPage, paper }: Worksheet): string {
  const sides: Readonly<Record<string, number>> = SIDES[paper];
  const unsolved = puzzles.map(({ solution: _, ...puzzle }) => puzzle);
  const sheets = chunks(unsolved, perPage).map((on, page) =>
    sheet('Sudoku', `puzzles${perPage}`, on, page * perPage),
  );
  const keys = chunks(puzzles, KEYS).map((on, page) => sheet('Solutions', 'key', on, page * KEYS));
  const body = html`<main><h1>Sudoku worksheet</h1>
${sheets}${keys}</main>`;
  return htmlPage(`Sudoku, seed ${seed}`, stylesOf(paper, sides[perPage]!, sides.key!), body);
}

/** @param side of a grid in millimetres @param keySide that of a solution */
function stylesOf(paper: Paper, side: number, keySide: number): HtmlMarkup {
  return html`
@page{size:${paper};margin:12mm}
:root{color-scheme:light}
h1{position:absolute;clip-path:inset(50%)}
body{margin:0 auto;max-width:186mm;font:11pt/1.3 system-ui,sans-serif;color:#000;background:#fff}
.sheet{display:grid;gap:5mm 8mm;justify-items:center;align-content:start;break-after:page}
.sheet:last-of-type{break-after:auto}
h2{grid-column:1/-1;justify-self:start;margin:0;font-size:12pt}
.puzzles4,.puzzles6{grid-template-columns:1fr 1fr}
.key{grid-template-columns:1fr 1fr 1fr;gap:3mm}
figure{margin:0;break-inside:avoid}
figcaption{text-align:center}
.key figcaption{font-size:9pt}
.grid{display:block;height:auto;width:${side}mm}
.key .grid{width:${keySide}mm}
.ground,.tint{fill:none}
.shaded{fill:#ddd;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.thin{stroke:#555;stroke-width:.25;fill:none}
.dashed{stroke:#000;stroke-width:.5;stroke-dasharray:1.5 1;fill:none}
.thick{stroke:#000;stroke-width:.8;stroke-linecap:square;fill:none}
.grid text{font-size:7px;text-anchor:middle;dominant-baseline:central}
.grid.wide2 text{font-size:5.6px}
.grid.wide3 text{font-size:4.2px}
.key .given text{font-weight:700}
@media screen{.sheet{padding:8mm 0;border-bottom:1px dashed #999}}
`;
}

/** @param from number of puzzles before this sheet */
function sheet(title: string, name: string, puzzles: readonly WorksheetPuzzle[], from: number): HtmlMarkup {
  const figures = puzzles.map((puzzle, k) => {
    const number = from + k + 1;
    const record = { ...puzzle, index: number, line: 1, lineEnd: 1, status: 'solved' } as const;
    const grid = recordGrid(record);
    const notes = puzzle.notes.join(' · ');
    return html`<figure>${grid && gridFigure(drawnGrid(grid, record, record.solution), `${title} ${number}`)}<figcaption><b>${number}</b> · ${notes}</figcaption></figure>`;
  });
  return html`<section class="sheet ${name}"><h2>${title} ${from + 1} to ${from + puzzles.length}</h2>${figures}</section>
`;
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return [...Map.groupBy(list, (_, k) => Math.floor(k / size)).values()];
}
