/**
 * A step that may exceed one invocation is done in slices, each of which is stored once.
 *
 *     slice 0   writes versions to a file, then 00000.json with its key and the place at which it ended --.
 *     slice 1   continues from it: 00001.json <-----------------------------------------------------------'
 *
 * Two attempts at a slice write files of their own; the first to store its document decides which one counts.
 */
import { JsonLinesFile } from '../storage/json-lines.ts';
import { readWrittenJson } from '../storage/read-json.ts';
import { writeWhole } from '../storage/whole-file.ts';
import { storedOnce } from '../storage/write-json.ts';
import { sliceKey } from './run-keys.ts';
import type { RunDependencies } from './steps.ts';

/** A slice of a step. `State` is JSON: the place at which it ended, and what it found. */
export interface Slice<State> {
  /** The file of its versions; omitted if it has none. */
  readonly versions?: string;
  readonly state: State;
}

export type AddVersion = (version: unknown) => Promise<void>;

/**
 * The slice of a step, done now unless it is stored.
 *
 * @param index from 0
 * @param file key of the file of its versions, with an id of this attempt
 * @param work adds versions by its parameter, and returns the state of the slice
 */
export function slice<State>(
  runId: string,
  of: 'plan' | 'follow',
  index: number,
  file: string,
  { store, resultsBucket }: RunDependencies,
  work: (add: AddVersion) => Promise<State>,
): Promise<Slice<State>> {
  return storedOnce<Slice<State>>(store, resultsBucket, sliceKey(runId, of, index), async () => {
    const versions = new JsonLinesFile(store, resultsBucket, file);
    let count = 0;
    const write = async (version: unknown) => {
      count++;
      await versions.add(version);
    };
    const state = await writeWhole(
      { close: () => (count > 0 ? versions.close() : versions.abort()), abort: () => versions.abort() },
      () => work(write),
    );
    return { ...(count > 0 && { versions: file }), state };
  });
}

/** @throws Error if the slice is not done */
export function storedSlice<State>(
  runId: string,
  of: 'plan' | 'follow',
  index: number,
  { store, resultsBucket }: RunDependencies,
): Promise<Slice<State>> {
  return readWrittenJson(store, resultsBucket, sliceKey(runId, of, index), `slice ${index} is not done`);
}
