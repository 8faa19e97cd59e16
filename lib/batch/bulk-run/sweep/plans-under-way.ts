/**
 * What other runs have sent and wait for: it is theirs, and not sent once more.
 *
 * Without that, a schedule that fires every hour over a backlog of a day would put each file into the queue 24 times.
 * A run that has not written its status for an hour is over, however it ended, and what it planned is anybody's again.
 */

import { RUNS_PREFIX } from '../../names.ts';
import type { Hashing, ObjectStore } from '../../ports.ts';
import { type JsonLine, readJsonLines } from '../../storage/json-lines.ts';
import { compareUtf8 } from '../../storage/key-order.ts';
import { readJson } from '../../storage/read-json.ts';
import type { PlannedVersion } from '../planned-version.ts';
import { runIdAt, runKeys } from '../run-keys.ts';
import type { RunStatus } from '../run-status.ts';
import { markersOf } from './version-markers.ts';

/** A run takes two days at most: what it plans, a day of waiting, what it reports. Ids of runs sort as their times. */
const LONGEST_RUN_MS = 2 * 24 * 3_600_000;
/** Longer than a step, and a wait between two looks. */
const SILENT_MS = 3_600_000;

const STATUS_FILE = '/status.json';

export class PlansUnderWay {
  readonly #plans: readonly Plan[];

  private constructor(plans: readonly Plan[]) {
    this.#plans = plans;
  }

  /**
   * Finds the runs that wait for something.
   *
   * @param now ISO 8601 in UTC
   * @param runId the run that asks
   */
  static async open(
    store: ObjectStore,
    resultsBucket: string,
    hashing: Hashing,
    now: string,
    runId?: string,
  ): Promise<PlansUnderWay> {
    const plans: Plan[] = [];
    const oldest = RUNS_PREFIX + runIdAt(new Date(Date.parse(now) - LONGEST_RUN_MS).toISOString());
    for await (const key of store.list(resultsBucket, RUNS_PREFIX, oldest)) {
      if (!key.endsWith(STATUS_FILE)) continue;
      const status = (await readJson<RunStatus>(store, resultsBucket, key))?.document;
      if (status === undefined || status.run.runId === runId) continue;
      if (status.state !== 'sending' && status.state !== 'waiting') continue;
      if (Date.parse(now) - Date.parse(status.updatedAt) > SILENT_MS) continue;
      plans.push(new Plan(store, resultsBucket, status.run.runId, hashing));
    }
    return new PlansUnderWay(plans);
  }

  /** Whether another run waits for this version. @param marker its last done marker, not before any asked for earlier */
  async includes(marker: string): Promise<boolean> {
    for (const plan of this.#plans) if (await plan.has(marker)) return true;
    return false;
  }
}

/** A plan that is read forward: its lines are in the order of their last markers. */
class Plan {
  readonly #lines: AsyncIterator<JsonLine<PlannedVersion>>;
  readonly #hashing: Hashing;
  #marker: string | undefined;
  #ended = false;

  constructor(store: ObjectStore, bucket: string, runId: string, hashing: Hashing) {
    const lines = readJsonLines<PlannedVersion>(store, bucket, runKeys(runId).plan);
    this.#lines = lines[Symbol.asyncIterator]();
    this.#hashing = hashing;
  }

  async has(marker: string): Promise<boolean> {
    while (!this.#ended && (this.#marker === undefined || compareUtf8(this.#marker, marker) < 0)) {
      const read = await this.#lines.next();
      this.#ended = read.done === true;
      this.#marker = read.done === true ? undefined : markersOf(read.value.document, this.#hashing).at(-1);
    }
    return this.#marker === marker;
  }
}
