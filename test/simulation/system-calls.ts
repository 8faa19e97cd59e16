/**
 * Replaces Node's clock, timers, randomness and compression threads by those of the active world. Without an active
 * world, all of them behave as usual. To be installed before the code under test is imported.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import nodeCrypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { activeWorld, currentProcess, KilledError, type World } from './world.ts';

const RealDate = Date;
const real = {
  now: Date.now,
  performanceNow: performance.now.bind(performance),
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  setImmediate: globalThis.setImmediate,
  clearImmediate: globalThis.clearImmediate,
  sleep: timersPromises.setTimeout,
  random: Math.random,
  randomBytes: nodeCrypto.randomBytes,
  randomUUID: nodeCrypto.randomUUID,
  stdout: process.stdout.write.bind(process.stdout),
  stderr: process.stderr.write.bind(process.stderr),
};

/** Milliseconds by which a read of the precise clock advances it, at most: code that measures itself takes time. */
export const computing = { maxStepMs: () => 1 };

class SimulatedDate extends RealDate {
  constructor(...given: unknown[]) {
    const world = activeWorld();
    if (given.length > 0 || world === undefined) super(...(given as []));
    else super(world.nowMs);
  }

  static override now(): number {
    return Math.floor(activeWorld()?.nowMs ?? real.now.call(RealDate));
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return Function.prototype[Symbol.hasInstance].call(RealDate, value);
  }
}

/** A timer with the methods of Node's. */
class SimulatedTimer {
  readonly #world: World;
  readonly #delayMs: number;
  readonly #run: () => void;
  readonly #repeats: boolean;
  readonly #owner = currentProcess();
  #cancel = () => {};
  #active = true;

  constructor(world: World, run: () => void, delayMs: number, repeats: boolean) {
    this.#world = world;
    this.#run = run;
    this.#delayMs = delayMs >= 1 ? delayMs : 1;
    this.#repeats = repeats;
    this.refresh();
  }

  refresh(): this {
    this.#cancel();
    this.#active = true;
    this.#cancel = this.#world.after(this.#delayMs, this.#owner, () => {
      if (this.#repeats) this.refresh();
      else this.#active = false;
      this.#run();
    });
    return this;
  }

  close(): this {
    this.#active = false;
    this.#cancel();
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return this.#active;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

type Callback = (...given: unknown[]) => void;

/** Installs everything, once for this process. */
export function installSystemCalls(): void {
  const global = globalThis as unknown as Record<string, unknown>;
  global.Date = SimulatedDate;
  performance.now = () => {
    const world = activeWorld();
    if (world === undefined) return real.performanceNow();
    world.nowMs += world.fraction() ** 4 * computing.maxStepMs();
    return world.nowMs;
  };
  const timer =
    (repeats: boolean) =>
    (run: Callback, delayMs?: number, ...given: unknown[]) => {
      const world = activeWorld();
      const call = () => run(...given);
      if (world !== undefined) return new SimulatedTimer(world, call, delayMs ?? 0, repeats);
      return repeats ? real.setInterval(call, delayMs) : real.setTimeout(call, delayMs);
    };
  const stop = (handle: unknown) => {
    if (handle instanceof SimulatedTimer) handle.close();
    else real.clearTimeout(handle as NodeJS.Timeout);
  };
  global.setTimeout = timer(false);
  global.setInterval = timer(true);
  global.clearTimeout = stop;
  global.clearInterval = stop;
  global.setImmediate = (run: Callback, ...given: unknown[]) => {
    const world = activeWorld();
    if (world === undefined) return real.setImmediate(run, ...given);
    const context = AsyncLocalStorage.snapshot();
    const cancel = world.after(0, currentProcess(), () => context(() => run(...given)));
    return { cancel };
  };
  global.clearImmediate = (handle: { cancel?: () => void } | undefined) => {
    if (handle?.cancel === undefined) real.clearImmediate(handle as NodeJS.Immediate);
    else handle.cancel();
  };
  timersPromises.setTimeout = ((delayMs = 0, value?: unknown, options?: { signal?: AbortSignal }) => {
    const world = activeWorld();
    if (world === undefined) return real.sleep(delayMs, value, options);
    return new Promise<unknown>((resolve, reject) => {
      const { signal } = options ?? {};
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        cancel();
        reject(Object.assign(new Error('The operation was aborted'), { name: 'AbortError' }));
      };
      const cancel = world.after(delayMs, currentProcess(), () => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      });
      signal?.addEventListener('abort', abort);
    });
  }) as typeof timersPromises.setTimeout;
  installAbortSignals();
  installListeners();
  installEnvironment();
  installHmac();
  installRandomness();
  installOutput();
  installCompression();
  syncBuiltinESMExports();
}

/** Node keeps a signal of several signals as long as it has listeners, and a process that was killed removes none. */
function installAbortSignals(): void {
  const any = AbortSignal.any.bind(AbortSignal);
  AbortSignal.any = (signals) => {
    if (activeWorld() === undefined) return any(signals);
    const controller = new AbortController();
    for (const signal of signals) {
      const abort = () => controller.abort(signal.reason);
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    }
    return controller.signal;
  };
}

/** No signal arrives in a world, and no output fails: listeners would keep the memory of processes that were killed. */
function installListeners(): void {
  for (const emitter of [process, process.stdout, process.stderr] as NodeJS.EventEmitter[]) {
    for (const name of ['on', 'once'] as const) {
      const add = emitter[name].bind(emitter);
      emitter[name] = (event, listener) => {
        if (activeWorld() === undefined) add(event, listener);
        return emitter;
      };
    }
  }
}

/** Each process has environment variables of its own. */
function installEnvironment(): void {
  const own = process.env;
  const variables = () => (activeWorld() === undefined ? own : (currentProcess()?.environment ?? own));
  Object.defineProperty(process, 'env', {
    value: new Proxy(own, {
      get: (_, name) => Reflect.get(variables(), name),
      has: (_, name) => Reflect.has(variables(), name),
      ownKeys: () => Reflect.ownKeys(variables()),
      getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(variables(), name),
    }),
  });
}

/** HMAC-SHA256 in two hashes: Node's own objects take half of the time of a signature, and there are two a request. */
function installHmac(): void {
  const { createHmac } = nodeCrypto;
  const sha256 = (...parts: Uint8Array[]) => nodeCrypto.hash('sha256', Buffer.concat(parts), 'buffer');
  nodeCrypto.createHmac = ((algorithm: string, key: string | Uint8Array) => {
    if (algorithm.toLowerCase() !== 'sha256') return createHmac(algorithm, key);
    let secret = Buffer.from(key as string);
    if (secret.length > 64) secret = sha256(secret);
    const inner = Buffer.alloc(64, 0x36);
    const outer = Buffer.alloc(64, 0x5c);
    secret.forEach((byte, at) => {
      inner[at]! ^= byte;
      outer[at]! ^= byte;
    });
    const parts: Uint8Array[] = [inner];
    const hmac = {
      update(data: string | Uint8Array, encoding?: BufferEncoding) {
        parts.push(typeof data === 'string' ? Buffer.from(data, encoding) : Buffer.from(data));
        return hmac;
      },
      digest(encoding?: BufferEncoding) {
        const digest = sha256(outer, sha256(...parts));
        return encoding === undefined ? digest : digest.toString(encoding);
      },
    };
    return hmac;
  }) as unknown as typeof nodeCrypto.createHmac;
}

function installRandomness(): void {
  Math.random = () => activeWorld()?.fraction() ?? real.random();
  const bytes = (world: World, length: number) => {
    const drawn = Buffer.alloc(length);
    for (let at = 0; at < length; at++) drawn[at] = world.random.below(256);
    return drawn;
  };
  nodeCrypto.randomBytes = ((length: number) => {
    const world = activeWorld();
    return world === undefined ? real.randomBytes(length) : bytes(world, length);
  }) as typeof nodeCrypto.randomBytes;
  const uuid = () => {
    const world = activeWorld();
    if (world === undefined) return real.randomUUID();
    const hex = bytes(world, 16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}` as const;
  };
  nodeCrypto.randomUUID = uuid;
  Object.defineProperty(globalThis.crypto, 'randomUUID', { value: uuid, configurable: true });
}

/** The output of a simulated process belongs to it. */
function installOutput(): void {
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = ((text: string | Uint8Array, ...rest: never[]) => {
      const owner = currentProcess();
      if (owner === undefined || activeWorld() === undefined) return real[name](text, ...rest);
      owner.output.push(typeof text === 'string' ? text : Buffer.from(text).toString());
      const callback = (rest as unknown[]).find((each) => typeof each === 'function') as Callback | undefined;
      if (callback !== undefined) queueMicrotask(() => callback());
      return true;
    }) as typeof process.stdout.write;
  }
}

interface CompressionHandle {
  init(...given: unknown[]): unknown;
  write(...given: unknown[]): void;
  writeSync(...given: unknown[]): void;
  onerror: (...given: unknown[]) => void;
  /** Continues a stream after a write. */
  simulatedContinue?: () => void;
}

/** Compresses in this thread: Node's own threads end their work in any order. */
function installCompression(): void {
  for (const stream of [createGunzip(), createZstdDecompress()]) {
    const handle = (stream as unknown as { _handle: CompressionHandle })._handle;
    const prototype = Object.getPrototypeOf(handle) as CompressionHandle;
    const { init, write } = prototype;
    prototype.init = function (this: CompressionHandle, ...given) {
      this.simulatedContinue = given.find((each) => typeof each === 'function') as () => void;
      return init.apply(this, given);
    };
    prototype.write = function (this: CompressionHandle, ...given) {
      const world = activeWorld();
      if (world === undefined) return write.apply(this, given);
      const { onerror } = this;
      let failed: unknown[] | undefined;
      this.onerror = (...details) => {
        failed = details;
      };
      this.writeSync(...given);
      this.onerror = onerror;
      const context = AsyncLocalStorage.snapshot();
      world.after(0, currentProcess(), () =>
        context(() => {
          if (failed === undefined) this.simulatedContinue?.();
          else onerror.apply(this, failed);
        }),
      );
    };
    stream.destroy();
  }
}

/** Reports errors that no code of a process has caught; those of killed processes mean nothing. */
export function watchUncaughtErrors(onError: (error: unknown) => void): void {
  const handle = (error: unknown) => {
    if (error instanceof KilledError || currentProcess()?.alive === false) return;
    onError(error);
  };
  process.on('uncaughtException', handle);
  process.on('unhandledRejection', handle);
}
