/**
 * Uploads files to the input bucket, a few in parallel.
 *
 *     waiting -> reading -> review -> sending -> (removed: now a job)
 *                           (only if the user wants to check each file)
 *        ^          |          |
 *        |          +----------+--> refused      not sent: the message says why
 *        |          +-------------> unchanged    already uploaded
 *        +-- lost <------------+                 no answer: sent again when the stack answers
 *
 * @typedef {import('./chosen-files.js').ChosenFile} ChosenFile
 * @typedef {import('../../../batch/options.ts').OptionTexts} OptionTexts
 * @typedef {import('../explain-sample.ts').SampleExplanation} SampleExplanation
 * @typedef {'waiting' | 'reading' | 'review' | 'sending' | 'refused' | 'unchanged' | 'lost'} UploadState
 */
import { blobSha256 } from './checksum.js';
import { FileRefusedError, requestExplanation, requestUpload, sendFile, UnreachableError } from './server.js';

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
  /** How the file is understood, if the user wants to see it. @type {SampleExplanation | undefined} */
  explanation;
  /** Whether the user has read the explanation, or does not want to. */
  reviewed = true;
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
   * @param {boolean} reviewed
   */
  constructor({ name, file }, options, reviewed = true) {
    this.reviewed = reviewed;
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
 * @property {() => boolean} reviews whether the user wants to check each file before it is sent
 * @property {() => void} onChange something visible has changed
 * @property {(upload: PageUpload) => void} onExplained the file waits for the user to send it
 * @property {(upload: PageUpload, versionId: string, replaces: boolean) => void} onUploaded the file is in the bucket
 * @property {(upload: PageUpload, options: readonly string[]) => void} onRefused the file was not sent; names of the invalid options
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
    return this.#all.some(({ state }) => state === 'waiting' || state === 'reading' || state === 'sending');
  }

  /** @param {readonly ChosenFile[]} chosen */
  add(chosen) {
    const options = this.#listener.options();
    for (const each of chosen) this.#all.push(new PageUpload(each, options, !this.#listener.reviews()));
    this.#next();
  }

  /** Sends a file again. @param {PageUpload} upload */
  retry(upload, force = false) {
    // The user may have corrected the options.
    if (upload.state === 'refused') upload.options = this.#listener.options();
    upload.reviewed = true;
    upload.force ||= force;
    upload.tries = 0;
    this.#change(upload, 'waiting');
    this.#next();
  }

  /** Sends all files that the user has reviewed. */
  sendReviewed() {
    for (const upload of this.#all) if (upload.state === 'review') this.retry(upload);
  }

  /** Explains a file again, with the options that are chosen now. @param {PageUpload} upload */
  explain(upload) {
    upload.options = this.#listener.options();
    this.#change(upload, 'waiting');
    this.#next();
  }

  /** Removes an upload, and cancels it if it is in progress. @param {PageUpload} upload */
  remove(upload) {
    this.#all = this.#all.filter((other) => other !== upload);
    upload.abort.abort(new DOMException('cancelled', 'AbortError'));
    this.#listener.onChange();
    this.#next();
  }

  /** Removes and cancels all uploads. */
  clear() {
    const all = this.#all;
    this.#all = [];
    for (const { abort } of all) abort.abort(new DOMException('cancelled', 'AbortError'));
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
    const running = this.#all.filter(({ state }) => state === 'reading' || state === 'sending').length;
    const waiting = this.#all.filter(({ state }) => state === 'waiting');
    for (const upload of waiting.slice(0, Math.max(0, PARALLEL_UPLOADS - running))) this.#run(upload);
    this.#listener.onChange();
  }

  /** @param {PageUpload} upload */
  async #run(upload) {
    upload.tries++;
    upload.sentBytes = 0;
    this.#change(upload, 'reading');
    try {
      const { name, file, options } = upload;
      if (upload.reviewed) await this.#send(upload, await blobSha256(file));
      else {
        upload.explanation = await requestExplanation(name, file, options);
        if (upload.abort.signal.aborted) return;
        this.#change(upload, 'review');
        this.#listener.onExplained(upload);
      }
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
      const authorization = await requestUpload(uploadRequest);
      if (authorization.kind === 'refused') {
        this.#change(upload, 'refused', authorization.message);
        this.#listener.onRefused(upload, authorization.options);
        return;
      }
      if (authorization.kind === 'unchanged') {
        this.#change(upload, 'unchanged');
        return;
      }
      this.#change(upload, 'sending');
      const onSent = (/** @type {number} */ bytes) => {
        upload.sentBytes = bytes;
        this.#listener.onChange();
      };
      try {
        const versionId = await sendFile(authorization.url, file, onSent, abort.signal);
        this.#all = this.#all.filter((other) => other !== upload);
        this.#listener.onUploaded(upload, versionId, authorization.replaces);
        return;
      } catch (error) {
        // The authorization can expire if the machine was suspended after the authorization.
        if (!(error instanceof FileRefusedError && error.expired && isFirst)) throw error;
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
  if (error instanceof FileRefusedError && error.code === 'SignatureDoesNotMatch') {
    return 'the file has changed since it was chosen: choose it again';
  }
  if (error instanceof DOMException) {
    return 'the file cannot be read, because it was moved, changed or locked: choose it again';
  }
  return error instanceof Error ? error.message : String(error);
}
