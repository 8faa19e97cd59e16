/**
 * Splits a step of a bulk run that may exceed one invocation into slices, each of which is stored once.
 *
 *     slice 0   writes lines, then 00000.json with their key and the place at which it ended --.
 *     slice 1   continues from it: 00001.json <------------------------------------------------'
 *     ...
 *     finally   the lines of all slices are concatenated into one file
 *
 * Two attempts at a slice write lines of their own; the first to store its document decides which count.
 */
import { concatenate, JsonLinesFile } from '../storage/json-lines.ts';
import { readWrittenJson } from '../storage/read-json.ts';
import { writeWhole } from '../storage/whole-file.ts';
import { storedOnce } from '../storage/write-json.ts';
import { sliceKey } from './run-keys.ts';
import type { RunDependencies } from './steps.ts';

/** A slice of a step. `State` is JSON: the place at which it ended, and its counts. */
interface Slice<State> {
  readonly lines: string;
  readonly state: State;
}

export class Slices<State> {
  readonly #keyOf: (index: number) => string;
  readonly #dependencies: RunDependencies;

  constructor(runId: string, of: 'plan' | 'report', dependencies: RunDependencies) {
    this.#keyOf = (index) => sliceKey(runId, of, index);
    this.#dependencies = dependencies;
  }

  /**
   * Runs a slice unless it is stored; if `work` throws, its lines are removed.
   *
   * @param index from 0
   * @param work adds lines by its parameter, and returns the state of the slice
   */
  async run(
    index: number,
    work: (add: (document: unknown) => Promise<void>) => Promise<State>,
  ): Promise<State> {
    const { store, resultsBucket, ids } = this.#dependencies;
    const key = this.#keyOf(index);
    const slice = await storedOnce<Slice<State>>(store, resultsBucket, key, async () => {
      const lines = `${key}-${ids.next()}.jsonl`;
      const file = new JsonLinesFile(store, resultsBucket, lines);
      const state = await writeWhole(file, () => work((document) => file.add(document)));
      return { lines, state };
    });
    return slice.state;
  }

  /** @throws Error if the slice is not done */
  async stateOf(index: number): Promise<State> {
    return (await this.#read(index)).state;
  }

  /** Concatenates the lines of the slices 0 to `last` into one file. */
  async join(last: number, to: string): Promise<void> {
    const { store, resultsBucket } = this.#dependencies;
    const lines: string[] = [];
    for (let index = 0; index <= last; index++) lines.push((await this.#read(index)).lines);
    await concatenate(store, resultsBucket, lines, to);
  }

  #read(index: number): Promise<Slice<State>> {
    const { store, resultsBucket } = this.#dependencies;
    return readWrittenJson(store, resultsBucket, this.#keyOf(index), `slice ${index} is not done`);
  }
}
