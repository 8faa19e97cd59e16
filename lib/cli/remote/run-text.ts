/** Bulk runs as text. */

import type { PlannedVersion } from '../../batch/bulk-run/planned-version.ts';
import type { RunReport } from '../../batch/bulk-run/report/run-report.ts';
import type { RunStatus } from '../../batch/bulk-run/run-status.ts';
import type { PlanCounts } from '../../batch/bulk-run/steps.ts';
import type { RunEstimate } from '../../batch/estimate/run-estimate.ts';
import { counted, numberText } from '../../batch/quantities.ts';
import type { RunRecord } from '../commands/run.ts';
import { type Progress, progressText } from '../terminal/progress.ts';
import { bytesText, dollarsText, secondsText } from '../terminal/quantity-text.ts';
import { commandText } from './command-text.ts';

/** The estimate of a run for a number of files that are solved at the same time. */
export interface NamedEstimate {
  readonly files: number;
  readonly estimate: RunEstimate;
}

/** Formats a dry run. @param heldBy ids of runs @param first the first planned versions */
export function dryRunLines(
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

/** @param heldBy ids of runs */
function heldLines(heldBy: readonly string[]): string[] {
  return heldBy.length === 0 ? [] : [`left out what other runs work on: ${heldBy.join(', ')}`];
}

export function runProgress({ state, found, planned, sent = 0, settled = 0 }: RunStatus): Progress {
  if (state === 'planning') {
    return { name: state, done: `${counted(found, 'version')} found, ${numberText(planned)} to solve` };
  }
  const done = `${numberText(sent)} of ${numberText(planned)} sent, ${numberText(settled)} done`;
  return { name: state, share: settled / Math.max(1, planned), done };
}

/** A run in a line of the list. */
export function runLine({ runId, status, report }: RunRecord): string {
  if (report === undefined) {
    return `${runId}  ${status === undefined ? 'started' : progressText(runProgress(status), 0)}`;
  }
  const { versions, puzzles, dollars } = report;
  const { failed, stalled, rejected } = versions;
  const others = `${failed} failed, ${stalled} stalled, ${rejected} rejected`;
  return [
    `${runId}  done, ${numberText(versions.solved)} of ${counted(versions.planned, 'file')} solved`,
    failed + stalled + rejected === 0 ? '' : ` (${others})`,
    `, ${counted(puzzles.total, 'puzzle')}, about ${dollarsText(dollars.total)}`,
  ].join('');
}

export function reportLines({
  run,
  versions,
  puzzles,
  wallSeconds,
  dollars,
  unsolved,
  heldBy,
}: RunReport): string[] {
  const lines = [
    `run ${run.runId}: ${numberText(versions.solved)} of ${counted(versions.planned, 'file')} solved in ${secondsText(wallSeconds)}` +
      ` (${numberText(versions.alreadyDone)} of ${numberText(versions.found)} were already done)`,
    `${numberText(puzzles.solved)} of ${counted(puzzles.total, 'puzzle')} solved, about ${dollarsText(dollars.total)}`,
  ];
  lines.push(...heldLines(heldBy));
  for (const { key, outcome, message } of unsolved) lines.push(`  ${outcome}: ${key}: ${message}`);
  const more = versions.failed + versions.stalled + versions.rejected - unsolved.length;
  if (more > 0) lines.push(`  and ${numberText(more)} more, in unsolved.jsonl`);
  if (unsolved.length > 0) lines.push(`to run them again: ${commandText(`retry --run ${run.runId}`)}`);
  return lines;
}
