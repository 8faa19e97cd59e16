/** Repeats requests, and whole operations of several requests, until they succeed, fail permanently, or time is up. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isChecksumMismatch } from './resuming-body.ts';
import { isChangedObject, isClockCorrected, isForeignAnswer, isTransient } from './transient-errors.ts';

/** All in milliseconds. */
export interface RetryLimits {
  /** How long a request is repeated after its first failure. */
  readonly forMs: number;
  /** The same before the endpoint has answered any request: its name or port may be wrong. */
  readonly firstContactMs: number;
  /** The delay before the second try; it doubles up to `maxDelayMs`, and up to half of it is subtracted at random. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

export const RETRY_LIMITS: RetryLimits = {
  forMs: 300_000,
  firstContactMs: 15_000,
  firstDelayMs: 200,
  maxDelayMs: 10_000,
};

/** Tries of what was answered, but with data that are not right. */
const MAX_TRIES = 5;
/** Time for parts of uploads that are sent during an abort. */
const LATE_MS = 2_000;
/** A request that fails for this long is reported. */
const REPORT_MS = 3_000;

/** A request that failed in every attempt. */
export class RetriesExhaustedError extends Error {
  override readonly name = 'RetriesExhaustedError';
  readonly tries: number;
  readonly seconds: number;

  /** @param cause the last error */
  constructor(cause: unknown, tries: number, seconds: number) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.tries = tries;
    this.seconds = seconds;
  }
}

/** Thrown by an operation to begin anew: its data were damaged, or changed meanwhile. */
export class RestartError extends Error {
  override readonly name = 'RestartError';
}

export interface RetrySettings extends Partial<RetryLimits> {
  /** Ends every wait and every request. */
  readonly signal?: AbortSignal;
  /** Called once in each outage. @param leftMs how long the request is repeated from now */
  readonly onOutage?: (error: unknown, leftMs: number) => void;
}

/** The retries of one connection. */
export class Retries {
  /** Ends every request and every wait of the connection. */
  readonly signal: AbortSignal;
  /** Follows `signal` after a while, for requests that had better end: S3 may store a part after its upload was removed. */
  readonly lateSignal: AbortSignal;
  readonly #closing = new AbortController();
  readonly #limits: RetryLimits;
  readonly #onOutage: (error: unknown, leftMs: number) => void;
  /** Whether the endpoint has answered. */
  #isKnown = false;
  #isReported = false;
  /** After a request has failed in every attempt, others fail at once, until one succeeds. */
  #isDown = false;

  constructor({ signal, onOutage = () => {}, ...limits }: RetrySettings = {}) {
    this.signal = AbortSignal.any([this.#closing.signal, ...(signal === undefined ? [] : [signal])]);
    const late = new AbortController();
    this.lateSignal = late.signal;
    this.signal.addEventListener('abort', () => setTimeout(() => late.abort(), LATE_MS).unref(), {
      once: true,
    });
    this.#limits = { ...RETRY_LIMITS, ...limits };
    this.#onOutage = onOutage;
  }

  /** Ends requests that no caller waits for: one of several at the same time has failed. */
  close(): void {
    this.#closing.abort();
  }

  /**
   * Sends a request until it is answered.
   *
   * @param forMs at most so long: a request that cleans up has less time
   * @throws RetriesExhaustedError if it failed in every attempt; a permanent error; the reason of an abort
   */
  async request<Result>(
    send: () => Promise<Result>,
    { forMs, signal = this.signal }: { readonly forMs?: number; readonly signal?: AbortSignal | null } = {},
  ): Promise<Result> {
    let failedMs: number | undefined;
    for (let tries = 1; ; tries++) {
      signal?.throwIfAborted();
      try {
        const result = await send();
        this.#isKnown = true;
        this.#isDown = false;
        this.#isReported = false;
        return result;
      } catch (error) {
        signal?.throwIfAborted();
        if (!this.#isPassing(error, tries)) throw error;
        failedMs ??= performance.now();
        const failingMs = performance.now() - failedMs;
        const delayMs = this.#delayMs(tries);
        const limitMs = forMs === undefined ? this.#limitMs() : Math.min(forMs, this.#limits.forMs);
        const leftMs = limitMs - failingMs;
        if (leftMs < delayMs) {
          this.#isDown = true;
          throw new RetriesExhaustedError(error, tries, failingMs / 1000);
        }
        if (failingMs > REPORT_MS && !this.#isReported) {
          this.#isReported = true;
          this.#onOutage(error, leftMs);
        }
        await sleep(delayMs, undefined, { signal: signal ?? undefined });
      }
    }
  }

  /**
   * Repeats an operation whose requests are repeated on their own: after an error of a body, after a change of the object
   * that is read or damage to it, and after a `RestartError`.
   *
   * @throws the error of the last attempt
   */
  async operation<Result>(work: (tries: number) => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await work(tries);
      } catch (error) {
        this.signal.throwIfAborted();
        const isDamaged =
          error instanceof RestartError || error instanceof SyntaxError || isChecksumMismatch(error);
        const isPassing = isDamaged || isChangedObject(error) || isTransient(error);
        if (!isPassing || tries >= MAX_TRIES) throw error;
        await sleep(this.#delayMs(tries), undefined, { signal: this.signal });
      }
    }
  }

  #isPassing(error: unknown, tries: number): boolean {
    if (isClockCorrected(error) && tries === 1) return true;
    // From an endpoint that has answered before, such an answer may be a damaged one.
    return isTransient(error) || (this.#isKnown && tries < MAX_TRIES && isForeignAnswer(error));
  }

  #limitMs(): number {
    if (this.#isDown) return 0;
    const { forMs, firstContactMs } = this.#limits;
    return this.#isKnown ? forMs : Math.min(forMs, firstContactMs);
  }

  #delayMs(tries: number): number {
    const { firstDelayMs, maxDelayMs } = this.#limits;
    const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(tries - 1, 20));
    return delayMs * (1 - Math.random() / 2);
  }
}
