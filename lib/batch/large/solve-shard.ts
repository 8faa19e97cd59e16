/**
 * Solves one part of a shard: records of a range of a file (records.ts), or subproblems of a search (subproblems.ts).
 *
 * A function stops near the end of its time, and the next one continues after the part.
 */
import type { FunctionTime } from '../storage/function-time.ts';
import { step } from '../storage/step.ts';
import type { CoverRange } from './covers.ts';
import type { WorkKeys } from './keys.ts';
import { isCoverPlan, type LargeDependencies, readPlan, type Shard } from './large-job.ts';
import type { NextPart, Part } from './parts.ts';
import { solveRecords } from './records.ts';
import { DONE, type ShardItem, type SolveShardInput, type StepProgress } from './steps.ts';
import { searchSubproblems } from './subproblems.ts';

/** One attempt at a part: its place, and where it writes. */
export interface PartAttempt<Item extends ShardItem> {
  readonly item: Item;
  readonly how: NextPart;
  readonly time: FunctionTime;
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
  const { shard } = input.shard;
  const { step: number = 0 } = input.cursor ?? {};
  const beginning: Pick<Part, 'from' | 'count'> = { from: 0, count: 0 };
  const { last } = await step(
    dependencies,
    (part) => keys.part(shard, part),
    number,
    beginning as Part,
    ({ from, count, next: how = {} }, time) => {
      const { memoryMb } = runtime;
      const head = { shard, part: number, attemptId: ids.next(), from: from + count, memoryMb };
      const attempt = { how, time, keys, head };
      return isCoverPlan(plan)
        ? searchSubproblems(plan, { ...attempt, item: input.shard as CoverRange }, dependencies)
        : solveRecords(plan, { ...attempt, item: input.shard as Shard }, dependencies);
    },
  );
  return last ? DONE : { done: false, cursor: { step: number + 1 } };
}
