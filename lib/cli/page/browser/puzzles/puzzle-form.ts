/** What both pages begin with: a field for puzzles, a place for files, and the options. */
import { HtmlMarkup, html } from '../../../../batch/report/markup.ts';
import { FORMAT_NAMES, OUTPUT_PROFILES } from '../../../../formats/formats.ts';
import { ENGINE_NAMES } from '../../../../sudoku/engine.ts';
import { VARIANT_NAMES } from '../../../../sudoku/geometry/variants.ts';
import { FIELD_LABELS } from '../../page-words.ts';
import { elementOf } from './trusted.ts';

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
  /** Buttons that open a dialog for files, as `chooser` makes them. */
  readonly choosers: readonly HtmlMarkup[];
  readonly onText: (text: string) => void;
  readonly onFiles: (files: FileList) => void;
}

export class PuzzleForm {
  readonly element: Element;
  readonly #fields: HTMLFormElement;

  constructor({ fields, choosers, onText, onFiles }: PuzzleFormSettings) {
    const names = fields ?? (Object.keys(FIELD_LABELS) as FieldName[]);
    this.element = elementOf(html`<div>
<form id="paste"><p><label for="pasted">One puzzle or many, in any layout</label>
<textarea id="pasted" rows="9" spellcheck="false" autocomplete="off"></textarea></p><p class="buttons"><button class="main">Solve</button></p></form>
<div class="drop"><p>Drop files here, or</p><p class="buttons">${choosers}</p></div>
<details><summary>Options</summary><p class="note">These apply to what you solve next. The defaults suit most puzzles.</p>
<form id="option-fields" class="fields">${names.map(optionField)}</form></details></div>`);
    this.#fields = this.element.querySelector<HTMLFormElement>('#option-fields')!;
    onSubmit(this.#fields, () => {});
    this.#fields.addEventListener('input', ({ target }) => {
      (target as HTMLElement).removeAttribute('aria-invalid');
    });
    const pasted = this.element.querySelector('textarea')!;
    onSubmit(pasted.form!, () => onText(pasted.value));
    for (const input of this.element.querySelectorAll<HTMLInputElement>('[type=file]')) {
      input.previousElementSibling!.addEventListener('click', () => input.click());
      input.addEventListener('change', () => {
        onFiles(input.files!);
        // Without this, choosing the same file again would cause no event.
        input.value = '';
      });
    }
  }

  /** The options whose fields have a value. */
  options(): Record<string, string> {
    return textsOf(this.#fields);
  }

  /** Marks the field of an invalid option. */
  mark(name: string): void {
    this.#fields.querySelector(`[name="${CSS.escape(name)}"]`)?.setAttribute('aria-invalid', 'true');
    this.element.querySelector('details')!.open = true;
  }
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

/** A button, and the hidden field whose dialog it opens: for one file, for `files`, or for a `folder`. */
export function chooser(id: 'file' | 'files' | 'folder', text: string): HtmlMarkup {
  return html`<button type="button" id="choose-${id}">${text}</button><input type="file" id="${id}" hidden="" aria-label="${text}"${SEVERAL[id]}>`;
}

const SEVERAL = {
  file: undefined,
  files: new HtmlMarkup(' multiple=""'),
  folder: new HtmlMarkup(' webkitdirectory=""'),
};

function optionField(name: FieldName): HtmlMarkup {
  const label = FIELD_LABELS[name];
  const emptyText = EMPTY_TEXTS[name];
  const values = CHOICES[name];
  if (emptyText === undefined) {
    return html`<p class="switch"><input type="checkbox" id="option-${name}" name="${name}" value="true"> <label for="option-${name}">${label}</label></p>`;
  }
  return values === undefined
    ? entry(name, label, emptyText)
    : choice(name, label, ['', ...values], emptyText);
}

/** @param emptyText the text of the empty value */
export function choice(
  name: string,
  label: string,
  values: readonly string[],
  emptyText = '',
  id = `option-${name}`,
): HtmlMarkup {
  return html`<p><label for="${id}">${label}</label><select id="${id}" name="${name}">${values.map((value) => html`<option value="${value}">${value || emptyText}</option>`)}</select></p>`;
}

export function entry(name: string, label: string, placeholder: string): HtmlMarkup {
  return html`<p><label for="option-${name}">${label}</label><input id="option-${name}" name="${name}" placeholder="${placeholder}" autocomplete="off" spellcheck="false"></p>`;
}
