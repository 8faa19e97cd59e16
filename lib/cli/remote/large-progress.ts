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
import type { Part } from '../../batch/large/parts.ts';
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

interface ShardPlan {
  readonly shards: number;
  /** What the shards consist of, and how many all have. */
  readonly unit: 'puzzles' | 'subproblems';
  readonly total: number;
  readonly sinceMs: number;
}

/** What a part has of a shard. */
interface PartProgress {
  readonly done: number;
  readonly last: boolean;
}

/** Polls one attempt at a large job. Objects that never change are read only once. */
export class LargeJobPoller {
  readonly #buckets: Buckets;
  readonly #keys: WorkKeys;
  readonly #parts = new Map<string, PartProgress>();
  #shards: ShardPlan | undefined;

  constructor(buckets: Buckets, jobId: string, attempt: string) {
    this.#buckets = buckets;
    this.#keys = workKeys(jobId, attempt);
  }

  /** Returns undefined if the job is not a large one or the attempt has not started. */
  async poll(nowMs: number): Promise<LargeJobProgress | undefined> {
    this.#shards ??= await this.#readShards();
    if (this.#shards === undefined) return this.#planning();
    const { shards, unit, total, sinceMs } = this.#shards;
    await this.#readParts();
    const parts = [...this.#parts.values()];
    const done = parts.filter(({ last }) => last).length;
    const solved = parts.reduce((sum, part) => sum + part.done, 0);
    const progress = { done, total: shards, [unit]: { done: solved, total } };
    if (done === shards) return { phase: 'joining', ...progress };
    const perSecond = solved / Math.max(1, (nowMs - sinceMs) / 1000);
    const secondsLeft = solved === 0 ? undefined : Math.round((total - solved) / perSecond);
    // Subproblems differ too much for a rate.
    const rate = unit === 'puzzles' ? { puzzlesPerSecond: Math.round(perSecond), secondsLeft } : {};
    return { phase: 'solving', ...progress, ...rate };
  }

  /** Until the shards are known. */
  async #planning(): Promise<LargeJobProgress | undefined> {
    const { store, resultsBucket } = this.#buckets;
    const planned = await store.head(resultsBucket, this.#keys.plan);
    return planned === undefined ? undefined : { phase: 'planning' };
  }

  async #readShards(): Promise<ShardPlan | undefined> {
    const { store, resultsBucket } = this.#buckets;
    const shards = await this.#lines<Shard | CoverRange>(this.#keys.shards);
    if (shards === undefined) return undefined;
    const unit = shards.some((shard) => 'problem' in shard) ? 'subproblems' : 'puzzles';
    const total = shards.reduce((sum, shard) => sum + sizeOf(shard), 0);
    for await (const { lastModified } of store.listVersions(resultsBucket, this.#keys.shards)) {
      return { shards: shards.length, unit, total, sinceMs: Date.parse(lastModified) };
    }
    return undefined;
  }

  async #readParts(): Promise<void> {
    const { store, resultsBucket } = this.#buckets;
    const fresh: string[] = [];
    for await (const key of store.list(resultsBucket, this.#keys.parts)) {
      if (/^\d+-\d+\.json$/.test(key.slice(this.#keys.parts.length)) && !this.#parts.has(key))
        fresh.push(key);
    }
    await inParallel(fresh, PARALLEL_READS, async (key) => {
      const part = (await readJson<Part>({ store, resultsBucket }, key))?.document;
      if (part === undefined) return;
      this.#parts.set(key, { done: part.count, last: part.last });
    });
  }

  /** The documents of a JSON Lines object; undefined if it does not exist. */
  async #lines<Document>(key: string): Promise<Document[] | undefined> {
    const object = await this.#buckets.store.get(this.#buckets.resultsBucket, key);
    if (object === undefined) return undefined;
    const documents: Document[] = [];
    for await (const { document } of linesIn(object.body)) documents.push(JSON.parse(document));
    return documents;
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
