/** Reads the results of all parts of a large job. */
import type { JobStorage } from '../../delivery/commit.ts';
import { inParallel } from '../../in-parallel.ts';
import { readJsonLines } from '../../storage/json-lines.ts';
import { readWrittenJson } from '../../storage/read-json.ts';
import type { Shard, ShardPlan } from '../shard-plan.ts';
import type { PartResult } from '../solve-shard.ts';
import type { WorkKeys } from '../work-keys.ts';

const READS_AT_ONCE = 32;

/** Missing ranges of records named in an error. */
const MAX_NAMED_GAPS = 5;

/**
 * @returns every part, in the order of the file; if one has rejected the file, others may be missing
 * @throws Error naming the records that no part has
 */
export async function readParts(
  plan: ShardPlan,
  keys: WorkKeys,
  { store, resultsBucket }: Pick<JobStorage, 'store' | 'resultsBucket'>,
): Promise<PartResult[]> {
  const names: string[] = [];
  for await (const key of store.list(resultsBucket, keys.parts)) {
    if (/^\d+-\d+\.json$/.test(key.slice(keys.parts.length))) names.push(key);
  }
  const parts = await inParallel(names, READS_AT_ONCE, (key) =>
    readWrittenJson<PartResult>(store, resultsBucket, key, 'it was deleted while its job ran'),
  );
  // Keys of numbers with more digits than their padding are not listed in numeric order.
  parts.sort((a, b) => a.shard - b.shard || a.part - b.part);
  if (parts.some(({ rejected }) => rejected !== undefined)) return parts;
  const gaps: string[] = [];
  let next = 0;
  for await (const { document: shard } of readJsonLines<Shard>(store, resultsBucket, keys.shards)) {
    let index = shard.firstIndex;
    let ended = false;
    const expect = (to: number) => {
      if (to !== index) gaps.push(`${index} to ${to - 1} (shard ${shard.shard})`);
    };
    for (; parts[next]?.shard === shard.shard; next++) {
      expect(parts[next]!.firstIndex);
      index = parts[next]!.firstIndex + parts[next]!.records;
      ended = parts[next]!.last;
    }
    const end = shard.firstIndex + shard.records;
    expect(end);
    // The last part may have no record, but only the end of a file, such as the closing bracket of a list.
    if (index === end && !ended) gaps.push(`after ${end - 1} (the end of shard ${shard.shard})`);
  }
  if (next < parts.length) gaps.push(`none for part ${names[next]}`);
  if (gaps.length > 0) throw new Error(`job ${plan.jobId}: ${gapsText(gaps)}`);
  return parts;
}

function gapsText(gaps: readonly string[]): string {
  const more = gaps.length > MAX_NAMED_GAPS ? ` and ${gaps.length - MAX_NAMED_GAPS} more ranges` : '';
  return `no part has the records ${gaps.slice(0, MAX_NAMED_GAPS).join(', ')}${more}: nothing is committed`;
}
