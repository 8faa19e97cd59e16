/**
 * Lists puzzles in groups: a line for each, which opens to its drawings and texts.
 *
 *     5 occurs twice in a row: 212 puzzles            a group, with all its puzzles or those of a sample
 *       Line 3   invalid   24 givens                  a puzzle
 *         [drawing]  1 occurs twice in row 1 (r1c1, r1c2)
 *
 * All of it works without scripts. The script of the page (`report-script.ts`) finds, sorts and filters the lines by their
 * `data-` attributes, and draws the puzzles that are not drawn yet when they are opened.
 */
import { visibleText } from '../../formats/bytes/visible-text.ts';
import { counted, durationText, numberText } from '../quantities.ts';
import type { JobRecord } from '../results/job-record.ts';
import { shortened } from '../results/record-error.ts';
import type { SampledRecord } from '../results/record-sample.ts';
import { type DrawnGrid, drawnGrid, recordGrid } from './drawn-grid.ts';
import { GridShapes, gridFigure, gridWidth } from './grid-figure.ts';
import { type Content, type HtmlMarkup, html } from './markup.ts';

/** Characters shown of a message or a label; `exceptions.jsonl` has the whole text. */
const MAX_CHARACTERS = 600;
/** Width that a phone shows without scrolling. */
const PHONE_PIXELS = 300;
/** Puzzles that are drawn in the page, so that they are shown without scripts too; fewer of those that are just solved. */
const MAX_DRAWN = 120;
const MAX_SOLVED_DRAWN = 20;
/** Lines of a group after which it scrolls. */
const MAX_LINES = 12;

/** A grid of a puzzle. */
interface ListedGrid {
  readonly caption: string;
  /** The solution to draw in the blanks; undefined for the givens alone. */
  readonly solution?: string | undefined;
  /** Another solution: the cells in which they differ are marked. */
  readonly other?: string | undefined;
}

/** A line of a list. */
export interface ListedPuzzle {
  readonly record: SampledRecord;
  /** What is wrong with it, or remarkable. */
  readonly why: string;
  readonly grids: readonly ListedGrid[];
  /** Shown on its line. @default what the record says of its search */
  readonly facts?: readonly string[];
  /** Whether it is open at first. */
  readonly isOpen?: boolean;
  /** Whether it is remarkable, so that it is drawn without a script. @default exceptions are */
  readonly isRemarkable?: boolean;
}

export interface PuzzleGroup {
  readonly name: string;
  /** Its status, or the name of another colour. */
  readonly status: string;
  /** All of its puzzles, of which the list may have a part. */
  readonly count: number;
  readonly puzzles: readonly ListedPuzzle[];
  readonly isOpen?: boolean;
}

export class PuzzleList {
  readonly #shapes = new GridShapes();
  /** Names of shapes by `shapeKind`: to find one by a drawing takes as long as the rest of a line of the list. */
  readonly #namesOfKinds = new Map<string, string>();
  #drawn = 0;

  /** The shapes to which the drawings refer: once in a page, after all lists. */
  get shapes(): HtmlMarkup {
    return this.#shapes.markup;
  }

  group({ name, status, count, puzzles, isOpen = false }: PuzzleGroup): HtmlMarkup {
    const missing = count - puzzles.length;
    const rest =
      puzzles.length === 0
        ? 'None of them is listed here.'
        : `${numberText(puzzles.length)} of them are listed here.`;
    return html`<details class="group" data-status="${status}"${isOpen && OPEN}><summary><span class="dot ${status}"></span><bdi>${name}</bdi>: <strong>${counted(count, 'puzzle')}</strong></summary>
${missing > 0 && html`<p class="note">${rest}</p>`}
${this.list(puzzles)}</details>`;
  }

  list(puzzles: readonly ListedPuzzle[]): HtmlMarkup {
    return html`<ol class="puzzles${puzzles.length > MAX_LINES && ' long'}">${puzzles.map((puzzle) => this.#line(puzzle))}</ol>`;
  }

  #line(puzzle: ListedPuzzle): HtmlMarkup {
    const { record, why, grids, facts = searchFacts(record), isOpen = false } = puzzle;
    const { index, id, line, lineEnd, status, guesses, solveUs, rating, grade } = record;
    return html`<li class="puzzle" data-status="${status}" data-index="${index}" data-line="${line}" data-end="${lineEnd}" data-guesses="${guesses}" data-us="${solveUs}" data-rating="${rating}" data-grade="${grade}"><details${isOpen && OPEN}><summary><b>${placeText(line, lineEnd)}</b>${id !== undefined && id !== '' && html` <bdi class="id">${shortened(id, MAX_CHARACTERS)}</bdi>`} <span class="badge"><span class="dot ${status}"></span>${status}</span>${facts.length > 0 && html` <span class="facts">${facts.join(' · ')}</span>`}</summary>
<p class="why">${why !== '' && html`<bdi>${shortened(why, MAX_CHARACTERS)}</bdi> `}<span class="note">Puzzle ${numberText(index)} of the file.</span></p>
${this.#figures(puzzle)}${texts(record, grids)}</details></li>`;
  }

  #figures({ record, grids, isRemarkable = record.status !== 'solved' }: ListedPuzzle): Content {
    const isDrawn = this.#drawn < (isRemarkable ? MAX_DRAWN : MAX_SOLVED_DRAWN);
    const kind = shapeKind(record);
    const known = kind === undefined ? undefined : this.#namesOfKinds.get(kind);
    const grid = isDrawn || known === undefined ? recordGrid(record) : undefined;
    if (known === undefined && grid === undefined) return undefined;
    if (isDrawn) this.#drawn++;
    const clashes = record.error?.clashes?.flatMap(({ cells }) => cells) ?? [];
    // Candidates are not symbols of cells.
    const givens =
      record.variant?.endsWith('sukaku') === true && grid?.givens.map((given) => given || '.').join('');
    const figures = grids.map(({ caption, solution, other }, k) => {
      const drawn = grid && drawnGrid(grid, record, solution, other);
      const shape = known ?? this.#shapes.nameOf(drawn!);
      if (kind !== undefined) this.#namesOfKinds.set(kind, shape);
      const title = `${titleOf(record)}: ${caption}`;
      return html`<figure data-shape="${shape}" data-solution="${solution !== undefined && k + 1}" data-other="${other !== undefined && 2 - k}" data-title="${title}"><figcaption>${caption}</figcaption>${isDrawn && drawn && figureOf(drawn, shape, title)}</figure>`;
    });
    return html`<div class="figures-row" data-blank="${record.blank}" data-givens="${givens}" data-clashes="${clashes.join(' ')}">${figures}</div>`;
  }
}

const OPEN = html` open=""`;

/** Size and rules of a puzzle of which each character is a cell: such puzzles have the same shape. Undefined for others. */
function shapeKind({ puzzle = '', size = 0, variant, box, regions }: JobRecord): string | undefined {
  const isPlain = puzzle !== '' && puzzle.length === size * size && !puzzle.includes(' ');
  return isPlain ? [size, variant, box, regions].join(' ') : undefined;
}

function figureOf(grid: DrawnGrid, shape: string, title: string): HtmlMarkup {
  const figure = gridFigure(grid, title, shape);
  if (gridWidth(grid) <= PHONE_PIXELS) return figure;
  return html`<div class="scroll" role="group" aria-label="Drawing of ${title}" tabindex="0">${figure}</div>`;
}

function titleOf({ index, variant, size }: JobRecord): string {
  return `Puzzle ${index}, ${variant} ${size}x${size}`;
}

/** The puzzle and its solutions on one line each, or the text that is not a puzzle: to read and to copy. */
function texts({ puzzle, source }: SampledRecord, grids: readonly ListedGrid[]): HtmlMarkup {
  const solutions = grids.filter(({ solution }) => solution !== undefined);
  return html`<dl class="text">${puzzle !== undefined && html`<dt>Puzzle</dt><dd><code>${puzzle}</code></dd>`}${solutions.map(
    ({ caption, solution }) => html`<dt>${caption}</dt><dd><code>${solution}</code></dd>`,
  )}${source !== undefined && html`<dt>Text in the file</dt><dd><pre>${source.split('\n').map(visibleText).join('\n')}</pre></dd>`}</dl>`;
}

/** The line of a report for a record. @param other a second solution, if it has several */
export function listed(record: SampledRecord, other?: string, isOpen = false): ListedPuzzle {
  const { solution, error, status } = record;
  const text = typeof solution === 'string' ? solution : undefined;
  const clashes = new Set(error?.clashes?.flatMap(({ cells }) => cells)).size;
  const grids: ListedGrid[] =
    text === undefined
      ? [{ caption: clashes > 0 ? `Givens, ${clashes} of them clash` : 'Givens' }]
      : other !== undefined
        ? [
            { caption: 'First solution', solution: text, other },
            { caption: 'Second solution', solution: other, other: text },
          ]
        : [{ caption: status === 'solved' ? 'Solution' : 'First solution', solution: text }];
  return { record, why: reasonText(record, other !== undefined), grids, isOpen };
}

/** What is wrong with a puzzle, or remarkable, in a sentence. */
export function reasonText(
  { status, error, solutions = 0, exact }: Pick<JobRecord, 'status' | 'error' | 'solutions' | 'exact'>,
  areBothShown: boolean,
): string {
  if (error !== undefined) return error.message;
  if (status !== 'multiple') return status === 'unsolvable' ? 'No solution.' : '';
  const count = `${numberText(BigInt(solutions))}${exact === true ? '' : ' or more'} solutions`;
  return areBothShown ? `${count}; cells that differ in two of them are marked.` : `${count}.`;
}

/** What a record says of the puzzle and its search, for its line. */
export function searchFacts(record: JobRecord): string[] {
  const { givens, guesses, nodes, solveUs } = record;
  const facts = [];
  const rated = ratingText(record);
  if (rated !== undefined) facts.push(rated);
  if (givens !== undefined) facts.push(counted(givens, 'given'));
  if (guesses !== undefined) facts.push(guessesText(guesses));
  if (nodes !== undefined) facts.push(counted(nodes, 'node'));
  if (solveUs !== undefined) facts.push(durationText(solveUs));
  return facts;
}

export function guessesText(guesses: number): string {
  return guesses === 1 ? '1 guess' : `${numberText(guesses)} guesses`;
}

/** `hard 4.2`; of a lower bound `extreme 6.5 or more`. */
export function ratingText({ rating, ratingIsLowerBound, grade }: JobRecord): string | undefined {
  if (rating === undefined) return undefined;
  return `${grade} ${rating.toFixed(1)}${ratingIsLowerBound === true ? ' or more' : ''}`;
}

export function placeText(line: number, lineEnd = line): string {
  return lineEnd === line
    ? `Line ${numberText(line)}`
    : `Lines ${numberText(line)} to ${numberText(lineEnd)}`;
}
