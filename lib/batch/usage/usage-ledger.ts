/**
 * What the uploads of a UTC day have used: one object for each day, changed by conditional writes.
 *
 *     usage/<day>.json    { jobs: { <jobId>: [folder, bytes, microdollars], ... } }
 *
 * A job is in it once, by its id, so repeated deliveries and concurrent attempts count once. Its day is that in its
 * status, which the first try writes, so a try after midnight finds it too.
 *
 * A ledger of every small job would grow without limit, and all functions would wait for its writes. So an amount below
 * a quantum, a thousandth of the ceiling, counts as a whole quantum or as nothing, with a probability that makes the sum
 * right on average, by the job's id: every delivery of a job decides alike. The standard deviation of the sum is at most
 * 3 % of the ceiling. Most small jobs count nothing: they read the ledger, and write none.
 */
import type { FileError } from '../job/file-error.ts';
import { USAGE_PREFIX } from '../names.ts';
import type { ObjectStore } from '../ports.ts';
import { JSON_TYPE } from '../results/content-types.ts';
import { readJson } from '../storage/read-json.ts';
import {
  type Measure,
  type Usage,
  type UsageCeiling,
  usageSettingText,
  usageText,
} from './usage-ceilings.ts';

/** A ledger has at most so many small jobs for each ceiling. */
const QUANTA = 1000;
/** Two estimates of one file differ by less than this factor. */
const NOISE = 2;
/** Tries of a write that conflicts with other jobs; after these, the message is delivered again. */
const MAX_TRIES = 50;

interface LedgerDocument {
  readonly schema: 'dlx-batch/usage@1';
  readonly jobs: Readonly<Record<string, LedgerEntry>>;
}

type LedgerEntry = readonly [folder: string, bytes: number, microdollars: number];

/** Where usage is stored, and what it may be. */
export interface UsageStorage {
  readonly store: ObjectStore;
  readonly resultsBucket: string;
  /** Those that are set, at least one. */
  readonly ceilings: readonly UsageCeiling[];
}

/** A job, the day on which it counts, and its folder (`usageFolder`). */
export interface UsageJob {
  readonly jobId: string;
  readonly key: string;
  readonly folder: string;
  /** `2026-11-22` */
  readonly day: string;
}

/** The UTC day of a time of day. @param time ISO 8601 in UTC */
export function usageDay(time: string): string {
  return time.slice(0, 10);
}

/**
 * Counts a job before it is solved. A job that is counted already stays admitted, unless its plan finds that it takes more
 * than was estimated before.
 *
 * @returns the error if it would exceed a ceiling; it is then not counted
 * @throws Error if other writers conflict in every try
 */
export function reserveUsage(
  job: UsageJob,
  usage: Usage,
  storage: UsageStorage,
): Promise<FileError | undefined> {
  return change(job, storage, (jobs) => {
    const [, bytes = 0, microdollars = 0] = jobs[job.jobId] ?? [];
    const counted = countedUsage(job, usage, storage.ceilings);
    if (
      counted.bytes <= bytes &&
      counted.microdollars <= microdollars * NOISE &&
      jobs[job.jobId] !== undefined
    ) {
      return { bytes, microdollars };
    }
    const grown = {
      bytes: Math.max(bytes, counted.bytes),
      microdollars: Math.max(microdollars, counted.microdollars),
    };
    return exceeded(job, usage, jobs, storage.ceilings) ?? grown;
  });
}

/** Replaces the estimate of a job by what it has used; without a request if both count the same. */
export async function settleUsage(
  job: UsageJob,
  estimated: Usage | undefined,
  usage: Usage,
  storage: UsageStorage,
): Promise<void> {
  const counted = countedUsage(job, usage, storage.ceilings);
  const before = estimated && countedUsage(job, estimated, storage.ceilings);
  if (before?.bytes === counted.bytes && before.microdollars === counted.microdollars) return;
  await change(job, storage, () => counted);
}

/** What the uploads of a day have used, in all and by folder. */
export interface DayUsage {
  readonly total: Usage;
  readonly folders: ReadonlyMap<string, Usage>;
}

export async function readUsage(store: ObjectStore, resultsBucket: string, day: string): Promise<DayUsage> {
  const found = await readJson<LedgerDocument>(store, resultsBucket, ledgerKey(day));
  const entries = Object.values(found?.document.jobs ?? {});
  const folders = new Map<string, Usage>();
  for (const [folder] of entries) {
    if (!folders.has(folder)) folders.set(folder, sumOf(entries.filter(([other]) => other === folder)));
  }
  return { total: sumOf(entries), folders };
}

function ledgerKey(day: string): string {
  return `${USAGE_PREFIX}${day}.json`;
}

/** Sets the usage of a job, unless it is unchanged or an error. */
async function change(
  { jobId, folder, day }: UsageJob,
  { store, resultsBucket }: UsageStorage,
  usageIn: (jobs: LedgerDocument['jobs']) => Usage | FileError,
): Promise<FileError | undefined> {
  const key = ledgerKey(day);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const current = await readJson<LedgerDocument>(store, resultsBucket, key);
    const jobs = current?.document.jobs ?? {};
    const usage = usageIn(jobs);
    if ('code' in usage) return usage;
    const { bytes, microdollars } = usage;
    const [, bytesBefore = 0, microdollarsBefore = 0] = jobs[jobId] ?? [];
    if (bytes === bytesBefore && microdollars === microdollarsBefore) return undefined;
    const document: LedgerDocument = {
      schema: 'dlx-batch/usage@1',
      jobs: { ...jobs, [jobId]: [folder, bytes, microdollars] },
    };
    const condition = current === undefined ? { ifAbsent: true as const } : { ifMatch: current.etag };
    const body = new TextEncoder().encode(JSON.stringify(document));
    const put = await store.putIf(resultsBucket, key, body, JSON_TYPE, condition);
    if (put.written) return undefined;
  }
  throw new Error(`${key} could not be written in ${MAX_TRIES} tries; the message will be delivered again`);
}

/** The first ceiling that a job would exceed, with what other jobs have used. */
function exceeded(
  { jobId, key, folder, day }: UsageJob,
  usage: Usage,
  jobs: LedgerDocument['jobs'],
  ceilings: readonly UsageCeiling[],
): FileError | undefined {
  const others = Object.entries(jobs)
    .filter(([id]) => id !== jobId)
    .map(([, entry]) => entry);
  for (const { name, scope, measure, max } of ceilings) {
    const counted = scope === 'day' ? others : others.filter(([other]) => other === folder);
    const used = sumOf(counted)[measure];
    if (used + usage[measure] <= max) continue;
    const all = scope === 'day' ? 'all uploads' : `the uploads under ${folder}`;
    const amount = (of: number) => usageText(of, measure);
    const raise = `raise ${usageSettingText(name)}`;
    return {
      code: 'ceiling_reached',
      message:
        `the ceiling ${name} is ${amount(max)} for ${all} of a day in UTC: ${amount(used)} of ${day} are used, ` +
        `and this file takes ${measure === 'bytes' ? '' : 'about '}${amount(usage[measure])}; ` +
        (usage[measure] > max
          ? `split the file, or ${raise}`
          : `after midnight in UTC, or after you ${raise}`) +
        `, solve it with dlx-batch redrive ${key}`,
    };
  }
  return undefined;
}

/** The amounts that are counted for a job, of each measure with a ceiling. */
function countedUsage({ jobId }: UsageJob, usage: Usage, ceilings: readonly UsageCeiling[]): Usage {
  const counted = (measure: Measure) => {
    const maxima = ceilings.filter((ceiling) => ceiling.measure === measure).map(({ max }) => max);
    if (maxima.length === 0) return 0;
    const quantum = Math.max(1, Math.floor(Math.min(...maxima) / QUANTA));
    if (usage[measure] >= quantum) return usage[measure];
    return fractionOf(jobId) < usage[measure] / quantum ? quantum : 0;
  };
  return { bytes: counted('bytes'), microdollars: counted('microdollars') };
}

/** A number from 0 to 1 that the job's id gives, uniform over jobs; the uploader cannot choose it. */
function fractionOf(jobId: string): number {
  return Number.parseInt(jobId.slice(0, 8), 16) / 2 ** 32;
}

function sumOf(entries: readonly LedgerEntry[]): Usage {
  let bytes = 0;
  let microdollars = 0;
  for (const [, entryBytes, entryMicrodollars] of entries) {
    bytes += entryBytes;
    microdollars += entryMicrodollars;
  }
  return { bytes, microdollars };
}
