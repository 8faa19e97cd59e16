/** Searches in a worker thread: subproblems of a search, until none are left, or a whole problem. */
import { CoverAnswer } from '../batch/covers/cover-answer.ts';
import { searchCover } from '../batch/covers/solve-cover.ts';
import type { SubproblemSolver } from '../batch/solving/subproblem-solver.ts';
import { createLinks } from '../exact-cover/split/create-links.ts';
import { type Frontier, frontierSize } from '../exact-cover/split/frontier.ts';
import type { SubproblemCounts } from '../exact-cover/split/split-search.ts';
import { type SubproblemLimits, searchSubproblem } from '../exact-cover/split/subproblem-search.ts';
import { BatchWriter } from './batch-writer.ts';
import {
  claimSubproblem,
  isStopped,
  mustLeave,
  type ProblemMessage,
  type SearchMessage,
  type SubproblemMessage,
  waitToSend,
} from './search-message.ts';
import { systemClock } from './system.ts';

type Send = (message: SubproblemMessage) => void;

/** The counts of a subproblem that its thread has left: too many for every joiner, which searches it again. */
const LEFT: SubproblemCounts = {
  solutions: Number.POSITIVE_INFINITY,
  nodes: Number.POSITIVE_INFINITY,
  guesses: 0,
  updates: 0,
};

/** Searches this thread's share of the subproblems, and sends what it finds. */
export function searchShare(message: Omit<SearchMessage, 'kind'>, send: Send): void {
  const { id, problem, frontier, limits, control } = message;
  const links = createLinks(problem, frontier);
  const size = frontierSize(frontier);
  while (!mustLeave(control)) {
    const index = claimSubproblem(control);
    if (index >= size) return;
    let isLeft = false;
    const batches = new BatchWriter((batch) => {
      if (waitToSend(control, index, batch)) send({ id, kind: 'solutions', index, batch });
      else isLeft = true;
    });
    const counts = searchSubproblem(
      links,
      frontier,
      index,
      limits,
      () => batches.add(links),
      () => !isLeft && !isStopped(control),
    );
    if (counts !== undefined) batches.flush();
    if (isStopped(control)) return;
    send({ id, kind: 'searched', index, counts: isLeft ? LEFT : counts!, bytes: links.bytes });
  }
}

/** Searches a problem; if it is split, this thread's share of its subproblems. */
export function searchProblem(message: ProblemMessage, send: Send): void {
  const { id, problem, request, control, subproblems } = message;
  const { limits, counting, checkAll, splitRule } = request;
  let split: { readonly frontier: Frontier; readonly limits: SubproblemLimits } | undefined;
  const solver: SubproblemSolver = {
    open(_problem, frontier, subproblemLimits) {
      split = { frontier, limits: subproblemLimits };
      return { done: 0, take: () => undefined, progress: async () => {}, close: () => {} };
    },
  };
  let isLeft = false;
  const batches = new BatchWriter((batch) => {
    if (waitToSend(control, 0, batch)) send({ id, kind: 'solutions', index: 0, batch });
    else isLeft = true;
  });
  const answer = new CoverAnswer();
  const options = { clock: systemClock, counting, checkAll, splitRule, subproblems: solver };
  for (const step of searchCover(problem, limits, answer, options)) {
    if (isStopped(control)) return;
    const { solutions, nodes, guesses, updates } = answer;
    if (step === 'solution')
      batches.add({ ...answer, selected: answer.options, selectedCount: answer.options.length });
    else {
      batches.flush();
      send({ id, kind: 'searching', counts: { solutions, nodes, guesses, updates } });
    }
    if (split === undefined && !isLeft) continue;
    send({ id, kind: 'unfinished' });
    if (split !== undefined) searchShare({ ...subproblems, problem, ...split }, send);
    return;
  }
  batches.flush();
  const { options: _options, subproblems: _subproblems, ...end } = answer;
  send(isLeft ? { id, kind: 'unfinished' } : { id, kind: 'ended', end });
}
