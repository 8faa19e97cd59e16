/** Solves a file on this machine too, and compares the result of a stack with it, byte for byte. */
import type { Manifest } from '../../batch/delivery/manifest.ts';
import { ChecksumError, fetchFile, type VersionOutcome } from '../../batch/delivery/result-set.ts';
import { concatBytes } from '../../batch/job/input.ts';
import { runJob } from '../../batch/job/job.ts';
import type { JobOutcome } from '../../batch/job/job-run.ts';
import { optionsFromCanonical } from '../../batch/options.ts';
import type { FileWriter, ResultFiles } from '../../batch/ports.ts';
import { openSolver, workersForMachine } from '../../node/solvers.ts';
import { runtimeInfo, systemClock, systemHashing } from '../../node/system.ts';
import { zlibUnpacking } from '../../node/unpacking.ts';
import { createEngine } from '../../sudoku/engines.ts';
import { readSolveOptions } from '../options.ts';
import type { Connection } from '../remote/connection.ts';
import type { LiveFile } from './live-files.ts';

/** Files that contain times, so that two runs differ. */
const TIMED = /^(records|stats|report)\./;

/**
 * Solves a file as `dlx-batch solve` does, with the options that the stack used: it may have defaults of its own. Then fetches
 * the files of the stack, checks them against the manifest, and compares those without times with the files of this machine.
 *
 * @returns how the result of the stack differs, as a sentence; undefined if it does not
 */
export async function differenceFromHere(
  connection: Connection,
  file: LiveFile,
  outcome: VersionOutcome,
): Promise<string | undefined> {
  const files = new MemoryFiles();
  const here = await solveHere(file, outcome, files);
  if (outcome.kind === 'rejected') {
    const { code, message } = outcome.reject.error;
    if (here.kind === 'completed') return `the stack rejected the file (${message})`;
    return code === here.error.code
      ? undefined
      : `the stack rejects it with ${code}, this machine with ${here.error.code}`;
  }
  if (here.kind === 'rejected')
    return `the stack solved a file that is rejected here (${here.error.message})`;
  return filesDifference(connection, outcome.manifest, files.byName);
}

async function solveHere(
  { name, bytes, options: texts }: LiveFile,
  outcome: VersionOutcome,
  files: ResultFiles,
): Promise<JobOutcome> {
  const options =
    outcome.kind === 'rejected'
      ? readSolveOptions(texts)
      : optionsFromCanonical(JSON.stringify(outcome.manifest.options));
  const engine = createEngine(options.engine);
  const { solver, close } = openSolver(workersForMachine(), engine, bytes.length);
  return runJob(
    { input: once(bytes), fileName: name, options, files, report: false },
    {
      ...{ clock: systemClock, hashing: systemHashing, unpacking: zlibUnpacking, runtime: runtimeInfo(true) },
      ...{ engine, solver },
    },
  ).finally(close);
}

async function filesDifference(
  { store, resultsBucket, retries }: Connection,
  { files }: Manifest,
  expected: ReadonlyMap<string, Uint8Array>,
): Promise<string | undefined> {
  const untimed = files.filter(({ name }) => !TIMED.test(name));
  const found = untimed.map(({ name }) => name).sort();
  const names = [...expected.keys()].filter((name) => !TIMED.test(name)).sort();
  if (found.join() !== names.join()) return `it has the files ${found.join(', ')}, here ${names.join(', ')}`;
  for (const file of untimed) {
    const fetched = new MemoryFiles();
    try {
      await retries.operation(() =>
        fetchFile(store, resultsBucket, file, fetched.open(file.name), systemHashing),
      );
    } catch (error) {
      if (error instanceof ChecksumError) return error.message;
      throw error;
    }
    const bytes = fetched.byName.get(file.name)!;
    if (Buffer.compare(bytes, expected.get(file.name)!) !== 0) {
      return `${file.name} differs from the result of this machine`;
    }
  }
  return undefined;
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** Result files in memory. */
class MemoryFiles implements ResultFiles {
  readonly byName = new Map<string, Uint8Array>();

  open(name: string): FileWriter {
    const parts: Uint8Array[] = [];
    return {
      // The caller may reuse the bytes.
      write: async (bytes) => void parts.push(bytes.slice()),
      close: async () => void this.byName.set(name, concatBytes(parts)),
      abort: async () => {},
    };
  }
}
