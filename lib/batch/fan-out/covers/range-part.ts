/** The results of the functions that search ranges of subproblems. */
import type { SubproblemCounts } from '../../../exact-cover/split/split-search.ts';
import { inParallel } from '../../in-parallel.ts';
import type { ObjectStore } from '../../ports.ts';
import { readJsonLines } from '../../storage/json-lines.ts';
import { readWrittenJson } from '../../storage/read-json.ts';
import type { WorkKeys } from '../work-keys.ts';
import type { CoverRange } from './cover-ranges.ts';

/** What a range has found so far. */
export interface RangeTotals {
  readonly solutions: number;
  readonly nodes: number;
  /** Of packed solutions. */
  readonly bytes: number;
}

export const NO_TOTALS: RangeTotals = { solutions: 0, nodes: 0, bytes: 0 };

export function addTotals(a: RangeTotals, b: RangeTotals): RangeTotals {
  return { solutions: a.solutions + b.solutions, nodes: a.nodes + b.nodes, bytes: a.bytes + b.bytes };
}

/** `parts/<shard>-<part>.json`: consecutive subproblems of a range, written after their solutions. */
export interface RangePart {
  readonly shard: number;
  readonly part: number;
  /** Id of the attempt that wrote it; part of the key of its solutions. */
  readonly attemptId: string;
  /** The first subproblem. */
  readonly from: number;
  /** The counts of the subproblems; `nodes` is null if the search of one reached a limit. */
  readonly counts: readonly (Omit<SubproblemCounts, 'nodes'> & { readonly nodes: number | null })[];
  /** Of the range, with its earlier parts. A subproblem whose search reached a limit counts only with its bytes. */
  readonly totals: RangeTotals;
  /** Whether it is the last part of the range. Subproblems after it are not needed: those before reach a limit. */
  readonly last: boolean;
  /** Milliseconds of its function, of which it has searched so many. */
  readonly wallMs: number;
  readonly searchMs: number;
  readonly memoryMb: number;
}

/** File of the solutions of a part (packed-solutions.ts); a part without solutions has none. */
export const SOLUTIONS_FILE = 'solutions.bin';

const READS_AT_ONCE = 32;

interface PartStorage {
  readonly store: ObjectStore;
  readonly resultsBucket: string;
}

/** A part by its key. */
interface PartKey {
  readonly key: string;
  readonly shard: number;
  readonly part: number;
}

/** The parts of a job so far, in their order. */
async function partKeys(keys: WorkKeys, { store, resultsBucket }: PartStorage): Promise<PartKey[]> {
  const found: PartKey[] = [];
  for await (const key of store.list(resultsBucket, keys.parts)) {
    const numbers = /^(\d+)-(\d+)\.json$/.exec(key.slice(keys.parts.length));
    if (numbers !== null) found.push({ key, shard: Number(numbers[1]), part: Number(numbers[2]) });
  }
  // Keys of numbers with more digits than their padding are not listed in numeric order.
  return found.sort((a, b) => a.shard - b.shard || a.part - b.part);
}

function readKeys(found: readonly PartKey[], { store, resultsBucket }: PartStorage): Promise<RangePart[]> {
  return inParallel(found, READS_AT_ONCE, ({ key }) =>
    readWrittenJson<RangePart>(store, resultsBucket, key, 'it was deleted while its job ran'),
  );
}

/** What the ranges before a range have found so far: at least as much as when they are finished. */
export async function totalsBefore(
  { firstShard, shard }: CoverRange,
  keys: WorkKeys,
  storage: PartStorage,
): Promise<RangeTotals> {
  if (firstShard === shard) return NO_TOTALS;
  const latest = new Map<number, PartKey>();
  for (const found of await partKeys(keys, storage)) {
    if (found.shard >= firstShard && found.shard < shard) latest.set(found.shard, found);
  }
  const parts = await readKeys([...latest.values()], storage);
  return parts.reduce((sum, { totals }) => addTotals(sum, totals), NO_TOTALS);
}

/** The ranges of a problem, and their parts in the order of the search. */
export interface SearchedProblem {
  readonly problem: number;
  readonly subproblems: number;
  readonly parts: readonly RangePart[];
}

/**
 * Reads the parts of all ranges.
 *
 * @throws Error if a range is not finished: nothing may be committed
 */
export async function readRangeParts(keys: WorkKeys, storage: PartStorage): Promise<SearchedProblem[]> {
  const { store, resultsBucket } = storage;
  const parts = await readKeys(await partKeys(keys, storage), storage);
  const problems: (SearchedProblem & { readonly parts: RangePart[] })[] = [];
  let next = 0;
  for await (const { document: range } of readJsonLines<CoverRange>(store, resultsBucket, keys.shards)) {
    const { shard, problem, subproblems } = range;
    if (range.firstShard === shard) problems.push({ problem, subproblems, parts: [] });
    let ended = false;
    let to = range.from;
    for (; parts[next]?.shard === shard; next++) {
      const part = parts[next]!;
      if (part.from !== to) break;
      to += part.counts.length;
      ended = part.last;
      problems.at(-1)!.parts.push(part);
    }
    if (ended) continue;
    const missing = `subproblems ${to} to ${range.to - 1} of problem ${problem} (shard ${shard})`;
    throw new Error(`no part has the ${missing}: nothing is committed`);
  }
  return problems;
}
