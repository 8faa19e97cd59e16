/**
 * Shows the uploads as elements.
 *
 * @typedef {import('./uploads.js').PageUpload} PageUpload
 * @typedef {import('./uploads.js').Uploads} Uploads
 */
import { html } from '../../../batch/report/markup.ts';
import { byId, createElement, heading, updateChildren } from './elements.js';
import { elementOf } from './puzzles/trusted.ts';

/** Maximum number of uploads shown. Those that need attention come first, then those in progress. */
const MAX_SHOWN = 12;

const STATE_TEXTS = {
  waiting: 'waiting',
  sending: 'uploading',
  refused: 'not sent',
  unchanged: 'unchanged',
  lost: 'connection lost',
};

export class UploadListView {
  #uploads;
  /** @type {Map<PageUpload, { readonly item: HTMLLIElement, shown: string }>} */
  #rows = new Map();

  /** @param {Uploads} uploads */
  constructor(uploads) {
    this.#uploads = uploads;
  }

  /** Updates the list; unchanged rows stay untouched. */
  show() {
    const { all } = this.#uploads;
    const sorted = [...all].sort((a, b) => rank(a) - rank(b));
    const shown = sorted.slice(0, MAX_SHOWN);
    byId('uploads-section', HTMLElement).hidden = all.length === 0;
    byId('upload-more', HTMLElement).hidden = shown.length === all.length;
    byId('upload-more-text', HTMLElement).textContent = hiddenText(sorted.slice(MAX_SHOWN));
    for (const upload of this.#rows.keys()) if (!shown.includes(upload)) this.#rows.delete(upload);
    updateChildren(
      byId('upload-list', HTMLUListElement),
      shown.map((upload) => this.#row(upload)),
    );
  }

  /** @param {PageUpload} upload */
  #row(upload) {
    const { state, message, canRetry, file, sentBytes } = upload;
    const row = this.#rows.get(upload) ?? { item: createElement('li', {}), shown: '' };
    this.#rows.set(upload, row);
    const content = JSON.stringify([state, message, canRetry]);
    if (row.shown !== content) {
      row.shown = content;
      row.item.className = state;
      const hasFocus = row.item.contains(document.activeElement);
      const acts = this.#acts(upload);
      row.item.replaceChildren(...elementOf(uploadMarkup(upload, Object.keys(acts))).childNodes);
      for (const made of row.item.querySelectorAll('button')) {
        made.addEventListener('click', () => acts[made.textContent]?.());
      }
      if (hasFocus) row.item.querySelector('button')?.focus();
    }
    const bar = row.item.querySelector('progress');
    if (bar !== null) {
      bar.value = sentBytes / Math.max(1, file.size);
      /** @type {Element} */ (bar.nextElementSibling).textContent = `${Math.floor(100 * bar.value)} % sent`;
    }
    return row.item;
  }

  /** What the buttons of an upload do, by their texts. @param {PageUpload} upload @returns {Record<string, () => void>} */
  #acts(upload) {
    const { state } = upload;
    const remove = () => this.#uploads.remove(upload);
    if (state === 'waiting' || state === 'sending') return { Cancel: remove };
    if (state === 'unchanged') {
      return { 'Solve it again': () => this.#uploads.retry(upload, true), Close: remove };
    }
    return { 'Try again': () => this.#uploads.retry(upload), Close: remove };
  }
}

/**
 * @param {PageUpload} upload
 * @param {readonly string[]} buttons
 */
function uploadMarkup({ name, state, message, canRetry }, buttons) {
  const texts = {
    refused: sentence(message),
    unchanged: 'The same file with the same options was already uploaded. Its result is listed below.',
    lost: canRetry
      ? 'The upload continues when the stack answers.'
      : 'The connection was lost several times.',
    waiting: undefined,
    sending: undefined,
  };
  return html`<li>${heading(name, state, STATE_TEXTS[state])}<p class="buttons">${buttons.map((text) => html`<button type="button" class="small" aria-label="${text}: ${name}">${text}</button>`)}</p>
${texts[state] && html`<p>${texts[state]}</p>`}
${state === 'sending' && html`<progress aria-label="${name}: bytes sent"></progress><p class="facts"></p>`}</li>`;
}

/** @param {readonly PageUpload[]} rest the uploads that are not shown */
function hiddenText(rest) {
  const pending = rest.filter((upload) => rank(upload) > 0).length;
  /** @type {readonly (readonly [files: number, what: string])[]} */
  const texts = [
    [pending, 'waiting'],
    [rest.length - pending, 'need attention: close some of those above'],
  ];
  return texts
    .filter(([files]) => files !== 0)
    .map(([files, what]) => `${files.toLocaleString('en-US')} more ${what}.`)
    .join(' ');
}

/** @param {PageUpload} upload */
function rank({ state }) {
  if (state === 'refused' || state === 'unchanged') return 0;
  return state === 'sending' ? 1 : 2;
}

/** @param {string} text */
function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
