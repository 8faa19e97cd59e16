import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeStatus } from '../../../../lib/batch/delivery/commit.ts';
import { jobKeys } from '../../../../lib/batch/delivery/result-keys.ts';
import { JobList } from '../../../../lib/cli/remote/jobs/job-list.ts';
import { JobSums } from '../../../../lib/cli/remote/jobs/job-text.ts';
import { NewestJobs } from '../../../../lib/cli/remote/jobs/newest-jobs.ts';
import { systemHashing } from '../../../../lib/node/system.ts';
import { FakeClock, INPUT_BUCKET, RESULTS_BUCKET } from '../../../support/dependencies.ts';
import { propertyRuns } from '../../../support/depth.ts';
import { MemoryBuckets, memoryStore } from '../../../support/memory-store.ts';
import { EASY } from '../../../support/puzzles.ts';
import { deliver, upload } from '../../../support/uploads.ts';
import { memoryConnection } from '../memory-connection.ts';

const NOW = Date.parse('2025-03-01T12:10:00Z');

/** Keys whose statuses and done markers have another order, and one that is cut in the results bucket. */
const KEYS = [
  'inbox/a',
  'inbox/a!',
  'inbox/a/b',
  'inbox/a/b.txt',
  `inbox/${'é'.repeat(450)}.txt`,
  'scheduled/c.txt',
  'elsewhere/d.txt',
  'inbox/folder/',
];
const CHANGES = [
  'upload',
  'solve',
  'reject',
  'delete',
  'running',
  'failed',
  'forget status',
  'hide',
] as const;
const change = fc.tuple(fc.constantFrom(...CHANGES), fc.constantFrom(...KEYS), fc.nat(3));

async function apply(
  buckets: MemoryBuckets,
  [kind, key, at]: readonly [(typeof CHANGES)[number], string, number],
): Promise<void> {
  if (kind === 'upload') upload(buckets, key, `${EASY}\n`.repeat(at));
  if (kind === 'solve') await deliver(buckets, upload(buckets, key, `${EASY}\n`.repeat(at + 1)));
  if (kind === 'reject') await deliver(buckets, upload(buckets, key, 'nothing\n'));
  if (kind === 'hide') buckets.markDeleted(INPUT_BUCKET, key);
  const store = memoryStore(buckets);
  const versions: string[] = [];
  for await (const version of store.listVersions(INPUT_BUCKET, key)) {
    if (version.key === key) versions.push(version.versionId);
  }
  const versionId = versions[at % Math.max(1, versions.length)];
  if (versionId === undefined) return;
  if (kind === 'delete') buckets.deleteVersion(INPUT_BUCKET, key, versionId);
  if (kind === 'running' || kind === 'failed') {
    const keys = jobKeys(key, versionId, '0123456789abcdef', systemHashing);
    const input = { bucket: INPUT_BUCKET, key, versionId };
    await writeStatus(
      { jobId: '0123456789abcdef', input, keys },
      { store, resultsBucket: RESULTS_BUCKET, clock: new FakeClock() },
      { state: kind, updatedAt: `2025-03-01T12:0${at}:00.000Z`, deadline: '2025-03-01T12:05:00Z' },
    );
  }
  const [status] = buckets.keys(RESULTS_BUCKET, `status/${key}/`);
  if (kind === 'forget status' && status !== undefined) buckets.markDeleted(RESULTS_BUCKET, status);
}

test('finds the newest of the jobs that a list has, and the same sums, in each poll', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 25 }), async (changes) => {
      const buckets = new MemoryBuckets();
      const newest = new NewestJobs(memoryConnection(buckets), 3);
      for (const [k, each] of changes.entries()) {
        await apply(buckets, each);
        if (k % 3 !== 2) continue;
        const list = await new JobList(memoryConnection(buckets)).list('', NOW);
        const sums = new JobSums();
        for (const job of list) sums.add(job);
        const timeOf = (job: (typeof list)[number]) => job.uploadedAt ?? job.updatedAt ?? '';
        const found = await newest.poll(NOW);
        expect(found.sums.line()).toBe(sums.line());
        const expected = list.toSorted((a, b) => timeOf(b).localeCompare(timeOf(a))).slice(0, 3);
        expect(found.newest.map(({ state }, at) => [state, timeOf(found.newest[at]!)])).toEqual(
          expected.map((job) => [job.state, timeOf(job)]),
        );
        const identity = ({ key, versionId }: (typeof list)[number]) => `${key} ${versionId}`;
        expect(list.map(identity)).toEqual(expect.arrayContaining(found.newest.map(identity)));
      }
    }),
    { numRuns: propertyRuns(5) },
  );
});

test('reads the documents of a finished job once, and remembers no deleted ones', async () => {
  const buckets = new MemoryBuckets();
  const uploads = [];
  for (let k = 0; k < 5; k++) {
    uploads.push(upload(buckets, `inbox/${k}.txt`, EASY));
    await deliver(buckets, uploads[k]!);
  }
  const gets: string[] = [];
  const store = memoryStore(buckets, {
    before: async ({ operation, key }) => {
      if (operation === 'get') gets.push(key);
      return undefined;
    },
  });
  const jobs = new NewestJobs({ ...memoryConnection(buckets), store }, 2);
  for (let round = 0; round < 3; round++) {
    const { newest, sums } = await jobs.poll(NOW);
    expect(newest).toHaveLength(2);
    expect(sums.line()).toBe('5 jobs: 5 done; 5 puzzles, 5 solved');
  }
  expect(gets).toHaveLength(5);
  expect(jobs.remembered).toBe(5);
  for (const { key, versionId } of uploads.slice(1)) buckets.deleteVersion(INPUT_BUCKET, key, versionId!);
  for (const key of buckets.keys(RESULTS_BUCKET, 'status/')) {
    if (!key.includes('0.txt')) buckets.markDeleted(RESULTS_BUCKET, key);
  }
  expect((await jobs.poll(NOW)).sums.line()).toBe('1 job: 1 done; 1 puzzle, 1 solved');
  expect(jobs.remembered).toBe(1);
});
