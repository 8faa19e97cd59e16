/**
 * The bound on what the functions of a stack can cost in a day: the product of its settings that `estimate` and `doctor` print
 * (lib/batch/estimate/most-dollars.ts), whatever is uploaded and however many large files are solved at once.
 */
import type { FunctionName } from '../../functions/bundle.ts';
import { largeFileConcurrency, mostDollarsOfDay } from '../../lib/batch/estimate/most-dollars.ts';
import { lambdaDollars } from '../../lib/batch/estimate/prices.ts';
import { DEFAULT_MEMORY_MB } from '../../lib/batch/limits.ts';
import type { StackTemplate } from '../../lib/local/template.ts';

const DAY_MS = 86_400_000;

/** Uploads solved at the same time, and shards of all large files: one file has more. */
export const FILES = 4;
const SHARDS = 2;

const large = largeFileConcurrency({ files: FILES, shards: SHARDS });
/** Functions that work on uploads, and how many of each may run. */
const CONCURRENCY: Partial<Readonly<Record<FunctionName, number>>> = {
  'solve-batch': FILES,
  'plan-shards': large.plan,
  'count-shard': large.count,
  'solve-shard': large.solve,
  'merge-shards': large.merge,
};

/** A template whose functions for large files have reserved concurrency, as with `dlx:accountConcurrency`. */
export function withReservedConcurrency(template: StackTemplate): StackTemplate {
  const resources = Object.entries(template.Resources).map(([id, resource]) => {
    const name = String(resource.Properties.Handler).replace(/\.handler$/, '') as FunctionName;
    const reserved = name === 'solve-batch' ? undefined : CONCURRENCY[name];
    if (reserved === undefined) return [id, resource] as const;
    const Properties = { ...resource.Properties, ReservedConcurrentExecutions: reserved };
    return [id, { ...resource, Properties }] as const;
  });
  return { ...template, Resources: Object.fromEntries(resources) };
}

/** What the functions of a world cost. */
export class Bill {
  readonly #gbSeconds = new Map<number, number>();
  readonly #excesses = new Set<string>();
  #memoryMb = DEFAULT_MEMORY_MB;
  #shardMemoryMb = DEFAULT_MEMORY_MB;

  /** Counts an invocation. @param running of the same function, with this one */
  add(name: FunctionName, memoryMb: number, running: number, fromMs: number, toMs: number): void {
    const most = CONCURRENCY[name];
    if (most === undefined) return;
    if (running > most)
      this.#excesses.add(`${name} ran ${running} times at once, though at most ${most} may`);
    if (name === 'solve-batch') this.#memoryMb = memoryMb;
    if (name === 'solve-shard') this.#shardMemoryMb = memoryMb;
    for (let from = fromMs; from < toMs; ) {
      const day = Math.floor(from / DAY_MS);
      const to = Math.min(toMs, (day + 1) * DAY_MS);
      const gbSeconds = ((to - from) / 1000) * (memoryMb / 1024);
      this.#gbSeconds.set(day, (this.#gbSeconds.get(day) ?? 0) + gbSeconds);
      from = to;
    }
  }

  /** Returns what is wrong; empty if no day exceeds the bound. */
  problems(): string[] {
    const [memoryMb, shardMemoryMb] = [this.#memoryMb, this.#shardMemoryMb];
    const most = mostDollarsOfDay({ files: FILES, shards: SHARDS, memoryMb, shardMemoryMb });
    const days = [...this.#gbSeconds.values()].map((gbSeconds) => lambdaDollars(gbSeconds, 0));
    const dear = days.filter((dollars) => dollars > most);
    return [
      ...this.#excesses,
      ...dear.map((dollars) => `a day costs ${dollars} dollars, at most ${most} may`),
    ];
  }
}
