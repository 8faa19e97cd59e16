/** Bulk runs in the files of `deliveries.ts`. */
import type { UnsolvedVersion } from '../../lib/batch/bulk-run/report/run-report.ts';
import { runKeys } from '../../lib/batch/bulk-run/run-keys.ts';
import type { BulkRun, RunDependencies } from '../../lib/batch/bulk-run/steps.ts';
import type { Upload } from '../../lib/batch/delivery/upload-event.ts';
import { type DayClock, planOf, runBulk, runLines, runReport, SentMessages } from '../support/bulk-run.ts';
import { RESULTS_BUCKET } from '../support/dependencies.ts';
import type { MemoryBuckets } from '../support/memory-store.ts';

/** The buckets of a file, and how it delivers. */
export interface RunWorld {
  readonly buckets: MemoryBuckets;
  readonly clock: DayClock;
  readonly dependencies: Partial<RunDependencies>;
  deliver(uploaded: Upload): Promise<unknown>;
  /** Called before the run looks at its uploads, with the number of times before. */
  meanwhile(waits: number): Promise<void>;
}

/**
 * Runs a bulk run to its end; what it sends is solved while it waits, after `idle` waits, except keys that contain `stalls`.
 *
 *     run night prefix=inbox/ keys=inbox/a.txt,inbox/b.txt rerun=other rejected=no_puzzles retry grace=0 inbox=in/ scheduled=later/
 *
 * @returns what it has planned, sent and reported
 */
export async function runLinesOf(
  [runId, ...words]: readonly string[],
  { prefix, keys, rerun, rejected, grace, inbox, scheduled, idle = '0' }: Readonly<Record<string, string>>,
  { buckets, clock, dependencies, deliver, meanwhile }: RunWorld,
): Promise<string[]> {
  const run: BulkRun = {
    runId: runId!,
    prefix,
    ...(keys !== undefined && { manifest: true }),
    rerunOf: rerun,
    ...(rejected !== undefined && { rejected: rejected === 'any' ? {} : { code: rejected } }),
    ...(words.includes('retry') && { retry: true }),
    ...(grace !== undefined && { graceMinutes: Number(grace) }),
  };
  if (keys !== undefined)
    buckets.write(RESULTS_BUCKET, runKeys(run.runId).manifest, keys.replaceAll(',', '\n'));
  const queue = new SentMessages();
  const startMs = clock.dayMs;
  let [worked, waits] = [0, 0];
  const moved: string[] = [];
  const steps = await runBulk(buckets, run, {
    queue,
    clock,
    whileWaiting: async () => {
      await meanwhile(waits++);
      if (waits <= Number(idle)) return;
      for (const uploaded of queue.uploads.slice(worked)) {
        worked++;
        if (!uploaded.key.includes('stalls')) await deliver(uploaded).catch(() => {});
      }
    },
    dependencies: {
      ...dependencies,
      deadLetters: { moveBack: async () => void moved.push('moves the dead letters back') },
      ...(inbox !== undefined && { uploadPrefixes: { inbox, scheduled: scheduled! } }),
    },
  });
  const { versions, puzzles, heldBy, cancelled, expiring } = runReport(buckets, run);
  const isSome = ([, value]: [string, unknown]) =>
    value !== 0 && value !== false && JSON.stringify(value) !== '[]';
  const facts = { ...versions, plannedBytes: 0, puzzles: puzzles.total, heldBy, cancelled };
  const why = new Map((await planOf(buckets, run)).map((each) => [each.key + each.versionId, each.why]));
  const hours = Math.round((clock.dayMs - startMs) / 3_600_000);
  return [
    ...queue.uploads.map(
      ({ key, versionId = '' }) => `sends ${key} ${versionId} (${why.get(key + versionId)})`,
    ),
    ...moved,
    `${run.runId}: ${JSON.stringify(Object.fromEntries(Object.entries(facts).filter(isSome)))}`,
    ...(hours > 0 ? [`it took ${hours} hours, and ${steps.length} steps`] : []),
    ...runLines<UnsolvedVersion>(buckets, 'unsolved.jsonl', run).map(
      ({ key, outcome, message }) =>
        `unsolved: ${key} ${outcome}: ${message.slice(0, 60)}${expiring.first.some((each) => each.key === key) ? ' (expiring)' : ''}`,
    ),
  ];
}
