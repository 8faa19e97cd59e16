/**
 * Shows the uploads as elements.
 *
 * @typedef {import('./uploads.js').PageUpload} PageUpload
 * @typedef {import('./uploads.js').Uploads} Uploads
 */
import { button, byId, createElement, heading, updateChildren } from './elements.js';

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
  /** @type {Map<PageUpload, { readonly item: HTMLLIElement, shown: string, readonly bar: HTMLProgressElement, readonly share: HTMLElement }>} */
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
    const { name, state, message, file, sentBytes } = upload;
    const row = this.#rows.get(upload) ?? {
      item: createElement('li', {}),
      bar: createElement('progress', { 'aria-label': `${name}: bytes sent` }),
      share: createElement('p', { class: 'facts' }),
      shown: '',
    };
    this.#rows.set(upload, row);
    row.bar.max = Math.max(1, file.size);
    row.bar.value = sentBytes;
    row.share.textContent = `${Math.floor((100 * sentBytes) / row.bar.max)} % sent`;
    const content = JSON.stringify([state, message]);
    if (row.shown === content) return row.item;
    row.shown = content;
    row.item.className = state;
    const buttons = createElement('p', { class: 'buttons' }, ...this.#buttons(upload));
    const parts = [heading(name, state, STATE_TEXTS[state]), buttons, ...this.#parts(upload)];
    if (state === 'sending') parts.push(row.bar, row.share);
    const hasFocus = row.item.contains(document.activeElement);
    row.item.replaceChildren(...parts);
    if (hasFocus) row.item.querySelector('button')?.focus();
    return row.item;
  }

  /**
   * @param {PageUpload} upload
   * @returns {HTMLElement[]}
   */
  #parts({ state, message, canRetry }) {
    if (state === 'refused') return [createElement('p', {}, sentence(message))];
    if (state === 'unchanged') {
      return [
        createElement(
          'p',
          {},
          'The same file with the same options was already uploaded. Its result is listed below.',
        ),
      ];
    }
    if (state === 'lost') {
      const text = canRetry
        ? 'The upload continues when the stack answers.'
        : 'The connection was lost several times.';
      return [createElement('p', {}, text)];
    }
    return [];
  }

  /** @param {PageUpload} upload */
  #buttons(upload) {
    const { state, name } = upload;
    const remove = (/** @type {string} */ text) => button(text, name, () => this.#uploads.remove(upload));
    if (state === 'unchanged') {
      return [button('Solve it again', name, () => this.#uploads.retry(upload, true)), remove('Close')];
    }
    if (state === 'refused' || state === 'lost') {
      return [button('Try again', name, () => this.#uploads.retry(upload)), remove('Close')];
    }
    return [remove('Cancel')];
  }
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
