/**
 * Proves that a deployed stack works: uploads files of every kind, compares the results with this machine, measures, and
 * removes everything that it made, also after a failure or an interruption.
 */
import { randomBytes } from 'node:crypto';
import { access, constants, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { runIdAt } from '../../../batch/bulk-run/run-keys.ts';
import { VERSION } from '../../../batch/version.ts';
import { systemClock } from '../../../node/system.ts';
import { CommandError, EXIT_FAILED, EXIT_SOLVED, EXIT_UNSOLVED } from '../../exit.ts';
import { countStatuses, countsText, type Finding, findingText } from '../../terminal/finding.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { print, printJson } from '../../terminal/output.ts';
import { commandText } from '../command-text.ts';
import { withConnection } from '../connection.ts';
import type { Measurements } from './measurements.ts';
import { isSmokeId, removeObjects, smokeIdOf } from './smoke-objects.ts';
import { CHECK_COLUMNS, SmokeRun, type SmokeRunFlags } from './smoke-run.ts';

export interface SmokeFlags extends SmokeRunFlags {
  readonly out: string;
  /** Id of an earlier run whose objects are removed. */
  readonly remove?: string;
}

/** `smoke.json`. */
interface SmokeReport {
  readonly schema: 'dlx-batch/smoke@1';
  readonly id: string;
  /** Of the command. */
  readonly version: string;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly inputBucket: string;
  readonly resultsBucket: string;
  readonly counts: ReturnType<typeof countStatuses>;
  readonly findings: readonly Finding[];
  /** Omitted if the upload that is measured has no result. */
  readonly measurements?: Measurements;
}

/** @returns the exit status */
export async function runSmoke(flags: SmokeFlags): Promise<number> {
  if (flags.remove !== undefined) return removeEarlier(flags.remove, flags);
  const path = resolve(flags.out);
  await checkWritable(path);
  const startedAt = systemClock.timeOfDay();
  const id = smokeIdOf(runIdAt(startedAt, randomBytes(3).toString('hex')));
  const run = new SmokeRun(id, flags);
  // The removal of what was made takes longer, and says how to continue if it is interrupted too.
  await interruptible((signal) => run.run(signal), { isPatient: true });
  const { inputBucket, resultsBucket, findings, measurements } = run;
  const counts = countStatuses(findings);
  const endedAt = systemClock.timeOfDay();
  const report: SmokeReport = {
    schema: 'dlx-batch/smoke@1',
    ...{ id, version: VERSION, startedAt, endedAt, inputBucket, resultsBucket },
    ...{ counts, findings, measurements },
  };
  await writeFile(path, `${JSON.stringify(report, undefined, 2)}\n`);
  if (flags.json === true) printJson(report);
  else print(['', `${countsText(counts)}; findings and measurements: ${flags.out}`]);
  return counts.FAIL === 0 ? EXIT_SOLVED : EXIT_UNSOLVED;
}

/** Fails before anything is made, rather than after five minutes. */
async function checkWritable(path: string): Promise<void> {
  await access(dirname(path), constants.W_OK);
  const existing = await stat(path).catch(() => undefined);
  if (existing?.isDirectory() === true) throw new CommandError(`${path} is a folder, expected a file: --out`);
}

async function removeEarlier(id: string, flags: SmokeFlags): Promise<number> {
  if (!isSmokeId(id)) {
    throw new CommandError(`option "--remove" is "${id}": expected the id that a run of smoke printed`);
  }
  return withConnection(flags, `removing ${id}`, async (connection) => {
    const command = commandText(`smoke --remove ${id}`);
    const finding = await removeObjects(connection, id, [], command);
    if (flags.json === true) printJson({ id, findings: [finding] });
    else print([findingText(finding, CHECK_COLUMNS)]);
    return finding.status === 'FAIL' ? EXIT_FAILED : EXIT_SOLVED;
  });
}
