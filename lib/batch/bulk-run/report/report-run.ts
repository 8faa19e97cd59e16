/** The end of a bulk run: what became of each planned version, read in stretches, and summed up. */

import { jsonBytes } from '../../delivery/manifest.ts';
import { lambdaDollars, PRICES } from '../../estimate/prices.ts';
import { inParallel } from '../../in-parallel.ts';
import { HTML_TYPE, JSON_TYPE } from '../../results/content-types.ts';
import type { JobStats, PuzzleCounts } from '../../results/statistics.ts';
import { PUZZLE_STATUSES } from '../../solving/puzzle-status.ts';
import { readJsonLines } from '../../storage/json-lines.ts';
import type { PlannedVersion } from '../planned-version.ts';
import { runKeys } from '../run-keys.ts';
import { writeRunStatus } from '../run-status.ts';
import { Slices } from '../slices.ts';
import {
  deadlineCheck,
  type RunDependencies,
  type RunStepInput,
  type RunStepOutput,
  type SweepCounts,
} from '../steps.ts';
import { type ReadOutcome, readOutcome } from './read-outcome.ts';
import { MAX_REPORTED_UNSOLVED, type RunReport, type RunTotals, type UnsolvedVersion } from './run-report.ts';
import { runReportPage } from './run-report-page.ts';

/** Versions whose outcomes are read at one time, and between two looks at the time. */
const READS_AT_ONCE = 16;
const CHUNK = 160;
/** Requests for a job that one function solves: objects written and read, messages sent, received and deleted. */
const JOB_WRITES = 10;
const JOB_READS = 8;
const JOB_MESSAGES = 3;

const NO_PUZZLES = Object.fromEntries(['total', ...PUZZLE_STATUSES].map((name) => [name, 0]));
const NOTHING: RunTotals = {
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
  /** The stretch that is to be read, from 0. */
  readonly stretch?: number;
}

/** Where a stretch ended. */
interface StretchState {
  readonly fromByte: number;
  readonly totals: RunTotals;
  readonly first: readonly UnsolvedVersion[];
  readonly ended: boolean;
}

const BEGINNING: StretchState = { fromByte: 0, totals: NOTHING, first: [], ended: false };

/** Reads a stretch; behind the last one, writes the report. */
export async function reportRun(input: RunStepInput, machinery: RunDependencies): Promise<RunStepOutput> {
  const { counts, stretch = 0 } = input.cursor as unknown as ReportCursor;
  const { store, resultsBucket } = machinery;
  const keys = runKeys(input.run.runId);
  const stretches = new Slices<StretchState>(input.run.runId, 'report', machinery);
  const from = stretch === 0 ? BEGINNING : await stretches.stateOf(stretch - 1);
  const state = await stretches.write(stretch, (add) => readOutcomes(from, keys.plan, machinery, add));
  if (!state.ended) return { next: 'report', cursor: { counts, stretch: stretch + 1 }, waitSeconds: 1 };
  await stretches.join(stretch, keys.unsolved);
  const report = makeReport(counts, state, input, machinery);
  const page = new TextEncoder().encode(runReportPage(report));
  await store.put(resultsBucket, keys.page, page, HTML_TYPE);
  await store.put(resultsBucket, keys.report, jsonBytes(report), JSON_TYPE);
  const settled = counts.planned - state.totals.stalled;
  await writeRunStatus(input, machinery, { state: 'done', ...counts, sent: counts.planned, settled });
  return { next: 'end', cursor: null, waitSeconds: 1 };
}

/** @param add is given each version that is not solved */
async function readOutcomes(
  from: StretchState,
  planKey: string,
  machinery: RunDependencies,
  add: (unsolved: UnsolvedVersion) => Promise<void>,
): Promise<StretchState> {
  const { store, resultsBucket } = machinery;
  const isOver = deadlineCheck(machinery);
  let { fromByte, totals, first } = from;
  let chunk: PlannedVersion[] = [];
  const read = async () => {
    const outcomes = await inParallel(chunk, READS_AT_ONCE, (version) => readOutcome(version, machinery));
    for (const [k, outcome] of outcomes.entries()) {
      totals = added(totals, outcome);
      if (outcome.outcome === 'solved') continue;
      const { why: _, ...version } = chunk[k]!;
      const unsolved: UnsolvedVersion = { ...version, ...outcome };
      if (first.length < MAX_REPORTED_UNSOLVED) first = [...first, unsolved];
      await add(unsolved);
    }
    chunk = [];
  };
  let ended = true;
  for await (const { document, endByte } of readJsonLines<PlannedVersion>(
    store,
    resultsBucket,
    planKey,
    fromByte,
  )) {
    chunk.push(document);
    fromByte = endByte;
    if (chunk.length < CHUNK) continue;
    await read();
    ended = !isOver();
    if (!ended) break;
  }
  await read();
  return { fromByte, totals, first, ended };
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
  { totals, first }: StretchState,
  { run, startedAt }: RunStepInput,
  { clock }: RunDependencies,
): RunReport {
  const { puzzles, solveSeconds, gbSeconds, ...outcomes } = totals;
  const endedAt = clock.timeOfDay();
  const jobs = counts.planned;
  const lambda = lambdaDollars(gbSeconds, jobs);
  const s3 = jobs * (JOB_WRITES * PRICES.s3Write + JOB_READS * PRICES.s3Read);
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
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
