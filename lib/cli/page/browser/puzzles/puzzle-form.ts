/** What both pages begin with: a field for puzzles, a place for files, and the options. */
import { FORMAT_NAMES, OUTPUT_PROFILES } from '../../../../formats/formats.ts';
import { ENGINE_NAMES } from '../../../../sudoku/engine.ts';
import { VARIANT_NAMES } from '../../../../sudoku/geometry/variants.ts';
import { FIELD_LABELS } from '../../page-words.ts';
import { createElement } from '../elements.js';

type FieldName = keyof typeof FIELD_LABELS;

/** What an empty field means, or an example. A field without one is a switch. */
const EMPTY_TEXTS: Partial<Record<FieldName, string>> = {
  engine: 'dlx',
  output: 'same as the file',
  solutions: '2, which proves uniqueness',
  'max-nodes': '50000000',
  format: 'detected',
  variant: 'from the file',
  alphabet: 'such as ABCDEFGHI or 1-16',
  box: 'such as 2x3',
};
const CHOICES: Partial<Record<FieldName, readonly string[]>> = {
  engine: ENGINE_NAMES,
  output: OUTPUT_PROFILES,
  format: FORMAT_NAMES,
  variant: VARIANT_NAMES,
};

export interface PuzzleFormSettings {
  /** The options that have a field. @default all */
  readonly fields?: readonly FieldName[];
  /** Whether several files, and folders, can be chosen. */
  readonly hasFolders: boolean;
  readonly onText: (text: string) => void;
  readonly onFiles: (files: FileList) => void;
}

export class PuzzleForm {
  readonly elements: readonly HTMLElement[];
  readonly #fields: HTMLFormElement;
  readonly #details: HTMLDetailsElement;

  constructor({ fields, hasFolders, onText, onFiles }: PuzzleFormSettings) {
    const pasted = createElement('textarea', {
      ...{ id: 'pasted', rows: '9', spellcheck: 'false', autocomplete: 'off' },
    });
    const solving = createElement(
      'form',
      { id: 'paste' },
      createElement('label', { for: 'pasted' }, 'One puzzle or many, in any layout'),
      pasted,
      createElement('p', { class: 'buttons' }, createElement('button', { class: 'main' }, 'Solve')),
    );
    onSubmit(solving, () => onText(pasted.value));
    const choosers = hasFolders
      ? [
          ...chooser('files', 'Choose files', { multiple: '' }, onFiles),
          ...chooser('folder', 'Choose a folder', { webkitdirectory: '' }, onFiles),
        ]
      : chooser('file', 'Choose a file', {}, onFiles);
    const what = hasFolders ? 'files or a folder' : 'a file';
    const dropping = createElement(
      'div',
      { class: 'drop' },
      createElement('p', {}, `Drop ${what} here, or`),
      createElement('p', { class: 'buttons' }, ...choosers),
    );
    const names = fields ?? (Object.keys(FIELD_LABELS) as FieldName[]);
    this.#fields = createElement('form', { id: 'option-fields', class: 'fields' }, ...names.map(optionField));
    onSubmit(this.#fields, () => {});
    this.#fields.addEventListener('input', ({ target }) => {
      (target as HTMLElement).removeAttribute('aria-invalid');
    });
    const note = 'These apply to what you solve next. The defaults suit most puzzles.';
    this.#details = details('Options', createElement('p', { class: 'note' }, note), this.#fields);
    this.elements = [solving, dropping, this.#details];
  }

  /** The options whose fields have a value. */
  options(): Record<string, string> {
    return textsOf(this.#fields);
  }

  /** Marks the field of an invalid option. */
  mark(name: string): void {
    this.#fields.querySelector(`[name="${CSS.escape(name)}"]`)?.setAttribute('aria-invalid', 'true');
    this.#details.open = true;
  }
}

export function details(title: string, ...content: readonly HTMLElement[]): HTMLDetailsElement {
  return createElement('details', {}, createElement('summary', {}, title), ...content);
}

export function onSubmit(form: HTMLFormElement, act: () => void): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    act();
  });
}

/** The fields that have a value. */
export function textsOf(form: HTMLFormElement): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && value.trim() !== '') texts[name] = value.trim();
  }
  return texts;
}

/** A button, and the hidden field whose dialog it opens. */
function chooser(
  id: string,
  text: string,
  attributes: Readonly<Record<string, string>>,
  onFiles: (files: FileList) => void,
): HTMLElement[] {
  const input = createElement('input', { ...attributes, type: 'file', id, hidden: '', 'aria-label': text });
  input.addEventListener('change', () => {
    onFiles(input.files!);
    // Without this, choosing the same file again would cause no event.
    input.value = '';
  });
  const opener = createElement('button', { type: 'button', id: `choose-${id}` }, text);
  opener.addEventListener('click', () => input.click());
  return [opener, input];
}

function optionField(name: FieldName): HTMLElement {
  const label = FIELD_LABELS[name];
  const emptyText = EMPTY_TEXTS[name];
  if (emptyText === undefined) {
    const id = `option-${name}`;
    const box = createElement('input', { type: 'checkbox', id, name, value: 'true' });
    return createElement('p', { class: 'switch' }, box, ' ', createElement('label', { for: id }, label));
  }
  const values = CHOICES[name];
  return values === undefined
    ? entry(name, label, emptyText)
    : choice(name, label, ['', ...values], emptyText);
}

/** @param emptyText the text of the empty value @param chosen the value at first */
export function choice(
  name: string,
  label: string,
  values: readonly string[],
  emptyText: string,
  chosen = '',
  id = `option-${name}`,
): HTMLElement {
  const select = createElement('select', { id, name });
  for (const value of values) {
    const option = createElement('option', { value }, value === '' ? emptyText : value);
    option.selected = value === chosen;
    select.append(option);
  }
  return createElement('p', {}, createElement('label', { for: id }, label), select);
}

export function entry(name: string, label: string, placeholder: string): HTMLElement {
  const id = `option-${name}`;
  const input = createElement('input', { id, name, placeholder, autocomplete: 'off', spellcheck: 'false' });
  return createElement('p', {}, createElement('label', { for: id }, label), input);
}
