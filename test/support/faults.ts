/** Faults of a process's storage calls. */
import type { CallHooks, StoreCall } from './memory-store.ts';

/** The process crashed. */
export class CrashError extends Error {
  override readonly name = 'CrashError';
}

/** A response that was lost. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

/**
 * The process crashes at its call number `index` (from 0), before or after the call takes effect. Its later calls have
 * no effect.
 */
export function crashAt(index: number, when: 'before' | 'after'): CallHooks {
  let dead = false;
  const die = (): never => {
    dead = true;
    throw new CrashError(`crashed ${when} call ${index}`);
  };
  return {
    async before(call) {
      if (dead || (when === 'before' && call.index === index)) die();
      return undefined;
    },
    async after(call) {
      if (when === 'after' && call.index === index) die();
      return undefined;
    },
  };
}

/** The first call that matches takes effect, but its response is lost. */
export function loseAnswer(matches: (call: StoreCall) => boolean): CallHooks {
  let lost = false;
  return {
    async after(call) {
      if (lost || !matches(call)) return undefined;
      lost = true;
      throw new ConnectionLostError(`no answer to ${call.operation} ${call.key}`);
    },
  };
}

/** The first conditional write that matches takes effect, its response is lost, and the retry inside the SDK gets 412. */
export function loseAnswerAndRetry(matches: (call: StoreCall) => boolean): CallHooks {
  let lost = false;
  return {
    async after(call) {
      if (lost || !matches(call)) return undefined;
      lost = true;
      return false;
    },
  };
}

/** The first `times` conditional writes that match are answered with 409, and nothing is written. */
export function conflict(matches: (call: StoreCall) => boolean, times: number): CallHooks {
  let left = times;
  return {
    async before(call) {
      if (left === 0 || !matches(call)) return undefined;
      left--;
      return false;
    },
  };
}

/** Every call that matches fails. */
export function failing(matches: (call: StoreCall) => boolean, error: Error): CallHooks {
  return {
    async before(call) {
      if (matches(call)) throw error;
      return undefined;
    },
  };
}

/** Runs an action just before the first call that matches. */
export function justBefore(matches: (call: StoreCall) => boolean, action: () => unknown): CallHooks {
  let done = false;
  return {
    async before(call) {
      if (done || !matches(call)) return undefined;
      done = true;
      await action();
      return undefined;
    },
  };
}

/** Appends every call to `calls`. */
export function recording(calls: StoreCall[]): CallHooks {
  return {
    async before(call) {
      calls.push(call);
      return undefined;
    },
  };
}
