/** A bulk run of scheduled uploads. */
import { SCHEDULED_PREFIX } from '../../../../batch/names.ts';
import type { Finding } from '../../../terminal/finding.ts';
import { readRun } from '../../runs/run-records.ts';
import { runIdOf } from '../smoke-objects.ts';
import { smokeSettings } from '../smoke-settings.ts';
import type { SmokeStack } from '../smoke-stack.ts';
import { runFinding } from '../verdicts.ts';
import { KNOWN_FILE } from './known.ts';

const RUN_FOLDER = 'run/';
const RUN_FILES = ['a.txt', 'b.txt'];

export async function checkRun(stack: SmokeStack): Promise<Finding> {
  const { connection, runs, id } = stack;
  for (const name of RUN_FILES) await stack.schedule({ ...KNOWN_FILE, name: `${RUN_FOLDER}${name}` });
  const runId = runIdOf(id);
  const startMs = performance.now();
  const prefix = `${SCHEDULED_PREFIX}${id}/${RUN_FOLDER}`;
  await stack.startRun({ runId, prefix, graceMinutes: 0 });
  const ended = await stack.until(smokeSettings.runSeconds, async () => {
    const record = await readRun(connection, runId);
    // The status is written after the report.
    if (record.report !== undefined && record.status?.state === 'done') return record;
    return (await runs.describe(runId))?.status === 'failed' ? { report: undefined } : undefined;
  });
  const seconds = (performance.now() - startMs) / 1000;
  return runFinding({ report: ended?.report?.versions, uploads: RUN_FILES.length, seconds });
}
