/**
 * The simulated world: one clock, one queue of events, and the processes that live in it.
 *
 *     event (a timer, bytes that arrive, a disk that answers) --> code of one process runs until it waits again --> next event
 *
 * Events happen one at a time, and the clock jumps from one to the next, so a run depends on nothing but its seed. All
 * waiting of the code under test is an event: `system-calls.ts`, `network.ts` and `disk.ts` see to that.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { RandomSource } from '../../lib/sudoku/generator/random-source.ts';

/** What a process is: faults are chosen by it. */
export type ProcessKind = 'stack' | 'function' | 'command' | 'user';

/** Thrown out of the call at which a process was killed; its code has no effect from then on. */
export class KilledError extends Error {
  override readonly name = 'KilledError';
}

/** A process: it is killed at a call and never continues, and what it holds in memory is lost. */
export class SimulatedProcess {
  readonly name: string;
  readonly kind: ProcessKind;
  readonly parent: SimulatedProcess | undefined;
  alive = true;
  /** Nothing happens in it before this time: machines pause, too. */
  pausedUntilMs = 0;
  /** Requests to other processes so far; of a function in its current invocation. */
  requests = 0;
  /** Its environment variables; those of the real process if undefined. */
  readonly environment: Readonly<Record<string, string>> | undefined;
  /** What happened while it was frozen, as Lambda does between two invocations; undefined while it runs. */
  frozen: ScheduledEvent[] | undefined;
  /** Called once, when the process ends or is killed. */
  readonly onEnd: (() => void)[] = [];
  readonly output: string[] = [];

  constructor(
    name: string,
    kind: ProcessKind,
    { parent, environment }: Partial<Pick<SimulatedProcess, 'parent' | 'environment'>> = {},
  ) {
    this.name = name;
    this.kind = kind;
    this.parent = parent;
    this.environment = environment;
    // The operating system ends the children of a killed stack with it.
    parent?.onEnd.push(() => this.end());
  }

  end(): void {
    if (!this.alive) return;
    this.alive = false;
    for (const run of this.onEnd.splice(0)) run();
  }
}

const processes = new AsyncLocalStorage<SimulatedProcess>();

/** The process whose code runs now. */
export function currentProcess(): SimulatedProcess | undefined {
  return processes.getStore();
}

interface ScheduledEvent {
  atMs: number;
  /** Events at the same time happen in the order in which they were scheduled. */
  readonly number: number;
  readonly owner: SimulatedProcess | undefined;
  readonly run: () => void;
  cancelled: boolean;
}

/** Node's own, before `system-calls.ts` replaces them. */
const realSetImmediate = setImmediate;

/** When each world begins: also the date that the code under test sees. */
const BEGIN_EPOCH_MS = Date.UTC(2026, 2, 1);

/** The world whose code runs now; the functions of Node behave as usual without one. */
let active: World | undefined;

export function activeWorld(): World | undefined {
  return active;
}

export class World {
  /** Milliseconds since 1970. */
  nowMs = BEGIN_EPOCH_MS;
  readonly random: RandomSource;
  /** Work that really takes place outside this thread; events wait for it. */
  outside = 0;
  /** Errors that no process should have: the run has failed. */
  readonly defects: string[] = [];
  readonly #queue: ScheduledEvent[] = [];
  #scheduled = 0;
  #happened = 0;
  readonly #trace = createHash('sha256');
  readonly #onTrace: ((line: string) => void) | undefined;

  constructor(seed: number, onTrace?: (line: string) => void) {
    this.random = new RandomSource(seed);
    this.#onTrace = onTrace;
  }

  /** Hours since the beginning. */
  get hours(): number {
    return (this.nowMs - BEGIN_EPOCH_MS) / 3_600_000;
  }

  get events(): number {
    return this.#happened;
  }

  /** From 0 inclusive to 1 exclusive. */
  fraction(): number {
    return this.random.next() / 2 ** 32;
  }

  /** Whether something with this probability happens. */
  chance(probability: number): boolean {
    return probability > 0 && this.fraction() < probability;
  }

  /** A number between two others, uniform in its logarithm: mostly small, sometimes large. */
  between(least: number, most: number): number {
    return least * (most / least) ** this.fraction();
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.random.below(items.length)]!;
  }

  /** Records what happens: two runs of a seed record the same. */
  trace(...words: readonly (string | number)[]): void {
    const line = `${((this.nowMs - BEGIN_EPOCH_MS) / 1000).toFixed(3)} ${words.join(' ')}`;
    this.#trace.update(`${line}\n`);
    this.#onTrace?.(line);
  }

  /** A digest of everything recorded so far. */
  traceDigest(): string {
    return this.#trace.copy().digest('hex').slice(0, 16);
  }

  /** Calls `run` after a delay, unless its process has ended by then. @returns a function that cancels it */
  after(delayMs: number, owner: SimulatedProcess | undefined, run: () => void): () => void {
    const event: ScheduledEvent = {
      atMs: this.nowMs + Math.max(0, delayMs),
      number: this.#scheduled++,
      owner,
      run,
      cancelled: false,
    };
    push(this.#queue, event);
    return () => {
      event.cancelled = true;
    };
  }

  /** Resolves after a delay in the process that waits; never if that process has ended by then. */
  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, currentProcess(), resolve));
  }

  /** Continues a frozen process: now it sees what happened meanwhile. */
  thaw(frozen: SimulatedProcess): void {
    for (const event of frozen.frozen ?? []) push(this.#queue, event);
    frozen.frozen = undefined;
  }

  /** Runs code as a process. */
  runAs<Result>(process: SimulatedProcess | undefined, run: () => Result): Result {
    return process === undefined ? processes.exit(run) : processes.run(process, run);
  }

  /**
   * Lets events happen until `isDone`, or until the clock reaches `untilHours`.
   *
   * @param maxCpuMs stops a run that does not end
   */
  async run(isDone: () => boolean, untilHours: number, maxCpuMs: number): Promise<'done' | 'time' | 'stuck'> {
    const untilMs = BEGIN_EPOCH_MS + untilHours * 3_600_000;
    const startMs = cpuMs();
    const previous = active;
    active = this;
    try {
      for (;;) {
        await this.#settle();
        if (isDone() || this.defects.length > 0) return 'done';
        const event = this.#queue[0];
        if (event === undefined || event.atMs > untilMs) {
          this.nowMs = Math.max(this.nowMs, untilMs);
          return 'time';
        }
        pop(this.#queue);
        if (event.cancelled || event.owner?.alive === false) continue;
        if (event.owner?.frozen !== undefined) {
          event.owner.frozen.push(event);
          continue;
        }
        if (event.owner !== undefined && event.owner.pausedUntilMs > event.atMs) {
          event.atMs = event.owner.pausedUntilMs;
          push(this.#queue, event);
          continue;
        }
        this.nowMs = Math.max(this.nowMs, event.atMs);
        this.#happened++;
        this.runAs(event.owner, event.run);
        if (this.#happened % 1024 === 0 && cpuMs() - startMs > maxCpuMs) return 'stuck';
      }
    } finally {
      active = previous;
    }
  }

  /** Waits until no code runs: all that is left waits for an event. */
  async #settle(): Promise<void> {
    do await new Promise<void>((resolve) => realSetImmediate(resolve));
    while (this.outside > 0);
  }
}

/** Processor time of this process: other processes of a busy machine do not count. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function isBefore(a: ScheduledEvent, b: ScheduledEvent): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.number < b.number);
}

/** Adds to a binary heap. */
function push(heap: ScheduledEvent[], event: ScheduledEvent): void {
  let at = heap.push(event) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (isBefore(heap[parent]!, event)) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = event;
}

/** Removes the first event of a binary heap that has one. */
function pop(heap: ScheduledEvent[]): void {
  const last = heap.pop()!;
  if (heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
    if (!isBefore(heap[child]!, last)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = last;
}
