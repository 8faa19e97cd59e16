/**
 * A step that may exceed one invocation is done in slices, each of which is stored once.
 *
 *     slice 0   writes versions to a file, then 00000.json with its key and the place at which it ended --.
 *     slice 1   continues from it: 00001.json <-----------------------------------------------------------'
 *
 * Two attempts at a slice write files of their own; the first to store its document decides which one counts.
 */
import { JsonLinesFile, readJsonLines } from '../storage/json-lines.ts';
import { type ResultStorage, readJson, readWrittenJson } from '../storage/read-json.ts';
import { writeWhole } from '../storage/whole-file.ts';
import { storedOnce } from '../storage/write-json.ts';
import type { PlannedVersion } from './planned-version.ts';
import { sliceKey } from './run-keys.ts';

/** A slice of a step. `State` is JSON: the place at which it ended, and what it found. */
interface Slice<State> {
  /** The file of its versions; omitted if it has none. */
  readonly versions?: string;
  readonly state: State;
}

export type AddVersion = (version: unknown) => Promise<void>;

/**
 * The state of a slice of a step, which is done now unless it is stored.
 *
 * @param index from 0
 * @param file key of the file of its versions, with an id of this attempt
 * @param work adds versions by its parameter, and returns the state of the slice
 */
export async function slice<State>(
  runId: string,
  of: 'plan' | 'follow',
  index: number,
  file: string,
  storage: ResultStorage,
  work: (add: AddVersion) => Promise<State>,
): Promise<State> {
  const { state } = await storedOnce<Slice<State>>(storage, sliceKey(runId, of, index), async () => {
    const versions = new JsonLinesFile(storage, file);
    let count = 0;
    const add = async (version: unknown) => {
      count++;
      await versions.add(version);
    };
    const state = await writeWhole(
      { close: () => (count > 0 ? versions.close() : versions.abort()), abort: () => versions.abort() },
      () => work(add),
    );
    return { ...(count > 0 && { versions: file }), state };
  });
  return state;
}

/** @throws Error if the slice is not done */
export function storedSlice<State>(
  runId: string,
  of: 'plan' | 'follow',
  index: number,
  storage: ResultStorage,
): Promise<Slice<State>> {
  return readWrittenJson(storage, sliceKey(runId, of, index), `slice ${index} is not done`);
}

/** The versions that a bulk run has planned so far; none of a run that does not exist. */
export async function* plannedVersions(storage: ResultStorage, runId: string): AsyncIterable<PlannedVersion> {
  for (let index = 0; ; index++) {
    const slice = await readJson<Slice<unknown>>(storage, sliceKey(runId, 'plan', index));
    if (slice === undefined) return;
    const { versions } = slice.document;
    if (versions === undefined) continue;
    for await (const { document } of readJsonLines<PlannedVersion>(storage, versions)) yield document;
  }
}
