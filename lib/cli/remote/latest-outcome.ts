/** What became of the newest version of a key that has an outcome. */
import type { LatestPointer } from '../../batch/latest.ts';
import { RESULTS_PREFIX } from '../../batch/names.ts';
import { readJson } from '../../batch/read-json.ts';
import { resultKeyPart } from '../../batch/result-keys.ts';
import { findOutcome, type VersionOutcome } from '../../batch/result-set.ts';
import { systemHashing } from '../../node/system.ts';
import { CommandError } from '../exit.ts';
import type { Connection } from './connection.ts';

/** @throws CommandError where the key has no result, or it was deleted */
export async function latestOutcome(
  { store, resultsBucket }: Connection,
  key: string,
): Promise<VersionOutcome> {
  const latestKey = `${RESULTS_PREFIX}${resultKeyPart(key, systemHashing)}/latest.json`;
  const latest = (await readJson<LatestPointer>(store, resultsBucket, latestKey))?.document;
  if (latest === undefined) {
    throw new CommandError(
      `${key} has no result: give the key of an upload (dlx-batch status lists them), or wait until it is solved`,
    );
  }
  const { input } = latest;
  const outcome = await findOutcome(store, resultsBucket, input.key, input.versionId, systemHashing);
  if (outcome === undefined) {
    throw new CommandError(`the result of ${key} was deleted: upload the file again`);
  }
  return outcome;
}
