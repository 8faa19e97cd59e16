/** Bulk runs over many uploads: what waits, what is read, and how they end. */
import { describe, expect, it } from 'vitest';
import type { FollowState } from '../../../lib/batch/bulk-run/follow-run.ts';
import type { UnsolvedVersion } from '../../../lib/batch/bulk-run/report/run-report.ts';
import { runIdAt } from '../../../lib/batch/bulk-run/run-keys.ts';
import type { RunStatus } from '../../../lib/batch/bulk-run/run-status.ts';
import type { BulkRun } from '../../../lib/batch/bulk-run/steps.ts';
import { type Upload, uploadInMessage } from '../../../lib/batch/delivery/upload-event.ts';
import {
  DayClock,
  planOf,
  RUN,
  RUN_FOLDER,
  runBulk,
  runLines,
  runReport,
  SentMessages,
  STARTED_AT,
  solvingQueue,
  threeUploads,
} from '../../support/bulk-run.ts';
import { RESULTS_BUCKET } from '../../support/dependencies.ts';
import { MemoryBuckets } from '../../support/memory-store.ts';
import { EASY } from '../../support/puzzles.ts';
import { deliver, upload } from '../../support/uploads.ts';

const PUZZLES = { total: 2, solved: 1, multiple: 0, unsolvable: 1, invalid: 0, unreadable: 0, limit: 0 };
const DONE = JSON.stringify({
  schema: 'dlx-batch/done@1',
  jobId: '0123456789abcdef',
  outcome: 'completed',
  puzzles: PUZZLES,
  seconds: 2,
  gbSeconds: 4,
});

/** Solves so many uploads a second while the run waits. */
function steadyWorld(buckets: MemoryBuckets, clock: DayClock, perSecond: number) {
  const queue = new SentMessages();
  let worked = 0;
  const startMs = clock.dayMs;
  let [oldestMessage, idle] = [0, 0];
  return {
    queue,
    clock,
    get mostWaiting() {
      return oldestMessage;
    },
    async whileWaiting() {
      const all = Math.floor(((clock.dayMs - startMs) / 1000) * perSecond);
      oldestMessage = Math.max(oldestMessage, queue.bodies.length - worked);
      // A function that has nothing to do does not work ahead.
      const bodies = queue.bodies.slice(worked, Math.max(worked, all - idle));
      idle = all - worked - bodies.length;
      for (const { key, versionId } of bodies.flatMap((body) => uploadInMessage(JSON.parse(body)) ?? [])) {
        buckets.write(RESULTS_BUCKET, `done/${key}/${versionId}`, DONE);
        worked++;
      }
    },
  };
}

function manyUploads(count: number): MemoryBuckets {
  const buckets = new MemoryBuckets();
  for (let k = 0; k < count; k++) upload(buckets, `inbox/${String(k).padStart(7, '0')}.txt`, EASY);
  return buckets;
}

describe('a run of many uploads', () => {
  it('sends as many as are solved in some minutes, and each once', async () => {
    const buckets = manyUploads(1500);
    const clock = new DayClock();
    const world = steadyWorld(buckets, clock, 2);
    await runBulk(buckets, RUN, world);
    expect(world.queue.bodies).toHaveLength(1500);
    expect(new Set(world.queue.uploads.map(({ key }) => key)).size).toBe(1500);
    // Five minutes of work, and what it began with.
    expect(world.mostWaiting).toBeLessThanOrEqual(700);
    expect(runReport(buckets)).toMatchObject({
      versions: { planned: 1500, sent: 1500, solved: 1500, open: 0 },
      puzzles: { total: 3000, solved: 1500, unsolvable: 1500 },
      solveSeconds: 3000,
    });
  });

  it('lasts as long as its uploads, however slow they are', async () => {
    const buckets = manyUploads(12);
    const clock = new DayClock();
    const world = steadyWorld(buckets, clock, 1 / 36_000);
    await runBulk(buckets, RUN, world);
    expect(clock.dayMs - Date.parse(STARTED_AT)).toBeGreaterThan(4 * 86_400_000);
    expect(runReport(buckets).versions).toMatchObject({ solved: 12, stalled: 0 });
  });

  it('reads one object for each, and lists none', async () => {
    const buckets = manyUploads(2000);
    const world = steadyWorld(buckets, new DayClock(), 50);
    const reads: Record<string, number> = {};
    await runBulk(buckets, RUN, {
      ...world,
      hooks: (step) => ({
        async before({ operation, key }) {
          if (step !== 'follow' && step !== 'report') return undefined;
          const folder = key.split('/', 1)[0]!;
          reads[`${operation} ${folder}`] = (reads[`${operation} ${folder}`] ?? 0) + 1;
          return undefined;
        },
      }),
    });
    const { 'get done': markers = 0, ...others } = reads;
    expect(markers).toBeGreaterThanOrEqual(2000);
    expect(markers).toBeLessThan(2 * 2000);
    expect(Object.keys(others).filter((name) => /status|results|rejects/.test(name))).toEqual([]);
  });

  it('goes on in other executions, under the same id and with the first start', async () => {
    const buckets = manyUploads(30);
    const clock = new DayClock();
    const steps = await runBulk(buckets, RUN, steadyWorld(buckets, clock, 1 / 80_000));
    expect(steps.length).toBeGreaterThan(3000);
    const status = buckets.json<RunStatus>(RESULTS_BUCKET, `${RUN_FOLDER}status.json`);
    expect(status).toMatchObject({ state: 'done', startedAt: STARTED_AT, settled: 30, sent: 30 });
    expect(status.execution).toMatch(new RegExp(`^${RUN.runId}--[2-9]$`));
    expect(status.run).toEqual(RUN);
  });
});

describe('a run that a user cancels', () => {
  it('sends nothing more, keeps what is solved, and reports the rest', async () => {
    const buckets = manyUploads(1000);
    const world = steadyWorld(buckets, new DayClock(), 1);
    let waits = 0;
    await runBulk(buckets, RUN, {
      ...world,
      whileWaiting: async () => {
        await world.whileWaiting();
        if (++waits === 10) buckets.write(RESULTS_BUCKET, `${RUN_FOLDER}cancel.json`, '{}');
      },
    });
    const { versions, cancelled } = runReport(buckets);
    expect(cancelled).toBe(true);
    expect(versions.solved).toBeGreaterThan(0);
    expect(versions.sent).toBe(world.queue.bodies.length);
    expect(versions.solved + versions.open).toBe(versions.sent);
    expect(versions.sent).toBeLessThan(1000);
    const next = new SentMessages();
    await runBulk(
      buckets,
      { runId: 'next' },
      {
        queue: next,
        clock: world.clock,
        whileWaiting: async () => {
          for (const { key, versionId } of next.uploads)
            buckets.write(RESULTS_BUCKET, `done/${key}/${versionId}`, DONE);
        },
      },
    );
    expect(runReport(buckets, { runId: 'next' }).versions).toMatchObject({ solved: 1000 - versions.solved });
  });
});

describe('runs of different prefixes', () => {
  it('exclude each other: a run leaves out, unlisted, what another one holds', async () => {
    const buckets = new MemoryBuckets();
    for (let k = 0; k < 20; k++)
      for (const folder of ['a', 'june', 'z']) upload(buckets, `inbox/${folder}/${k}.txt`, EASY);
    const clock = new DayClock();
    const other = { runId: runIdAt('2025-03-01T12:00:00Z', 'nightly') };
    const [june, night] = [new SentMessages(), new SentMessages()];
    let started = false;
    await runBulk(
      buckets,
      { ...RUN, prefix: 'inbox/june/' },
      {
        queue: june,
        clock,
        whileWaiting: async () => {
          if (started) return;
          started = true;
          const world = {
            queue: night,
            clock,
            whileWaiting: async () => {
              for (const uploaded of night.uploads) await deliver(buckets, uploaded);
            },
          };
          await runBulk(buckets, other, world);
          for (const uploaded of june.uploads) await deliver(buckets, uploaded);
        },
      },
    );
    const folders = (queue: SentMessages) => [...new Set(queue.uploads.map(({ key }) => key.split('/')[1]))];
    expect(folders(june)).toEqual(['june']);
    expect(folders(night)).toEqual(['a', 'z']);
    expect(runReport(buckets, other)).toMatchObject({
      heldBy: [RUN.runId],
      versions: { found: 40, solved: 40 },
    });
    const holds = buckets.json<{ runs: object }>(RESULTS_BUCKET, 'runs/holds.json');
    expect(holds.runs).toEqual({});
  });
});

describe('a nightly run beside a run of a list', () => {
  /** Starts a nightly run while another one waits for its uploads. @returns what each has sent, and the report of the night */
  async function night(buckets: MemoryBuckets, run: BulkRun) {
    const clock = new DayClock();
    const other = { runId: runIdAt('2025-03-01T12:00:00Z', 'nightly') };
    const [list, nightly] = [new SentMessages(), new SentMessages()];
    const solve = (queue: SentMessages) =>
      Promise.all(queue.uploads.map((uploaded) => deliver(buckets, uploaded)));
    let started = false;
    await runBulk(buckets, run, {
      queue: list,
      clock,
      whileWaiting: async () => {
        if (started) return;
        started = true;
        await runBulk(buckets, other, {
          queue: nightly,
          clock,
          whileWaiting: async () => void (await solve(nightly)),
        });
        await solve(list);
      },
    });
    const keys = (queue: SentMessages) => queue.uploads.map(({ key }) => key);
    return { list: keys(list), night: keys(nightly), report: runReport(buckets, other) };
  }

  it('leaves out the keys of a short list, and folders with many keys of a long one', async () => {
    const short = new MemoryBuckets();
    for (const key of ['inbox/a.txt', 'inbox/b.txt', 'scheduled/c.txt']) upload(short, key, EASY);
    short.write(RESULTS_BUCKET, `${RUN_FOLDER}keys.txt`, 'inbox/a.txt\nscheduled/c.txt\n');
    const one = await night(short, { ...RUN, manifest: true });
    expect(one).toMatchObject({ list: ['inbox/a.txt', 'scheduled/c.txt'], night: ['inbox/b.txt'] });
    expect(one.report.heldBy).toEqual([RUN.runId]);

    const long = new MemoryBuckets();
    for (const key of ['inbox/other.txt', 'scheduled/c.txt', 'scheduled/d.txt']) upload(long, key, EASY);
    for (let k = 0; k < 150; k++) upload(long, `inbox/june/${k}.txt`, EASY);
    const keys = Array.from({ length: 120 }, (_, k) => `inbox/june/${k}.txt`);
    long.write(RESULTS_BUCKET, `${RUN_FOLDER}keys.txt`, ['scheduled/c.txt', ...keys].join('\n'));
    const many = await night(long, { ...RUN, manifest: true });
    expect(many.list).toHaveLength(121);
    expect(many.night).toEqual(['inbox/other.txt', 'scheduled/d.txt']);
  });

  it('leaves out what is repeated of another run', async () => {
    const buckets = new MemoryBuckets();
    for (const key of ['inbox/a.txt', 'inbox/b.txt', 'inbox/c.txt']) upload(buckets, key, EASY);
    const first = { runId: 'first' };
    await runBulk(buckets, first, {
      queue: new SentMessages(),
      whileWaiting: async () => void buckets.write(RESULTS_BUCKET, 'runs/first/cancel.json', '{}'),
    });
    const line = {
      key: 'inbox/b.txt',
      versionId: 'v2',
      bytes: 82,
      etag: 'e',
      outcome: 'failed',
      message: '',
    };
    const [version] = (await planOf(buckets, first)).filter(({ key }) => key === line.key);
    buckets.write(
      RESULTS_BUCKET,
      'runs/first/unsolved.jsonl',
      `${JSON.stringify({ ...line, ...version })}\n`,
    );
    const { list, night: sent } = await night(buckets, { ...RUN, rerunOf: 'first' });
    expect({ list, sent }).toEqual({ list: ['inbox/b.txt'], sent: ['inbox/a.txt', 'inbox/c.txt'] });
  });
});

describe('a run of a list of keys', () => {
  it('leaves out what another run holds, and says which one', async () => {
    const buckets = await threeUploads();
    const at = new DayClock().timeOfDay();
    const holds = {
      schema: 'dlx-batch/holds@1',
      runs: { backfill: { prefixes: ['inbox/'], without: [], at } },
    };
    buckets.write(RESULTS_BUCKET, 'runs/holds.json', JSON.stringify(holds));
    buckets.write(RESULTS_BUCKET, `${RUN_FOLDER}keys.txt`, 'inbox/lost.txt\nscheduled/night.txt\n');
    await runBulk(buckets, { ...RUN, manifest: true }, solvingQueue(buckets));
    expect(runReport(buckets)).toMatchObject({
      heldBy: ['backfill'],
      versions: { found: 2, planned: 1, solved: 1 },
    });
  });

  it('solves the newest versions of these, and names the keys that have no upload', async () => {
    const buckets = await threeUploads();
    upload(buckets, 'inbox/lost.txt', `# newer\n${EASY}`);
    const keys = 'scheduled/night.txt\ninbox/none.txt\ninbox/solved.txt\n\ninbox/lost.txt';
    buckets.write(RESULTS_BUCKET, `${RUN_FOLDER}keys.txt`, keys);
    const world = solvingQueue(buckets);
    await runBulk(buckets, { ...RUN, manifest: true }, world);
    expect(world.queue.uploads.map(({ key }) => key)).toEqual(['scheduled/night.txt', 'inbox/lost.txt']);
    expect(runReport(buckets).versions).toMatchObject({
      found: 4,
      alreadyDone: 1,
      planned: 3,
      solved: 2,
      missing: 1,
    });
    expect(runLines<UnsolvedVersion>(buckets, 'unsolved.jsonl')).toMatchObject([
      { key: 'inbox/none.txt', outcome: 'missing' },
    ]);
  });
});

describe('a run over rejected uploads', () => {
  const NO_PUZZLES = 'no puzzles here\n';

  async function rejected() {
    const buckets = new MemoryBuckets();
    for (const [key, text] of [
      ['inbox/a.txt', NO_PUZZLES],
      ['inbox/b.txt', EASY],
      ['scheduled/c.txt', NO_PUZZLES],
    ] as const) {
      await deliver(buckets, upload(buckets, key, text));
    }
    // A newer version stands for its key.
    await deliver(buckets, upload(buckets, 'inbox/replaced.txt', NO_PUZZLES));
    await deliver(buckets, upload(buckets, 'inbox/replaced.txt', EASY));
    return buckets;
  }

  it('sends the newest versions that were rejected, and waits for what becomes of them', async () => {
    const buckets = await rejected();
    const clock = new DayClock();
    clock.dayMs += 1000;
    const work = (uploaded: Upload) => deliver(buckets, uploaded, { dependencies: { clock } });
    const world = solvingQueue(buckets, work);
    await runBulk(buckets, { ...RUN, rejected: {} }, { ...world, clock });
    expect(world.queue.uploads.map(({ key }) => key)).toEqual(['inbox/a.txt', 'scheduled/c.txt']);
    expect(runReport(buckets).versions).toMatchObject({ planned: 2, rejected: 2 });
    expect(runReport(buckets).unsolved[0]!.message).toContain('no puzzles');
  });

  it('reports as solved what is solved now, whatever was said of it before', async () => {
    const buckets = new MemoryBuckets();
    const clock = new DayClock();
    clock.dayMs -= 3_600_000;
    const json = { defaults: { format: 'json' }, clock } as const;
    for (const key of ['inbox/a.txt', 'inbox/b.txt']) {
      const { kind } = await deliver(buckets, upload(buckets, key, EASY), { dependencies: json });
      expect(kind).toBe('rejected');
    }
    clock.dayMs += 3_600_000;
    // The stack has other defaults now; the uploads are solved only after the run has looked at them several times.
    let waits = 0;
    const queue = new SentMessages();
    const whileWaiting = async () => {
      if (++waits !== 4) return;
      for (const uploaded of queue.uploads) await deliver(buckets, uploaded, { dependencies: { clock } });
    };
    await runBulk(buckets, { ...RUN, rejected: {} }, { queue, whileWaiting, clock });
    expect(runReport(buckets).versions).toMatchObject({ planned: 2, solved: 2, rejected: 0, stalled: 0 });
    expect(runReport(buckets).puzzles.solved).toBe(2);
  });

  it('of one code alone, and under one prefix alone', async () => {
    const buckets = await rejected();
    const keys = async (run: object, runId: string) => {
      await runBulk(buckets, { runId, ...run }, { queue: new SentMessages() });
      return (await planOf(buckets, { runId })).map(({ key }) => key);
    };
    expect(await keys({ rejected: { code: 'too_large' } }, 'one')).toEqual([]);
    expect(await keys({ rejected: { code: 'no_puzzles' }, prefix: 'scheduled/' }, 'two')).toEqual([
      'scheduled/c.txt',
    ]);
  });
});

describe('the state of a run', () => {
  it('has no list that grows with the uploads', async () => {
    const buckets = manyUploads(1500);
    await runBulk(buckets, RUN, steadyWorld(buckets, new DayClock(), 100));
    const sizes = buckets
      .keys(RESULTS_BUCKET, `${RUN_FOLDER}follow/`)
      .filter((key) => key.endsWith('.json'))
      .map((key) => JSON.stringify(buckets.json<{ state: FollowState }>(RESULTS_BUCKET, key)).length);
    expect(Math.max(...sizes)).toBeLessThan(1000);
  });
});
