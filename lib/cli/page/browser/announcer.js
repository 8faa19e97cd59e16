/** Announces changes to screen readers, a few sentences at a time. */
import { byId } from './elements.js';

/** Sentences within this time are announced together. */
const COLLECT_MS = 700;
const MAX_SENTENCES = 3;

export class Announcer {
  /** @type {string[]} */
  #sentences = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {string} sentence */
  announce(sentence) {
    this.#sentences.push(sentence);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const sentences = this.#sentences;
      this.#sentences = [];
      const rest = sentences.length - MAX_SENTENCES;
      const summary = rest > 0 ? [`${rest} more changes.`] : [];
      byId('announcements', HTMLElement).textContent = [...sentences.slice(-MAX_SENTENCES), ...summary].join(
        ' ',
      );
    }, COLLECT_MS);
  }
}
