/**
 * The page of the documents that solves puzzles without a server: a field, files, options, a generator, and the panel of
 * `panel.ts`. The page provides the threads, as only its bundler knows where their scripts are.
 */
import type { GenerateOptions } from '../../../../api/generate.ts';
import { bytesOf } from '../../../../api/input-bytes.ts';
import type { Grade } from '../../../../api/rate.ts';
import { html } from '../../../../batch/report/markup.ts';
import { PAGE_STYLES } from '../../../../batch/report/styles.ts';
import { GRADES } from '../../../../sudoku/rating/grades.ts';
import { createElement } from '../elements.js';
import { type PanelOptions, PuzzlePanel } from './panel.ts';
import { choice, chooser, entry, onSubmit, PuzzleForm, textsOf } from './puzzle-form.ts';
import { elementOf } from './trusted.ts';

/** Variants that are generated in a moment, for each size. */
const GENERATED_RULES = ['standard', 'x', 'windoku', 'jigsaw', 'latin'];
/** The first one is chosen at first. */
const SIZES = ['9', '4', '6', '16'];
const COUNTS = ['4', '1', '12', '24', '60'];

/** @param root an empty element with the class `puzzles` */
export function showSitePage(root: HTMLElement, workers: Omit<PanelOptions, 'options'>): PuzzlePanel {
  // The styles of boards and cards are those of the reports. A policy that forbids inline styles allows these.
  const styles = new CSSStyleSheet();
  styles.replaceSync(`.puzzles{${PAGE_STYLES.source}}`);
  document.adoptedStyleSheets.push(styles);
  const making = elementOf(
    html`<details><summary>Make puzzles</summary><form><div class="fields">${[
      choice('count', 'Puzzles', COUNTS),
      choice('grade', 'Difficulty', ['', ...GRADES], 'any'),
      choice('size', 'Size', SIZES),
      choice('variant', 'Rules', GENERATED_RULES, '', 'new-variant'),
      entry('seed', 'Seed, to get the same puzzles again', 'a new one'),
    ]}</div><p class="buttons"><button>Make puzzles</button></p></form></details>`,
  );
  const answer = createElement('section', { id: 'answer', 'aria-labelledby': 'solved', hidden: '' });
  const take = (file: File | undefined) => file && panel.solve(bytesOf(file.stream()), file.name);
  const form = new PuzzleForm({
    fields: ['variant', 'format', 'alphabet', 'box', 'solutions', 'max-nodes'],
    choosers: [chooser('file', 'Choose a file')],
    onText: (text) => panel.solve(text),
    onFiles: ([file]) => take(file),
  });
  const panel = new PuzzlePanel(answer, { ...workers, options: () => form.options() });
  root.append(form.element, making, answer);
  const wanted = making.querySelector('form')!;
  onSubmit(wanted, () => panel.generate(generateTask(textsOf(wanted))));
  for (const name of ['dragover', 'dragleave', 'drop'] as const) {
    root.addEventListener(name, (event) => {
      event.preventDefault();
      root.classList.toggle('dropping', name === 'dragover');
      if (name === 'drop') take(event.dataTransfer?.files[0]);
    });
  }
  return panel;
}

function generateTask({ count, grade, size, variant, seed }: Record<string, string>) {
  const isSeed = seed !== undefined && /^\d{1,15}$/.test(seed);
  const options = { size: Number(size), variant, seed: isSeed ? Number(seed) : undefined };
  // The fields have only names that the library knows.
  return { count: Number(count), grade: grade as Grade | undefined, options: options as GenerateOptions };
}
