/** The event of a bulk run that has ended. */
import { type EventStorage, sendEvent, storedObject } from '../../delivery/outcome-events.ts';
import { numberText } from '../../quantities.ts';
import type { RunReport } from './run-report.ts';

/** @throws EventNotSentError */
export async function sendRunCompleted(
  { run, startedAt, endedAt, versions, puzzles }: RunReport,
  reportKey: string,
  storage: EventStorage,
): Promise<void> {
  const { planned, solved, rejected, failed, stalled, missing } = versions;
  const others = Object.entries({ rejected, failed, stalled, missing }).filter(([, count]) => count > 0);
  const unsolved = others.map(([name, count]) => `, ${numberText(count)} ${name}`).join('');
  await sendEvent('RunCompleted', `run ${run.runId}`, storage, {
    runId: run.runId,
    report: storedObject(reportKey, storage),
    startedAt,
    endedAt,
    versions,
    puzzles,
    summary: `run ${run.runId}: ${numberText(solved)} of ${numberText(planned)} uploads solved${unsolved}`,
  });
}
