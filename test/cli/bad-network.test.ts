/** Commands over a bad network: every command ends with the right results, and no upload becomes two jobs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { s3ClientFor } from '../../lib/aws/s3-client.ts';
import { networkSettings } from '../../lib/cli/remote/network-settings.ts';
import { LOCAL_STACK } from '../../lib/local/stack-names.ts';
import { propertyRuns, runSeed } from '../support/depth.ts';
import { badShare, type FateOf, type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { EASY, SOLUTION } from '../support/puzzles.ts';
import { folderWith, runProgram } from './program.ts';
import { type ServedStack, serveStack } from './served-stack.ts';

let stack: ServedStack;
beforeAll(async () => {
  const settings = { ...networkSettings };
  afterAll(() => void Object.assign(networkSettings, settings));
  networkSettings.timeouts = { connectMs: 300, responseMs: 400, idleMs: 1_000, copyMs: 2_500 };
  networkSettings.retries = { firstContactMs: 15_000, firstDelayMs: 5, maxDelayMs: 100 };
  stack = await serveStack(folderWith({}, afterAll));
}, 60_000);
afterAll(() => stack.stop());

async function proxyWith(seed: number, fateOf: FateOf): Promise<FaultyProxy> {
  const proxy = await startFaultyProxy(stack.endpoint, seed, fateOf);
  onTestFinished(() => proxy.close());
  return proxy;
}

/** Versions of the keys under a prefix of the input bucket. */
async function versionsOf(prefix: string): Promise<string[]> {
  const s3 = s3ClientFor(stack);
  onTestFinished(() => s3.destroy());
  const { Versions = [] } = await s3.listObjectVersions({ Bucket: LOCAL_STACK.inputBucket, Prefix: prefix });
  return Versions.map(({ Key }) => Key!).sort();
}

/** Puzzles of each file. */
const COUNTS = Object.fromEntries(Array.from({ length: 12 }, (_, k) => [`p${k}.txt`, k + 1]));
/** A dozen files; two are uploaded in parts. */
const FILES = Object.fromEntries(
  Object.entries(COUNTS).map(([name, count]) => [
    name,
    `${EASY}\n`.repeat(count) + (count > 10 ? '# a comment\n'.repeat(750_000) : ''),
  ]),
);
/** The line about a request that fails for seconds, as a busy machine may have. */
const OUTAGE = /^dlx-batch: .*; trying again for .*\n/gm;
const SEEDS = Array.from({ length: propertyRuns(1) }, (_, k) => runSeed() + k);

describe('upload --wait --download over a bad network', () => {
  test.each(SEEDS)('with seed %i ends with all results, each from one version', async (seed) => {
    const proxy = await proxyWith(seed, badShare(0.2));
    const folder = folderWith(FILES, onTestFinished);
    const prefix = `bad/${seed}/`;
    const args = ['upload', '--endpoint', proxy.endpoint, '--prefix', prefix, '--wait', '--download', 'out'];
    const ended = await runProgram(folder, [...args, ...Object.keys(FILES)]);
    expect([ended.stderr.replaceAll(OUTAGE, ''), ended.status]).toEqual(['', 0]);
    for (const [name, count] of Object.entries(COUNTS)) {
      const path = join(folder, 'out/inbox', prefix, name, 'solutions.txt');
      expect(readFileSync(path, 'utf8')).toBe(`${SOLUTION}\n`.repeat(count));
    }
    expect(await versionsOf(`inbox/${prefix}`)).toEqual(
      Object.keys(FILES)
        .map((name) => `inbox/${prefix}${name}`)
        .sort(),
    );
  });
});
