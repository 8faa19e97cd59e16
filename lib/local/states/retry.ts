/** Which failed states are tried again, and when. */
import type { Retrier } from './definition.ts';
import type { StateError } from './state-error.ts';

const DEFAULT_INTERVAL_SECONDS = 1;
const DEFAULT_MAX_ATTEMPTS = 3;
const DEFAULT_BACKOFF_RATE = 2;

/** Counts the tries of one visit to a state. */
export class RetryBook {
  readonly #retriers: readonly Retrier[];
  readonly #attempts: number[];

  constructor(retriers: readonly Retrier[] = []) {
    this.#retriers = retriers;
    this.#attempts = retriers.map(() => 0);
  }

  /**
   * After how long the state is tried again; undefined where it has failed for good.
   *
   * @param random from 0 inclusive to 1 exclusive: the share of the delay that full jitter takes
   * @returns milliseconds
   */
  delayMs(error: StateError, random: () => number): number | undefined {
    const index = this.#retriers.findIndex(({ ErrorEquals }) =>
      ErrorEquals.some((name) => matches(name, error.error)),
    );
    const retrier = this.#retriers[index];
    if (retrier === undefined) return undefined;
    const attempt = this.#attempts[index]!++;
    if (attempt >= (retrier.MaxAttempts ?? DEFAULT_MAX_ATTEMPTS)) return undefined;
    const { IntervalSeconds = DEFAULT_INTERVAL_SECONDS, BackoffRate = DEFAULT_BACKOFF_RATE } = retrier;
    const seconds = Math.min(IntervalSeconds * BackoffRate ** attempt, retrier.MaxDelaySeconds ?? Infinity);
    return 1000 * seconds * (retrier.JitterStrategy === 'FULL' ? random() : 1);
  }
}

/** No wildcard stands for these: trying again cannot help. */
const TERMINAL = ['States.Runtime', 'States.DataLimitExceeded'];

function matches(name: string, error: string): boolean {
  if (name === error) return true;
  if (TERMINAL.includes(error)) return false;
  return name === 'States.ALL' || (name === 'States.TaskFailed' && error !== 'States.Timeout');
}
