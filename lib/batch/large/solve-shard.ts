/**
 * Solves one part of a shard: records of a range of a file (records.ts), or subproblems of a search (subproblems.ts).
 *
 * A function stops near the end of its time, and the next one continues after the part.
 */
import type { FileWriter } from '../ports.ts';
import { readJson } from '../storage/read-json.ts';
import { putIfAbsent } from '../storage/write-json.ts';
import type { CoverRange } from './covers.ts';
import type { WorkKeys } from './keys.ts';
import { isCoverPlan, type LargeDependencies, readPlan, type Shard } from './large-job.ts';
import type { Part, PartCursor } from './parts.ts';
import { solveRecords } from './records.ts';
import type { ShardItem, SolveShardInput, StepProgress } from './steps.ts';
import { searchSubproblems } from './subproblems.ts';

/** One attempt at a part: its place, and where it writes. */
export interface PartAttempt<Item extends ShardItem, Cursor extends PartCursor> {
  readonly item: Item;
  readonly cursor: Cursor;
  readonly keys: WorkKeys;
  /** What its document begins with. */
  readonly head: Pick<Part, 'shard' | 'part' | 'attemptId' | 'from' | 'memoryMb'>;
  open(name: string, contentType: string): FileWriter;
}

/** What solving a part gives: the part, to be stored, or a cursor with which it is attempted in another way. */
export type Attempted<Found extends Part> = Found | { readonly retry: PartCursor };

export async function solveShard(
  input: SolveShardInput,
  dependencies: LargeDependencies,
): Promise<StepProgress> {
  const { plan, keys } = await readPlan(input, dependencies);
  const { store, resultsBucket, ids, runtime } = dependencies;
  const cursor = (input.cursor ?? { part: 0, done: 0 }) as unknown as PartCursor;
  const { shard } = input.shard;
  const key = keys.part(shard, cursor.part);
  const head = {
    shard,
    part: cursor.part,
    attemptId: ids.next(),
    from: cursor.done,
    memoryMb: runtime.memoryMb,
  };
  const attempt = {
    cursor,
    keys,
    head,
    open: (name: string, contentType: string) =>
      store.writer(resultsBucket, keys.partFile(head, name), contentType),
  };
  const solve = (): Promise<Attempted<Part>> =>
    isCoverPlan(plan)
      ? searchSubproblems(plan, { ...attempt, item: input.shard as CoverRange }, dependencies)
      : solveRecords(plan, { ...attempt, item: input.shard as Shard }, dependencies);
  const stored = await readJson<Part>(store, resultsBucket, key);
  let part = stored?.document;
  if (part === undefined) {
    const attempted = await solve();
    if ('retry' in attempted) return { done: false, cursor: { ...attempted.retry } };
    part = await putIfAbsent(store, resultsBucket, key, attempted);
  }
  if (part.last) return { done: true, cursor: null };
  const next: PartCursor = { ...cursor, part: cursor.part + 1, done: cursor.done + part.count };
  return { done: false, cursor: { ...next, atMost: undefined } };
}
