/**
 * The plans of other runs in progress: a run does not send versions that another run has sent and waits for.
 *
 * Without this check, a schedule that fires every hour over a backlog of a day would send each file 24 times. A run that
 * has not written its status for an hour counts as ended, and other runs may plan its versions again.
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

/** A run takes at most two days: planning, a day of waiting, reporting. Run ids sort by time. */
const MAX_RUN_MS = 2 * 24 * 3_600_000;
/** Longer than a step, and than the wait between two polls. */
const MAX_STATUS_AGE_MS = 3_600_000;

const STATUS_FILE = '/status.json';

export class PlansUnderWay {
  readonly #plans: readonly Plan[];

  private constructor(plans: readonly Plan[]) {
    this.#plans = plans;
  }

  /**
   * Finds the other runs in progress.
   *
   * @param now ISO 8601 in UTC
   * @param runId the calling run
   */
  static async open(
    store: ObjectStore,
    resultsBucket: string,
    hashing: Hashing,
    now: string,
    runId?: string,
  ): Promise<PlansUnderWay> {
    const plans: Plan[] = [];
    const oldest = RUNS_PREFIX + runIdAt(new Date(Date.parse(now) - MAX_RUN_MS).toISOString());
    for await (const key of store.list(resultsBucket, RUNS_PREFIX, oldest)) {
      if (!key.endsWith(STATUS_FILE)) continue;
      const status = (await readJson<RunStatus>(store, resultsBucket, key))?.document;
      if (status === undefined || status.run.runId === runId) continue;
      if (status.state !== 'sending' && status.state !== 'waiting') continue;
      if (Date.parse(now) - Date.parse(status.updatedAt) > MAX_STATUS_AGE_MS) continue;
      plans.push(new Plan(store, resultsBucket, status.run.runId, hashing));
    }
    return new PlansUnderWay(plans);
  }

  /** Whether another run waits for a version. @param marker its last done marker, not before that of an earlier call */
  async includes(marker: string): Promise<boolean> {
    for (const plan of this.#plans) if (await plan.has(marker)) return true;
    return false;
  }
}

/** Reads a plan forward: its lines are sorted by the last marker of each version. */
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
