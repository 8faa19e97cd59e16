/** Bulk runs as text. */

import type { RunReport } from '../../batch/bulk-run/report/run-report.ts';
import type { RunStatus } from '../../batch/bulk-run/run-status.ts';
import { counted, numberText } from '../../batch/quantities.ts';
import type { RunRecord } from '../commands/run.ts';
import { type Progress, progressText } from '../terminal/progress.ts';
import { dollarsText, secondsText } from '../terminal/quantity-text.ts';
import { commandText } from './command-text.ts';

/** @param heldBy ids of runs */
export function heldLines(heldBy: readonly string[]): string[] {
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
