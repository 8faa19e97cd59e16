/** What a bulk run would do: `--dry-run` of `run` and `retry`. A module of its own, as its estimate solves samples. */
import { otherHolds } from '../../batch/bulk-run/holds.ts';
import { previewPlan } from '../../batch/bulk-run/plan-run.ts';
import type { PlannedVersion } from '../../batch/bulk-run/planned-version.ts';
import type { BulkRun, PlanCounts } from '../../batch/bulk-run/steps.ts';
import {
  DEFAULT_RUN_SETTINGS,
  estimateRun,
  type RunEstimate,
  RunSizes,
  sampleRun,
} from '../../batch/estimate/run-estimate.ts';
import { counted, numberText } from '../../batch/quantities.ts';
import { linesIn } from '../../batch/storage/json-lines.ts';
import { systemClock, systemHashing } from '../../node/system.ts';
import { zlibUnpacking } from '../../node/unpacking.ts';
import { createEngine } from '../../sudoku/engines.ts';
import type { InputFile } from '../files/input-files.ts';
import { readSolveOptions } from '../option-values.ts';
import type { Connection, ConnectionFlags } from '../remote/connection.ts';
import { heldLines } from '../remote/run-text.ts';
import { printFound } from '../terminal/output.ts';
import { bytesText, dollarsText, secondsText } from '../terminal/quantity-text.ts';

/** Maximum number of planned versions that are listed. */
const MAX_LISTED_VERSIONS = 50;

/** The estimate of a run for a number of files that are solved at the same time. */
interface NamedEstimate {
  readonly files: number;
  readonly estimate: RunEstimate;
}

/** @param keys of a manifest */
export async function dryRun(
  connection: Connection,
  request: Omit<BulkRun, 'runId'>,
  keys: InputFile | undefined,
  flags: ConnectionFlags,
): Promise<void> {
  const { store, inputBucket, resultsBucket } = connection;
  const sizes = new RunSizes();
  const listed: PlannedVersion[] = [];
  const settings = (await connection.runSettings()) ?? DEFAULT_RUN_SETTINGS;
  const now = systemClock.timeOfDay();
  const run = { runId: '', ...request, ...(keys !== undefined && { manifest: true as const }) };
  const others = await otherHolds({ ...connection, clock: systemClock });
  const planned = { run, startedAt: now, others, keys: () => linesIn(keys!.open()) };
  const { graceMinutes } = settings;
  const dependencies = { store, inputBucket, resultsBucket, graceMinutes, hashing: systemHashing };
  const { counts, heldBy } = await previewPlan(planned, dependencies, async (version) => {
    sizes.add(version);
    if (listed.length < MAX_LISTED_VERSIONS) listed.push(version);
  });
  const options = readSolveOptions({});
  const engine = createEngine(options.engine);
  const reading = { store, clock: systemClock, unpacking: zlibUnpacking };
  const sample = await sampleRun(sizes, inputBucket, options, engine, reading);
  const estimates: NamedEstimate[] = [];
  for (const times of sample === undefined ? [] : [1, 2]) {
    const concurrency = times * settings.concurrency;
    const shardConcurrency = times * settings.shardConcurrency;
    const estimate = estimateRun(sizes, sample!, { ...settings, concurrency, shardConcurrency });
    estimates.push({ files: concurrency, estimate });
  }
  const lines = dryRunLines(counts, heldBy, listed, estimates);
  if (request.retry === true)
    lines.push('at its end, the messages of the dead-letter queue go back to the queue');
  printFound(flags, { counts, heldBy, planned: listed, estimates }, lines);
}

/** Formats a dry run. @param heldBy ids of runs @param first the first planned versions */
function dryRunLines(
  counts: PlanCounts,
  heldBy: readonly string[],
  first: readonly PlannedVersion[],
  estimates: readonly NamedEstimate[],
): string[] {
  const lines = first.map(
    ({ key, versionId, bytes, why }) => `${key}  ${versionId}  ${bytesText(bytes)}  ${why}`,
  );
  const more = counts.planned - first.length;
  if (more > 0) lines.push(`and ${numberText(more)} more`);
  lines.push(
    `${counted(counts.found, 'version')} found: ${numberText(counts.alreadyDone)} already done, ` +
      `${numberText(counts.tooYoung)} too new, ` +
      `${numberText(counts.planned)} to solve (${bytesText(counts.plannedBytes)})`,
  );
  lines.push(...heldLines(heldBy));
  for (const { files, estimate } of estimates) {
    const { puzzles, wallSeconds, vcpuSeconds, dollars, prices, sampled } = estimate;
    lines.push(
      `with ${files} files at the same time: about ${counted(puzzles, 'puzzle')}, ${secondsText(vcpuSeconds)} of vCPU time, ` +
        `finished in about ${secondsText(wallSeconds)}, ${dollarsText(dollars.total)} ` +
        `(from ${counted(sampled, 'sample')}; ${prices.region}, prices of ${prices.date})`,
    );
  }
  if (estimates.length === 0 && counts.planned > 0) lines.push('no estimate: no sample has puzzles in cells');
  return lines;
}
