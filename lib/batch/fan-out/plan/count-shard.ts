/** Counts one range of a planned file and stores the count for the index. */
import { jsonBytes } from '../../delivery/manifest.ts';
import { formatHints } from '../../job/format-hints.ts';
import { optionsFromCanonical } from '../../options.ts';
import type { Hashing, ObjectStore } from '../../ports.ts';
import { JSON_TYPE } from '../../results/content-types.ts';
import { readPlan } from '../read-plan.ts';
import { type RangeItem, shardPlanOf } from '../shard-plan.ts';
import type { CountInput } from '../steps.ts';
import { countRange } from './count-range.ts';

export interface CountDependencies {
  readonly store: ObjectStore;
  readonly resultsBucket: string;
  readonly hashing: Hashing;
}

export async function countShard(input: CountInput, dependencies: CountDependencies): Promise<void> {
  const { plan, keys } = await readPlan(input, dependencies);
  const { store, resultsBucket } = dependencies;
  const hints = formatHints(optionsFromCanonical(plan.options));
  const count = await countRange(input.shard as RangeItem, shardPlanOf(plan), hints, store);
  await store.put(resultsBucket, keys.count(input.shard.shard), jsonBytes(count), JSON_TYPE);
}
