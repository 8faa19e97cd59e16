/**
 * Splits a step of a bulk run that may exceed one invocation into slices.
 *
 *     slice 0   writes lines 00000.jsonl, then its state 00000.json --.
 *     slice 1   continues from it: 00001.jsonl, 00001.json <----------'
 *     ...
 *     finally   the lines of all slices are concatenated into one file
 *
 * A state is written after all of its lines, so an interrupted slice is repeated from its beginning.
 */

import { JSON_TYPE } from '../results/content-types.ts';
import { concatenate, JsonLinesFile } from '../storage/json-lines.ts';
import { readWrittenJson } from '../storage/read-json.ts';
import { writeWhole } from '../storage/whole-file.ts';
import { jsonBytes } from '../storage/write-json.ts';
import { runKeys } from './run-keys.ts';
import type { RunDependencies } from './steps.ts';

type SliceStore = Pick<RunDependencies, 'store' | 'resultsBucket'>;

/** The slices of one step of a run. `State` is JSON: the place at which the slice ended, and its counts. */
export class Slices<State> {
  readonly #keysOf: (index: number) => { readonly lines: string; readonly state: string };
  readonly #store: SliceStore;

  constructor(runId: string, of: 'plan' | 'report', store: SliceStore) {
    const keys = runKeys(runId);
    this.#keysOf = (index) => keys.slice(of, index);
    this.#store = store;
  }

  /**
   * Runs a slice; if `work` throws, its lines are removed.
   *
   * @param index from 0
   * @param work adds lines by its parameter, and returns the state of the slice
   */
  async write(
    index: number,
    work: (add: (document: unknown) => Promise<void>) => Promise<State>,
  ): Promise<State> {
    const { store, resultsBucket } = this.#store;
    const keys = this.#keysOf(index);
    const writer = new JsonLinesFile(store, resultsBucket, keys.lines);
    const state = await writeWhole(writer, () => work((document) => writer.add(document)));
    await store.put(resultsBucket, keys.state, jsonBytes(state), JSON_TYPE);
    return state;
  }

  /** @throws Error if the slice is not done */
  async stateOf(index: number): Promise<State> {
    const { store, resultsBucket } = this.#store;
    return readWrittenJson(store, resultsBucket, this.#keysOf(index).state, `slice ${index} is not done`);
  }

  /** Concatenates the lines of the slices 0 to `last` into one file. */
  async join(last: number, to: string): Promise<void> {
    const { store, resultsBucket } = this.#store;
    const lines = Array.from({ length: last + 1 }, (_, index) => this.#keysOf(index).lines);
    await concatenate(store, resultsBucket, lines, to);
  }
}
