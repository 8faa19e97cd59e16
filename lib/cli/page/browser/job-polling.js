/**
 * Polls the jobs: often while a job or an upload is in progress, less often otherwise, and at once when the page becomes
 * visible.
 *
 * @typedef {import('../page-jobs.ts').PageJobs} PageJobs
 */
import { fetchJobs, UnreachableError } from './server.js';

const BUSY_MS = 700;
const IDLE_MS = 5_000;
const HIDDEN_MS = 20_000;
/** Polls take at most one fifth of the time, because the machine that answers also solves. */
const MIN_INTERVAL_FACTOR = 5;

/**
 * Callbacks of the polling.
 *
 * @typedef {object} PollListener
 * @property {(jobs: PageJobs) => void} onJobs the stack has answered
 * @property {(message: string) => void} onError the stack does not answer
 * @property {() => boolean} isBusy whether uploads are in progress
 * @property {() => string} query of the jobs that are shown
 */
export class JobPolling {
  #listener;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #polling = false;
  #again = false;
  #busy = false;

  /** @param {PollListener} listener */
  constructor(listener) {
    this.#listener = listener;
    document.addEventListener('visibilitychange', () => document.hidden || this.pollNow());
  }

  /** Polls now, or once more after the poll in progress. */
  pollNow() {
    this.#again = this.#polling;
    if (!this.#polling) this.#poll();
  }

  async #poll() {
    clearTimeout(this.#timer);
    this.#polling = true;
    const startMs = performance.now();
    try {
      const query = this.#listener.query();
      const found = await fetchJobs(query);
      this.#busy = found.counts.waiting > 0;
      // What the user wanted meanwhile is asked for at once.
      if (query === this.#listener.query()) this.#listener.onJobs(found);
    } catch (error) {
      this.#busy = true;
      this.#listener.onError(errorText(error));
    } finally {
      this.#polling = false;
      const again = this.#again;
      this.#again = false;
      const minDelayMs = (performance.now() - startMs) * (MIN_INTERVAL_FACTOR - 1);
      this.#timer = setTimeout(() => this.#poll(), Math.max(minDelayMs, again ? 0 : this.#delayMs()));
    }
  }

  #delayMs() {
    if (document.hidden) return HIDDEN_MS;
    return this.#busy || this.#listener.isBusy() ? BUSY_MS : IDLE_MS;
  }
}

/** @param {unknown} error */
function errorText(error) {
  if (!(error instanceof UnreachableError)) {
    return `The stack reported an error: ${error instanceof Error ? error.message : error}`;
  }
  return (
    'The stack does not answer. If it was stopped, start it again: its address stays the same. ' +
    'This page reconnects automatically.'
  );
}
