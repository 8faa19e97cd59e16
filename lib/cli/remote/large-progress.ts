/**
 * The progress of a large job, read from the objects that its functions write under `work/<jobId>/<attempt>/`.
 *
 *     plan.json                       planning: ranges are counted
 *     shards.jsonl  parts/*.json      solving: shards and puzzles done; of an exact-cover file, subproblems
 *                   (all of them)      joining: the parts' files are joined into the result set
 */

import { inParallel } from '../../batch/in-parallel.ts';
import type { CoverRange } from '../../batch/large/covers.ts';
import { type WorkKeys, workKeys } from '../../batch/large/keys.ts';
import type { Shard } from '../../batch/large/large-job.ts';
import { listParts, type Part } from '../../batch/large/parts.ts';
import { counted, numberText } from '../../batch/quantities.ts';
import { linesIn } from '../../batch/storage/json-lines.ts';
import { readJson } from '../../batch/storage/read-json.ts';
import { secondsText } from '../terminal/quantity-text.ts';
import type { Buckets } from './connection.ts';

export interface LargeJobProgress {
  readonly phase: 'planning' | 'solving' | 'joining';
  /** Shards. */
  readonly done?: number;
  readonly total?: number;
  readonly puzzles?: { readonly done: number; readonly total: number };
  readonly puzzlesPerSecond?: number;
  /** For an exact-cover file, instead of puzzles: subproblems of its long searches. */
  readonly subproblems?: { readonly done: number; readonly total: number };
  readonly secondsLeft?: number;
}

/** Documents read in parallel. */
const PARALLEL_READS = 16;
/** Jobs whose documents are kept. */
const MAX_KNOWN = 100;

interface ShardPlan {
  readonly shards: number;
  /** What the shards consist of, and how many all have. */
  readonly unit: 'puzzles' | 'subproblems';
  readonly total: number;
  readonly sinceMs: number;
}

/** What is known of one attempt at a large job: objects that never change. */
interface KnownWork {
  plan: ShardPlan | undefined;
  readonly parts: Map<string, Pick<Part, 'count' | 'last'>>;
}

/** The progress of large jobs that is read repeatedly: each object once. */
export class LargeProgress {
  readonly #buckets: Buckets;
  readonly #known = new Map<string, KnownWork>();

  constructor(buckets: Buckets) {
    this.#buckets = buckets;
  }

  /** Returns undefined if the job is not a large one or the attempt has not started. */
  async of(jobId: string, attempt: string, nowMs: number): Promise<LargeJobProgress | undefined> {
    const { store, resultsBucket } = this.#buckets;
    const keys = workKeys(jobId, attempt);
    const known = this.#known.get(keys.shards) ?? { plan: undefined, parts: new Map() };
    this.#known.set(keys.shards, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN) this.#known.delete(oldest!);
    known.plan ??= await this.#readPlan(keys.shards);
    if (known.plan === undefined) {
      return (await store.head(resultsBucket, keys.plan)) && { phase: 'planning' };
    }
    await this.#readParts(keys, known);
    const { shards, unit, total, sinceMs } = known.plan;
    const parts = [...known.parts.values()];
    const done = parts.filter(({ last }) => last).length;
    const solved = parts.reduce((sum, { count }) => sum + count, 0);
    const progress = { done, total: shards, [unit]: { done: solved, total } };
    if (done === shards) return { phase: 'joining', ...progress };
    // Subproblems differ too much for a rate.
    if (unit === 'subproblems') return { phase: 'solving', ...progress };
    const perSecond = solved / Math.max(1, (nowMs - sinceMs) / 1000);
    const secondsLeft = solved === 0 ? undefined : Math.round((total - solved) / perSecond);
    return { phase: 'solving', ...progress, puzzlesPerSecond: Math.round(perSecond), secondsLeft };
  }

  async #readPlan(key: string): Promise<ShardPlan | undefined> {
    const { store, resultsBucket } = this.#buckets;
    const object = await store.get(resultsBucket, key);
    if (object === undefined) return undefined;
    const shards: (Shard | CoverRange)[] = [];
    for await (const { document } of linesIn(object.body)) shards.push(JSON.parse(document));
    const unit = shards.some((shard) => 'problem' in shard) ? 'subproblems' : 'puzzles';
    const total = shards.reduce((sum, shard) => sum + sizeOf(shard), 0);
    for await (const { lastModified } of store.listVersions(resultsBucket, key)) {
      return { shards: shards.length, unit, total, sinceMs: Date.parse(lastModified) };
    }
    return undefined;
  }

  async #readParts(keys: WorkKeys, { parts }: KnownWork): Promise<void> {
    const fresh = (await listParts(keys, this.#buckets)).filter(({ key }) => !parts.has(key));
    await inParallel(fresh, PARALLEL_READS, async ({ key }) => {
      const part = await readJson<Part>(this.#buckets, key);
      if (part !== undefined) parts.set(key, part);
    });
  }
}

function sizeOf(shard: Shard | CoverRange): number {
  return 'problem' in shard ? shard.to - shard.from : shard.records;
}

/** Returns `12 of 40 shards done, 1,200,000 of 4,000,000 puzzles, 35,000/s, about 80 s left`. */
export function largeJobProgressText(progress: LargeJobProgress): string {
  const { phase, done = 0, total = 0, puzzles, puzzlesPerSecond = 0, secondsLeft, subproblems } = progress;
  if (phase === 'planning') return 'planning shards';
  if (phase === 'joining') return `joining the files of ${counted(total, 'shard')}`;
  const { done: solved, total: all } = puzzles ?? subproblems!;
  const parts = [
    `${numberText(done)} of ${counted(total, 'shard')} done`,
    `${numberText(solved)} of ${counted(all, puzzles === undefined ? 'subproblem' : 'puzzle')}`,
  ];
  if (secondsLeft !== undefined) {
    parts.push(`${numberText(puzzlesPerSecond)}/s`, `about ${secondsText(secondsLeft)} left`);
  }
  return parts.join(', ');
}
