/** Lists the bulk runs of a stack. */
import { inParallel } from '../../../batch/in-parallel.ts';
import { counted, numberText } from '../../../batch/quantities.ts';
import { EXIT_SOLVED } from '../../exit.ts';
import { dollarsText } from '../../terminal/dollars-text.ts';
import { print, printJson } from '../../terminal/output.ts';
import { commandText } from '../command-text.ts';
import { withConnection } from '../connection.ts';
import type { ConnectionFlags } from '../connection-flags.ts';
import { type RunRecord, readRun, runIds } from './run-records.ts';

export interface RunsFlags extends ConnectionFlags {
  readonly json?: boolean;
}

const PARALLEL_READS = 8;

/** @returns the exit status */
export async function listRuns(flags: RunsFlags): Promise<number> {
  return withConnection(flags, 'reading bulk runs', async (connection) => {
    const runs = await connection.retries.operation(async () =>
      inParallel(await runIds(connection), PARALLEL_READS, (id) => readRun(connection, id)),
    );
    if (flags.json === true) printJson({ runs });
    else if (runs.length === 0) print([`no runs yet; start one with ${commandText('run')}`]);
    else print(runs.map(line));
    return EXIT_SOLVED;
  });
}

function line({ runId, status, report }: RunRecord): string {
  if (report === undefined) {
    if (status === undefined) return `${runId}  started`;
    const { state, planned, settled = 0, found } = status;
    const done =
      state === 'planning'
        ? `${numberText(found)} found`
        : `${numberText(settled)} of ${numberText(planned)} done`;
    return `${runId}  ${state}, ${done}`;
  }
  const { versions, puzzles, dollars } = report;
  const notSolved = versions.failed + versions.stalled + versions.rejected;
  return [
    `${runId}  done, ${numberText(versions.solved)} of ${counted(versions.planned, 'file')} solved`,
    notSolved === 0
      ? ''
      : ` (${versions.failed} failed, ${versions.stalled} stalled, ${versions.rejected} rejected)`,
    `, ${counted(puzzles.total, 'puzzle')}, about ${dollarsText(dollars.total)}`,
  ].join('');
}
