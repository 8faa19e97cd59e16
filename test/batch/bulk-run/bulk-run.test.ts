/** Bulk runs over buckets in memory: what is planned, sent, waited for and reported, whatever happens meanwhile. */
import { describe, expect, it } from 'vitest';
import type { PlannedVersion } from '../../../lib/batch/bulk-run/planned-version.ts';
import { runIdAt } from '../../../lib/batch/bulk-run/run-keys.ts';
import type { RunReport, UnsolvedVersion } from '../../../lib/batch/bulk-run/run-report.ts';
import type { RunStatus } from '../../../lib/batch/bulk-run/run-status.ts';
import type { BulkRun } from '../../../lib/batch/bulk-run/steps.ts';
import type { Upload } from '../../../lib/batch/upload-event.ts';
import { DayClock, type RunOptions, runBulk, SentMessages, STARTED_AT } from '../../support/bulk-run.ts';
import { crashAt, failing, recording } from '../../support/faults.ts';
import { interleave, type Turn } from '../../support/interleave.ts';
import { INPUT_BUCKET, RESULTS_BUCKET } from '../../support/machinery.ts';
import { MemoryBuckets, type StoreCall } from '../../support/memory-store.ts';
import { EASY } from '../../support/puzzles.ts';
import { readResultSet } from '../../support/result-set.ts';
import { callsOf, deliver, upload } from '../../support/uploads.ts';

const RUN: BulkRun = { runId: runIdAt('2025-03-01T12:00:00Z') };
const FOLDER = `runs/${RUN.runId}/`;

function lines<Line>(buckets: MemoryBuckets, name: string, run = RUN): Line[] {
  const text = buckets.text(RESULTS_BUCKET, `runs/${run.runId}/${name}`);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

function report(buckets: MemoryBuckets, run = RUN): RunReport {
  return buckets.json(RESULTS_BUCKET, `runs/${run.runId}/report.json`);
}

/** A queue whose messages are worked on while the run waits. */
function solving(
  buckets: MemoryBuckets,
  work: (uploaded: Upload) => Promise<unknown> = (uploaded) => deliver(buckets, uploaded),
) {
  const queue = new SentMessages();
  let worked = 0;
  return {
    queue,
    async whileWaiting() {
      for (const uploaded of queue.uploads.slice(worked)) {
        worked++;
        await work(uploaded).catch(() => {});
      }
    },
  };
}

/** Three uploads: one solved by its event, one whose event was lost, one left for the run. */
async function threeUploads(): Promise<MemoryBuckets> {
  const buckets = new MemoryBuckets();
  await deliver(buckets, upload(buckets, 'inbox/solved.txt', EASY));
  upload(buckets, 'inbox/lost.txt', EASY);
  upload(buckets, 'scheduled/night.txt', EASY);
  return buckets;
}

describe('a bulk run', () => {
  it('solves what is scheduled and what an event was lost for, and nothing else', async () => {
    const buckets = await threeUploads();
    const world = solving(buckets);
    await runBulk(buckets, RUN, world);
    expect(world.queue.uploads.map(({ key }) => key)).toEqual(['inbox/lost.txt', 'scheduled/night.txt']);
    expect(readResultSet(buckets, 'scheduled/night.txt').manifest.puzzles.solved).toBe(1);
    expect(report(buckets)).toMatchObject({
      schema: 'dlx-batch/run@1',
      run: RUN,
      startedAt: STARTED_AT,
      versions: { found: 3, alreadyDone: 1, planned: 2, solved: 2, rejected: 0, failed: 0, stalled: 0 },
      puzzles: { total: 2, solved: 2 },
      unsolved: [],
    });
    expect(lines<PlannedVersion>(buckets, 'plan.jsonl').map(({ key, why }) => `${key} ${why}`)).toEqual([
      'inbox/lost.txt missed',
      'scheduled/night.txt scheduled',
    ]);
  });

  it('sends events without sequencer, the run beside the detail', async () => {
    const buckets = await threeUploads();
    const queue = new SentMessages();
    const clock = new DayClock();
    await runBulk(buckets, RUN, { queue, clock });
    const [lost] = queue.uploads;
    expect(lost).toMatchObject({ key: 'inbox/lost.txt', bytes: 81, runId: RUN.runId });
    expect(lost!.versionId).toBe(buckets.list(INPUT_BUCKET, 'inbox/lost.txt')[0]!.versionId);
    expect(lost!.sequencer).toBeUndefined();
    expect(JSON.parse(queue.bodies[0]!).detail.runId).toBeUndefined();
  });

  it('solves nothing again on the next day', async () => {
    const buckets = await threeUploads();
    await runBulk(buckets, RUN, solving(buckets));
    const next = { runId: 'next' };
    const world = solving(buckets);
    await runBulk(buckets, next, world);
    expect(world.queue.bodies).toEqual([]);
    expect(report(buckets, next).versions).toMatchObject({ found: 3, alreadyDone: 3, planned: 0 });
  });

  it('leaves young versions in the inbox to their event, and takes scheduled ones at once', async () => {
    const buckets = new MemoryBuckets();
    for (const [name, now] of [
      ['old', '2025-03-01T09:59:59.000Z'],
      ['young', '2025-03-01T10:00:01.000Z'],
    ] as const) {
      buckets.now = now;
      upload(buckets, `inbox/${name}.txt`, EASY);
      upload(buckets, `scheduled/${name}.txt`, EASY);
    }
    const world = solving(buckets);
    await runBulk(buckets, RUN, world);
    const keys = world.queue.uploads.map(({ key }) => key);
    expect(keys).toEqual(['inbox/old.txt', 'scheduled/old.txt', 'scheduled/young.txt']);
    expect(report(buckets).versions.tooYoung).toBe(1);
  });

  it('solves every version of a key, and latest.json names the newest', async () => {
    const buckets = new MemoryBuckets();
    const [first, second, third] = ['1', '2', '3'].map((name) =>
      upload(buckets, 'scheduled/a.txt', `# ${name}\n${EASY}`),
    );
    await deliver(buckets, second!);
    buckets.markDeleted(INPUT_BUCKET, 'scheduled/a.txt');
    const world = solving(buckets);
    await runBulk(buckets, RUN, world);
    const sent = world.queue.uploads.map(({ versionId }) => versionId);
    expect(sent.sort()).toEqual([first!.versionId, third!.versionId]);
    const latest = buckets.json<{ input: Upload }>(RESULTS_BUCKET, 'results/scheduled/a.txt/latest.json');
    expect(latest.input.versionId).toBe(third!.versionId);
  });

  it('does not take folder markers and other prefixes for uploads', async () => {
    const buckets = new MemoryBuckets();
    buckets.write(INPUT_BUCKET, 'scheduled/', '');
    buckets.write(INPUT_BUCKET, 'scheduled/a/', '');
    buckets.write(INPUT_BUCKET, 'elsewhere/a.txt', EASY);
    await runBulk(buckets, RUN);
    expect(report(buckets).versions).toMatchObject({ found: 0, planned: 0 });
  });

  it('takes only what begins with its prefix', async () => {
    const buckets = new MemoryBuckets();
    for (const key of ['inbox/june/a.txt', 'inbox/june.txt', 'scheduled/june/b.txt'])
      upload(buckets, key, EASY);
    const world = solving(buckets);
    await runBulk(buckets, { ...RUN, prefix: 'inbox/june/' }, world);
    expect(world.queue.uploads.map(({ key }) => key)).toEqual(['inbox/june/a.txt']);
  });
});

describe('a run beside another', () => {
  /** Runs another one in the middle of the first one's wait; what the second one sent, and what it counted. */
  async function overlapping(hoursLater: number) {
    const buckets = await threeUploads();
    const clock = new DayClock();
    const second = new SentMessages();
    const other = { runId: runIdAt('2025-03-01T12:00:00Z', 'other') };
    let begun = false;
    await runBulk(buckets, RUN, {
      clock,
      whileWaiting: async () => {
        if (begun) return;
        begun = true;
        upload(buckets, 'scheduled/later.txt', EASY);
        const later = new DayClock();
        later.dayMs = clock.dayMs + hoursLater * 3_600_000;
        await runBulk(buckets, other, { queue: second, clock: later });
      },
    });
    return { sent: second.uploads.map(({ key }) => key), versions: report(buckets, other).versions };
  }

  it('leaves to it what it waits for', async () => {
    const { sent, versions } = await overlapping(0);
    expect(sent).toEqual(['scheduled/later.txt']);
    expect(versions).toMatchObject({ found: 4, alreadyDone: 1, underWay: 2, planned: 1 });
  });

  it('takes all of it where the other one has not been heard of for an hour', async () => {
    const { sent, versions } = await overlapping(1.1);
    expect(sent).toEqual(['inbox/lost.txt', 'scheduled/later.txt', 'scheduled/night.txt']);
    expect(versions).toMatchObject({ underWay: 0, planned: 3 });
  });
});

describe('what could not be solved', () => {
  const REJECTED = 'no puzzles here\n';

  /** One upload of each outcome, none of them delivered yet. */
  function uploads(): MemoryBuckets {
    const buckets = new MemoryBuckets();
    upload(buckets, 'scheduled/fails.txt', EASY);
    upload(buckets, 'scheduled/<b>.txt', REJECTED);
    upload(buckets, 'scheduled/solved.txt', EASY);
    upload(buckets, 'scheduled/stalls.txt', EASY);
    return buckets;
  }

  /** Delivers as the name says. */
  function work(buckets: MemoryBuckets, clock: DayClock) {
    const noReads = failing(
      ({ operation, bucket }) => operation === 'get' && bucket === INPUT_BUCKET,
      new Error('disk'),
    );
    return async (uploaded: Upload) => {
      if (uploaded.key.includes('stalls')) return;
      const fails = uploaded.key.includes('fails');
      await deliver(buckets, uploaded, {
        lastReceive: true,
        hooks: fails ? noReads : {},
        machinery: { clock },
      });
    };
  }

  async function firstRun() {
    const buckets = uploads();
    const clock = new DayClock();
    const steps = await runBulk(buckets, RUN, { ...solving(buckets, work(buckets, clock)), clock });
    return { buckets, clock, steps };
  }

  it('stands in the report, with why', async () => {
    const { buckets } = await firstRun();
    expect(report(buckets).versions).toMatchObject({
      planned: 4,
      solved: 1,
      rejected: 1,
      failed: 1,
      stalled: 1,
    });
    const unsolved = lines<UnsolvedVersion>(buckets, 'unsolved.jsonl');
    expect(unsolved.map(({ key, outcome }) => `${key} ${outcome}`)).toEqual([
      'scheduled/<b>.txt rejected',
      'scheduled/fails.txt failed',
      'scheduled/stalls.txt stalled',
    ]);
    expect(unsolved[1]!.message).toContain('disk');
    expect(report(buckets).unsolved).toEqual(unsolved);
  });

  it('is waited for a day, in ever fewer looks', async () => {
    const { clock, steps } = await firstRun();
    expect(clock.dayMs - Date.parse(STARTED_AT)).toBeGreaterThanOrEqual(86_400_000);
    expect(steps.filter((step) => step === 'look').length).toBeLessThan(300);
  });

  it('is not waited for where all of it has failed', async () => {
    const buckets = new MemoryBuckets();
    upload(buckets, 'scheduled/fails.txt', EASY);
    const clock = new DayClock();
    await runBulk(buckets, RUN, { ...solving(buckets, work(buckets, clock)), clock });
    expect(clock.dayMs - Date.parse(STARTED_AT)).toBeLessThan(60_000);
  });

  it('is not tried again by the next run where it was rejected', async () => {
    const { buckets, clock } = await firstRun();
    const world = solving(buckets);
    await runBulk(buckets, { runId: 'next' }, { ...world, clock });
    expect(world.queue.uploads.map(({ key }) => key)).toEqual([
      'scheduled/fails.txt',
      'scheduled/stalls.txt',
    ]);
  });

  it('is taken again, and nothing else, by a run that is told to', async () => {
    const { buckets } = await firstRun();
    upload(buckets, 'scheduled/new.txt', EASY);
    const again = { runId: 'again', rerunOf: RUN.runId };
    const clock = new DayClock();
    clock.dayMs += 1000;
    const world = solving(buckets, (uploaded) => deliver(buckets, uploaded, { machinery: { clock } }));
    await runBulk(buckets, again, { ...world, clock });
    expect(world.queue.uploads.map(({ key }) => key)).toEqual([
      'scheduled/<b>.txt',
      'scheduled/fails.txt',
      'scheduled/stalls.txt',
    ]);
    expect(report(buckets, again).versions).toMatchObject({ planned: 3, solved: 2, rejected: 1, stalled: 0 });
    expect(clock.dayMs - Date.parse(STARTED_AT)).toBeLessThan(60_000);
  });

  it('is told on a page that escapes what others named', async () => {
    const { buckets } = await firstRun();
    const page = buckets.text(RESULTS_BUCKET, `${FOLDER}report.html`);
    expect(page).toContain('scheduled/&lt;b&gt;.txt');
    expect(page).not.toContain('<b>');
    expect(page).not.toMatch(/(src|href)=/);
  });
});

describe('a run that is stopped', () => {
  /** Time for a few versions an invocation. */
  function shortOfTime(): RunOptions['machinery'] {
    return { remainingMs: hurried() };
  }

  it('goes on where it was, under the same id, and sends each version once', async () => {
    const buckets = new MemoryBuckets();
    for (let k = 0; k < 25; k++) upload(buckets, `scheduled/${k}.txt`, EASY);
    const world = solving(buckets);
    const clock = new DayClock();
    const steps = await runBulk(buckets, RUN, { ...world, clock, machinery: shortOfTime() });
    expect(steps.filter((step) => step === 'plan').length).toBeGreaterThan(4);
    expect(steps.filter((step) => step === 'send').length).toBeGreaterThan(1);
    expect(world.queue.uploads).toHaveLength(25);
    expect(new Set(world.queue.uploads.map(({ key }) => key)).size).toBe(25);
    expect(report(buckets).versions).toMatchObject({ found: 25, planned: 25, solved: 25 });
    expect(buckets.keys(RESULTS_BUCKET, FOLDER)).toEqual(
      ['plan.jsonl', 'report.html', 'report.json', 'status.json', 'unsolved.jsonl'].map(
        (name) => FOLDER + name,
      ),
    );
  });

  for (const when of ['before', 'after'] as const) {
    it(`by a crash ${when} any storage call leaves what one clean run leaves`, async () => {
      const clean = await threeUploads();
      const calls: Record<string, StoreCall[]> = {};
      await runBulk(clean, RUN, {
        ...solving(clean),
        hooks: (step) => {
          calls[step] = [];
          return recording(calls[step]!);
        },
      });
      for (const [step, made] of Object.entries(calls)) {
        for (const { index, operation, key } of made) {
          const buckets = await threeUploads();
          const world = solving(buckets);
          let tried = false;
          await runBulk(buckets, RUN, {
            ...world,
            tries: 2,
            hooks: (name) => {
              if (name !== step || tried) return {};
              tried = true;
              return crashAt(index, when);
            },
          });
          const where = `${step} ${index}: ${operation} ${key}`;
          expect(buckets.text(RESULTS_BUCKET, `${FOLDER}plan.jsonl`), where).toBe(
            clean.text(RESULTS_BUCKET, `${FOLDER}plan.jsonl`),
          );
          expect(report(buckets).versions, where).toEqual(report(clean).versions);
          const sent = world.queue.uploads.map(({ key: sentKey }) => sentKey);
          expect([...new Set(sent)], where).toEqual(['inbox/lost.txt', 'scheduled/night.txt']);
        }
      }
    });
  }

  it('between the freezing of its plan and its answer changes nothing of the plan', async () => {
    const buckets = await threeUploads();
    let done = false;
    await runBulk(buckets, RUN, {
      ...solving(buckets),
      tries: 2,
      hooks: () => ({
        async after({ operation, key }) {
          if (done || operation !== 'close' || !key.endsWith('/plan.jsonl')) return undefined;
          done = true;
          upload(buckets, 'scheduled/later.txt', EASY);
          throw new Error('no answer');
        },
      }),
    });
    expect(lines(buckets, 'plan.jsonl')).toHaveLength(2);
    expect(buckets.list(RESULTS_BUCKET, `${FOLDER}plan.jsonl`)).toHaveLength(1);
  });
});

describe('an event and a sweep for the same object', () => {
  it('give one committed result, however they interleave', async () => {
    const calls = await callsOf(new MemoryBuckets(), upload(new MemoryBuckets(), 'inbox/a.txt', EASY));
    for (let ahead = 0; ahead <= calls.length; ahead++) {
      const buckets = new MemoryBuckets();
      const event = upload(buckets, 'inbox/a.txt', EASY);
      const queue = new SentMessages();
      const world = {
        queue,
        whileWaiting: async () => {
          const turns = [...Array<Turn>(ahead).fill(0), ...Array<Turn>(calls.length + 10).fill(1)];
          await interleave(turns, [
            (hooks) => deliver(buckets, event, { attempt: 'attempt-a', hooks }),
            (hooks) => deliver(buckets, queue.uploads[0]!, { attempt: 'attempt-b', hooks }),
          ]);
        },
      };
      await runBulk(buckets, RUN, world);
      const { manifestKey, manifest } = readResultSet(buckets, 'inbox/a.txt');
      expect(buckets.list(RESULTS_BUCKET, manifestKey)).toHaveLength(1);
      const folder = manifestKey.slice(0, -'manifest.json'.length);
      const others = buckets.keys(RESULTS_BUCKET, folder).filter((key) => !key.includes(manifest.attempt!));
      expect(others).toEqual([manifestKey]);
      expect(report(buckets).versions).toMatchObject({ planned: 1, solved: 1 });
    }
  });
});

describe('ten thousand small objects of which three thousand are solved', () => {
  it('are seven thousand jobs, none twice', async () => {
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
    const status = buckets.json<RunStatus>(RESULTS_BUCKET, `${FOLDER}status.json`);
    expect(status).toMatchObject({ state: 'done', found: 10_000, alreadyDone: 3000, planned: 7000 });
  });
});

/** A clock of remaining time that lets a handful of questions pass, then says that it is over, for each invocation. */
function hurried(): () => number {
  let asked = 0;
  return () => (asked++ % 8 === 7 ? 0 : 100_000);
}
