/**
 * Solves one part of a shard: records of a range of a file (records.ts), or subproblems of a search (subproblems.ts).
 *
 * A function stops near the end of its time, and the next one continues after the part.
 */
import { storedOnce } from '../storage/write-json.ts';
import type { CoverRange } from './covers.ts';
import type { WorkKeys } from './keys.ts';
import { isCoverPlan, type LargeDependencies, readPlan, type Shard } from './large-job.ts';
import type { Part, PartCursor } from './parts.ts';
import { solveRecords } from './records.ts';
import type { ShardItem, SolveShardInput, StepProgress } from './steps.ts';
import { searchSubproblems } from './subproblems.ts';

/** One attempt at a part: its place, and where it writes. */
export interface PartAttempt<Item extends ShardItem> {
  readonly item: Item;
  readonly cursor: PartCursor;
  readonly keys: WorkKeys;
  /** What its document begins with. */
  readonly head: Pick<Part, 'shard' | 'part' | 'attemptId' | 'from' | 'memoryMb'>;
}

export async function solveShard(
  input: SolveShardInput,
  dependencies: LargeDependencies,
): Promise<StepProgress> {
  const { plan, keys } = await readPlan(input, dependencies);
  const { ids, runtime } = dependencies;
  const cursor = (input.cursor ?? { part: 0, done: 0 }) as unknown as PartCursor;
  const { shard } = input.shard;
  const { part: number, done } = cursor;
  const part = await storedOnce<Part>(dependencies, keys.part(shard, number), () => {
    const { memoryMb } = runtime;
    const attempt = {
      cursor,
      keys,
      head: { shard, part: number, attemptId: ids.next(), from: done, memoryMb },
    };
    return isCoverPlan(plan)
      ? searchSubproblems(plan, { ...attempt, item: input.shard as CoverRange }, dependencies)
      : solveRecords(plan, { ...attempt, item: input.shard as Shard }, dependencies);
  });
  if (part.last) return { done: true, cursor: null };
  const next: PartCursor = { part: number + 1, done: done + part.count, ...part.next };
  return { done: false, cursor: { ...next } };
}
