/**
 * The contract of the pool: threads that ask for tasks give the answers of one thread, in bounded memory, until the deadline, and
 * with the error of a thread that fails. A task is a range of records, a problem, or a subproblem. `test/batch/jobs-ways.ts` runs
 * all kinds of jobs by threads.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Clock } from '../../lib/batch/ports.ts';
import { createBlockAnswers, markUnreadable } from '../../lib/batch/solving/block-answers.ts';
import type { BlockSolver } from '../../lib/batch/solving/block-solver.ts';
import { blockTasks } from '../../lib/batch/solving/block-tasks.ts';
import { searchCover, takeCover } from '../../lib/batch/solving/cover-search.ts';
import { OutOfTimeError, type Step } from '../../lib/batch/solving/drive.ts';
import type { OpenSubproblems } from '../../lib/batch/solving/elsewhere.ts';
import { Elsewhere } from '../../lib/batch/solving/elsewhere.ts';
import { problemsAhead } from '../../lib/batch/solving/problems-ahead.ts';
import { EngineSearch, PuzzleSearch, searchPuzzle } from '../../lib/batch/solving/puzzle-search.ts';
import { RangeSolver, SPLIT } from '../../lib/batch/solving/range-solver.ts';
import { RecordAnswer } from '../../lib/batch/solving/record-search.ts';
import { serveRanges } from '../../lib/batch/solving/serve-ranges.ts';
import { type Port, type Reply, ThreadPool } from '../../lib/batch/solving/thread-pool.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { SearchStop } from '../../lib/exact-cover/search.ts';
import { searchBytes } from '../../lib/exact-cover/search-memory.ts';
import { createLinks } from '../../lib/exact-cover/split/create-links.ts';
import { SPLIT_RULE, SplitSearch } from '../../lib/exact-cover/split/split-search.ts';
import { subproblemSteps } from '../../lib/exact-cover/split/subproblem-search.ts';
import type { CoverRecord } from '../../lib/formats/exact-cover/cover-record.ts';
import type { RecordBlock } from '../../lib/formats/records/record-block.ts';
import { systemClock } from '../../lib/node/system.ts';
import { openWorker, workerPool } from '../../lib/node/worker-pool.ts';
import type { Engine } from '../../lib/sudoku/engine.ts';
import { CoverKernel } from '../../lib/sudoku/engines/dlx/cover-kernel.ts';
import { KernelEngine } from '../../lib/sudoku/engines/kernel-engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import { sudokuCover } from '../../lib/sudoku/sudoku-cover.ts';
import { latinSquare } from '../exact-cover/board-problems.ts';
import { smallProblem } from '../exact-cover/brute-force.ts';
import { langford, pentominoes } from '../exact-cover/classic-problems.ts';
import { reducedDissections } from '../exact-cover/known-problems.ts';
import { sparseText } from '../formats/exact-cover/problem-files.ts';
import { FakeClock } from '../support/dependencies.ts';
import { propertyRuns } from '../support/depth.ts';
import { CLASHING, CUT_OFF, EASY, HARD, TWO_SOLUTIONS, UNSOLVABLE } from '../support/puzzles.ts';
import { resultFiles, runText, solveText } from '../support/run-job.ts';
import { type SearchThreads, searchThreads } from './threads.ts';

const INFINITE = Number.POSITIVE_INFINITY;

describe('the pool', () => {
  /** A pool of two threads that a test answers for, and a source of so many tasks. */
  function scripted(count: number) {
    const posted: { id: number; task: number; thread: number }[] = [];
    const replies: ((reply: Reply) => void)[] = [];
    const failures: ((error: unknown) => void)[] = [];
    const pool = new ThreadPool((onReply, onFailure) => {
      const thread = replies.push(onReply) - 1;
      failures.push(onFailure);
      return {
        post: (message) => posted.push({ ...(message as (typeof posted)[0]), thread }),
        close: () => {},
      };
    });
    const received: string[] = [];
    const failed: unknown[] = [];
    let next = 0;
    pool.sources.push({
      next: ({ tasks }) => {
        if (tasks.size > 0 || next === count) return undefined;
        const task = next++;
        return { message: { task }, receive: ({ isEnd }) => void received.push(`${task} ${isEnd}`) };
      },
      fail: (error) => void failed.push(error),
    });
    return { pool, posted, replies, failures, received, failed };
  }

  it('gives a task to each thread, and the next one at the end of one', () => {
    const { pool, posted, replies, received } = scripted(3);
    pool.start(2);
    pool.give();
    expect(posted.map(({ task, thread }) => [task, thread])).toEqual([
      [0, 0],
      [1, 1],
    ]);
    replies[1]!({ id: posted[1]!.id, isEnd: false });
    expect(posted).toHaveLength(2);
    replies[1]!({ id: posted[1]!.id, isEnd: true });
    expect(posted.slice(2).map(({ task, thread }) => [task, thread])).toEqual([[2, 1]]);
    expect(received).toEqual(['1 false', '1 true']);
  });

  it('tells all sources that a thread has failed, unless it was closed', async () => {
    const { pool, failures, failed } = scripted(3);
    pool.start(2);
    const error = new Error('it exited');
    failures[0]!(error);
    expect([failed, pool.failure]).toEqual([[error], error]);
    await pool.close();
    failures[1]!(new Error('it was ended'));
    expect([failed, pool.failure]).toEqual([[error], error]);
  });

  it.each<[name: string, end: (port: Port) => unknown]>([
    ['exits', (port) => port.close()],
    ['throws', (port) => port.post({ kind: 'range', id: 1 })],
  ])('knows that a thread %s', async (_name, end) => {
    const failure = Promise.withResolvers<unknown>();
    const port = openWorker(() => {}, failure.resolve);
    onTestFinished(() => void port.close());
    await end(port);
    expect(await failure.promise).toBeInstanceOf(Error);
  });

  it('fails a block with the error of a range', async () => {
    const { pool, posted, replies } = scripted(0);
    pool.start(1);
    const blocks = blockTasks(pool, 'dlx', systemClock, true);
    const block = blockOf([1], [2]);
    const limits = { maxSolutions: 2, maxNodes: 9, maxMs: INFINITE, deadlineMs: INFINITE };
    const solved = blocks.solve(block, limits, createBlockAnswers(2, 36));
    replies[0]!({ id: posted[0]!.id, isEnd: true, error: new Error('a defect') });
    await expect(solved).rejects.toThrow('a defect');
  });
});

/** A pool and its engine for one test. */
function pool(engineName: 'dlx' | 'backtrack') {
  const engine = createEngine(engineName);
  const { solver, close } = workerPool(2, engine, systemClock);
  onTestFinished(close);
  return { engine, solver, clock: systemClock };
}

describe('ranges of records', () => {
  it('share blocks of more records than a thread takes at a time, and miss none', async () => {
    const file = `${[EASY, HARD, TWO_SOLUTIONS, CUT_OFF, UNSOLVABLE, CLASHING, HARD].join('\n')}\n`.repeat(
      700,
    );
    const alone = await solveText(file, { engine: 'dlx' });
    const together = await solveText(file, { engine: 'dlx' }, { dependencies: pool('dlx') });
    expect(together.stats.puzzles).toEqual(alone.stats.puzzles);
    expect(together.solutions === alone.solutions).toBe(true);
    expect(together.files['exceptions.jsonl'] === alone.files['exceptions.jsonl']).toBe(true);
    expect(together.stats.search).toEqual(alone.stats.search);
  });

  it('let the job run other work during a hard search', async () => {
    let turns = 0;
    let finished = false;
    const count = () => {
      turns++;
      if (!finished) setImmediate(count);
    };
    setImmediate(count);
    const options = { engine: 'backtrack', 'max-nodes': '400000', solutions: '2' };
    await solveText(`${'.'.repeat(625)}\n`, options, { dependencies: pool('backtrack') });
    finished = true;
    expect(turns).toBeGreaterThan(20);
  });

  it('fail the job with the error of a thread that found a wrong solution', async () => {
    const { engine } = pool('dlx');
    const wrong: Engine = {
      ...engine,
      name: 'dlx',
      version: 1,
      refuses: () => undefined,
      resume: () => {},
      solve(puzzles, from, to, limits, answers, watch) {
        engine.solve(puzzles, from, to, limits, answers, watch);
        answers.cells[from * 81] = (answers.cells[from * 81]! % 9) + 1;
      },
    };
    const { solver, close } = workerPool(2, wrong, systemClock);
    onTestFinished(close);
    await expect(
      runText(`${EASY}\n`.repeat(600), {}, { dependencies: { engine, solver, clock: systemClock } }),
    ).rejects.toThrow('engine dlx returned a wrong solution');
  });

  it('read the same clock, so that a deadline is the same for each', async () => {
    const code = "require('node:worker_threads').parentPort.postMessage(performance.now())";
    const before = systemClock.monotonicMs();
    const [there] = await once(new Worker(code, { eval: true }), 'message');
    expect(there).toBeGreaterThan(before);
    expect(there).toBeLessThan(systemClock.monotonicMs());
  });

  it('end at the deadline in each thread', () => {
    const replies: Reply[] = [];
    const serve = serveRanges((reply) => void replies.push(reply), new FakeClock(1));
    const geometry = standardGeometry(25);
    const range = { geometry, cells: new Uint8Array(625), isShared: true, from: 0, to: 1, leftMs: 20 };
    const limits = { maxSolutions: 2, maxNodes: 2_000_000, maxMs: INFINITE, deadlineMs: INFINITE };
    const answers = createBlockAnswers(1, 625);
    serve({ kind: 'range', id: 7, engine: 'backtrack', ...range, limits, answers });
    expect(replies).toEqual([{ id: 7, isEnd: true, error: OutOfTimeError.name }]);
  });

  it("stop at the job's deadline during a puzzle", async () => {
    // Enough easy puzzles to start the threads, then one that takes forever.
    const file = `${`${HARD}\n`.repeat(1_000)}\n${'.'.repeat(625)}\n`;
    const outcome = await runText(
      file,
      { engine: 'backtrack', 'max-nodes': '999999999999999', solutions: '2' },
      { dependencies: pool('backtrack'), deadlineMs: systemClock.monotonicMs() + 1_500 },
    );
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'too_large' } });
  });
});

const RULE = { ...SPLIT_RULE, work: 1, nodes: 100 };
const ALL = { maxSolutions: INFINITE, maxNodes: INFINITE, each: true };

/** A batch of 16,384 options, with the lengths and counts of its solutions. */
const BATCH_BYTES = 100_000;

/** Runs a search, with its subproblems on these threads if there are any. */
async function outcomeOf(problem: ExactCoverProblem, limits: Partial<typeof ALL>, threads?: SearchThreads) {
  const { maxSolutions, maxNodes, each } = { ...ALL, ...limits };
  let open: OpenSubproblems | undefined;
  const search = new SplitSearch(problem, maxSolutions, { rule: RULE });
  search.openAnswers =
    threads && ((frontier) => (open = threads.open(problem, frontier, { maxSolutions, maxNodes, each })));
  const found: string[] = [];
  try {
    for (;;) {
      const before = search.solutions;
      const pauseAtSolution = each || before === 0;
      const stop = search.run({ maxSolutions, maxNodes, sliceNodes: 1000, pauseAtSolution });
      if (each && search.solutions > before) {
        found.push(search.selected.slice().sort().join(' '));
      }
      if (search.isWaiting) await open!.progress();
      if (stop === SearchStop.slice || stop === SearchStop.solution) continue;
      const { solutions, nodes, guesses, updates } = search;
      return { stop, found, solutions, nodes, guesses, updates };
    }
  } finally {
    open?.close();
  }
}

/** Its counts, and a digest of its solutions in their order. */
async function digestOf(steps: Iterable<Step>, answer: RecordAnswer) {
  const hash = createHash('sha256');
  for (const step of steps) {
    if (step instanceof Promise) await step;
    if (step === 'solution') hash.update(answer.options);
  }
  const { solutions, nodes, guesses, updates, status, stop } = answer;
  return { solutions, nodes, guesses, updates, status, stop, found: hash.digest('hex') };
}

describe('subproblems and problems', () => {
  // A limit of 1 byte: each batch waits until its subproblem is joined next.
  const pools = [searchThreads(1, 1), searchThreads(3)];
  afterAll(() => Promise.all(pools.map((threads) => threads.close())));

  it.each([
    ['every solution', langford(8), {}],
    ['every solution of a problem in WebAssembly', pentominoes(3, 20), {}],
    ['a count', langford(8), { each: false }],
    ['the first 40 solutions', langford(8), { maxSolutions: 40 }],
    ['a count up to 40', langford(8), { maxSolutions: 40, each: false }],
    ['a budget of nodes', langford(8), { maxNodes: 1234 }],
    ['the proof that there is none', langford(9), { maxSolutions: 2 }],
    ['every solution of a problem with multiplicities', reducedDissections(3, 4), {}],
  ])('find %s', async (_name, problem, limits) => {
    const here = await outcomeOf(problem, limits);
    for (const threads of pools) expect(await outcomeOf(problem, limits, threads)).toEqual(here);
  });

  it('wait while solutions that are not joined take too much memory', async () => {
    const problem = latinSquare(5);
    const maxBytes = 500_000;
    const threads = searchThreads(2, maxBytes);
    onTestFinished(() => threads.close());
    let open: OpenSubproblems | undefined;
    const search = new SplitSearch(problem, ALL.maxSolutions, { rule });
    search.openAnswers = (frontier) => {
      open = threads.open(problem, frontier, ALL);
      return open;
    };
    while (open === undefined) search.run({ ...ALL, sliceNodes: 100, pauseAtSolution: false });
    const { subproblems } = search;
    const linkBytes = open.bytes!;
    // Nothing is joined. 161,280 solutions of 128 bytes: the threads could send them all if they did not wait.
    const waiting = () => open!.bytes! - linkBytes;
    for (let before = -1; before < waiting() || waiting() === 0; ) {
      before = waiting();
      await setTimeout(500);
    }
    expect(open.done).toBeLessThan(subproblems!.all);
    expect(waiting()).toBeGreaterThan(maxBytes / 2);
    expect(waiting()).toBeLessThan(2 * maxBytes + 2 * BATCH_BYTES);
    open.close();
  });

  it.each([
    ['whole', SPLIT_RULE],
    // Few subproblems, which have several solutions.
    ['split', { ...RULE, least: 4, most: 8 }],
  ])(
    'wait with a problem before its turn, %s, while the job searches itself what its turn needs',
    async (_name, splitRule) => {
      const threads = pools[0];
      const problem = langford(11);
      const limits = { maxSolutions: 20_000, maxNodes: INFINITE, maxMs: INFINITE, deadlineMs: INFINITE };
      const options = { clock: systemClock, counting: false, splitRule };
      const started = threads.begin(problem, { limits, counting: false, checkAll: false, splitRule });
      expect(threads.idle).toBe(0);
      // In this time it has found more than may wait; the answer is the same if it has not.
      await setTimeout(300);
      expect(await outcomeOf(langford(7), {}, threads)).toEqual(await outcomeOf(langford(7), {}));
      const [taken, here] = [new RecordAnswer(), new RecordAnswer()];
      const found = await digestOf(takeCover(problem, started, limits, taken, options), taken);
      expect(found).toEqual(await digestOf(searchCover(problem, limits, here, options), here));
    },
  );

  it('before their turn give the same files for random small problems', async () => {
    const plain = smallProblem.filter(
      ({ primaryCount, colours }) => primaryCount > 0 && colours === undefined,
    );
    const options = { format: 'sparse', records: 'true', solutions: 'all', output: 'jsonl' };
    await fc.assert(
      fc.asyncProperty(fc.array(plain, { minLength: 2, maxLength: 30 }), async (problems) => {
        const text = problems.map((problem) => sparseText(problem)).join('\n');
        const here = await resultFiles(text, options);
        for (const threads of pools) {
          const solver: BlockSolver = {
            ...{ workers: 2, depth: 1, sharedMemory: true, subproblems: threads, problems: threads },
            solve: () => Promise.reject(new Error('an exact-cover file has no blocks')),
          };
          const there = await resultFiles(text, options, { dependencies: { clock: fastClock, solver } });
          expect(there).toEqual(here);
        }
      }),
      { numRuns: propertyRuns(10) },
    );
  });

  /** Langford pairs of 14: there are none, and the proof takes minutes. */
  const ENDLESS = langford(14);
  const REQUEST = {
    limits: { maxSolutions: INFINITE, maxNodes: INFINITE, maxMs: INFINITE, deadlineMs: INFINITE },
    ...{ counting: false, checkAll: false, splitRule: { ...SPLIT_RULE, work: INFINITE } },
  };
  /** Two subproblems, each the whole problem. */
  const WHOLE = [0, 1].map(() => ({ selected: [], isGuess: false }));

  it.each<[name: string, begin: (threads: SearchThreads) => { close(): void }]>([
    ['problem', (threads) => threads.begin(ENDLESS, REQUEST)],
    [
      'subproblem',
      (threads) => threads.open(ENDLESS, { subproblems: WHOLE.slice(1), few: false, learns: false }, ALL),
    ],
  ])('end the search of a %s that is no longer wanted', async (_name, begin) => {
    const threads = searchThreads(1);
    onTestFinished(() => threads.close());
    const started = begin(threads);
    await setTimeout(200);
    expect(threads.idle).toBe(0);
    started.close();
    await expect.poll(() => threads.idle, { timeout: 10_000 }).toBe(1);
  });

  it('send no more solutions of a subproblem than they may', async () => {
    const threads = searchThreads(2, 500_000);
    onTestFinished(() => threads.close());
    const open = threads.open(latinSquare(5), { subproblems: WHOLE, few: false, learns: false }, ALL);
    const before = open.bytes!;
    // Each has 161,280 solutions of 128 bytes.
    await setTimeout(1000);
    expect(open.bytes! - before).toBeGreaterThan(0);
    expect(open.bytes! - before).toBeLessThan(6 * BATCH_BYTES);
    open.close();
  });

  it('give many solutions of a subproblem in their order', async () => {
    const problem = latinSquare(5);
    const frontier = { subproblems: WHOLE.slice(1), few: false, learns: false };
    const limits = { ...ALL, maxSolutions: 5000 };
    const links = createLinks(problem, frontier);
    const optionsOf = (options: Int32Array) => [...options].sort((a, b) => a - b).join(' ');
    const here: string[] = [];
    for (const step of subproblemSteps(links, frontier, 0, limits)) {
      if (step === 'solution') here.push(optionsOf(links.selected.slice()));
    }
    const open = pools[1].open(problem, frontier, limits);
    await expect.poll(() => open.done, { timeout: 10_000 }).toBe(1);
    const there: string[] = [];
    for (let answer = open.take(0); answer !== undefined && 'options' in answer; answer = open.take(0)) {
      there.push(optionsOf(answer.options));
    }
    open.close();
    expect(here).toHaveLength(5000);
    expect(there.join('\n') === here.join('\n')).toBe(true);
  });

  it('give up a problem with too many solutions to wait for its turn', async () => {
    const started = pools[1].begin(latinSquare(5), REQUEST);
    await expect.poll(() => started.answer, { timeout: 10_000 }).toBe('given up');
    started.close();
  });

  it('begin with a bounded number of problems before their turn', async () => {
    async function* records() {
      for (let k = 0; k < 200; k++) yield { cover: { problem: langford(3) } } as CoverRecord;
    }
    let begun = 0;
    const solver = {
      idle: 1000,
      begin: () => {
        begun++;
        return undefined as never;
      },
      turn: async () => {},
    };
    const ahead = problemsAhead(records(), solver, () => REQUEST);
    await ahead.begin(1e9, false);
    await setTimeout(100);
    expect(begun).toBe(64);
  });

  it('report a failure', async () => {
    const problem = { ...langford(8), optionStart: undefined as never };
    const threads = pools[1];
    const alone = searchThreads(1);
    onTestFinished(() => alone.close());
    const started = alone.begin(problem, REQUEST);
    await expect.poll(() => hasThrown(() => started.answer), { timeout: 10_000 }).toBe(true);
    const open = threads.open(problem, { subproblems: WHOLE, few: false, learns: false }, ALL);
    await expect(async () => {
      for (;;) {
        open.take(0);
        await open.progress();
      }
    }).rejects.toThrow(TypeError);
  });
});

function hasThrown(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}

/** A clock that is ahead, so that each search has lasted long enough for other threads. */
const fastClock: Clock = {
  monotonicMs: () => systemClock.monotonicMs() * 1e6,
  timeOfDay: () => systemClock.timeOfDay(),
};

/** A 6x6 whose second row begins with 4: it has thousands of solutions. */
const WIDE = [1, 2, 3, 4, 5, 6, 4];
/** The same with a row that cannot be completed, which takes a search to see. */
const NONE = [1, 2, 3, 0, 0, 0, 0, 0, 0, 4, 5, 0, 0, 0, 0, 0, 0, 6, 6];

const rule = { ...SPLIT_RULE, work: 1, nodes: 10, least: 16 };
const splittingEngine = () =>
  new KernelEngine('dlx', 5, (geometry) => {
    return new CoverKernel(geometry, (problem) => new SplitSearch(problem, 2, { rule }));
  });

function blockOf(...puzzles: readonly (readonly number[])[]): RecordBlock {
  const geometry = standardGeometry(6);
  const cells = new Uint8Array(puzzles.length * geometry.cellCount);
  for (const [k, givens] of puzzles.entries()) cells.set(givens, k * geometry.cellCount);
  return { geometry, cells, count: puzzles.length, notes: new Map() } as Partial<RecordBlock> as RecordBlock;
}

describe('a puzzle whose search is split', () => {
  const threads = searchThreads(2);
  afterAll(() => threads.close());

  it('is left to all threads by the one that finds it', async () => {
    const block = blockOf(WIDE, NONE, [1]);
    const limits = { maxSolutions: 2, maxNodes: 100_000, maxMs: INFINITE, deadlineMs: INFINITE };
    const solve = (splits: boolean) => {
      const answers = createBlockAnswers(block.count, block.geometry.cellCount);
      markUnreadable(block, answers);
      const solver = new RangeSolver(splittingEngine(), systemClock, { splits });
      for (const _ of solver.solve({ puzzles: block, from: 0, to: block.count, limits, answers }));
      return answers;
    };
    const alone = solve(false);
    const together = solve(true);
    expect([...together.status]).toContain(SPLIT);
    for (const [index, status] of together.status.entries()) {
      if (status !== SPLIT) continue;
      const place = { engine: splittingEngine(), puzzles: block, index, answers: together };
      const elsewhere = new Elsewhere(threads, { ...limits, each: true });
      const search = new PuzzleSearch(place, new EngineSearch(place, elsewhere.openAnswers));
      const options = { clock: systemClock, each: false, elsewhere };
      for (const step of searchPuzzle(search, index, limits, together, options)) await step;
    }
    const { solutions, nodes, guesses, status, cells } = alone;
    expect(together).toMatchObject({ solutions, nodes, guesses, status, cells });
    // Both threads have links of their own.
    const { problem } = sudokuCover(block.geometry);
    expect(Math.max(...together.searchBytes)).toBeGreaterThan(
      Math.max(...alone.searchBytes) + 2 * searchBytes(problem),
    );
  });
});
