/** The outcome of the newest finished version of a key. */

import type { LatestPointer } from '../../../batch/delivery/latest.ts';
import { resultKeyPart } from '../../../batch/delivery/result-keys.ts';
import { findOutcome, type VersionOutcome } from '../../../batch/delivery/result-set.ts';
import { RESULTS_PREFIX } from '../../../batch/names.ts';
import { readJson } from '../../../batch/storage/read-json.ts';
import { systemHashing } from '../../../node/system.ts';
import { CommandError } from '../../exit.ts';
import { commandText } from '../command-text.ts';
import type { Connection } from '../connection.ts';

/**
 * Finds the latest outcome of a key; undefined if no version has finished.
 *
 * @throws CommandError if the result was deleted
 */
export async function findLatestOutcome(
  { store, resultsBucket }: Connection,
  key: string,
): Promise<VersionOutcome | undefined> {
  const latestKey = latestKeyOf(resultKeyPart(key, systemHashing));
  const latest = (await readJson<LatestPointer>(store, resultsBucket, latestKey))?.document;
  if (latest === undefined) return undefined;
  const { input } = latest;
  const outcome = await findOutcome(store, resultsBucket, input.key, input.versionId, systemHashing);
  if (outcome === undefined) {
    throw new CommandError(`the result of ${key} was deleted: upload the file again`);
  }
  return outcome;
}

/** Returns the latest outcome of a key. @throws CommandError if it has no result, or the result was deleted */
export async function latestOutcome(connection: Connection, key: string): Promise<VersionOutcome> {
  const outcome = await findLatestOutcome(connection, key);
  if (outcome !== undefined) return outcome;
  throw new CommandError(
    `${key} has no result: give the key of an upload (see ${commandText('status')}), or wait until it is solved`,
  );
}

/** The full input key for its form in result keys, where long keys are cut. */
export async function fullKey({ store, resultsBucket }: Connection, part: string): Promise<string> {
  if (resultKeyPart(part, systemHashing) === part) return part;
  const latest = await readJson<LatestPointer>(store, resultsBucket, latestKeyOf(part));
  return latest?.document.input.key ?? part;
}

function latestKeyOf(part: string): string {
  return `${RESULTS_PREFIX}${part}/latest.json`;
}
