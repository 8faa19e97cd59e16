/**
 * Looking at the jobs again and again: often while something is under way, seldom otherwise, and when the page is seen
 * again at once.
 *
 * @typedef {import('../page-jobs.ts').PageJobs} PageJobs
 */
import { fetchJobs, UnreachableError } from './server.js';

const BUSY_MS = 700;
const IDLE_MS = 5_000;
const HIDDEN_MS = 20_000;
/** The machine that answers is the one that solves: looking takes at most a fifth of its time. */
const LOOK_SHARE = 5;

/**
 * What is told of looks.
 *
 * @typedef {object} WatchListener
 * @property {(jobs: PageJobs) => void} onJobs the stack answers, and this is what there is
 * @property {(message: string) => void} onTrouble it does not
 * @property {() => boolean} isBusy whether something else is under way that should show soon
 */
export class JobPolling {
  #listener;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #looking = false;
  #again = false;
  #busy = false;

  /** @param {WatchListener} listener */
  constructor(listener) {
    this.#listener = listener;
    document.addEventListener('visibilitychange', () => document.hidden || this.soon());
  }

  /** Looks now; while a look is under way, once more behind it. */
  soon() {
    this.#again = this.#looking;
    if (!this.#looking) this.#look();
  }

  async #look() {
    clearTimeout(this.#timer);
    this.#looking = true;
    const began = performance.now();
    try {
      const found = await fetchJobs();
      this.#busy = found.jobs.some(({ finished }) => !finished);
      this.#listener.onJobs(found);
    } catch (error) {
      this.#busy = true;
      this.#listener.onTrouble(troubleText(error));
    } finally {
      this.#looking = false;
      const again = this.#again;
      this.#again = false;
      const leastMs = (performance.now() - began) * (LOOK_SHARE - 1);
      this.#timer = setTimeout(() => this.#look(), Math.max(leastMs, again ? 0 : this.#delayMs()));
    }
  }

  #delayMs() {
    if (document.hidden) return HIDDEN_MS;
    return this.#busy || this.#listener.isBusy() ? BUSY_MS : IDLE_MS;
  }
}

/** @param {unknown} error */
function troubleText(error) {
  if (!(error instanceof UnreachableError)) {
    return `The stack cannot say what it has: ${error instanceof Error ? error.message : error}`;
  }
  return (
    'The stack does not answer: it may have been stopped. Start it again with dlx-batch local --serve; ' +
    'this page goes on by itself when it is back, and where it came back under another address, open that one.'
  );
}
