/** What one chooses of a list: a filter, a search and a page. Of the list of puzzles, and of that of files. */
import { numberText } from '../../../../batch/quantities.ts';
import { html } from '../../../../batch/report/markup.ts';
import type { ListPlace } from '../../list-page.ts';
import { createElement, plainButton, updateChildren } from '../elements.js';
import { elementOf } from './trusted.ts';

/** What a list has now. */
interface ListFacts extends ListPlace {
  /** Name, text and number of items of each filter. */
  readonly filters: readonly (readonly [name: string, text: string, items: number])[];
}

export class ListTools {
  filter = 'all';
  page = 0;
  readonly filters = createElement('p', { class: 'buttons filters', role: 'group', 'aria-label': 'Show' });
  readonly finder: Element;
  readonly paging = createElement('p', { class: 'buttons paging', hidden: '' });
  readonly #noun: string;
  readonly #onChoice: (isTurned: boolean) => void;
  readonly #field: HTMLInputElement;
  readonly #buttons = new Map<string, HTMLButtonElement>();
  readonly #previous = plainButton(() => this.#choose({ page: this.page - 1 }), 'Previous page');
  readonly #place = createElement('span', {});
  readonly #next = plainButton(() => this.#choose({ page: this.page + 1 }), 'Next page');

  /**
   * @param noun what the items are, such as `puzzle`
   * @param label of the search
   * @param onChoice called for each choice, and told whether it is only another page
   */
  constructor(noun: string, label: string, onChoice: (isTurned: boolean) => void) {
    this.#noun = noun;
    this.#onChoice = onChoice;
    this.finder = elementOf(
      html`<p class="find"><label for="find-${noun}">${label}</label><input type="search" id="find-${noun}" autocomplete="off" spellcheck="false"></p>`,
    );
    this.#field = this.finder.querySelector('input')!;
    this.#field.addEventListener('input', () => this.#choose({}));
    this.paging.append(this.#previous, this.#place, this.#next);
  }

  /** What is looked for, in lower case; empty for everything. */
  get search(): string {
    return this.#field.value.trim().toLowerCase();
  }

  /** Forgets what was chosen. */
  reset(): void {
    this.filter = 'all';
    this.page = 0;
    this.#field.value = '';
    this.paging.hidden = true;
  }

  /** Updates the buttons, which keep the focus. */
  show({ filters, found, page, pages }: ListFacts): void {
    const buttons = filters.map(([name, text, items]) => {
      const shown = this.#buttons.get(name) ?? plainButton(() => this.#choose({ filter: name }));
      this.#buttons.set(name, shown);
      shown.textContent = `${text} ${numberText(items)}`;
      shown.setAttribute('aria-pressed', String(this.filter === name));
      return shown;
    });
    updateChildren(this.filters, buttons);
    this.page = page;
    this.paging.hidden = pages === 1 && found > 0;
    this.#previous.disabled = page === 0;
    this.#next.disabled = page === pages - 1;
    const place =
      found === 0
        ? `No ${this.#noun} is like this.`
        : `Page ${numberText(page + 1)} of ${numberText(pages)}, ${numberText(found)} ${this.#noun}s`;
    if (this.#place.textContent !== place) this.#place.textContent = place;
  }

  #choose({ filter = this.filter, page }: { readonly filter?: string; readonly page?: number }): void {
    this.filter = filter;
    this.page = page ?? 0;
    this.#onChoice(page !== undefined);
  }
}
