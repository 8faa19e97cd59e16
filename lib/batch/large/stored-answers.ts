/**
 * The answers of functions to the subproblems of searches, for the job that Merge runs: the job is that of one function, but
 * a search that is split takes the stored answers.
 *
 *     part 0    solution of 0, counts of 0, counts of 1, solution of 2, ...
 *     part 1    counts of 3, solution of 4, ...                                read as a stream, one part after the other
 */
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';
import type { SearchCounts } from '../../exact-cover/search.ts';
import type { Frontier } from '../../exact-cover/split/frontier.ts';
import type { FoundSolution } from '../../exact-cover/split/split-search.ts';
import type { OpenSubproblems, SubproblemSolver } from '../solving/elsewhere.ts';
import { readJsonLines } from '../storage/json-lines.ts';
import type { ResultStorage } from '../storage/read-json.ts';
import type { CoverRange } from './covers.ts';
import type { WorkKeys } from './keys.ts';
import { ANSWERS_FILE, type StoredAnswer, type SubproblemsPart } from './subproblems.ts';

/** An answer to a subproblem, which comes after those to the subproblems before. */
interface PlacedAnswer {
  readonly index: number;
  readonly answer: FoundSolution | SearchCounts;
}

/**
 * Searches are split in the order of the file.
 *
 * @param shards of all problems that are split, in the order of the file
 * @param parts all that they have
 */
export function storedSearches(
  shards: readonly CoverRange[],
  parts: readonly SubproblemsPart[],
  keys: WorkKeys,
  storage: ResultStorage,
): SubproblemSolver {
  const problems = shards.filter(({ shard, firstShard }) => shard === firstShard);
  let opened = 0;
  return {
    /** @throws Error if the plan has another frontier */
    open(_problem: ExactCoverProblem, frontier: Frontier): OpenSubproblems {
      const size = frontier.subproblems.length;
      const searched = problems[opened++];
      if (searched?.subproblems !== size) {
        const planned = searched && `problem ${searched.problem}, which has ${searched.subproblems}`;
        throw new Error(
          `a search has ${size} subproblems, but the next one of the plan is ${planned ?? 'none'}`,
        );
      }
      const end = problems[opened]?.shard ?? Number.POSITIVE_INFINITY;
      const answered = parts.filter(({ shard }) => shard >= searched.shard && shard < end);
      const answers = answersOf(answered, shards, keys, storage);
      /** The next answers. */
      const read: PlacedAnswer[] = [];
      /** The subproblem whose answer was requested last, and whether no part has it. */
      let wanted = 0;
      let isMissing = false;
      return {
        done: answered.reduce((sum, { count }) => sum + count, 0),
        searchMs: answered.reduce((sum, { searchMs }) => sum + searchMs, 0),
        take(index) {
          wanted = index;
          return read.at(-1)?.index === index ? read.pop()!.answer : undefined;
        },
        async progress() {
          if (read.length === 0) {
            for (let next = await answers.next(); next.done !== true; next = await answers.next()) {
              if (read.push(next.value) === READ_AT_ONCE) break;
            }
            // The next one is last.
            read.reverse();
          }
          if (read.at(-1)?.index === wanted) return;
          if (isMissing) throw new Error(`no part has subproblem ${wanted}: nothing is committed`);
          // The caller compares the work so far with its limits, and rejects the file.
          isMissing = true;
        },
        close: () => void answers.return(),
      };
    },
  };
}

/** Answers that are read at once. */
const READ_AT_ONCE = 1000;

/** The answers in the order of the search. A part may have solutions of one more subproblem, whose search was not finished. */
async function* answersOf(
  parts: readonly SubproblemsPart[],
  shards: readonly CoverRange[],
  keys: WorkKeys,
  storage: ResultStorage,
): AsyncGenerator<PlacedAnswer, void, void> {
  for (const part of parts) {
    let index = shards[part.shard]!.from + part.from;
    const end = index + part.count;
    if (index === end) continue;
    const key = keys.partFile(part, ANSWERS_FILE);
    for await (const { document } of readJsonLines<StoredAnswer>(storage, key)) {
      if ('options' in document) {
        yield { index, answer: { ...document, options: Int32Array.from(document.options) } };
        continue;
      }
      yield { index, answer: { ...document, nodes: document.nodes ?? Number.POSITIVE_INFINITY } };
      if (++index === end) break;
    }
    if (index < end) throw new Error(`part ${part.part} of shard ${part.shard} has too few answers`);
  }
}
