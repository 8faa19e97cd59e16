/** The event of a bulk run that has ended. */
import { type EventStorage, sendEvent, storedObject } from '../../delivery/outcome-events.ts';
import { countsText, numberText } from '../../quantities.ts';
import type { RunReport } from './run-report.ts';

/** @throws EventNotSentError */
export async function sendRunCompleted(
  { run, startedAt, endedAt, versions, puzzles }: RunReport,
  reportKey: string,
  storage: EventStorage,
): Promise<void> {
  const { planned, solved } = versions;
  const unsolved = countsText(['rejected', 'failed', 'stalled', 'missing'], (name) => versions[name]);
  await sendEvent('RunCompleted', `run ${run.runId}`, storage, {
    runId: run.runId,
    report: storedObject(reportKey, storage),
    startedAt,
    endedAt,
    versions,
    puzzles,
    summary: `run ${run.runId}: ${numberText(solved)} of ${numberText(planned)} uploads solved${unsolved && `, ${unsolved}`}`,
  });
}
