/**
 * Uploads files to the page's server, a few in parallel, and lists those that are not jobs yet.
 *
 *     waiting -> sending -> (removed: now a job)
 *        ^          +-----> refused      not stored: the text says why
 *        |          +-----> unchanged    already uploaded
 *        +-- lost <-+                    no answer: sent again when the stack answers
 *
 * @typedef {import('./chosen-files.js').ChosenFile} ChosenFile
 * @typedef {import('../../../batch/options.ts').OptionTexts} OptionTexts
 * @typedef {'waiting' | 'sending' | 'refused' | 'unchanged' | 'lost'} UploadState
 */
import { html } from '../../../batch/report/markup.ts';
import { sentence } from '../page-words.ts';
import { blobSha256 } from './checksum.js';
import { byId, createElement, heading, updateChildren } from './elements.js';
import { elementOf } from './puzzles/trusted.ts';
import { sendFile, UnreachableError } from './server.js';

/** Parallel uploads. Browsers open six connections per server, and polling needs some of them. */
const PARALLEL_UPLOADS = 3;
/** Automatic tries for a file whose connection was lost. */
const MAX_TRIES = 3;
/** Uploads that are shown: those that need attention come first, then those in progress. */
const MAX_SHOWN = 12;

/** @type {Readonly<Record<UploadState, string>>} */
const TITLES = {
  waiting: 'waiting',
  sending: 'uploading',
  refused: 'not sent',
  unchanged: 'unchanged',
  lost: 'connection lost',
};

class PageUpload {
  /** @type {UploadState} */
  state = 'waiting';
  /** What the list says of its state. */
  text = '';
  /** Whether to send the file even if it is already uploaded unchanged. */
  force = false;
  tries = 0;
  abort = new AbortController();
  item = createElement('li', {});
  /** The state that `item` shows. */
  shown = '';

  /**
   * @param {ChosenFile} chosen
   * @param {OptionTexts} options by name
   */
  constructor({ name, file }, options) {
    this.name = name;
    this.file = file;
    this.options = options;
  }

  get isPending() {
    return this.state === 'waiting' || this.state === 'sending';
  }
}

/**
 * Callbacks of the uploads.
 *
 * @typedef {object} UploadListener
 * @property {() => OptionTexts} options returns the chosen options
 * @property {(name: string, versionId: string, replaces: boolean) => void} onUploaded the file is in the bucket
 * @property {(name: string, message: string, options: readonly string[]) => void} onRefused the file was not stored; names of the invalid options
 */

export class Uploads {
  /** @type {PageUpload[]} */
  #all = [];
  #listener;

  /** @param {UploadListener} listener */
  constructor(listener) {
    this.#listener = listener;
    byId('clear-uploads', HTMLButtonElement).addEventListener('click', () => {
      for (const upload of [...this.#all]) this.#remove(upload);
    });
  }

  /** Whether an upload is in progress. */
  get busy() {
    return this.#all.some(({ isPending }) => isPending);
  }

  /** @param {readonly ChosenFile[]} chosen */
  add(chosen) {
    const options = this.#listener.options();
    for (const each of chosen) this.#all.push(new PageUpload(each, options));
    this.#next();
  }

  /** Retries uploads whose connection was lost. */
  resume() {
    for (const upload of this.#all) {
      if (upload.state === 'lost' && upload.tries < MAX_TRIES) upload.state = 'waiting';
    }
    this.#next();
  }

  /** What the user wants again. @param {PageUpload} upload */
  #retry(upload) {
    // The user may have corrected the options.
    if (upload.state === 'refused') upload.options = this.#listener.options();
    upload.force ||= upload.state === 'unchanged';
    upload.tries = 0;
    upload.state = 'waiting';
    this.#next();
  }

  /** Removes an upload, and cancels it if it is in progress. @param {PageUpload} upload */
  #remove(upload) {
    this.#all = this.#all.filter((other) => other !== upload);
    upload.abort.abort();
    this.#next();
  }

  #next() {
    const running = this.#all.filter(({ state }) => state === 'sending').length;
    const waiting = this.#all.filter(({ state }) => state === 'waiting');
    for (const upload of waiting.slice(0, Math.max(0, PARALLEL_UPLOADS - running))) this.#send(upload);
    this.#show();
  }

  /** @param {PageUpload} upload */
  async #send(upload) {
    const { name, file, options, force, abort } = upload;
    upload.tries++;
    upload.state = 'sending';
    try {
      const sha256 = await blobSha256(file);
      const query = { ...options, name, ...(sha256 && { sha256 }), ...(force && { force: 'true' }) };
      const answer = await sendFile(query, file, abort.signal);
      if (answer.kind === 'refused') this.#refuse(upload, answer.message, answer.options);
      else if (answer.kind === 'uploaded') {
        this.#all = this.#all.filter((other) => other !== upload);
        this.#listener.onUploaded(name, answer.versionId ?? '', answer.replaces);
      } else {
        upload.state = 'unchanged';
        upload.text = 'The same file with the same options was already uploaded. Its result is listed below.';
      }
    } catch (error) {
      if (!(error instanceof UnreachableError)) this.#refuse(upload, messageOf(error), []);
      else {
        upload.state = 'lost';
        upload.text =
          upload.tries < MAX_TRIES
            ? 'The upload continues when the stack answers.'
            : 'The connection was lost several times.';
      }
    }
    this.#next();
  }

  /**
   * @param {PageUpload} upload
   * @param {string} message
   * @param {readonly string[]} options
   */
  #refuse(upload, message, options) {
    upload.state = 'refused';
    upload.text = sentence(message);
    this.#listener.onRefused(upload.name, message, options);
  }

  #show() {
    const sorted = this.#all.toSorted((a, b) => rank(a) - rank(b));
    const shown = sorted.slice(0, MAX_SHOWN);
    const hidden = sorted.slice(MAX_SHOWN);
    byId('uploads-section', HTMLElement).hidden = sorted.length === 0;
    byId('upload-more', HTMLElement).hidden = hidden.length === 0;
    const waiting = hidden.filter((upload) => rank(upload) > 0).length;
    byId('upload-more-text', HTMLElement).textContent =
      waiting === 0 ? `${hidden.length} more need attention.` : `${waiting} more waiting.`;
    for (const upload of shown) this.#draw(upload);
    updateChildren(
      byId('upload-list', HTMLUListElement),
      shown.map(({ item }) => item),
    );
  }

  /** Draws an upload whose state has changed. @param {PageUpload} upload */
  #draw(upload) {
    const { name, state, text, item, isPending } = upload;
    if (upload.shown === state + text) return;
    upload.shown = state + text;
    /** @type {[text: string, act: () => void][]} */
    const buttons = [[isPending ? 'Cancel' : 'Close', () => this.#remove(upload)]];
    if (!isPending) {
      buttons.unshift([state === 'unchanged' ? 'Solve it again' : 'Try again', () => this.#retry(upload)]);
    }
    const hasFocus = item.contains(document.activeElement);
    const drawn = elementOf(
      html`<li>${heading(name, state, TITLES[state])}<p class="buttons">${buttons.map(([label]) => html`<button type="button" class="small" aria-label="${label}: ${name}">${label}</button>`)}</p>${!isPending && html`<p>${text}</p>`}</li>`,
    );
    item.className = state;
    item.replaceChildren(...drawn.childNodes);
    for (const [k, button] of item.querySelectorAll('button').entries()) {
      button.addEventListener('click', () => buttons[k]?.[1]());
    }
    if (hasFocus) item.querySelector('button')?.focus();
  }
}

/** @param {PageUpload} upload */
function rank({ state }) {
  if (state === 'refused' || state === 'unchanged') return 0;
  return state === 'sending' ? 1 : 2;
}

/** @param {unknown} error */
function messageOf(error) {
  if (error instanceof DOMException) {
    return 'the file cannot be read, because it was moved, changed or locked: choose it again';
  }
  return error instanceof Error ? error.message : String(error);
}
