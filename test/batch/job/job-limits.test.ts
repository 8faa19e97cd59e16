import { describe, expect, it } from 'vitest';
import { FileRejection } from '../../../lib/batch/job/input.ts';
import type { JobEvent } from '../../../lib/batch/job/job-run.ts';
import { parseJobLimits } from '../../../lib/batch/job-limits.ts';
import { InlineSolver } from '../../../lib/batch/solving/block-solver.ts';
import type { Engine } from '../../../lib/sudoku/engine.ts';
import { langford } from '../../exact-cover/classic-problems.ts';
import { knuthText } from '../../formats/exact-cover/problem-files.ts';
import { FakeClock, jobDependencies, optionsFrom } from '../../support/dependencies.ts';
import { CLASHING, EASY, HARD, MIXED_FILE } from '../../support/puzzles.ts';
import { MemoryFiles, pieces, runText, solveText } from '../../support/run-job.ts';

/** It takes too long to prove that it has no solution. */
const LONG_COVER = knuthText(langford(14));

describe('a job that ends early', () => {
  const ends = async (...[text, options, request]: Parameters<typeof runText>) => {
    const files = new MemoryFiles();
    const outcome = await runText(text, options, { ...request, files }).catch((error: Error) => error);
    return { outcome, files };
  };

  it('at its deadline is rejected as too large, and leaves no file', async () => {
    const { outcome, files } = await ends(MIXED_FILE, {}, { deadlineMs: 0 });
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'too_large' } });
    expect(files.closed).toEqual({});
    expect(files.unfinished.size).toBe(0);
  });

  it('at its deadline ends between two puzzles of a block', async () => {
    const clock = new FakeClock(10);
    const file = `${EASY}\n`.repeat(300);
    const { outcome } = await ends(file, {}, { deadlineMs: 500, dependencies: { clock } });
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'too_large' } });
    expect(clock.nowMs).toBeLessThan(600);
  });

  it('at its deadline is rejected also if no engine solves its puzzles', async () => {
    const clock = new FakeClock(10);
    const file = `${EASY}\n${`${CLASHING}\n`.repeat(2_000)}`;
    const { outcome } = await ends(file, {}, { deadlineMs: 100, dependencies: { clock } });
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'too_large' } });
  });

  it('by its caller has the outcome that the caller gives, and leaves no file', async () => {
    const error = { code: 'too_large', message: 'enough' } as const;
    const { outcome, files } = await ends(
      MIXED_FILE,
      {},
      { onEvent: ({ kind }) => (kind === 'progress' ? { kind: 'rejected', error } : undefined) },
    );
    expect(outcome).toEqual({ kind: 'rejected', error });
    expect(files.closed).toEqual({});
  });

  it('at its deadline in the search of an exact cover, too', async () => {
    const clock = new FakeClock(30);
    const { outcome, files } = await ends(LONG_COVER, {}, { deadlineMs: 500, dependencies: { clock } });
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'too_large' } });
    expect([...files.aborted].sort()).toEqual(['exceptions.jsonl', 'solutions.txt']);
    expect(files.closed).toEqual({});
  });

  it('by its caller in the search of an exact cover, whose progress it has seen', async () => {
    const nodes: number[] = [];
    const end = { kind: 'rejected', error: { code: 'too_large', message: 'stop' } } as const;
    const onEvent = (event: JobEvent) => {
      if (event.kind === 'progress') nodes.push(event.problem!.nodes);
      return nodes.length < 5 ? undefined : end;
    };
    expect((await ends(LONG_COVER, {}, { onEvent })).outcome).toEqual(end);
    expect(nodes).toHaveLength(5);
    expect(nodes[4]).toBeGreaterThan(nodes[0]!);
  });

  it.each([
    ['larger and larger blocks of easy puzzles', 0.001, [16, 48, 112, 240, 496, 1_008, 1_100]],
    ['smaller and smaller blocks of hard puzzles', 40, [16, 24, 28, 30, 31, 32, 33, 34]],
  ])('reports its progress after %s', async (_, stepMs, expected) => {
    const reported: number[] = [];
    const file = `${EASY}\n`.repeat(1_100);
    const onEvent = (event: JobEvent) => {
      if (event.kind === 'progress') reported.push(event.puzzles);
      return undefined;
    };
    await solveText(file, {}, { onEvent, dependencies: { clock: new FakeClock(stepMs) } });
    expect(reported.slice(0, 8)).toEqual(expected);
    expect(reported.at(-1)).toBe(1_100);
  });

  it('by an error of its input throws it, and leaves no file', async () => {
    async function* breaking() {
      yield* pieces(new TextEncoder().encode(`${EASY}\n`.repeat(20_000)));
      throw new Error('connection reset');
    }
    const { outcome, files } = await ends('', {}, { input: breaking() });
    expect(outcome).toMatchObject({ message: 'connection reset' });
    expect(files.closed).toEqual({});
    expect(files.unfinished.size).toBe(0);
  });

  it('by a damaged input is rejected', async () => {
    async function* damaged(): AsyncIterable<Uint8Array> {
      yield new TextEncoder().encode(EASY);
      throw new FileRejection({ code: 'corrupt', message: 'bad blocks' });
    }
    const { outcome } = await ends('', {}, { input: damaged() });
    expect(outcome).toEqual({ kind: 'rejected', error: { code: 'corrupt', message: 'bad blocks' } });
  });

  it('by a file that cannot be written throws, and aborts the others', async () => {
    const files = new MemoryFiles();
    const open = files.open.bind(files);
    files.open = (name) => {
      const writer = open(name);
      if (name === 'exceptions.jsonl') writer.close = () => Promise.reject(new Error('no space left'));
      return writer;
    };
    await expect(runText(MIXED_FILE, {}, { files })).rejects.toThrow('no space left');
    expect([...files.aborted]).toContain('exceptions.jsonl');
    expect(files.unfinished.size).toBe(0);
  });

  it('by a wrong answer of an engine throws, and writes no result', async () => {
    const dependencies = jobDependencies(optionsFrom());
    const engine: Engine = {
      name: 'dlx',
      version: 1,
      searchBytes: 0,
      refuses: () => undefined,
      resume: () => {},
      solve(puzzles, from, to, limits, answers) {
        dependencies.engine.solve(puzzles, from, to, limits, answers);
        answers.cells[80] = (answers.cells[80]! % 9) + 1;
      },
    };
    const solver = new InlineSolver(engine, dependencies.clock);
    const { outcome, files } = await ends(EASY, {}, { dependencies: { engine, solver } });
    expect(outcome).toMatchObject({
      message: expect.stringMatching(/^engine dlx returned a wrong solution/),
    });
    expect(files.closed).toEqual({});
  });

  it('closes its input', async () => {
    let closed = false;
    async function* endless(): AsyncIterable<Uint8Array> {
      try {
        for (;;) yield new TextEncoder().encode(`${EASY}\n`.repeat(100));
      } finally {
        closed = true;
      }
    }
    await ends('', {}, { input: endless(), deadlineMs: 0 });
    expect(closed).toBe(true);
  });

  it('by a limit that the size of its file gives reads nothing more of it', async () => {
    let read = 0;
    async function* counted(): AsyncIterable<Uint8Array> {
      for (; read < 64; read++) yield new TextEncoder().encode(`${HARD}\n`.repeat(1_000));
    }
    const jobLimits = parseJobLimits({ 'max-job-nodes': '300' });
    const { outcome } = await ends('', {}, { input: counted(), storedBytes: 64 * 82_000, jobLimits });
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'too_large' } });
    expect(read).toBeLessThan(16);
  });
});
