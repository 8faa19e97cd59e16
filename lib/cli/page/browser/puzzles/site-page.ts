/**
 * The page of the documents that solves puzzles without a server: a field, files, options, a generator, and the panel of
 * `panel.ts`. The page provides the threads, as only its bundler knows where their scripts are.
 */
import type { GenerateOptions } from '../../../../api/generate.ts';
import type { Grade } from '../../../../api/rate.ts';
import { PAGE_STYLES } from '../../../../batch/report/styles.ts';
import { FORMAT_NAMES } from '../../../../formats/formats.ts';
import { VARIANT_NAMES } from '../../../../sudoku/geometry/variants.ts';
import { FIELD_LABELS } from '../../page-words.ts';
import { createElement, plainButton } from '../elements.js';
import { type PanelOptions, PuzzlePanel } from './panel.ts';

const GRADES = ['easy', 'medium', 'hard', 'expert', 'extreme'] as const satisfies readonly Grade[];
/** Variants that are generated in a moment, for each size. */
const GENERATED_RULES = ['standard', 'x', 'windoku', 'jigsaw', 'latin'];
const SIZES = ['4', '6', '9', '16'];
const COUNTS = ['1', '4', '12', '24', '60'];

/** @param root an empty element with the class `puzzles` */
export function showSitePage(root: HTMLElement, workers: Omit<PanelOptions, 'options'>): PuzzlePanel {
  // The styles of boards and cards are those of the reports. A policy that forbids inline styles allows these.
  const styles = new CSSStyleSheet();
  styles.replaceSync(`.puzzles{${PAGE_STYLES.source}}`);
  document.adoptedStyleSheets.push(styles);
  const pasted = createElement('textarea', { id: 'pasted', rows: '9', spellcheck: 'false' });
  const solving = createElement(
    'form',
    { id: 'paste' },
    createElement('label', { for: 'pasted' }, 'One puzzle or many, in any layout'),
    pasted,
    createElement('p', { class: 'buttons' }, createElement('button', { class: 'main' }, 'Solve')),
  );
  const chooser = createElement('input', {
    type: 'file',
    id: 'file',
    hidden: '',
    'aria-label': 'Puzzle file',
  });
  const dropping = createElement('div', { class: 'drop' }, createElement('p', {}, 'Drop a file here, or'));
  dropping.append(
    plainButton(() => chooser.click(), 'Choose a file'),
    chooser,
  );
  const settings = createElement(
    'form',
    { class: 'fields' },
    choice('variant', FIELD_LABELS.variant, ['', ...VARIANT_NAMES], 'from the file'),
    choice('format', FIELD_LABELS.format, ['', ...FORMAT_NAMES], 'detected'),
    entry('alphabet', FIELD_LABELS.alphabet, 'such as ABCDEFGHI or 1-16'),
    entry('box', FIELD_LABELS.box, 'such as 2x3'),
    entry('solutions', FIELD_LABELS.solutions, '2, which proves uniqueness'),
    entry('max-nodes', FIELD_LABELS['max-nodes'], '50000000'),
  );
  const making = createElement(
    'form',
    {},
    createElement(
      'div',
      { class: 'fields' },
      choice('count', 'Puzzles', COUNTS, '', '4'),
      choice('grade', 'Difficulty', ['', ...GRADES], 'any'),
      choice('size', 'Size', SIZES, '', '9'),
      choice('variant', 'Rules', GENERATED_RULES, '', 'standard', 'new-variant'),
      entry('seed', 'Seed, to get the same puzzles again', 'a new one'),
    ),
    createElement('p', { class: 'buttons' }, createElement('button', {}, 'Make puzzles')),
  );
  const details = (title: string, form: HTMLElement) =>
    createElement('details', {}, createElement('summary', {}, title), form);
  const answer = createElement('div', { id: 'answer', tabindex: '-1' });
  root.append(solving, dropping, details('Options', settings), details('Make puzzles', making), answer);

  const panel = new PuzzlePanel(answer, { ...workers, options: () => textsOf(settings) });
  const take = (file: File | undefined) => file && panel.solve(readable(file.stream()), file.name);
  settings.addEventListener('submit', (event) => event.preventDefault());
  solving.addEventListener('submit', (event) => {
    event.preventDefault();
    panel.solve(pasted.value).then(() => answer.focus({ preventScroll: true }));
  });
  making.addEventListener('submit', (event) => {
    event.preventDefault();
    panel.generate(generateTask(textsOf(making)));
  });
  chooser.addEventListener('change', () => {
    take(chooser.files?.[0]);
    // Without this, choosing the same file again would cause no event.
    chooser.value = '';
  });
  for (const name of ['dragover', 'dragleave', 'drop'] as const) {
    root.addEventListener(name, (event) => {
      event.preventDefault();
      root.classList.toggle('dropping', name === 'dragover');
      if (name === 'drop') take(event.dataTransfer?.files[0]);
    });
  }
  return panel;
}

/** The pieces of a stream, which not all browsers iterate themselves. */
async function* readable(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

function generateTask({ count, grade, size, variant, seed }: Record<string, string>) {
  const isSeed = seed !== undefined && /^\d{1,15}$/.test(seed);
  const options = { size: Number(size), variant, seed: isSeed ? Number(seed) : undefined };
  // The fields have only names that the library knows.
  return { count: Number(count), grade: grade as Grade | undefined, options: options as GenerateOptions };
}

/** The fields that have a value. */
function textsOf(form: HTMLFormElement): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && value.trim() !== '') texts[name] = value.trim();
  }
  return texts;
}

function choice(
  name: string,
  label: string,
  values: readonly string[],
  emptyText: string,
  chosen = '',
  id = `option-${name}`,
) {
  const select = createElement('select', { id, name });
  for (const value of values) {
    const option = createElement('option', { value }, value === '' ? emptyText : value);
    option.selected = value === chosen;
    select.append(option);
  }
  return createElement('p', {}, createElement('label', { for: id }, label), select);
}

function entry(name: string, label: string, placeholder: string) {
  const id = `option-${name}`;
  const input = createElement('input', { id, name, placeholder, autocomplete: 'off', spellcheck: 'false' });
  return createElement('p', {}, createElement('label', { for: id }, label), input);
}
