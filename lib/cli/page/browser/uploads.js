/**
 * Files on their way into the input bucket, a few at a time.
 *
 *     waiting -> reading -> sending -> (a job: no longer here)
 *        ^          |          |
 *        |          +----------+--> refused      not sent: its words say why
 *        |          +-------------> unchanged    there already
 *        +-- lost <------------+                 nobody answered: sent again when somebody does
 *
 * @typedef {import('./chosen-files.js').ChosenFile} ChosenFile
 * @typedef {import('../../../batch/options.ts').OptionTexts} OptionTexts
 * @typedef {'waiting' | 'reading' | 'sending' | 'refused' | 'unchanged' | 'lost'} UploadState
 */
import { blobSha256 } from './checksum.js';
import { FormRefusedError, requestUpload, sendForm, UnreachableError } from './server.js';

/** A browser has six connections to a server, and some are needed for looking. */
const AT_ONCE = 3;
/** Times that a file is sent by itself when its connection was lost. */
const MAX_TRIES = 3;

/** One file. */
export class PageUpload {
  /** @type {UploadState} */
  state = 'waiting';
  /** Why it was not sent. */
  message = '';
  sentBytes = 0;
  /** Sent even if it is there unchanged. */
  force = false;
  tries = 0;
  abort = new AbortController();

  /** Whether it is sent by itself when the stack answers again. */
  get isTriedAgain() {
    return this.tries < MAX_TRIES;
  }

  /**
   * @param {ChosenFile} chosen
   * @param {OptionTexts} options by their names
   */
  constructor({ name, file }, options) {
    this.name = name;
    this.file = file;
    this.options = options;
  }
}

/**
 * What is told of uploads.
 *
 * @typedef {object} UploadListener
 * @property {() => OptionTexts} options what is asked for now
 * @property {() => void} onChange something looks different
 * @property {(upload: PageUpload, versionId: string, replaces: boolean) => void} onUploaded it is in the bucket
 * @property {(upload: PageUpload, options: readonly string[]) => void} onRefused it is not; names of options that are why
 */

export class Uploads {
  /** @type {PageUpload[]} */
  #all = [];
  #listener;

  /** @param {UploadListener} listener */
  constructor(listener) {
    this.#listener = listener;
  }

  /** @returns {readonly PageUpload[]} in the order in which they were chosen */
  get all() {
    return this.#all;
  }

  /** Whether something is sent now. */
  get busy() {
    return this.#all.some(({ state }) => state === 'waiting' || state === 'reading' || state === 'sending');
  }

  /** @param {readonly ChosenFile[]} chosen */
  add(chosen) {
    const options = this.#listener.options();
    for (const each of chosen) this.#all.push(new PageUpload(each, options));
    this.#next();
  }

  /** Sends it once more. @param {PageUpload} upload */
  retry(upload, force = false) {
    // What was wrong with them may have been mended.
    if (upload.state === 'refused') upload.options = this.#listener.options();
    upload.force ||= force;
    upload.tries = 0;
    this.#change(upload, 'waiting');
    this.#next();
  }

  /** Forgets it, and gives it up where it is being sent. @param {PageUpload} upload */
  remove(upload) {
    this.#all = this.#all.filter((other) => other !== upload);
    upload.abort.abort(new DOMException('given up', 'AbortError'));
    this.#listener.onChange();
    this.#next();
  }

  /** Forgets all of them. */
  clear() {
    const all = this.#all;
    this.#all = [];
    for (const { abort } of all) abort.abort(new DOMException('given up', 'AbortError'));
    this.#listener.onChange();
  }

  /** Sends what was lost: the stack is there again. */
  resume() {
    for (const upload of this.#all) {
      if (upload.state === 'lost' && upload.isTriedAgain) upload.state = 'waiting';
    }
    this.#next();
  }

  #next() {
    const running = this.#all.filter(({ state }) => state === 'reading' || state === 'sending').length;
    const waiting = this.#all.filter(({ state }) => state === 'waiting');
    for (const upload of waiting.slice(0, Math.max(0, AT_ONCE - running))) this.#run(upload);
    this.#listener.onChange();
  }

  /** @param {PageUpload} upload */
  async #run(upload) {
    upload.tries++;
    upload.sentBytes = 0;
    this.#change(upload, 'reading');
    try {
      await this.#send(upload, await blobSha256(upload.file));
    } catch (error) {
      this.#fail(upload, error);
    }
    this.#next();
  }

  /**
   * @param {PageUpload} upload
   * @param {string | undefined} sha256
   */
  async #send(upload, sha256) {
    const { name, file, options, force, abort } = upload;
    const uploadRequest = { name, bytes: file.size, sha256, options, force };
    for (let isFirst = true; ; isFirst = false) {
      const answer = await requestUpload(uploadRequest);
      if (answer.kind === 'refused') {
        this.#change(upload, 'refused', answer.message);
        this.#listener.onRefused(upload, answer.options);
        return;
      }
      if (answer.kind === 'unchanged') {
        this.#change(upload, 'unchanged');
        return;
      }
      this.#change(upload, 'sending');
      const onSent = (/** @type {number} */ bytes) => {
        upload.sentBytes = bytes;
        this.#listener.onChange();
      };
      try {
        const versionId = await sendForm(answer, file, onSent, abort.signal);
        this.#all = this.#all.filter((other) => other !== upload);
        this.#listener.onUploaded(upload, versionId, answer.replaces);
        return;
      } catch (error) {
        // The machine may have slept between the question and the form.
        if (!(error instanceof FormRefusedError && error.expired && isFirst)) throw error;
      }
    }
  }

  /**
   * @param {PageUpload} upload
   * @param {unknown} error
   */
  #fail(upload, error) {
    if (upload.abort.signal.aborted) return;
    if (error instanceof UnreachableError) {
      this.#change(upload, 'lost');
      return;
    }
    this.#change(upload, 'refused', messageOf(error));
    this.#listener.onRefused(upload, []);
  }

  /**
   * @param {PageUpload} upload
   * @param {UploadState} state
   */
  #change(upload, state, message = '') {
    upload.state = state;
    upload.message = message;
    this.#listener.onChange();
  }
}

/** @param {unknown} error */
function messageOf(error) {
  if (error instanceof FormRefusedError && error.code === 'EntityTooLarge') {
    return 'it is larger than this page may send: part it, or send it with dlx-batch upload';
  }
  if (error instanceof DOMException) {
    return 'it cannot be read: it was moved, changed or locked since you chose it; choose it again';
  }
  return error instanceof Error ? error.message : String(error);
}
