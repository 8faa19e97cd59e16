/** Finishes a bulk run: writes what was not solved into one file, and what was found into a page. */
import { EventNotSentError } from '../../delivery/outcome-events.ts';
import { JOB_S3_DOLLARS, lambdaDollars, PRICE_LIST, PRICES } from '../../estimate/prices.ts';
import { HTML_TYPE } from '../../results/content-types.ts';
import { JsonLinesFile } from '../../storage/json-lines.ts';
import { readJson, readWrittenJson } from '../../storage/read-json.ts';
import { writeWhole } from '../../storage/whole-file.ts';
import { putJson } from '../../storage/write-json.ts';
import type { FollowCursor, FollowState } from '../follow-run.ts';
import { release } from '../holds.ts';
import { runKeys } from '../run-keys.ts';
import { startOf, writeRunStatus } from '../run-status.ts';
import type { Slice } from '../slices.ts';
import type { RunDependencies, RunStepInput, RunStepOutput } from '../steps.ts';
import { sendRunCompleted } from './run-event.ts';
import {
  isExpiring,
  MAX_REPORTED_UNSOLVED,
  type RunReport,
  settledOf,
  type UnsolvedVersion,
} from './run-report.ts';
import { runReportPage } from './run-report-page.ts';

/** SQS requests for a job: send, receive, delete. */
const JOB_MESSAGES = 3;

/**
 * Writes the report, ends the hold of the run, and sends its event; a retry also moves the dead letters back. A repetition sends it with the existing report, so that
 * a run does not end later because the event could not be sent.
 *
 * @throws EventNotSentError
 */
export async function reportRun(input: RunStepInput, dependencies: RunDependencies): Promise<RunStepOutput> {
  const { plan, slice, cancelled } = input.cursor as unknown as FollowCursor & {
    readonly cancelled: boolean;
  };
  const { store, resultsBucket } = dependencies;
  const { runId, retry } = input.run;
  const keys = runKeys(runId);
  const { state } = await readWrittenJson<Slice<FollowState>>(dependencies, keys.follow(slice - 1));
  const unsolved = await writeUnsolved(runId, slice, dependencies);
  const existing = await readJson<RunReport>(dependencies, keys.report);
  const report = existing ?? makeReport(plan, state, unsolved, cancelled, input, dependencies);
  await store.put(resultsBucket, keys.page, new TextEncoder().encode(runReportPage(report)), HTML_TYPE);
  await putJson(dependencies, keys.report, report);
  const { counts, heldBy } = plan;
  const { sent, totals } = state;
  const facts = { ...counts, heldBy, sent, settled: settledOf(totals), cancelled };
  await writeRunStatus(input, dependencies, { state: 'done', ...facts });
  await release(runId, dependencies);
  try {
    // Not before: what the run was about to solve would be solved twice.
    if (retry === true && !cancelled) await dependencies.deadLetters.moveBack();
  } catch (cause) {
    // The run is over but for its event, which waits for this as long as for the bus.
    throw new EventNotSentError('RunCompleted', `run ${runId}`, cause);
  }
  await sendRunCompleted(report, keys.report, dependencies);
  return { next: 'end', cursor: null, waitSeconds: 1 };
}

/** Writes the versions that were not solved, in the order in which that was found. */
async function writeUnsolved(
  runId: string,
  slices: number,
  dependencies: RunDependencies,
): Promise<Pick<RunReport, 'unsolved' | 'expiring'>> {
  const unsolved: UnsolvedVersion[] = [];
  const expiring = { versions: 0, first: [] as UnsolvedVersion[] };
  const keys = runKeys(runId);
  const file = new JsonLinesFile(dependencies, keys.unsolved);
  await writeWhole(file, async () => {
    for (let index = 0; index < slices; index++) {
      const { state } = await readWrittenJson<Slice<FollowState>>(dependencies, keys.follow(index));
      for (const version of state.unsolved) {
        await file.add(version);
        if (unsolved.length < MAX_REPORTED_UNSOLVED) unsolved.push(version);
        if (!isExpiring(version)) continue;
        expiring.versions++;
        if (expiring.first.length < MAX_REPORTED_UNSOLVED) expiring.first.push(version);
      }
    }
  });
  return { unsolved, expiring };
}

function makeReport(
  { counts, heldBy }: FollowCursor['plan'],
  { totals, sent, open }: FollowState,
  unsolved: Pick<RunReport, 'unsolved' | 'expiring'>,
  cancelled: boolean,
  input: RunStepInput,
  { clock }: RunDependencies,
): RunReport {
  const { puzzles, solveSeconds, gbSeconds, ...outcomes } = totals;
  const { continues: _, ...run } = input.run;
  const startedAt = startOf(input);
  const endedAt = clock.timeOfDay();
  const lambda = lambdaDollars(gbSeconds, sent);
  const s3 = sent * JOB_S3_DOLLARS;
  const sqs = sent * JOB_MESSAGES * PRICES.sqsRequest;
  return {
    schema: 'dlx-batch/run@2',
    run,
    startedAt,
    endedAt,
    wallSeconds: Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1000),
    heldBy,
    cancelled,
    versions: { ...counts, ...outcomes, sent, open },
    puzzles,
    solveSeconds: rounded(solveSeconds),
    dollars: {
      lambda: rounded(lambda),
      s3: rounded(s3),
      sqs: rounded(sqs),
      total: rounded(lambda + s3 + sqs),
      prices: PRICE_LIST,
    },
    ...unsolved,
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
