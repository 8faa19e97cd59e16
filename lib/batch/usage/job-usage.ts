/** The usage of one job: counted before it is solved, and settled by what it took. */
import type { StatusDocument } from '../delivery/status-document.ts';
import type { FileError } from '../job/file-error.ts';
import type { UploadPrefixes } from '../names.ts';
import type { Clock, ObjectStore } from '../ports.ts';
import { type Usage, type UsageCeiling, usageFolder } from './usage-ceilings.ts';
import { reserveUsage, settleUsage, type UsageJob, usageDay } from './usage-ledger.ts';

/** The ceilings of a day. */
export interface UsageLimits {
  /** None: nothing is counted. */
  readonly ceilings: readonly UsageCeiling[];
  readonly prefixes: UploadPrefixes;
}

export interface UsageDependencies {
  readonly store: ObjectStore;
  readonly resultsBucket: string;
  readonly clock: Clock;
  /** @default nothing is counted */
  readonly usage?: UsageLimits;
}

/** The day for the status of a job; undefined if nothing is counted. */
export function dayOfUsage({ usage, clock }: UsageDependencies): string | undefined {
  return usage === undefined || usage.ceilings.length === 0 ? undefined : usageDay(clock.timeOfDay());
}

export class JobUsage {
  readonly #job: UsageJob;
  readonly #dependencies: UsageDependencies & { readonly usage: UsageLimits };
  #estimated: Usage | undefined;

  private constructor(job: UsageJob, dependencies: UsageDependencies & { readonly usage: UsageLimits }) {
    this.#job = job;
    this.#dependencies = dependencies;
  }

  /** @param status of the job @returns undefined if nothing is counted */
  static of(
    { jobId, input, usageDay: day }: Pick<StatusDocument, 'jobId' | 'input' | 'usageDay'>,
    dependencies: UsageDependencies,
  ): JobUsage | undefined {
    const { usage } = dependencies;
    if (usage === undefined || day === undefined) return undefined;
    const folder = usageFolder(input.key, usage.prefixes);
    return new JobUsage({ jobId, key: input.key, folder, day }, { ...dependencies, usage });
  }

  /** @returns why the job is rejected */
  async reserve(bytes: number, dollars: number): Promise<FileError | undefined> {
    const usage = usageOf(bytes, dollars);
    const error = await reserveUsage(this.#job, usage, this.#storage);
    if (error === undefined) this.#estimated = usage;
    return error;
  }

  /** Corrects the count of a reserved job. */
  async settle(bytes: number, dollars: number): Promise<void> {
    await settleUsage(this.#job, this.#estimated, usageOf(bytes, dollars), this.#storage);
  }

  get day(): string {
    return this.#job.day;
  }

  get isReserved(): boolean {
    return this.#estimated !== undefined;
  }

  get #storage() {
    const { store, resultsBucket, usage } = this.#dependencies;
    return { store, resultsBucket, ceilings: usage.ceilings };
  }
}

function usageOf(bytes: number, dollars: number): Usage {
  return { bytes, microdollars: Math.ceil(dollars * 1e6) };
}
