/** The slices of a bulk run: the steps of its plan, and of its following, each with a file of versions. */
import type { ObjectVersion } from '../ports.ts';
import type { FunctionTime, RemainingTime } from '../storage/function-time.ts';
import { JsonLinesFile, readJsonLines } from '../storage/json-lines.ts';
import { type ResultStorage, readJson } from '../storage/read-json.ts';
import { step } from '../storage/step.ts';
import { writeWhole } from '../storage/whole-file.ts';
import type { PlannedVersion } from './planned-version.ts';
import { runKeys } from './run-keys.ts';

/** A slice. `State` is JSON: the place at which it ended, and what it found. */
export interface Slice<State> {
  /** The file of its versions; omitted before the first slice. */
  readonly versions?: string;
  readonly state: State;
}

export type AddVersion = (version: ObjectVersion) => Promise<void>;

/**
 * The state of a slice, which is done now unless it is stored.
 *
 * @param keyOf the key of a slice, by its index from 0
 * @param file key of the file of its versions, with an id of this attempt
 * @param work adds versions, and returns the state of the slice
 */
export async function slice<State>(
  keyOf: (index: number) => string,
  index: number,
  beginning: State,
  file: string,
  storage: ResultStorage & RemainingTime,
  work: (before: Slice<State>, time: FunctionTime, add: AddVersion) => Promise<State>,
): Promise<State> {
  const { state } = await step<Slice<State>>(
    storage,
    keyOf,
    index,
    { state: beginning },
    async (before, time) => {
      const versions = new JsonLinesFile(storage, file);
      const state = await writeWhole(versions, () => work(before, time, (version) => versions.add(version)));
      return { versions: file, state };
    },
  );
  return state;
}

/** The lines of the file of a slice, if it has one. */
export async function* versionsOf<Version extends PlannedVersion>(
  { versions }: Slice<unknown>,
  storage: ResultStorage,
  fromByte?: number,
) {
  if (versions !== undefined) yield* readJsonLines<Version>(storage, versions, fromByte);
}

/** The versions that a bulk run has planned so far; none of a run that does not exist. */
export async function* plannedVersions(storage: ResultStorage, runId: string): AsyncIterable<PlannedVersion> {
  for (let index = 0; ; index++) {
    const slice = await readJson<Slice<unknown>>(storage, runKeys(runId).plan(index));
    if (slice === undefined) return;
    for await (const { document } of versionsOf(slice, storage)) yield document;
  }
}
