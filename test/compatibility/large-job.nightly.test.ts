/**
 * A large job that version 0.1 had begun when it was killed: its plan and the result of the first of ten shards are stored,
 * and its execution waits for the others. The data folder keeps the functions that the execution started with, as AWS keeps
 * their versions. This version runs them to the end, with its own state machines, storage and permissions.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { collectBytes } from '../../lib/batch/job/input.ts';
import { startLocalStack } from '../../lib/local/stack.ts';
import { temporaryFolder } from '../local/fixture-function.ts';

const FIXTURE = join(import.meta.dirname, '../fixtures/version-0.1/large-job.tar.gz');
const KEY = 'inbox/large.txt';
/** The file: 98 solvable puzzles, an empty grid and a row that is too short, this many times. */
const COPIES = 369;

test('an upgrade in the middle of a large job solves no shard twice and gives one result, also if its message comes back', async () => {
  const dataDir = temporaryFolder();
  execFileSync('tar', ['-xzf', FIXTURE, '-C', dataDir]);
  const queued = readFileSync(join(dataDir, 'queue.jsonl'), 'utf8').trimEnd().split('\n');
  const [message] = queued.flatMap((line) => JSON.parse(line).body ?? []);
  const stack = await startLocalStack({ dataDir, jitter: () => 0 });
  onTestFinished(() => stack.close());
  const { store, resultsBucket } = stack;
  const keysOf = async (prefix: string, end: string) => {
    const keys: string[] = [];
    for await (const key of store.list(resultsBucket, prefix)) if (key.endsWith(end)) keys.push(key);
    return keys;
  };
  const read = async (key: string) =>
    JSON.parse(Buffer.from(await collectBytes((await store.get(resultsBucket, key))!.body)).toString());
  const firstShard = () =>
    keysOf('work/', '/solutions.txt').then((keys) => keys.filter((key) => key.includes('/00000-')));
  const solvedBefore = await firstShard();
  expect(solvedBefore).toHaveLength(1);

  await stack.idle();

  expect(await firstShard()).toEqual(solvedBefore);
  const manifests = await keysOf(`results/${KEY}/`, '/manifest.json');
  expect(manifests).toHaveLength(1);
  const { puzzles, jobId } = await read(manifests[0]!);
  expect(puzzles).toMatchObject({ solved: 98 * COPIES, multiple: COPIES, unreadable: COPIES });

  stack.send(message);
  await stack.idle();

  expect(await keysOf(`results/${KEY}/`, '/manifest.json')).toEqual(manifests);
  expect(await read(`results/${KEY}/latest.json`)).toMatchObject({ outcome: 'completed', jobId });
}, 300_000);
