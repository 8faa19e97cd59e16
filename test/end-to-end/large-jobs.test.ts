/**
 * A large file through the stack on this machine, every part real: it is handed over, planned, counted, solved in shards
 * by the synthesised state machine, joined and committed; and the same while shards crash and time out.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { s3ClientFor } from '../../lib/aws/s3-client.ts';
import { s3Store } from '../../lib/aws/s3-store.ts';
import { uploadObject } from '../../lib/aws/upload-object.ts';
import { fetchFile, findOutcome } from '../../lib/batch/delivery/result-set.ts';
import { ENVIRONMENT } from '../../lib/batch/names.ts';
import type { JobStats } from '../../lib/batch/results/statistics.ts';
import { bundleFunction } from '../../lib/local/functions/bundle.ts';
import { startLocalStack } from '../../lib/local/stack.ts';
import { systemHashing } from '../../lib/node/system.ts';
import { type AtEnd, temporaryFolder } from '../local/fixture-function.ts';
import { CUT_OFF, EASY, TWO_SOLUTIONS } from '../support/puzzles.ts';
import { solveText } from '../support/run-job.ts';

const FUNCTIONS = ['solve-batch', 'plan-shards', 'count-shard', 'solve-shard', 'merge-shards'] as const;
const MIB = 1024 * 1024;
/** More than the 8 MiB from which on a file's front is sampled; every hundredth puzzle is an exception. */
const TEXT = `${`${EASY}\n`.repeat(98)}${TWO_SOLUTIONS}\n${CUT_OFF}\n`.repeat(1100);

interface Outcome {
  readonly solutions: string;
  readonly exceptions: string;
  readonly stats: JobStats;
}

/** The functions as they are deployed, in one folder. */
async function bundled(atEnd: AtEnd): Promise<string> {
  const folder = temporaryFolder(atEnd);
  for (const name of FUNCTIONS) await bundleFunction(name, folder);
  return folder;
}

/** What comes of the text in a stack for which it is large. */
async function solveLarge(codeDir: string, shardBytes: number, functionTimeoutMs?: number): Promise<Outcome> {
  const stack = await startLocalStack({
    dataDir: temporaryFolder(onTestFinished),
    codeDir,
    functionTimeoutMs,
    jitter: () => 0,
    environment: { [ENVIRONMENT.largeJobSeconds]: '0.01', [ENVIRONMENT.shardBytes]: String(shardBytes) },
  });
  const s3 = s3ClientFor(stack);
  try {
    const key = 'inbox/large.txt';
    const versionId = await uploadObject(s3, stack.inputBucket, key, Buffer.from(TEXT), {});
    await stack.idle();
    const store = s3Store(s3);
    const outcome = await findOutcome(store, stack.resultsBucket, key, versionId!, systemHashing);
    if (outcome?.kind !== 'completed') throw new Error(`the outcome is ${JSON.stringify(outcome)}`);
    const texts: Record<string, string> = {};
    for (const file of outcome.manifest.files) {
      const pieces: Uint8Array[] = [];
      const write = async (bytes: Uint8Array) => void pieces.push(bytes.slice());
      const none = async () => {};
      await fetchFile(store, stack.resultsBucket, file, { write, close: none, abort: none }, systemHashing);
      texts[file.name] = Buffer.concat(pieces).toString();
    }
    return {
      solutions: texts['solutions.txt']!,
      exceptions: texts['exceptions.jsonl']!,
      stats: JSON.parse(texts['stats.json']!),
    };
  } finally {
    s3.destroy();
    await stack.close();
  }
}

let whole: Outcome;
let codeDir: string;

beforeAll(async () => {
  codeDir = await bundled(afterAll);
  const { solutions, files, stats } = await solveText(TEXT);
  whole = { solutions, exceptions: files['exceptions.jsonl']!, stats };
}, 60_000);

function expectSame(outcome: Outcome): void {
  // Compared as wholes: a difference of 9 MB is not to be printed.
  expect(outcome.solutions === whole.solutions).toBe(true);
  expect(outcome.exceptions === whole.exceptions).toBe(true);
  expect(outcome.stats.puzzles).toEqual(whole.stats.puzzles);
}

describe('a large file', () => {
  test.each([2 * MIB, 5 * MIB])(
    'in shards of %i bytes comes back as it does from one process',
    async (shardBytes) => {
      const outcome = await solveLarge(codeDir, shardBytes);
      expectSame(outcome);
      expect(outcome.stats.used?.shards).toBe(Math.ceil(TEXT.length / shardBytes));
    },
    120_000,
  );

  test('comes back the same where a shard crashes twice and another one times out', async () => {
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
    expectSame(await solveLarge(faulty, 2 * MIB, 15_000));
  }, 180_000);
});
