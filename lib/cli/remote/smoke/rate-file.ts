/** A file that is large enough to measure the speed of a stack. */
import type { VersionOutcome } from '../../../batch/delivery/result-set.ts';
import { rateFile, type SmokeFile } from './smoke-files.ts';
import { smokeSettings } from './smoke-settings.ts';
import type { Sent, SmokeStack } from './smoke-stack.ts';

/** A solved upload that is large enough to measure. */
export interface SolvedRate {
  readonly file: SmokeFile;
  readonly sent: Sent;
  readonly outcome: VersionOutcome;
}

export async function solveRateFile(stack: SmokeStack): Promise<SolvedRate> {
  const file = rateFile('rate.txt.gz', smokeSettings.rateRepeats);
  const sent = await stack.upload(file);
  return { file, sent, outcome: (await stack.outcome(sent)).outcome };
}
