/**
 * A data folder that version 0.1 wrote, opened by this version, as buckets that outlive an upgrade: results of a small and
 * of a large upload, a rejected one, a table whose result has other bytes today, and four uploads that a kill interrupted.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Manifest } from '../../lib/batch/delivery/manifest.ts';
import { collectBytes } from '../../lib/batch/job/input.ts';
import { type LocalStack, startLocalStack } from '../../lib/local/stack.ts';
import { runProgram } from '../cli/program.ts';
import { temporaryFolder } from '../local/fixture-function.ts';

const FIXTURE = join(import.meta.dirname, '../fixtures/version-0.1/data-folder.tar.gz');
const FINISHED = ['inbox/large.txt', 'inbox/puzzles.txt', 'inbox/table.csv'];
const INTERRUPTED = ['inbox/xf1.txt', 'inbox/xf2.txt', 'inbox/xf3.txt', 'inbox/xf4.txt'];

let stack: LocalStack;
/** The messages of all uploads, as version 0.1 queued them. */
let messages: string[];

beforeAll(async () => {
  const dataDir = temporaryFolder(afterAll);
  execFileSync('tar', ['-xzf', FIXTURE, '-C', dataDir]);
  const queued = readFileSync(join(dataDir, 'queue.jsonl'), 'utf8').trimEnd().split('\n');
  messages = queued.map((line) => JSON.parse(line).body).filter((body) => body !== undefined);
  stack = await startLocalStack({ dataDir });
});

afterAll(() => stack?.close());

async function keysUnder(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of stack.store.list(stack.resultsBucket, prefix)) keys.push(key);
  return keys;
}

async function textOf(key: string): Promise<string> {
  const object = await stack.store.get(stack.resultsBucket, key);
  return new TextDecoder().decode(await collectBytes(object!.body));
}

/** Texts of all objects of the results of an upload. */
async function resultsOf(key: string): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const name of await keysUnder(`results/${key}/`)) texts[name] = await textOf(name);
  return texts;
}

test('an upgrade solves nothing twice: messages that are delivered again, and interrupted uploads', async () => {
  const before = await Promise.all(FINISHED.map(resultsOf));
  expect(before.map((texts) => Object.keys(texts).length)).toEqual([6, 6, 6]);

  for (const body of [...messages, ...messages]) stack.send(body);
  await stack.idle();

  expect(await Promise.all(FINISHED.map(resultsOf))).toEqual(before);
  for (const key of [...FINISHED, ...INTERRUPTED]) {
    const manifests = (await keysUnder(`results/${key}/`)).filter((name) => name.endsWith('/manifest.json'));
    expect(manifests, key).toHaveLength(1);
    const manifest: Manifest = JSON.parse(await textOf(manifests[0]!));
    const latest = JSON.parse(await textOf(`results/${key}/latest.json`));
    expect(latest).toMatchObject({ outcome: 'completed', jobId: manifest.jobId });
    expect(await keysUnder(`done/${key}/`)).toHaveLength(1);
  }
});

test('commands list and download the results of version 0.1, and a run sends only what it left', async () => {
  const { endpoint, accessKeyId, secretAccessKey } = stack;
  const keys = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
  const folder = temporaryFolder();
  const command = (...args: string[]) =>
    runProgram(folder, [...args, '--endpoint', endpoint], '', { ...process.env, ...keys });

  const listed = JSON.parse((await command('status', '--json')).stdout);
  const states = Object.fromEntries(
    listed.jobs.map(({ key, state }: { readonly key: string; readonly state: string }) => [key, state]),
  );
  expect(states).toMatchObject({
    ...Object.fromEntries(FINISHED.map((key) => [key, 'done'])),
    'inbox/rejected.txt': 'rejected',
  });
  const fetched = await command('download', '-o', 'results', ...FINISHED);
  expect(fetched.status, fetched.stderr).toBe(0);
  const planned = JSON.parse((await command('run', '--dry-run', '--json')).stdout);
  expect(JSON.stringify(planned)).not.toContain('inbox/');
});
