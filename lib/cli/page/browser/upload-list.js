/**
 * Uploads as they are shown.
 *
 * @typedef {import('./uploads.js').PageUpload} Upload
 * @typedef {import('./uploads.js').Uploads} Uploads
 */
import { button, byId, createElement, heading } from './elements.js';

/** Of many, only so many are drawn: those that somebody has to look at first, then those that go on by themselves. */
const MAX_SHOWN = 12;

const STATE_TEXTS = {
  waiting: 'waiting',
  reading: 'reading',
  sending: 'uploading',
  refused: 'not sent',
  unchanged: 'there already',
  lost: 'not sent yet',
};

export class UploadListView {
  #uploads;
  /** @type {Map<Upload, { readonly item: HTMLLIElement, shown: string, readonly bar: HTMLProgressElement, readonly share: HTMLElement }>} */
  #rows = new Map();

  /** @param {Uploads} uploads */
  constructor(uploads) {
    this.#uploads = uploads;
  }

  /** Shows what is true now; rows in which nothing has changed stay as they are. */
  show() {
    const { all } = this.#uploads;
    const sorted = [...all].sort((a, b) => rank(a) - rank(b));
    const shown = sorted.slice(0, MAX_SHOWN);
    byId('uploads-section', HTMLElement).hidden = all.length === 0;
    byId('upload-more', HTMLElement).hidden = shown.length === all.length;
    byId('upload-more-text', HTMLElement).textContent = restText(sorted.slice(MAX_SHOWN));
    for (const upload of this.#rows.keys()) if (!shown.includes(upload)) this.#rows.delete(upload);
    updateChildren(
      byId('upload-list', HTMLUListElement),
      shown.map((upload) => this.#row(upload)),
    );
  }

  /** @param {Upload} upload */
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
    const look = JSON.stringify([state, message]);
    if (row.shown === look) return row.item;
    row.shown = look;
    row.item.className = state;
    const buttons = createElement('p', { class: 'buttons' }, ...this.#buttons(upload));
    const parts = [heading(name, state, STATE_TEXTS[state]), buttons, ...this.#parts(upload)];
    if (state === 'sending') parts.push(row.bar, row.share);
    row.item.replaceChildren(...parts);
    return row.item;
  }

  /**
   * @param {Upload} upload
   * @returns {HTMLElement[]}
   */
  #parts({ state, message, isTriedAgain }) {
    if (state === 'refused') return [createElement('p', {}, sentence(message))];
    if (state === 'unchanged') {
      return [
        createElement(
          'p',
          {},
          'The same file with the same options is there, so it was not sent again: its result stands below.',
        ),
      ];
    }
    if (state === 'lost') {
      const text = isTriedAgain
        ? 'It is sent as soon as the stack answers.'
        : 'The connection was lost several times.';
      return [createElement('p', {}, text)];
    }
    return [];
  }

  /** @param {Upload} upload */
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

/** @param {readonly Upload[]} rest those that are not drawn */
function restText(rest) {
  const going = rest.filter((upload) => rank(upload) > 0).length;
  /** @type {readonly (readonly [files: number, what: string])[]} */
  const texts = [
    [going, 'wait to be sent'],
    [rest.length - going, 'need a look: close some of those above'],
  ];
  return texts
    .filter(([files]) => files !== 0)
    .map(([files, what]) => `${files.toLocaleString('en-US')} more ${what}.`)
    .join(' ');
}

/** @param {Upload} upload */
function rank({ state }) {
  if (state === 'refused' || state === 'unchanged') return 0;
  return state === 'reading' || state === 'sending' ? 1 : 2;
}

/** @param {string} text */
function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/**
 * Puts items into a list in an order; those that are in their place are not touched, so that focus stays.
 *
 * @param {HTMLElement} list
 * @param {readonly HTMLElement[]} items
 */
export function updateChildren(list, items) {
  for (const child of [...list.children]) {
    if (child instanceof HTMLElement && !items.includes(child)) child.remove();
  }
  for (const [k, item] of items.entries()) {
    if (list.children[k] !== item) list.insertBefore(item, list.children[k] ?? null);
  }
}
