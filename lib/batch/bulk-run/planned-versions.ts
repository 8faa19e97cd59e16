/** The versions that a bulk run has planned so far. */
import type { ObjectStore } from '../ports.ts';
import { readJsonLines } from '../storage/json-lines.ts';
import { readJson } from '../storage/read-json.ts';
import type { PlannedVersion } from './planned-version.ts';
import { sliceKey } from './run-keys.ts';
import type { Slice } from './slices.ts';

/** @returns nothing for a run that does not exist */
export async function* plannedVersions(
  store: ObjectStore,
  resultsBucket: string,
  runId: string,
): AsyncIterable<PlannedVersion> {
  for (let index = 0; ; index++) {
    const slice = await readJson<Slice<unknown>>(store, resultsBucket, sliceKey(runId, 'plan', index));
    if (slice === undefined) return;
    const { versions } = slice.document;
    if (versions === undefined) continue;
    for await (const { document } of readJsonLines<PlannedVersion>(store, resultsBucket, versions))
      yield document;
  }
}
