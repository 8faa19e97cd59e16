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
import { fetchResultSet } from '../remote/fetch-results.ts';
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
    return await difference(there, here);
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

async function difference(there: string, here: string): Promise<string | undefined> {
  const namesIn = async (folder: string) =>
    (await readdir(folder)).filter((name) => !OWN_FILES.test(name)).sort();
  const [found, expected] = [await namesIn(there), await namesIn(here)];
  if (found.join() !== expected.join()) {
    return `it has the files ${found.join(', ')}, here ${expected.join(', ')}`;
  }
  for (const name of found) {
    const [bytes, own] = [await readFile(join(there, name)), await readFile(join(here, name))];
    const isSame = name === 'error.json' ? codeIn(bytes) === codeIn(own) : bytes.equals(own);
    if (!isSame) return `${name} differs from the result of this machine`;
  }
  return undefined;
}

/** The code of a rejection, whose other parts name the upload. */
function codeIn(document: Buffer): string {
  return JSON.parse(document.toString()).error.code;
}
