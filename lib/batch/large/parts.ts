/**
 * Parts: a shard is solved in one or more, each by one function, and each is stored once.
 *
 *     parts/00003-000.json     records 0 to 911 of shard 3         records.ts
 *     parts/00003-001.json     records 912 to 1,499, the last part
 *     parts/00004-000.json     or subproblems 32 to 40             subproblems.ts
 *
 * How much a part has depends on time, so two attempts at one part differ. Each writes its own files; the first to store
 * the document of the part decides which files count. The next part begins after it.
 */

import { lambdaDollars } from '../estimate/prices.ts';
import { thousandths } from '../quantities.ts';
import type { UsedResources } from '../results/statistics.ts';
import { readJsonLines } from '../storage/json-lines.ts';
import { type ResultStorage, readAllJson } from '../storage/read-json.ts';
import type { WorkKeys } from './keys.ts';
import type { ShardItem } from './steps.ts';

/** `parts/<shard>-<part>.json`, written after all files of the part. */
export interface Part {
  readonly shard: number;
  /** From 0, in the shard. */
  readonly part: number;
  /** Id of the attempt that wrote it; part of the keys of its files. */
  readonly attemptId: string;
  /** Its first record or subproblem in the shard, from 0, and how many it has. */
  readonly from: number;
  readonly count: number;
  /** Whether it is the last part of the shard. */
  readonly last: boolean;
  /** How the next part is attempted, if not as the first one. */
  readonly next?: NextPart;
  /** Milliseconds of its function, and its memory. */
  readonly wallMs: number;
  readonly memoryMb: number;
}

/** Missing ranges named in an error. */
const MAX_NAMED_GAPS = 5;

export interface NextPart {
  /** Most records of the part: an enumeration ran out of time in the record after them. */
  readonly atMost?: number;
  /** Whether blocks have one record each, because a larger block exceeded the time of a function. */
  readonly singly?: boolean | undefined;
}

/** A part by its key. */
interface PartKey extends Pick<Part, 'shard' | 'part'> {
  readonly key: string;
}

/** The parts of a job so far, in their order. */
export async function listParts(keys: WorkKeys, { store, resultsBucket }: ResultStorage): Promise<PartKey[]> {
  const found: PartKey[] = [];
  for await (const key of store.list(resultsBucket, keys.parts)) {
    const numbers = /^(\d+)-(\d+)\.json$/.exec(key.slice(keys.parts.length));
    if (numbers !== null) found.push({ key, shard: Number(numbers[1]), part: Number(numbers[2]) });
  }
  // Keys of numbers with more digits than their padding are not listed in numeric order.
  return found.sort((a, b) => a.shard - b.shard || a.part - b.part);
}

/** The last part of each shard so far. */
export function lastParts(parts: readonly PartKey[]): PartKey[] {
  return parts.filter(({ shard }, k) => parts[k + 1]?.shard !== shard);
}

export function readParts<Found extends Part>(
  parts: readonly PartKey[],
  storage: ResultStorage,
): Promise<Found[]> {
  return readAllJson(
    storage,
    parts.map(({ key }) => key),
  );
}

/** The lines of `shards.jsonl`. */
export async function readShards<Item extends ShardItem>(
  keys: WorkKeys,
  storage: ResultStorage,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const { document } of readJsonLines<Item>(storage, keys.shards)) items.push(document);
  return items;
}

/**
 * Checks that parts have all of their shards.
 *
 * @param canEndEarly whether a shard may end before its size, because of a limit
 * @param nameOf names a range of a shard, from 0 (inclusive) to (exclusive)
 * @throws Error that names what no part has: nothing may be committed
 */
export function requireAll<Item extends ShardItem>(
  items: readonly Item[],
  parts: readonly Part[],
  canEndEarly: boolean,
  sizeOf: (item: Item) => number,
  nameOf: (item: Item, from: number, to: number) => string,
): void {
  const gaps: string[] = [];
  let next = 0;
  for (const item of items) {
    let to = 0;
    let ended = false;
    for (; parts[next]?.shard === item.shard; next++) {
      const { from, count, last } = parts[next]!;
      if (from !== to) gaps.push(nameOf(item, to, from));
      to = from + count;
      ended = last;
    }
    // The last part may have nothing but the end of a file, such as the closing bracket of a list.
    const size = sizeOf(item);
    if (!ended || (!canEndEarly && to < size)) gaps.push(nameOf(item, to, Math.max(to, size)));
  }
  if (next < parts.length) throw new Error(`shard ${parts[next]!.shard} has a part, but is not planned`);
  if (gaps.length === 0) return;
  const more = gaps.length > MAX_NAMED_GAPS ? ` and ${gaps.length - MAX_NAMED_GAPS} more ranges` : '';
  throw new Error(
    `no part has the ${gaps.slice(0, MAX_NAMED_GAPS).join(', the ')}${more}: nothing is committed`,
  );
}

/** What the functions of the parts have used. @param parts in the order of their shards */
export function usedResources(parts: readonly Part[]): UsedResources {
  let functionMs = 0;
  let gbSeconds = 0;
  for (const { wallMs, memoryMb } of parts) {
    functionMs += wallMs;
    gbSeconds += (wallMs / 1000) * (memoryMb / 1024);
  }
  return {
    shards: parts.at(-1)!.shard + 1,
    pieces: parts.length,
    functionMs: Math.round(functionMs),
    gbSeconds: thousandths(gbSeconds),
    lambdaDollars: Number(lambdaDollars(gbSeconds, parts.length).toPrecision(3)),
  };
}
