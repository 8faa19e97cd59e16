/** The parts of an outcome that checks need. */
import type { Manifest, ManifestFile } from '../../../../batch/delivery/manifest.ts';
import type { VersionOutcome } from '../../../../batch/delivery/result-set.ts';
import type { JobStats } from '../../../../batch/results/statistics.ts';
import { readJson } from '../../../../batch/storage/read-json.ts';
import { CommandError } from '../../../exit.ts';
import { hasBaseName } from '../../download/result-file-names.ts';
import type { SmokeStack } from '../smoke-stack.ts';

export function manifestOf(outcome: VersionOutcome): Manifest {
  if (outcome.kind === 'completed') return outcome.manifest;
  throw new CommandError(`the stack rejected ${outcome.reject.input.key}: ${outcome.reject.error.message}`);
}

export function solutionsOf({ files }: Manifest): ManifestFile {
  return files.find((file) => hasBaseName(file, 'solutions'))!;
}

/** The statistics of a job. */
export async function statsOf({ connection }: SmokeStack, outcome: VersionOutcome): Promise<JobStats> {
  const { store, resultsBucket } = connection;
  const { key } = manifestOf(outcome).files.find((file) => hasBaseName(file, 'stats'))!;
  return (await readJson<JobStats>(store, resultsBucket, key!))!.document;
}
