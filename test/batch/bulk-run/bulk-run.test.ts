/** Bulk runs over buckets in memory. What they plan, send and report: `test/batch/deliveries/runs.txt`. */
import { expect, it } from 'vitest';
import type { RunStatus } from '../../../lib/batch/bulk-run/run-status.ts';
import {
  planOf,
  RUN,
  RUN_FOLDER,
  runBulk,
  runReport,
  SentMessages,
  solvingQueue,
  threeUploads,
} from '../../support/bulk-run.ts';
import { RESULTS_BUCKET } from '../../support/dependencies.ts';
import { RecordedEvents } from '../../support/event-bus.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
import { EASY } from '../../support/puzzles.ts';
import { upload } from '../../support/uploads.ts';

it('a run keeps what is planned if its process stops, as its messages may be sent', async () => {
  const buckets = await threeUploads();
  let done = false;
  await runBulk(buckets, RUN, {
    ...solvingQueue(buckets),
    tries: 2,
    hooks: () => ({
      async after({ operation, key }) {
        if (done || operation !== 'putIf' || !key.endsWith('/plan/00000.json')) return undefined;
        done = true;
        upload(buckets, 'scheduled/later.txt', EASY);
        throw new Error('no answer');
      },
    }),
  });
  expect(done).toBe(true);
  expect(await planOf(buckets)).toHaveLength(2);
});

it('RunCompleted is sent by a repetition of the step if the bus was down, with the same report', async () => {
  const buckets = await threeUploads();
  const events = new RecordedEvents();
  const world = solvingQueue(buckets);
  events.isDown = true;
  let tries = 0;
  let first: unknown;
  await runBulk(buckets, RUN, {
    ...world,
    tries: 2,
    dependencies: {
      events: {
        ...events,
        resultsPrefix: '',
        bus: {
          async send(type, detail) {
            if (tries++ === 0) {
              first = runReport(buckets);
              throw new Error('the bus is down');
            }
            events.isDown = false;
            await events.bus.send(type, detail);
          },
        },
      },
    },
  });
  expect(events.types).toEqual(['RunCompleted']);
  expect(runReport(buckets)).toEqual(first);
});

it('ten thousand small objects with three thousand solved ones give seven thousand jobs, none twice', async () => {
  const buckets = new MemoryBuckets();
  const done = '{"schema":"dlx-batch/done@1","jobId":"0123456789abcdef","outcome":"completed"}';
  for (let k = 0; k < 10_000; k++) {
    const { key, versionId } = upload(buckets, `inbox/${k % 100}/${k}.txt`, EASY);
    if (k % 10 < 3) buckets.write(RESULTS_BUCKET, `done/${key}/${versionId}`, done);
  }
  const queue = new SentMessages();
  await runBulk(buckets, RUN, {
    queue,
    whileWaiting: async () => {
      for (const { key, versionId } of queue.uploads) {
        buckets.write(RESULTS_BUCKET, `done/${key}/${versionId}`, done);
      }
    },
  });
  expect(queue.uploads).toHaveLength(7000);
  expect(new Set(queue.uploads.map(({ key }) => key)).size).toBe(7000);
  const status = buckets.json<RunStatus>(RESULTS_BUCKET, `${RUN_FOLDER}status.json`);
  expect(status).toMatchObject({ state: 'done', found: 10_000, alreadyDone: 3000, planned: 7000 });
});

it('the page of a report escapes keys, has no link elsewhere, and says what expires', async () => {
  const buckets = new MemoryBuckets();
  upload(buckets, 'scheduled/<b>.txt', 'no puzzles here\n');
  upload(buckets, 'scheduled/stalls.txt', EASY);
  buckets.markDeleted('puzzles', 'scheduled/stalls.txt');
  const solving = solvingQueue(buckets);
  await runBulk(buckets, RUN, { ...solving, whileWaiting: async () => {} });
  const page = buckets.text(RESULTS_BUCKET, `${RUN_FOLDER}report.html`);
  expect(page).toContain('scheduled/&lt;b&gt;.txt');
  expect(page).not.toContain('<b>');
  // Only to places of the page itself.
  expect(page).not.toMatch(/(src|href)=(?!"#)/);
  expect(page.slice(page.indexOf('Not solved, and to be deleted'))).toMatch(
    /1 of these versions.*stalls\.txt/s,
  );
});
