/**
 * A large file through the whole local stack: hand-over, plan, count, shards in the synthesised state machine, join and
 * commit; also with shards that crash and time out.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { s3Store } from '../../lib/aws/s3-store.ts';
import { uploadObject } from '../../lib/aws/upload-object.ts';
import type { JobStats } from '../../lib/batch/results/statistics.ts';
import {
  FunctionHost,
  type FunctionHostOptions,
  type FunctionRunner,
} from '../../lib/local/functions/function-host.ts';
import { type LocalStackOptions, startLocalStack } from '../../lib/local/stack.ts';
import { type AtEnd, temporaryFolder } from '../local/fixture-function.ts';
import { builtProgram } from '../support/built-program.ts';
import { clientOf } from '../support/client-of.ts';
import { DEEP, runSeed } from '../support/depth.ts';
import { solveText } from '../support/run-job.ts';
import { shortenWaits } from '../support/short-waits.ts';
import { LARGE_KEY, LARGE_TEXT, largeJobEnvironment, resultTexts, SHARD_BYTES } from './large-file.ts';

interface Outcome {
  readonly solutions: string;
  readonly exceptions: string;
  readonly stats: JobStats;
}

/** The bundled functions, in one folder. */
async function bundled(atEnd: AtEnd): Promise<string> {
  return (await builtProgram(temporaryFolder(atEnd))).codeDir;
}

/** Solves the text as a large job in a new stack. */
async function solveLarge(
  codeDir: string,
  shardBytes: number,
  startFunction?: LocalStackOptions['startFunction'],
): Promise<Outcome> {
  const stack = await startLocalStack({
    dataDir: temporaryFolder(onTestFinished),
    codeDir,
    startFunction,
    jitter: () => 0,
    environment: largeJobEnvironment(shardBytes),
  });
  onTestFinished(() => stack.close());
  const s3 = clientOf(stack);
  const versionId = await uploadObject(s3, stack.inputBucket, LARGE_KEY, Buffer.from(LARGE_TEXT), {});
  await stack.idle();
  const texts = await resultTexts(s3Store(s3), stack.resultsBucket, versionId!);
  return {
    solutions: texts['solutions.txt']!,
    exceptions: texts['exceptions.jsonl']!,
    stats: JSON.parse(texts['stats.json']!),
  };
}

/** A function whose first call for shard 2 times out after a second, and no other call, however busy the machine is. */
function timesOutOnce(options: FunctionHostOptions): FunctionRunner {
  const [host, hasty] = [new FunctionHost(options), new FunctionHost({ ...options, timeoutMs: 1000 })];
  let isFirst = true;
  return {
    invoke(event) {
      const isHasty = isFirst && (event as { shard?: { shard: number } }).shard?.shard === 2;
      if (isHasty) isFirst = false;
      return (isHasty ? hasty : host).invoke(event);
    },
    async close() {
      await Promise.all([host.close(), hasty.close()]);
    },
  };
}

let expected: Outcome;
let codeDir: string;

beforeAll(async () => {
  shortenWaits();
  afterAll(() => void vi.restoreAllMocks());
  codeDir = await bundled(afterAll);
  const { solutions, files, stats } = await solveText(LARGE_TEXT);
  expected = { solutions, exceptions: files['exceptions.jsonl']!, stats };
});

function expectSame(outcome: Outcome): void {
  // A boolean, since a diff of so much text is too long to print.
  expect(outcome.solutions === expected.solutions).toBe(true);
  expect(outcome.exceptions === expected.exceptions).toBe(true);
  expect(outcome.stats.puzzles).toEqual(expected.stats.puzzles);
}

describe('a large file', () => {
  // Each takes seconds; the run of a night takes both.
  const shardSizes = [SHARD_BYTES, 3 * SHARD_BYTES];
  test.each(DEEP ? shardSizes : [shardSizes[runSeed() % 2]!])(
    'in shards of %i bytes has the same results as from one process',
    async (shardBytes) => {
      const outcome = await solveLarge(codeDir, shardBytes);
      expectSame(outcome);
      // One more, if a cut moves to the end of a line.
      const least = Math.ceil(LARGE_TEXT.length / shardBytes);
      expect([least, least + 1]).toContain(outcome.stats.used?.shards);
    },
  );

  // The simulation has such faults in npm test; with processes, they take as long as all other tests of large files.
  test.runIf(DEEP)('has the same results if a shard crashes twice and another one times out', async () => {
    const faulty = await bundled(onTestFinished);
    const marks = temporaryFolder(onTestFinished);
    renameSync(join(faulty, 'solve-shard.mjs'), join(faulty, 'real-solve-shard.mjs'));
    writeFileSync(
      join(faulty, 'solve-shard.mjs'),
      `import { existsSync, writeFileSync } from 'node:fs';
       import { handler as real } from './real-solve-shard.mjs';
       const once = (name) => {
         const path = ${JSON.stringify(`${marks}/`)} + name;
         if (existsSync(path)) return false;
         writeFileSync(path, '');
         return true;
       };
       export async function handler(input, context) {
         const { shard } = input.shard;
         if (shard === 1 && (once('first') || once('second'))) process.exit(3);
         if (shard === 2 && once('slow')) await new Promise((resolve) => setTimeout(resolve, 1e6));
         return real(input, context);
       }`,
    );
    expectSame(await solveLarge(faulty, SHARD_BYTES, timesOutOnce));
  });
});
