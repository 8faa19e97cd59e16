/**
 * Uploads files to the page's server, a few in parallel.
 *
 *     waiting -> sending -> (removed: now a job)
 *        ^          +-----> refused      not stored: the message says why
 *        |          +-----> unchanged    already uploaded
 *        +-- lost <-+                    no answer: sent again when the stack answers
 *
 * @typedef {import('./chosen-files.js').ChosenFile} ChosenFile
 * @typedef {import('../../../batch/options.ts').OptionTexts} OptionTexts
 * @typedef {'waiting' | 'sending' | 'refused' | 'unchanged' | 'lost'} UploadState
 */
import { blobSha256 } from './checksum.js';
import { sendFile, UnreachableError } from './server.js';

/** Parallel uploads. Browsers open six connections per server, and polling needs some of them. */
const PARALLEL_UPLOADS = 3;
/** Automatic tries for a file whose connection was lost. */
const MAX_TRIES = 3;

export class PageUpload {
  /** @type {UploadState} */
  state = 'waiting';
  /** Why the file was not sent. */
  message = '';
  sentBytes = 0;
  /** Whether to send the file even if it is already uploaded unchanged. */
  force = false;
  tries = 0;
  abort = new AbortController();

  /** Whether the file is sent automatically when the stack answers again. */
  get canRetry() {
    return this.tries < MAX_TRIES;
  }

  /**
   * @param {ChosenFile} chosen
   * @param {OptionTexts} options by name
   */
  constructor({ name, file }, options) {
    this.name = name;
    this.file = file;
    this.options = options;
  }
}

/**
 * Callbacks of the uploads.
 *
 * @typedef {object} UploadListener
 * @property {() => OptionTexts} options returns the chosen options
 * @property {() => void} onChange something visible has changed
 * @property {(upload: PageUpload, versionId: string, replaces: boolean) => void} onUploaded the file is in the bucket
 * @property {(upload: PageUpload, options: readonly string[]) => void} onRefused the file was not stored; names of the invalid options
 */

export class Uploads {
  /** @type {PageUpload[]} */
  #all = [];
  #listener;

  /** @param {UploadListener} listener */
  constructor(listener) {
    this.#listener = listener;
  }

  /** @returns {readonly PageUpload[]} in the order of choice */
  get all() {
    return this.#all;
  }

  /** Whether an upload is in progress. */
  get busy() {
    return this.#all.some(({ state }) => state === 'waiting' || state === 'sending');
  }

  /** @param {readonly ChosenFile[]} chosen */
  add(chosen) {
    const options = this.#listener.options();
    for (const each of chosen) this.#all.push(new PageUpload(each, options));
    this.#next();
  }

  /** Sends a file again. @param {PageUpload} upload */
  retry(upload, force = false) {
    // The user may have corrected the options.
    if (upload.state === 'refused') upload.options = this.#listener.options();
    upload.force ||= force;
    upload.tries = 0;
    upload.state = 'waiting';
    this.#next();
  }

  /** Removes an upload, and cancels it if it is in progress. @param {PageUpload} upload */
  remove(upload) {
    this.#all = this.#all.filter((other) => other !== upload);
    upload.abort.abort();
    this.#next();
  }

  /** Removes and cancels all uploads. */
  clear() {
    const all = this.#all;
    this.#all = [];
    for (const { abort } of all) abort.abort();
    this.#listener.onChange();
  }

  /** Retries uploads whose connection was lost. */
  resume() {
    for (const upload of this.#all) {
      if (upload.state === 'lost' && upload.canRetry) upload.state = 'waiting';
    }
    this.#next();
  }

  #next() {
    const running = this.#all.filter(({ state }) => state === 'sending').length;
    const waiting = this.#all.filter(({ state }) => state === 'waiting');
    for (const upload of waiting.slice(0, Math.max(0, PARALLEL_UPLOADS - running))) this.#run(upload);
    this.#listener.onChange();
  }

  /** @param {PageUpload} upload */
  async #run(upload) {
    upload.tries++;
    upload.sentBytes = 0;
    upload.state = 'sending';
    try {
      await this.#send(upload);
    } catch (error) {
      if (error instanceof UnreachableError) upload.state = 'lost';
      else if (!upload.abort.signal.aborted) this.#refuse(upload, messageOf(error), []);
    }
    this.#next();
  }

  /** @param {PageUpload} upload */
  async #send(upload) {
    const { name, file, options, force, abort } = upload;
    const sha256 = await blobSha256(file);
    const query = { ...options, name, ...(sha256 && { sha256 }), ...(force && { force: 'true' }) };
    const onSent = (/** @type {number} */ bytes) => {
      upload.sentBytes = bytes;
      this.#listener.onChange();
    };
    const answer = await sendFile(query, file, onSent, abort.signal);
    if (answer.kind === 'refused') this.#refuse(upload, answer.message, answer.options);
    else if (answer.kind === 'unchanged') upload.state = 'unchanged';
    else {
      this.#all = this.#all.filter((other) => other !== upload);
      this.#listener.onUploaded(upload, answer.versionId ?? '', answer.replaces);
    }
  }

  /**
   * @param {PageUpload} upload
   * @param {string} message
   * @param {readonly string[]} options
   */
  #refuse(upload, message, options) {
    upload.state = 'refused';
    upload.message = message;
    this.#listener.onRefused(upload, options);
  }
}

/** @param {unknown} error */
function messageOf(error) {
  if (error instanceof DOMException) {
    return 'the file cannot be read, because it was moved, changed or locked: choose it again';
  }
  return error instanceof Error ? error.message : String(error);
}
