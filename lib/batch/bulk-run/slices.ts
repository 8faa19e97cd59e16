/**
 * Work of a bulk run that one invocation may not get through: done in stretches, one behind the other.
 *
 *     stretch 0   lines 00000.jsonl   then its state 00000.json --.
 *     stretch 1   goes on from there: 00001.jsonl, 00001.json <---'
 *     ...
 *     at the end  the lines of all stretches, one behind the other, in one file
 *
 * A state is written when its lines are whole, so a stretch that broke off is done again from its beginning.
 */

import { jsonBytes } from '../delivery/manifest.ts';
import { JSON_TYPE } from '../results/content-types.ts';
import { concatenate, JsonLinesFile } from '../storage/json-lines.ts';
import { readJson } from '../storage/read-json.ts';
import { runKeys } from './run-keys.ts';
import type { RunDependencies } from './steps.ts';

type StretchStore = Pick<RunDependencies, 'store' | 'resultsBucket'>;

/** The stretches of one step of a run. `State` is JSON: where a stretch ended, and what it counted. */
export class Slices<State> {
  readonly #keysOf: (index: number) => { readonly lines: string; readonly state: string };
  readonly #store: StretchStore;

  constructor(runId: string, of: 'plan' | 'report', store: StretchStore) {
    const keys = runKeys(runId);
    this.#keysOf = (index) => keys.slice(of, index);
    this.#store = store;
  }

  /**
   * Does a stretch; nothing is left of its lines where that throws.
   *
   * @param index from 0
   * @param work is given what adds a line, and gives the stretch's state
   */
  async write(
    index: number,
    work: (add: (document: unknown) => Promise<void>) => Promise<State>,
  ): Promise<State> {
    const { store, resultsBucket } = this.#store;
    const keys = this.#keysOf(index);
    const writer = new JsonLinesFile(store, resultsBucket, keys.lines);
    let state: State;
    try {
      state = await work((document) => writer.add(document));
    } catch (error) {
      await writer.abort();
      throw error;
    }
    await writer.close();
    await store.put(resultsBucket, keys.state, jsonBytes(state), JSON_TYPE);
    return state;
  }

  /** @throws Error where the stretch was never done */
  async stateOf(index: number): Promise<State> {
    const { store, resultsBucket } = this.#store;
    const key = this.#keysOf(index).state;
    const found = await readJson<State>(store, resultsBucket, key);
    if (found === undefined) throw new Error(`${key} is not there: stretch ${index} was never done`);
    return found.document;
  }

  /** Writes the lines of all stretches, the last one included, into one file. */
  async join(last: number, to: string): Promise<void> {
    const { store, resultsBucket } = this.#store;
    const lines = Array.from({ length: last + 1 }, (_, index) => this.#keysOf(index).lines);
    await concatenate(store, resultsBucket, lines, to);
  }
}
