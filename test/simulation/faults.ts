/**
 * The faults of one world: which kinds happen in it, how often, and how often each has happened.
 *
 * A seed selects some kinds, so that rare combinations are tried, and no kind hides the others. All faults end after a
 * while, or after some number of them; what is left then has to recover.
 */
import type { ConnectionFault } from './network.ts';
import { currentProcess, type ProcessKind, type SimulatedProcess, type World } from './world.ts';

/** Every kind of fault, as the report names it. */
export const FAULT_KINDS = [
  'slow network',
  'cut request',
  'cut response',
  'stalled connection',
  'closed idle connection',
  '503',
  '500',
  '409',
  'throttled api',
  'throttled function',
  'paused function',
  'killed function',
  'killed stack',
  'killed command',
  'full disk',
  'slow disk',
  'delayed event',
  'duplicate event',
  'lost event',
  'deployment',
  'deleted upload',
  'slow function',
  'event bus down',
  'few receives',
] as const;
/** Answers of S3 that follow from other faults: a conditional write took effect, and its response was lost; or another won. */
export const FAULT_ANSWERS = ['412'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number] | (typeof FAULT_ANSWERS)[number];

/** Faults of a world: each costs a retry, and a seed has a second of processor time. */
const MAX_FAULTS = 50;

/** Share of the seeds in which a kind happens. */
const KIND_SHARE = 0.5;

export class Faults {
  readonly counts = new Map<FaultKind, number>();
  readonly #world: World;
  readonly #selected: ReadonlySet<FaultKind>;
  readonly #untilHours: number;
  /** Mean number of calls of a process until it is killed. */
  readonly #killEvery: Readonly<Record<ProcessKind, number>>;
  #faultsLeft = MAX_FAULTS;
  #killsLeft: number;
  readonly #fullDisk: readonly [from: number, to: number];
  readonly #busDown: readonly [from: number, to: number];
  readonly #rate: number;
  /** Typical latency of the network in milliseconds. */
  readonly #latencyMs: number;

  /** @param untilHours faults happen only before this time; 0 for a world without faults */
  constructor(world: World, untilHours: number) {
    this.#world = world;
    this.#untilHours = untilHours;
    this.#selected = new Set<FaultKind>(FAULT_KINDS.filter(() => world.chance(KIND_SHARE)));
    this.#rate = world.between(0.003, 0.05);
    this.#latencyMs = world.between(0.5, 40);
    this.#killsLeft = world.random.below(8);
    this.#killEvery = {
      function: world.between(20, 400),
      stack: world.between(100, 2000),
      command: world.between(20, 300),
      user: Number.POSITIVE_INFINITY,
    };
    // In the hours in which users upload.
    const from = 0.3 * world.fraction() * untilHours;
    this.#fullDisk = [from, from + world.between(0.05, 1)];
    const downFrom = 0.3 * world.fraction() * untilHours;
    this.#busDown = [downFrom, downFrom + world.between(0.05, 0.5)];
  }

  /** Whether faults still happen. */
  get active(): boolean {
    return this.#faultsLeft > 0 && this.#world.hours < this.#untilHours;
  }

  /** Whether a kind can happen now. */
  can(kind: FaultKind): boolean {
    return this.active && this.#selected.has(kind);
  }

  /** Counts an answer that is no fault of its own. */
  noteAnswer(kind: FaultKind): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  /** Counts a fault that happens. */
  count(kind: FaultKind): void {
    this.noteAnswer(kind);
    this.#faultsLeft--;
    this.#world.trace('fault', kind, currentProcess()?.name ?? '');
  }

  /** Whether a kind happens now. */
  happens(kind: FaultKind, probability = this.#rate): boolean {
    if (!this.can(kind) || !this.#world.chance(probability)) return false;
    this.count(kind);
    return true;
  }

  latencyMs(): number {
    const world = this.#world;
    if (!this.active) return 1;
    if (this.can('slow network') && world.chance(0.03)) {
      this.count('slow network');
      return world.between(500, 15_000);
    }
    return this.#latencyMs * world.between(0.3, 3);
  }

  connectionFault(): ConnectionFault | undefined {
    const world = this.#world;
    if (!this.active || !world.chance(3 * this.#rate)) return undefined;
    const kind = world.pick(['cut request', 'cut response', 'stalled connection'] as const);
    if (!this.can(kind)) return undefined;
    const direction =
      kind === 'cut request' || (kind !== 'cut response' && world.chance(0.5)) ? 'request' : 'response';
    const afterBytes = world.chance(0.4) ? 0 : Math.floor(world.between(1, 20_000));
    return { direction, afterBytes, kind: kind === 'stalled connection' ? 'stall' : 'reset' };
  }

  /** The status with which a service answers instead of its result. */
  serviceFault(request: 'json' | 's3' | 'condition'): number | undefined {
    if (request === 'json') return this.happens('throttled api', 0.3) ? 400 : undefined;
    if (request === 'condition' && this.happens('409', 4 * this.#rate)) return 409;
    if (this.happens('503')) return 503;
    return this.happens('500', this.#rate / 2) ? 500 : undefined;
  }

  /** Whether a process is killed at a call. */
  kills({ kind }: SimulatedProcess): boolean {
    if (kind === 'user' || this.#killsLeft === 0) return false;
    if (!this.happens(`killed ${kind}`, 1 / this.#killEvery[kind])) return false;
    this.#killsLeft--;
    return true;
  }

  /** Counts a request of a process, and pauses some functions before one of their first requests. */
  pause(owner: SimulatedProcess): void {
    owner.requests++;
    if (owner.kind !== 'function' || owner.requests > 10 || !this.happens('paused function', 0.12)) return;
    owner.pausedUntilMs = this.#world.nowMs + this.#world.between(500, 20_000);
  }

  get diskIsFull(): boolean {
    const [from, to] = this.#fullDisk;
    const { hours } = this.#world;
    return this.can('full disk') && hours >= from && hours < to;
  }

  get busIsDown(): boolean {
    const [from, to] = this.#busDown;
    const { hours } = this.#world;
    return this.can('event bus down') && hours >= from && hours < to;
  }

  diskMs(): number {
    return this.happens('slow disk') ? this.#world.between(100, 60_000) : 0.05;
  }
}
