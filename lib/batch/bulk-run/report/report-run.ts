/** Finishes a bulk run: reads the outcome of each planned version in slices, and sums them up. */

import { JOB_S3_DOLLARS, lambdaDollars, PRICES } from '../../estimate/prices.ts';
import { inParallel } from '../../in-parallel.ts';
import { HTML_TYPE } from '../../results/content-types.ts';
import type { PuzzleCounts } from '../../results/job-totals.ts';
import type { JobStats } from '../../results/statistics.ts';
import { PUZZLE_STATUSES } from '../../solving/puzzle-status.ts';
import { readJsonLines } from '../../storage/json-lines.ts';
import { readJson } from '../../storage/read-json.ts';
import { putJson } from '../../storage/write-json.ts';
import type { PlannedVersion } from '../planned-version.ts';
import { runKeys } from '../run-keys.ts';
import { writeRunStatus } from '../run-status.ts';
import { Slices } from '../slices.ts';
import {
  READS_AT_ONCE,
  READS_PER_CHECK,
  type RunDependencies,
  type RunStepInput,
  type RunStepOutput,
  type SweepCounts,
  stepTime,
} from '../steps.ts';
import { type ReadOutcome, readOutcome } from './read-outcome.ts';
import { sendRunCompleted } from './run-event.ts';
import {
  type Expiring,
  isExpiring,
  MAX_REPORTED_UNSOLVED,
  type RunReport,
  type RunTotals,
  type UnsolvedVersion,
} from './run-report.ts';
import { runReportPage } from './run-report-page.ts';

/** SQS requests for a job: send, receive, delete. */
const JOB_MESSAGES = 3;

const NO_PUZZLES = Object.fromEntries(['total', ...PUZZLE_STATUSES].map((name) => [name, 0]));
const ZERO_TOTALS: RunTotals = {
  solved: 0,
  rejected: 0,
  failed: 0,
  stalled: 0,
  puzzles: NO_PUZZLES as unknown as PuzzleCounts,
  solveSeconds: 0,
  gbSeconds: 0,
};

interface ReportCursor {
  readonly counts: SweepCounts;
  /** The next slice, from 0. */
  readonly slice?: number;
}

/** The place at which a slice ended. */
interface SliceState {
  readonly fromByte: number;
  readonly totals: RunTotals;
  readonly first: readonly UnsolvedVersion[];
  readonly expiring: Expiring;
  readonly ended: boolean;
}

const BEGINNING: SliceState = {
  fromByte: 0,
  totals: ZERO_TOTALS,
  first: [],
  expiring: { versions: 0, first: [] },
  ended: false,
};

/**
 * Reads one slice; after the last one, writes the report and sends the event of the run. A repetition sends it with the
 * existing report, so that a run does not end later because the event could not be sent.
 *
 * @throws EventNotSentError
 */
export async function reportRun(input: RunStepInput, dependencies: RunDependencies): Promise<RunStepOutput> {
  const { counts, slice = 0 } = input.cursor as unknown as ReportCursor;
  const { store, resultsBucket } = dependencies;
  const keys = runKeys(input.run.runId);
  const slices = new Slices<SliceState>(input.run.runId, 'report', dependencies);
  const from = slice === 0 ? BEGINNING : await slices.stateOf(slice - 1);
  const state = await slices.run(slice, (add) => readOutcomes(from, keys.plan, dependencies, add));
  if (!state.ended) return { next: 'report', cursor: { counts, slice: slice + 1 }, waitSeconds: 1 };
  await slices.join(slice, keys.unsolved);
  const existing = await readJson<RunReport>(store, resultsBucket, keys.report);
  const report = existing?.document ?? makeReport(counts, state, input, dependencies);
  const page = new TextEncoder().encode(runReportPage(report));
  await store.put(resultsBucket, keys.page, page, HTML_TYPE);
  await putJson(store, resultsBucket, keys.report, report);
  const settled = counts.planned - state.totals.stalled;
  await writeRunStatus(input, dependencies, { state: 'done', ...counts, sent: counts.planned, settled });
  await sendRunCompleted(report, keys.report, dependencies);
  return { next: 'end', cursor: null, waitSeconds: 1 };
}

/** @param add called for each version that is not solved */
async function readOutcomes(
  from: SliceState,
  planKey: string,
  dependencies: RunDependencies,
  add: (unsolved: UnsolvedVersion) => Promise<void>,
): Promise<SliceState> {
  const { store, resultsBucket } = dependencies;
  const time = stepTime(dependencies);
  let { fromByte, totals, first, expiring } = from;
  const read = async (chunk: readonly PlannedVersion[]) => {
    const outcomes = await inParallel(chunk, READS_AT_ONCE, (version) => readOutcome(version, dependencies));
    for (const [k, outcome] of outcomes.entries()) {
      totals = added(totals, outcome);
      if (outcome.outcome === 'solved') continue;
      const { why: _, ...version } = chunk[k]!;
      const unsolved: UnsolvedVersion = { ...version, ...outcome };
      first = withFirst(first, unsolved);
      if (isExpiring(unsolved)) {
        expiring = { versions: expiring.versions + 1, first: withFirst(expiring.first, unsolved) };
      }
      await add(unsolved);
    }
  };
  const chunk: PlannedVersion[] = [];
  let ended = true;
  const plan = readJsonLines<PlannedVersion>(store, resultsBucket, planKey, fromByte);
  for await (const { document, endByte } of plan) {
    chunk.push(document);
    fromByte = endByte;
    if (chunk.length < READS_PER_CHECK) continue;
    await read(chunk.splice(0));
    ended = !time.isShort;
    if (!ended) break;
  }
  await read(chunk);
  return { fromByte, totals, first, expiring, ended };
}

function withFirst(first: readonly UnsolvedVersion[], next: UnsolvedVersion): readonly UnsolvedVersion[] {
  return first.length < MAX_REPORTED_UNSOLVED ? [...first, next] : first;
}

function added(totals: RunTotals, outcome: ReadOutcome): RunTotals {
  const counted = { ...totals, [outcome.outcome]: totals[outcome.outcome] + 1 };
  if (outcome.outcome !== 'solved' || outcome.stats === undefined) return counted;
  const { puzzles, timing, runtime, used }: JobStats = outcome.stats;
  const seconds = (used?.functionMs ?? timing.wallMs) / 1000;
  return {
    ...counted,
    puzzles: Object.fromEntries(
      Object.entries(totals.puzzles).map(([name, count]) => [
        name,
        count + puzzles[name as keyof PuzzleCounts],
      ]),
    ) as unknown as PuzzleCounts,
    solveSeconds: totals.solveSeconds + seconds,
    gbSeconds: totals.gbSeconds + (used?.gbSeconds ?? (seconds * runtime.memoryMb) / 1024),
  };
}

function makeReport(
  counts: SweepCounts,
  { totals, first, expiring }: SliceState,
  { run, startedAt }: RunStepInput,
  { clock }: RunDependencies,
): RunReport {
  const { puzzles, solveSeconds, gbSeconds, ...outcomes } = totals;
  const endedAt = clock.timeOfDay();
  const jobs = counts.planned;
  const lambda = lambdaDollars(gbSeconds, jobs);
  const s3 = jobs * JOB_S3_DOLLARS;
  const sqs = jobs * JOB_MESSAGES * PRICES.sqsRequest;
  return {
    schema: 'dlx-batch/run@1',
    run,
    startedAt,
    endedAt,
    wallSeconds: Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1000),
    versions: { ...counts, ...outcomes },
    puzzles,
    solveSeconds: rounded(solveSeconds),
    dollars: {
      lambda: rounded(lambda),
      s3: rounded(s3),
      sqs: rounded(sqs),
      total: rounded(lambda + s3 + sqs),
      prices: { date: PRICES.date, region: PRICES.region },
    },
    unsolved: first,
    expiring,
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
