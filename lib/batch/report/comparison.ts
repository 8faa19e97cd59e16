/**
 * Compares two result sets record by record: answers, difficulty, effort, time.
 *
 * Records at the same place are compared at once, so sets in the same order take no memory. Others wait for the record with
 * the same puzzle. What is left at the end is matched by its id, or by its number and line if one of the two could not be read.
 */
import type { JobRecord } from '../results/job-record.ts';

/** Records of one set that may wait for those of the other. */
export const MAX_WAITING = 100_000;
/** Pairs that are kept of each kind of difference. */
const MAX_EXAMPLES = 100;
/** Pairs that are kept of those with the largest differences of effort or time. */
const MAX_LARGEST = 10;

export interface RecordPair {
  readonly a: JobRecord;
  readonly b: JobRecord;
}

/** Pairs with a difference of one kind: all are counted, the first ones are kept. */
export interface Difference<Example = RecordPair> {
  count: number;
  readonly examples: Example[];
}

/** The sets are in too different an order, or have too few records in common. */
export class TooManyWaitingError extends Error {
  override readonly name = 'TooManyWaitingError';
}

/** Sums over the pairs of which both records have a number. */
interface Sums {
  pairs: number;
  differing: number;
  a: number;
  b: number;
  readonly largest: RecordPair[];
}

const noSums = (): Sums => ({ pairs: 0, differing: 0, a: 0, b: 0, largest: [] });

export class Comparison {
  /** Records that are in both sets. */
  pairs = 0;
  /** By kind, such as `solved in A, multiple in B`. */
  readonly answers = new Map<string, Difference>();
  readonly onlyInA: Difference<JobRecord> = { count: 0, examples: [] };
  readonly onlyInB: Difference<JobRecord> = { count: 0, examples: [] };
  /** Pairs in which both are rated. */
  rated = 0;
  readonly ratings = new Map<string, Difference>();
  readonly nodes = noSums();
  readonly guesses = noSums();
  readonly solveUs = noSums();

  /** Whether every record has the same answer in both sets. */
  get isSame(): boolean {
    return this.answers.size + this.onlyInA.count + this.onlyInB.count === 0;
  }

  /** @param byIndex whether a set has no puzzles, so that records are matched by their numbers */
  async compare(a: AsyncIterable<JobRecord>, b: AsyncIterable<JobRecord>, byIndex: boolean): Promise<void> {
    for await (const [first, second] of matched(a, b, byIndex)) {
      if (first === undefined) addExample(this.onlyInB, second!);
      else if (second === undefined) addExample(this.onlyInA, first);
      else this.#add({ a: first, b: second });
    }
  }

  #add(pair: RecordPair): void {
    const { a, b } = pair;
    this.pairs++;
    addKind(this.answers, answerDifference(pair), pair);
    if (a.rating !== undefined && b.rating !== undefined) {
      this.rated++;
      const isSame =
        a.rating === b.rating && a.grade === b.grade && a.ratingIsLowerBound === b.ratingIsLowerBound;
      const kind =
        a.grade === b.grade ? `another rating, both ${a.grade}` : `${a.grade} in A, ${b.grade} in B`;
      addKind(this.ratings, isSame ? undefined : kind, pair);
    }
    for (const field of ['nodes', 'guesses', 'solveUs'] as const) addSums(this[field], field, pair);
  }
}

function addKind(kinds: Map<string, Difference>, kind: string | undefined, pair: RecordPair): void {
  if (kind === undefined) return;
  const difference = kinds.get(kind) ?? { count: 0, examples: [] };
  kinds.set(kind, difference);
  addExample(difference, pair);
}

function addExample<Example>(difference: Difference<Example>, example: Example): void {
  difference.count++;
  if (difference.examples.length < MAX_EXAMPLES) difference.examples.push(example);
}

function addSums(sums: Sums, field: 'nodes' | 'guesses' | 'solveUs', pair: RecordPair): void {
  const [a, b] = [pair.a[field], pair.b[field]];
  if (a === undefined || b === undefined) return;
  sums.pairs++;
  sums.a += a;
  sums.b += b;
  if (a === b) return;
  sums.differing++;
  const gap = (each: RecordPair) => Math.abs(each.a[field]! - each.b[field]!);
  const last = sums.largest.at(-1);
  if (sums.largest.length === MAX_LARGEST && gap(pair) <= gap(last!)) return;
  sums.largest.push(pair);
  sums.largest.sort((one, other) => gap(other) - gap(one)).splice(MAX_LARGEST);
}

/** How two answers to a puzzle differ; undefined if they do not. What one of the sets does not say is no difference. */
function answerDifference({ a, b }: RecordPair): string | undefined {
  const differs = (field: keyof JobRecord) =>
    a[field] !== undefined && b[field] !== undefined && String(a[field]) !== String(b[field]);
  if (a.puzzle !== undefined && b.puzzle !== undefined && puzzleOf(a) !== puzzleOf(b))
    return 'another puzzle';
  if (a.status !== b.status) return `${a.status} in A, ${b.status} in B`;
  if (differs('solution') || (a.solution === undefined) !== (b.solution === undefined)) {
    return a.status === 'solved' ? 'another solution' : 'another first solution';
  }
  if (differs('solutions') || differs('exact')) return 'another number of solutions';
  if (differs('cost') || differs('costBound')) return 'another cost';
  return a.error?.code === b.error?.code ? undefined : 'another error';
}

/** The puzzle and its rules, whatever its blanks are. */
function puzzleOf({ puzzle, blank, variant, size, regions }: JobRecord): string | undefined {
  if (puzzle === undefined) return undefined;
  const plain = blank === undefined ? puzzle : puzzle.replaceAll(blank, '.');
  return [plain, size, variant, regions].join(' ');
}

/** Pairs of equal records, and those that only one side has. */
async function* matched(
  a: AsyncIterable<JobRecord>,
  b: AsyncIterable<JobRecord>,
  byIndex: boolean,
): AsyncGenerator<readonly [a: JobRecord | undefined, b: JobRecord | undefined], void, void> {
  const keyOf = (record: JobRecord) =>
    byIndex ? `record ${record.index}` : (puzzleOf(record) ?? `line ${record.line}`);
  const sets = [a, b].map((records) => records[Symbol.asyncIterator]());
  /** Records of either set that wait for one of the other, by their keys, in their order. */
  const waiting = new Map<string, readonly [a: JobRecord[], b: JobRecord[]]>();
  const sizes = [0, 0];
  for (;;) {
    const next = await Promise.all(sets.map((set) => set.next()));
    if (next.every(({ done }) => done)) break;
    for (const [side, { value: record }] of next.entries()) {
      if (record === undefined) continue;
      const key = keyOf(record);
      const same = waiting.get(key) ?? [[], []];
      waiting.set(key, same);
      same[side]!.push(record);
      sizes[side]!++;
      const [[first], [second]] = same;
      if (first === undefined || second === undefined) continue;
      yield [first, second];
      for (const set of [0, 1]) {
        same[set]!.shift();
        sizes[set]!--;
      }
      if (same.every((records) => records.length === 0)) waiting.delete(key);
    }
    if (Math.max(...sizes) > MAX_WAITING) throw new TooManyWaitingError();
  }
  const rest = (side: number) =>
    [...waiting.values()].flatMap((same) => same[side]!).sort((one, other) => one.index - other.index);
  yield* matchRest(rest(0), rest(1));
}

/** Records that are left at the end. */
function* matchRest(
  a: readonly JobRecord[],
  b: readonly JobRecord[],
): Iterable<readonly [a: JobRecord | undefined, b: JobRecord | undefined]> {
  const left = new Set(b);
  const byId = new Map(
    b.flatMap((record) => (record.id === undefined ? [] : [[record.id, record] as const])),
  );
  const byLine = new Map(b.map((record) => [record.line, record]));
  for (const record of a) {
    const named = record.id === undefined ? undefined : byId.get(record.id);
    const there = byLine.get(record.line);
    const isSamePlace = there?.index === record.index;
    const isUnreadable = isSamePlace && (record.puzzle === undefined || there.puzzle === undefined);
    const other = [named, isUnreadable ? there : undefined].find((each) => each && left.has(each));
    if (other !== undefined) left.delete(other);
    yield [record, other];
  }
  for (const record of left) yield [undefined, record];
}
