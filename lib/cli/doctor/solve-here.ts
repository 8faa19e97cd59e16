/** Solves a file on this machine, and compares the result of a stack with it. */
import { FileChecksum } from '../../batch/delivery/file-checksum.ts';
import type { ManifestFile } from '../../batch/delivery/manifest.ts';
import type { VersionOutcome } from '../../batch/delivery/result-set.ts';
import type { FileError } from '../../batch/job/file-error.ts';
import { concatBytes } from '../../batch/job/input.ts';
import { runJob } from '../../batch/job/job.ts';
import { optionsFromCanonical } from '../../batch/options.ts';
import type { FileWriter, ResultFiles } from '../../batch/ports.ts';
import type { JobStats } from '../../batch/results/statistics.ts';
import { openSolver, workersForMachine } from '../../node/solvers.ts';
import { runtimeInfo, systemClock, systemHashing } from '../../node/system.ts';
import { zlibUnpacking } from '../../node/unpacking.ts';
import { createEngine } from '../../sudoku/engines.ts';
import { readSolveOptions } from '../options.ts';
import type { LiveFile } from './live-files.ts';

export type SolvedHere =
  | {
      readonly kind: 'completed';
      /** By name. */
      readonly files: ReadonlyMap<string, Uint8Array>;
      readonly stats: JobStats;
    }
  | { readonly kind: 'rejected'; readonly error: FileError };

/** Solves as `dlx-batch solve` does, with the options that the stack used: it may have defaults of its own. */
export async function solveLike(
  { name, bytes, options: texts }: LiveFile,
  outcome: VersionOutcome,
): Promise<SolvedHere> {
  const options =
    outcome.kind === 'rejected'
      ? readSolveOptions(texts)
      : optionsFromCanonical(JSON.stringify(outcome.manifest.options));
  const engine = createEngine(options.engine);
  const { solver, close } = openSolver(workersForMachine(), engine, bytes.length);
  const files = new MemoryFiles();
  const solved = await runJob(
    { input: once(bytes), fileName: name, options, files, report: false },
    {
      ...{ clock: systemClock, hashing: systemHashing, unpacking: zlibUnpacking, runtime: runtimeInfo(true) },
      ...{ engine, solver },
    },
  ).finally(close);
  if (solved.kind === 'rejected') return { kind: 'rejected', error: solved.error };
  return { kind: 'completed', files: files.byName, stats: solved.stats };
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** Result files in memory. */
class MemoryFiles implements ResultFiles {
  readonly byName = new Map<string, Uint8Array>();

  open(name: string): FileWriter {
    return memoryWriter((bytes) => this.byName.set(name, bytes));
  }
}

/** @param onClose receives the whole file */
export function memoryWriter(onClose: (bytes: Uint8Array) => void): FileWriter {
  const parts: Uint8Array[] = [];
  return {
    // The caller may reuse the bytes.
    write: async (bytes) => void parts.push(bytes.slice()),
    close: async () => onClose(concatBytes(parts)),
    abort: async () => {},
  };
}

/** Files that contain times, so that two runs differ. */
const TIMED = /^(records|stats|report)\./;

/** The files of a result set that are the same in every run. */
export function untimedFiles(files: readonly ManifestFile[]): ManifestFile[] {
  return files.filter(({ name }) => !TIMED.test(name));
}

/**
 * How the result of a stack differs from that of this machine, without the times.
 *
 * @returns one sentence; undefined if there is no difference
 */
export function difference(here: SolvedHere, outcome: VersionOutcome): string | undefined {
  if (outcome.kind === 'rejected') {
    const { code, message } = outcome.reject.error;
    if (here.kind === 'completed') return `the stack rejected the file (${message})`;
    return code === here.error.code
      ? undefined
      : `the stack rejects it with ${code}, this machine with ${here.error.code}`;
  }
  if (here.kind === 'rejected')
    return `the stack solved a file that is rejected here (${here.error.message})`;
  const expected = [...here.files.keys()].filter((name) => !TIMED.test(name)).sort();
  const files = untimedFiles(outcome.manifest.files);
  const found = files.map(({ name }) => name).sort();
  if (found.join() !== expected.join())
    return `it has the files ${found.join(', ')}, here ${expected.join(', ')}`;
  const other = files.find((file) => {
    const checksum = new FileChecksum(file, systemHashing);
    checksum.update(here.files.get(file.name)!);
    return checksum.problem() !== undefined;
  });
  return other === undefined ? undefined : `${other.name} differs from the result of this machine`;
}
