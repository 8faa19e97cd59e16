/** Events of outcomes: sent at least once, after everything else, whatever crashes, and whenever the bus is down. */

import { describe, expect, it } from 'vitest';
import { sendRunCompleted } from '../../../lib/batch/bulk-run/report/run-event.ts';
import { ZERO_COUNTS } from '../../../lib/batch/bulk-run/steps.ts';
import { rejectJob, storedJob } from '../../../lib/batch/delivery/commit.ts';
import { EventNotSentError, isEventNotSent } from '../../../lib/batch/delivery/outcome-events.ts';
import type { Upload } from '../../../lib/batch/delivery/upload-event.ts';
import { goneError } from '../../../lib/batch/job/file-error.ts';
import { EVENT_NOT_SENT_ERROR } from '../../../lib/batch/names.ts';
import { executionFailureIn, recordExecutionFailure } from '../../../lib/batch/upload/execution-failure.ts';
import { reportUpload } from '../../../lib/batch/upload/solve-upload.ts';
import { RUN, runBulk, runReport, solvingQueue, threeUploads } from '../../support/bulk-run.ts';
import { INPUT_BUCKET, RESULTS_BUCKET, uploadDependencies } from '../../support/dependencies.ts';
import { RecordedEvents } from '../../support/event-bus.ts';
import { crashAt, failing } from '../../support/faults.ts';
import { largeJob, runLarge } from '../../support/large-job.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';
import { EASY, MIXED_FILE } from '../../support/puzzles.ts';
import { deliver, statusDocumentOf, upload } from '../../support/uploads.ts';

const KEY = 'inbox/a.txt';
const PROSE = 'There is no puzzle in this file.\n';
const broken = failing(({ operation }) => operation === 'close', new Error('disk on fire'));

function manifestKey(buckets: MemoryBuckets): string | undefined {
  return buckets.keys(RESULTS_BUCKET, 'results/').find((key) => key.endsWith('/manifest.json'));
}

function report(buckets: MemoryBuckets, uploaded: Upload, events: RecordedEvents) {
  return reportUpload(uploaded, uploadDependencies(memoryStore(buckets), 'reporter', { events }));
}

describe('JobCompleted', () => {
  it('has the input, its version, the counts and the key of the manifest', async () => {
    const buckets = new MemoryBuckets();
    const events = new RecordedEvents();
    const uploaded = upload(buckets, KEY, MIXED_FILE);
    const outcome = await deliver(buckets, uploaded, { dependencies: { events } });
    const { bucket, key, versionId, bytes, etag, sequencer } = uploaded;
    expect(events.sent).toEqual([
      {
        type: 'JobCompleted',
        detail: {
          schema: 'dlx-batch/event@1',
          stack: 'Puzzles',
          jobId: (outcome as { jobId: string }).jobId,
          input: { bucket, key, versionId, bytes, etag, sequencer },
          manifest: { bucket: RESULTS_BUCKET, key: manifestKey(buckets) },
          puzzles: expect.objectContaining({ total: 7, solved: 3 }),
          exceptions: 4,
          unexpectedResults: 0,
          summary: expect.stringMatching(/^inbox\/a\.txt: 3 of 7 puzzles solved; 4 exceptions: /),
        },
      },
    ]);
  });

  it('has the whole key of the manifest if the results have a folder in their bucket', async () => {
    const buckets = new MemoryBuckets();
    const events = new RecordedEvents('sudoku/');
    await deliver(buckets, upload(buckets, KEY, EASY), { dependencies: { events } });
    expect(events.sent[0]!.detail.manifest.key).toBe(`sudoku/${manifestKey(buckets)}`);
  });

  it('neither undoes nor delays the commit if the bus is down, and is sent by a later delivery', async () => {
    const buckets = new MemoryBuckets();
    const events = new RecordedEvents();
    let commits = 0;
    const dependencies = { events, onCommit: () => void commits++ };
    const uploaded = upload(buckets, KEY, EASY);
    events.isDown = true;
    for (const lastReceive of [false, false, true]) {
      const delivery = deliver(buckets, uploaded, { lastReceive, dependencies });
      await expect(delivery).rejects.toThrow(
        'JobCompleted of inbox/a.txt was not sent, and will be: Error: the bus is down. Its outcome is stored and does not change',
      );
      expect(statusDocumentOf(buckets, KEY).state).toBe('done');
      expect(buckets.keys(RESULTS_BUCKET, 'done/')).toHaveLength(1);
    }
    const before = buckets.texts(RESULTS_BUCKET);
    events.isDown = false;
    expect(await report(buckets, uploaded, events)).toBe('ended');
    expect(events.types).toEqual(['JobCompleted']);
    expect(buckets.texts(RESULTS_BUCKET)).toEqual(before);
    expect(commits).toBe(1);
  });
});

describe('JobRejected', () => {
  it('has the reason and the key of error.json', async () => {
    const buckets = new MemoryBuckets();
    const events = new RecordedEvents();
    await deliver(buckets, upload(buckets, KEY, PROSE), { dependencies: { events } });
    const [rejectKey] = buckets.keys(RESULTS_BUCKET, 'rejects/');
    expect(events.sent).toMatchObject([
      {
        type: 'JobRejected',
        detail: {
          schema: 'dlx-batch/event@1',
          input: { key: KEY },
          reject: { bucket: RESULTS_BUCKET, key: rejectKey },
          error: { code: 'no_puzzles', message: expect.stringContaining('found') },
          summary: expect.stringMatching(/^inbox\/a\.txt was rejected: /),
        },
      },
    ]);
  });

  it('is sent by a later delivery if the bus is down, also by a report', async () => {
    const buckets = new MemoryBuckets();
    const events = new RecordedEvents();
    const uploaded = upload(buckets, KEY, PROSE);
    events.isDown = true;
    const last = deliver(buckets, uploaded, { lastReceive: true, dependencies: { events } });
    await expect(last).rejects.toThrow(EventNotSentError);
    expect(statusDocumentOf(buckets, KEY).state).toBe('rejected');
    events.isDown = false;
    expect(await report(buckets, uploaded, events)).toBe('ended');
    expect(events.types).toEqual(['JobRejected']);
  });

  it('is not sent for a job that is committed meanwhile', async () => {
    const buckets = new MemoryBuckets();
    const events = new RecordedEvents();
    const uploaded = upload(buckets, KEY, EASY);
    await deliver(buckets, uploaded);
    buckets.deleteVersion(INPUT_BUCKET, KEY, uploaded.versionId!);
    await deliver(buckets, uploaded, { dependencies: { events } });
    expect(events.types).toEqual(['JobCompleted']);
  });
});

describe('JobFailed', () => {
  it('is sent after the last try only, with the key of the status', async () => {
    const buckets = new MemoryBuckets();
    const events = new RecordedEvents();
    const uploaded = upload(buckets, KEY, EASY);
    const dependencies = { events };
    await expect(deliver(buckets, uploaded, { hooks: broken, dependencies })).rejects.toThrow('on fire');
    expect(events.types).toEqual([]);
    const last = deliver(buckets, uploaded, { hooks: broken, lastReceive: true, dependencies });
    await expect(last).rejects.toThrow('on fire');
    const [statusKey] = buckets.keys(RESULTS_BUCKET, 'status/');
    expect(events.sent).toMatchObject([
      {
        type: 'JobFailed',
        detail: {
          input: { key: KEY, versionId: uploaded.versionId },
          status: { bucket: RESULTS_BUCKET, key: statusKey },
          error: { message: 'Error: disk on fire' },
        },
      },
    ]);
    expect(statusDocumentOf(buckets, KEY)).toMatchObject({ state: 'failed', eventSent: true });
    expect(await report(buckets, uploaded, events)).toBe('failed');
    expect(events.types).toEqual(['JobFailed']);
  });

  it('is sent by a report if the last try crashed', async () => {
    const buckets = new MemoryBuckets();
    const events = new RecordedEvents();
    const uploaded = upload(buckets, KEY, EASY);
    const hooks = crashAt(5, 'before');
    await deliver(buckets, uploaded, { hooks, lastReceive: true, dependencies: { events } }).catch(() => {});
    expect(await report(buckets, uploaded, events)).toBe('crashed');
    expect(await report(buckets, uploaded, events)).toBe('failed');
    expect(events.types).toEqual(['JobFailed']);
    expect(statusDocumentOf(buckets, KEY).error?.message).toMatch(/ran out of memory or timed out/);
  });

  it('is sent by a report if the bus was down, with the error of the last try', async () => {
    const buckets = new MemoryBuckets();
    const events = new RecordedEvents();
    const uploaded = upload(buckets, KEY, EASY);
    events.isDown = true;
    const last = deliver(buckets, uploaded, { hooks: broken, lastReceive: true, dependencies: { events } });
    const error = await last.catch((thrown: unknown) => thrown);
    expect([isEventNotSent(error), String(error)]).toEqual([true, expect.stringContaining('on fire')]);
    await expect(report(buckets, uploaded, events)).rejects.toThrow(EventNotSentError);
    events.isDown = false;
    expect(await report(buckets, uploaded, events)).toBe('failed');
    expect(events.sent).toMatchObject([{ detail: { error: { message: 'Error: disk on fire' } } }]);
  });
});

describe('an upload that was deleted', () => {
  it.each(['0', 'f'])(
    'sends the event of each of its rejected jobs, if that of job %s was not sent',
    async (missing) => {
      const buckets = new MemoryBuckets();
      const events = new RecordedEvents();
      const uploaded = upload(buckets, KEY, EASY);
      const storage = uploadDependencies(memoryStore(buckets), 'x', { events });
      for (const digit of ['0', 'f']) {
        events.isDown = digit === missing;
        const job = storedJob(
          digit.repeat(16),
          { ...uploaded, versionId: uploaded.versionId! },
          storage.hashing,
        );
        await rejectJob(job, goneError(KEY), {}, storage).catch(() => {});
      }
      expect(events.sent).toHaveLength(1);
      events.isDown = false;
      buckets.deleteVersion(INPUT_BUCKET, KEY, uploaded.versionId!);
      await deliver(buckets, uploaded, { dependencies: { events } });
      expect(new Set(events.sent.map(({ detail }) => detail.jobId))).toEqual(
        new Set(['0'.repeat(16), 'f'.repeat(16)]),
      );
    },
  );
});

describe('a large job', () => {
  const text = `${EASY}\n`.repeat(8);

  const failureOf = (job: ReturnType<typeof largeJob>, attempt: string) => ({
    ...executionFailureIn({
      source: 'aws.states',
      'detail-type': 'Step Functions Execution Status Change',
      detail: { name: attempt, status: 'FAILED', input: JSON.stringify(job), error: 'E', cause: 'why' },
    })!,
    job,
  });

  it('sends JobCompleted from its merge, which repeats nothing else if the bus was down', async () => {
    const buckets = new MemoryBuckets(64);
    const events = new RecordedEvents();
    events.isDown = true;
    const job = largeJob(upload(buckets, KEY, text));
    let commits = 0;
    const dependencies = () => ({ events, onCommit: () => void commits++ });
    const run = runLarge(buckets, job, { shardBytes: 300, dependencies });
    await expect(run).rejects.toMatchObject({ name: EVENT_NOT_SENT_ERROR });
    const before = buckets.texts(RESULTS_BUCKET);
    // The failure of the execution, which gave up.
    const storage = uploadDependencies(memoryStore(buckets), 'x', { events });
    await expect(recordExecutionFailure(failureOf(job, 'attempt-a'), undefined, storage)).rejects.toThrow(
      EventNotSentError,
    );
    events.isDown = false;
    await recordExecutionFailure(failureOf(job, 'attempt-a'), undefined, storage);
    expect(events.sent).toMatchObject([
      { type: 'JobCompleted', detail: { manifest: { key: manifestKey(buckets) }, puzzles: { solved: 8 } } },
    ]);
    await runLarge(buckets, job, { shardBytes: 300, dependencies });
    expect(events.types).toEqual(['JobCompleted', 'JobCompleted']);
    expect(buckets.texts(RESULTS_BUCKET)).toEqual(before);
    expect(commits).toBe(1);
  });

  it('sends JobRejected from the step that rejects it', async () => {
    const buckets = new MemoryBuckets(64);
    const events = new RecordedEvents();
    const job = largeJob(upload(buckets, KEY, PROSE));
    await runLarge(buckets, job, { dependencies: () => ({ events }) });
    expect(events.types).toEqual(['JobRejected']);
  });
});

describe('RunCompleted', () => {
  it('has the counts and the key of the report', async () => {
    const buckets = await threeUploads();
    const events = new RecordedEvents();
    await runBulk(buckets, RUN, { ...solvingQueue(buckets), dependencies: { events } });
    expect(events.sent).toEqual([
      {
        type: 'RunCompleted',
        detail: {
          schema: 'dlx-batch/event@1',
          stack: 'Puzzles',
          runId: RUN.runId,
          report: { bucket: RESULTS_BUCKET, key: `runs/${RUN.runId}/report.json` },
          startedAt: expect.any(String),
          endedAt: expect.any(String),
          versions: expect.objectContaining({ planned: 2, solved: 2, rejected: 0, failed: 0, stalled: 0 }),
          puzzles: expect.objectContaining({ total: 2, solved: 2 }),
          summary: `run ${RUN.runId}: 2 of 2 uploads solved`,
        },
      },
    ]);
  });

  it('is sent by a repetition of the step if the bus was down, with the same report', async () => {
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

  it('names what was not solved', async () => {
    const events = new RecordedEvents();
    const counts = {
      planned: 5,
      solved: 2,
      rejected: 2,
      failed: 0,
      stalled: 1,
      missing: 0,
      sent: 5,
      open: 0,
    };
    const versions = { ...ZERO_COUNTS, ...counts };
    const storage = { resultsBucket: RESULTS_BUCKET, events };
    await sendRunCompleted({ run: RUN, versions } as never, 'runs/r/report.json', storage);
    expect(events.sent[0]!.detail.summary).toBe(
      `run ${RUN.runId}: 2 of 5 uploads solved, 2 rejected, 1 stalled`,
    );
  });
});
