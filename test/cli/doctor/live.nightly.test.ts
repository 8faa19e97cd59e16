/** doctor --live against the local stack, and against storage without a stack: what it prints (`live.txt`), and leaves, which is nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyVersions } from '../../../lib/aws/object-versions.ts';
import { s3Store } from '../../../lib/aws/s3-store.ts';
import { HOLDS_KEY } from '../../../lib/batch/bulk-run/run-keys.ts';
import { liveSettings } from '../../../lib/cli/doctor/live.ts';
import { endpointSigner } from '../../../lib/cli/remote/connection.ts';
import { LOCAL_STACK } from '../../../lib/local/stack-names.ts';
import { clientOf } from '../../support/client-of.ts';
import { DEEP } from '../../support/depth.ts';
import { type Ended, endOf, folderWith, runProgram, startProgram } from '../program.ts';
import { serveStack } from '../served-stack.ts';

const RUN_MS = 900_000;
const ID = 'doctor-2026-11-22T09-00-00Z-1a2b3c';
const { inputBucket, resultsBucket } = LOCAL_STACK;
const settings = { ...liveSettings };
const LIMITS = ['solveSeconds', 'largeSeconds', 'runSeconds'] as const;

let endpoint: string;
let folder: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  folder = folderWith({}, afterAll);
  // Large enough for two shards.
  if (!DEEP) liveSettings.largePuzzles = 20_000;
  // A busy machine takes longer than a stack.
  for (const name of LIMITS) liveSettings[name] *= 5;
  ({ endpoint, stop } = await serveStack(folder));
});
afterAll(async () => {
  Object.assign(liveSettings, settings);
  await stop();
});

function doctor(...args: readonly string[]): Promise<Ended> {
  return runProgram(folder, ['doctor', '--endpoint', endpoint, ...args]);
}

/** The client of the buckets, and the keys of all their versions and delete markers. */
function buckets() {
  const s3 = clientOf(endpointSigner(endpoint));
  const keys = async () => {
    const left = await Promise.all([inputBucket, resultsBucket].map((bucket) => keyVersions(s3, bucket, '')));
    // The stack's own, which every bulk run rewrites.
    return left.flat().flatMap(({ key }) => (key === HOLDS_KEY ? [] : [key]));
  };
  return { s3, store: s3Store(s3), keys };
}

describe('doctor --live', () => {
  test(
    'proves that the stack works, and removes all that it made',
    async () => {
      const { stdout, stderr, status } = await doctor('--live');
      const shown = stdout
        .replace(/doctor-\S+/, '<id>')
        .replaceAll(/(?<=after )[\d.]+ \w+/g, '<time>')
        .replaceAll(/\d+(?= shards|,000 puzzles| objects)/g, '<n>');
      await expect(shown).toMatchFileSnapshot('live.txt');
      expect([status, stderr]).toEqual([0, '']);
      expect(await buckets().keys()).toEqual([]);
    },
    RUN_MS,
  );

  test(
    'removes all that it made after an interruption, and what jobs in progress still write',
    async () => {
      const program = startProgram(folder, ['doctor', '--endpoint', endpoint, '--live']);
      let printed = '';
      program.stdout.on('data', (text) => {
        printed += text;
      });
      await expect.poll(() => printed, { timeout: RUN_MS }).toMatch(/^ok /m);
      const ended = endOf(program);
      program.kill('SIGINT');
      const { signal, stderr } = await ended;
      expect(signal).toBe('SIGINT');
      expect(stderr).toMatch(/dlx-batch doctor --remove doctor-/);
      expect(await buckets().keys()).toEqual([]);
    },
    RUN_MS,
  );

  test('--remove removes what a killed examination has left, and nothing else', async () => {
    const { s3, store, keys } = buckets();
    const job = '0123456789abcdef';
    const input = { bucket: inputBucket, key: `inbox/${ID}/a.txt`, versionId: 'v' };
    const status = Buffer.from(JSON.stringify({ jobId: job, input, state: 'done', updatedAt: '2026' }));
    const put = (bucket: string, key: string) => store.put(bucket, key, status, 'text/plain');
    const own = [
      ...[`results/inbox/${ID}/a.txt/${job}/x/solutions.txt`, `status/inbox/${ID}/a.txt/${job}.json`],
      ...[`work/${job}/${job}/plain`, 'runs/2026-11-22T09-00-00Z-1a2b3c/plan.jsonl'],
    ];
    const others = ['results/inbox/other.txt/latest.json', 'work/fedcba9876543210/x'];
    for (const key of [...own, ...others]) await put(resultsBucket, key);
    await put(inputBucket, `scheduled/${ID}/a.txt`);
    const { stdout, ...ended } = await doctor('--remove', ID, '--json');
    expect([ended.status, JSON.parse(stdout).counts]).toEqual([0, { ok: 1, warn: 0, FAIL: 0 }]);
    expect((await keys()).sort()).toEqual(others.sort());
    for (const Key of others) await s3.deleteObject({ Bucket: resultsBucket, Key });
  });
});
