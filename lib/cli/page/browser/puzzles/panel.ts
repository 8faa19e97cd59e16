/**
 * Solves pasted puzzles in the page and shows them as boards: the page of `local --serve` and the page of the documents.
 *
 *     text or file -> solveAll on Web Workers -> records -> filter, search -> a page of boards -> rating of those shown
 *
 * No puzzle leaves the browser. All texts of puzzles are inserted as text, or escaped in drawings.
 */
import { createSolver } from '../../../../api/browser-solver.ts';
import type { PuzzleFile, SolveAllOptions, SolveRecord } from '../../../../api/solve-all.ts';
import { numberText } from '../../../../batch/quantities.ts';
import { PUZZLE_STATUSES } from '../../../../batch/solving/puzzle-status.ts';
import { GRADES } from '../../../../sudoku/rating/grades.ts';
import { pageOf } from '../../list-page.ts';
import { pageText } from '../../page-words.ts';
import { createElement, plainButton } from '../elements.js';
import { cardOf, type Entry, lineText, statusText, whyText } from './board.ts';
import { ListTools } from './list-tools.ts';
import { inputOf } from './record-input.ts';
import { Tasks } from './tasks.ts';

/** Boards on one page of the list. */
const PAGE_SIZE = 24;
/** Puzzles that a browser keeps in memory without trouble. */
const MAX_RECORDS = 500_000;
/** The text of the progress changes as often. */
const PROGRESS_MS = 150;
/** Shorter texts that one looks for are numbers and names, not digits of a puzzle. */
const MIN_DIGITS = 4;

export interface PanelOptions {
  readonly createSolverWorker: () => Worker;
  readonly createTaskWorker: () => Worker;
  /** The options that are chosen now, by name, as texts. */
  readonly options: () => Readonly<Record<string, string>>;
}

export class PuzzlePanel {
  readonly #options: PanelOptions;
  readonly #tasks: Tasks;
  readonly #solver;
  #abort = new AbortController();
  #entries: Entry[] = [];
  #elapsedMs = 0;
  /** Counts the lists that were shown: what arrives for an earlier one is kept, and not drawn. */
  #shownLists = 0;

  readonly #root: HTMLElement;
  readonly #title = createElement('h2', { id: 'solved', tabindex: '-1' }, 'Answer');
  readonly #summary = createElement('p', { class: 'verdict', role: 'status' });
  readonly #problem = createElement('p', { class: 'alert', role: 'alert', hidden: '' });
  readonly #stop = plainButton(() => this.stop(), 'Stop');
  readonly #choice = new ListTools('puzzle', 'Find a line, a name or digits', (isTurned) => {
    this.#showList();
    if (isTurned) this.#tools.scrollIntoView();
  });
  readonly #tools = createElement('div', { class: 'tools', hidden: '' });
  readonly #list = createElement('ol', { class: 'boards', 'aria-label': 'Puzzles' });

  /** @param root an empty, hidden element, in which the panel shows the puzzles */
  constructor(root: HTMLElement, options: PanelOptions) {
    this.#root = root;
    this.#options = options;
    this.#tasks = new Tasks(options.createTaskWorker);
    this.#solver = createSolver({ createWorker: options.createSolverWorker });
    this.#stop.hidden = true;
    const saving = createElement('p', { class: 'buttons' });
    saving.append(
      plainButton(() => this.copy(this.#matching().map(solutionLine).join('')), 'Copy all lines'),
      plainButton(() => this.#save('solutions.txt', solutionLine), 'Save the solutions'),
      plainButton(() => this.#save('records.jsonl', recordLine), 'Save the records'),
      plainButton(() => this.print(), 'Print'),
      plainButton(() => void this.rateAll(), 'Rate all puzzles'),
    );
    this.#tools.append(this.#choice.filters, this.#choice.finder, saving);
    root.append(
      this.#title,
      this.#problem,
      this.#summary,
      this.#stop,
      this.#tools,
      this.#list,
      this.#choice.paging,
    );
  }

  /** The records that are shown. */
  get records(): readonly SolveRecord[] {
    return this.#entries.map(({ record }) => record);
  }

  /** Milliseconds that the last file took to solve. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** Solves a file in place of what was solved before. Its errors are shown. */
  async solve(file: PuzzleFile, fileName?: string): Promise<void> {
    const signal = this.#begin();
    try {
      await this.#takeAll(file, { ...solveOptions(this.#options.options()), fileName, signal });
    } catch (error) {
      this.#fail(error, signal);
    }
    // The answer is announced and in view, and the next key scrolls or tabs from there.
    this.#title.focus({ preventScroll: true });
    this.#root.scrollIntoView({ block: 'nearest' });
  }

  async #takeAll(file: PuzzleFile, options: SolveAllOptions): Promise<void> {
    const startMs = performance.now();
    let shownMs = startMs;
    for await (const record of this.#solver.solveAll(file, options)) {
      this.#entries.push({ record });
      const nowMs = performance.now();
      if (this.#entries.length === MAX_RECORDS) {
        this.#show(
          `These are the first ${numberText(MAX_RECORDS)} puzzles: split the file to see the others.`,
        );
        break;
      }
      if (nowMs - shownMs < PROGRESS_MS) continue;
      shownMs = nowMs;
      this.#stop.hidden = false;
      this.#summary.textContent = `${numberText(this.#entries.length)} puzzles …`;
    }
    this.#elapsedMs = performance.now() - startMs;
    if (this.#entries.length === 0) this.#show('There are no puzzles in this text.');
    this.#finish();
  }

  /** Shows an error, unless another file has taken its place, or the user has stopped it and sees what was solved. */
  #fail(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#finish();
    this.#show(pageText(error instanceof Error ? error.message : String(error)));
  }

  /** Generates puzzles in place of what was solved before, and solves them. Errors are shown. */
  async generate(task: Parameters<Tasks['generate']>[0]): Promise<void> {
    const signal = this.#begin();
    this.#stop.hidden = false;
    this.#summary.textContent = 'Generating …';
    const { variant, box } = task.options;
    const lines: string[] = [];
    try {
      await this.#tasks.generate(task, ({ puzzle, regions = '' }) => {
        lines.push(`${puzzle} ${regions}`.trim());
        this.#summary.textContent = `${numberText(lines.length)} of ${numberText(task.count)} puzzles …`;
      });
      if (!signal.aborted) await this.#takeAll(`${lines.join('\n')}\n`, { variant, box, signal });
    } catch (error) {
      this.#fail(error, signal);
    }
  }

  /** Stops what is in progress; what was solved stays. */
  stop(): void {
    this.#abort.abort();
    this.#tasks.stop();
    this.#finish();
  }

  /** Shows a message; an empty one hides it. */
  #show(message: string): void {
    this.#problem.textContent = message;
    this.#problem.hidden = message === '';
  }

  /** Forgets what was shown. */
  #begin(): AbortSignal {
    this.#abort.abort();
    this.#tasks.stop();
    this.#abort = new AbortController();
    this.#entries = [];
    this.#choice.reset();
    this.#root.hidden = false;
    this.#show('');
    this.#summary.textContent = 'Solving …';
    this.#tools.hidden = true;
    this.#list.replaceChildren();
    return this.#abort.signal;
  }

  #finish(): void {
    this.#stop.hidden = true;
    const { length } = this.#entries;
    const [first] = this.#entries;
    this.#summary.textContent =
      first === undefined ? '' : length === 1 ? soloText(first.record) : this.#sumsText();
    this.#tools.hidden = length === 0;
    this.#tools.classList.toggle('solo', length === 1);
    this.#showList();
  }

  #sumsText(): string {
    const seconds = (this.#elapsedMs / 1000).toFixed(this.#elapsedMs < 10_000 ? 2 : 0);
    const solved = this.#entries.filter(({ record }) => record.status === 'solved').length;
    return `${numberText(this.#entries.length)} puzzles in ${seconds} s, ${numberText(solved)} with exactly one solution.`;
  }

  /** The names that entries have, in this order, and how many have each. */
  #counted<Name>(names: readonly Name[], nameOf: (entry: Entry) => unknown): [name: Name, puzzles: number][] {
    const counts = new Map<unknown, number>();
    for (const entry of this.#entries) counts.set(nameOf(entry), (counts.get(nameOf(entry)) ?? 0) + 1);
    return names.flatMap((name) => (counts.has(name) ? [[name, counts.get(name)!]] : []));
  }

  /** The puzzles that pass the filter and the search. */
  #matching(): Entry[] {
    const { filter, search: wanted } = this.#choice;
    const isFound = ({ id = '', line, index, puzzle = '', solution }: SolveRecord) =>
      wanted === '' ||
      String(line) === wanted ||
      String(index) === wanted ||
      id.toLowerCase().includes(wanted) ||
      (wanted.length >= MIN_DIGITS &&
        [puzzle, solution].some((text) => typeof text === 'string' && text.toLowerCase().includes(wanted)));
    const has = ({ record, grade }: Entry) =>
      filter === 'problems' ? isProblem(record) : record.status === filter || grade === filter;
    const passes = (entry: Entry) => filter === 'all' || has(entry);
    return this.#entries.filter((entry) => passes(entry) && isFound(entry.record));
  }

  #showList(): void {
    this.#shownLists++;
    const { shown, ...place } = pageOf(this.#matching(), this.#choice.page, PAGE_SIZE);
    const problems = this.#entries.filter(({ record }) => isProblem(record)).length;
    this.#choice.show({
      filters: [
        ['all', 'all', this.#entries.length],
        ['problems', 'problems', problems],
        ...this.#counted(PUZZLE_STATUSES, ({ record }) => record.status).map(
          ([status, puzzles]) => [status, statusText(status), puzzles] as const,
        ),
        ...this.#counted(GRADES, ({ grade }) => grade).map(
          ([grade, puzzles]) => [grade, grade, puzzles] as const,
        ),
      ],
      ...place,
    });
    const copy = (text: string) => this.copy(text);
    const cards = shown.map((entry) => cardOf(entry, copy));
    this.#list.replaceChildren(...cards);
    this.#list.classList.toggle('solo', this.#entries.length === 1);
    void this.#complete(shown, cards, this.#shownLists);
  }

  /** Adds what takes time to the boards that are shown: difficulty, and a second solution. */
  async #complete(shown: readonly Entry[], cards: readonly Element[], list: number): Promise<void> {
    for (const [k, entry] of shown.entries()) {
      const input = inputOf(entry.record);
      if (input === undefined) continue;
      const { puzzle, options } = input;
      if (entry.record.status === 'solved' && entry.difficulty === undefined) {
        if (!(await this.#rate(entry))) return;
      } else if (entry.record.status === 'multiple' && entry.two === undefined) {
        const { signal } = this.#abort;
        const result = await this.#solver.solve(puzzle, { ...options, signal }).catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
        if (result?.solution === undefined || result.otherSolution === undefined) return;
        entry.two = [result.solution, result.otherSolution];
      } else continue;
      if (list !== this.#shownLists) return;
      const [old, card] = [cards[k]!, cardOf(entry, (text) => this.copy(text))];
      const focused = [...old.querySelectorAll('button')].indexOf(
        document.activeElement as HTMLButtonElement,
      );
      old.replaceChildren(...card.childNodes);
      old.querySelectorAll('button')[focused]?.focus();
    }
  }

  /** Finds how hard a solved puzzle is. @returns false if the tasks are stopped first */
  async #rate(entry: Entry): Promise<boolean> {
    const input = inputOf(entry.record);
    if (entry.record.status !== 'solved' || entry.difficulty !== undefined || input === undefined)
      return true;
    try {
      const rated = await this.#tasks.rate(input.puzzle, input.options);
      if (rated === undefined) return false;
      const { grade, rating, technique, isLowerBound } = rated;
      entry.grade = grade;
      entry.difficulty =
        grade && `${grade} (${isLowerBound === true ? 'at least ' : ''}${rating?.toFixed(1)}: ${technique})`;
      entry.difficulty ??= '';
    } catch (error) {
      entry.difficulty = `not rated: ${(error as Error).message}`;
    }
    return true;
  }

  /** Rates all solved puzzles, so that they can be filtered by grade. What was rated before a stop stays. */
  async rateAll(): Promise<void> {
    // What was stopped before may be rated now.
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    let shownMs = performance.now();
    this.#stop.hidden = false;
    for (const [k, entry] of this.#entries.entries()) {
      if (!(await this.#rate(entry)) || signal.aborted) return;
      if (performance.now() - shownMs < PROGRESS_MS) continue;
      shownMs = performance.now();
      this.#summary.textContent = `${numberText(k + 1)} of ${numberText(this.#entries.length)} puzzles rated …`;
    }
    this.#finish();
  }

  /** Copies a text, and says so. */
  async copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.#summary.textContent = 'Copied.';
    } catch {
      this.#show('The browser did not allow to copy. Save the solutions instead.');
    }
  }

  /** Saves the puzzles that are found as a file. */
  #save(name: string, line: (entry: Entry) => string): void {
    const url = URL.createObjectURL(new Blob(this.#matching().map(line), { type: 'text/plain' }));
    createElement('a', { href: url, download: name }).click();
    // The browser has begun to read it.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }

  /** Prints the boards that are found, each page of puzzles without their solutions, then the solutions. */
  print(): void {
    const entries = this.#matching().slice(0, MAX_PRINTED);
    const sheet = sheetOf(entries);
    document.body.append(sheet);
    document.body.classList.add('printing');
    addEventListener(
      'afterprint',
      () => {
        sheet.remove();
        document.body.classList.remove('printing');
      },
      { once: true },
    );
    print();
  }
}

/** Puzzles of one printing: about thirty sheets. */
const MAX_PRINTED = 120;

function sheetOf(entries: readonly Entry[]): HTMLElement {
  const unsolved = entries.map(({ record: { solution: _, ...record } }) => cardOf({ record }, () => {}));
  const solved = entries
    .filter(({ record }) => record.solution !== undefined)
    .map(({ record }) => cardOf({ record }, () => {}));
  const list = (name: string, cards: readonly Element[]) => createElement('ol', { class: name }, ...cards);
  return createElement(
    'div',
    { class: 'sheet' },
    list('boards large', unsolved),
    createElement('h2', {}, 'Solutions'),
    list('boards answers', solved),
  );
}

/** The options of a file for the library. @throws Error if the text of the box is none */
function solveOptions(texts: Readonly<Record<string, string>>): SolveAllOptions {
  const { format, variant, alphabet, box, solutions, 'max-nodes': maxNodes } = texts;
  const [rows, columns] = box?.split(/x/i).map(Number) ?? [];
  const given = {
    format,
    variant,
    alphabet,
    box: box && [rows, columns],
    maxNodes: maxNodes && Number(maxNodes),
  };
  const most = solutions === 'all' ? Number.POSITIVE_INFINITY : Number(solutions);
  const defined = Object.entries({ ...given, solutions: solutions && most }).filter(([, value]) => value);
  // The library checks each value, and names a bad one.
  return Object.fromEntries(defined) as SolveAllOptions;
}

function soloText(record: SolveRecord): string {
  if (record.status === 'solved') return 'Solved. This is the only solution.';
  return record.status === 'multiple' ? 'Solved, but it has several solutions.' : 'Not solved.';
}

function isProblem({ status, error }: SolveRecord): boolean {
  return status !== 'solved' || error !== undefined;
}

/** A line of the file with solutions: a comment in place of a solution that is not proven to be the only one. */
function solutionLine(entry: Entry): string {
  const { record } = entry;
  if (record.status === 'solved') return `${lineText(record)}\n`;
  const why = whyText(entry).replaceAll(/\s+/g, ' ');
  return `# puzzle ${record.index} (line ${record.line}): ${statusText(record.status)}. ${why}\n`;
}

function recordLine({ record }: Entry): string {
  return `${JSON.stringify(record)}\n`;
}
