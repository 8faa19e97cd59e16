/** Says aloud, through a screen reader, what has changed: a few words at a time, however much happens at once. */
import { byId } from './elements.js';

/** What happens in such a time is said together. */
const GATHER_MS = 700;
const MAX_SENTENCES = 3;

export class Announcer {
  /** @type {string[]} */
  #sentences = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {string} sentence */
  say(sentence) {
    this.#sentences.push(sentence);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const sentences = this.#sentences;
      this.#sentences = [];
      const rest = sentences.length - MAX_SENTENCES;
      const said = rest > 0 ? [`And ${rest} more.`] : [];
      byId('said', HTMLElement).textContent = [...sentences.slice(-MAX_SENTENCES), ...said].join(' ');
    }, GATHER_MS);
  }
}
