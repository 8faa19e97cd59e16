/** Lambda entry: starts the scheduled bulk run, once. */
import { Logger } from '@aws-lambda-powertools/logger';
import { stepFunctions } from '../lib/aws/step-functions.ts';
import { scheduledRun, startRun } from '../lib/batch/bulk-run/start-run.ts';
import { ENVIRONMENT } from '../lib/batch/names.ts';
import { requiredVariable } from '../lib/node/environment.ts';

const logger = new Logger({ serviceName: 'sweep-inbox' });

export async function handler(
  event: unknown,
): Promise<{ readonly runId: string; readonly started: boolean }> {
  const run = scheduledRun(event);
  const started = await startRun(stepFunctions(requiredVariable(ENVIRONMENT.bulkRun)), run);
  logger.info(started ? 'bulk run started' : 'bulk run already finished, not started again', { run });
  return { runId: run.runId, started };
}
