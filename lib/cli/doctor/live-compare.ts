/** Solves a file on this machine too, and compares the result of a stack with it, byte for byte. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { VersionOutcome } from '../../batch/delivery/result-set.ts';
import { parseJobLimits } from '../../batch/job-limits.ts';
import { optionsFromCanonical } from '../../batch/options.ts';
import { workersForMachine } from '../../node/solvers.ts';
import { solveFile } from '../commands/solve.ts';
import { readSolveOptions } from '../options.ts';
import type { Connection } from '../remote/connection.ts';
import { fetchResultSet, isComplete } from '../remote/fetch-results.ts';
import type { LiveFile } from './live-files.ts';

/** Files that contain times or keys, so that two runs differ. */
const OWN_FILES = /^(records|stats|report|manifest)\./;

/**
 * Solves a file as `dlx-batch solve -o` does, with the options that the stack used: it may have defaults of its own. Then
 * downloads the result set of the stack as `dlx-batch download` does, and compares the files.
 *
 * @returns how the result of the stack differs, as a sentence; undefined if it does not
 */
export async function differenceFromHere(
  connection: Connection,
  file: LiveFile,
  outcome: VersionOutcome,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'dlx-batch-doctor-'));
  try {
    const [there, here] = [join(folder, 'stack'), join(folder, 'here')];
    await fetchResultSet(connection, outcome, there);
    await solveHere(file, outcome, here);
    return await difference(here, outcome);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function solveHere({ name, bytes, options }: LiveFile, outcome: VersionOutcome, folder: string) {
  const used =
    outcome.kind === 'rejected'
      ? readSolveOptions(options)
      : optionsFromCanonical(JSON.stringify(outcome.manifest.options));
  const open = () => Readable.from([bytes]);
  const file = { path: name, name, bytes: bytes.length, open, openReusingBuffers: open };
  const limits = {
    maxMs: Number.POSITIVE_INFINITY,
    workers: workersForMachine(),
    jobLimits: parseJobLimits({}),
    random: undefined,
  };
  await solveFile(file, folder, used, limits, {});
}

/** How the files here differ from those of the stack, whose checksums its manifest has. */
async function difference(here: string, outcome: VersionOutcome): Promise<string | undefined> {
  const own = (await readdir(here)).filter((name) => !OWN_FILES.test(name)).sort();
  if (outcome.kind === 'rejected') {
    const { error } = JSON.parse(await readFile(join(here, 'error.json'), 'utf8').catch(() => '{}'));
    const { code } = outcome.reject.error;
    return error?.code === code ? undefined : `it was rejected (${code}), but not here`;
  }
  const files = outcome.manifest.files.filter(({ name }) => !OWN_FILES.test(name));
  const names = files.map(({ name }) => name).sort();
  if (names.join() !== own.join()) return `it has the files ${names.join(', ')}, here ${own.join(', ')}`;
  for (const file of files) {
    if (!(await isComplete(join(here, file.name), file)))
      return `${file.name} differs from the result of this machine`;
  }
  return undefined;
}
