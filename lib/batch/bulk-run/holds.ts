/**
 * The prefixes on which runs work: a run leaves out what another one holds, so that each version is sent by one run.
 *
 *     { "runs": { "2026-11-21T02-00-00Z": { "prefixes": ["inbox/"], "without": ["inbox/june/"], "at": "..." } } }
 *
 * A run that has not renewed its hold for some hours has failed, and holds nothing; a redrive takes its hold again. Even if
 * two runs send a version, it is one job with one result.
 */
import type { Clock } from '../ports.ts';
import { compareUtf8 } from '../storage/key-order.ts';
import { type ResultStorage, readJson } from '../storage/read-json.ts';
import { update } from '../storage/write-json.ts';
import { HOLDS_KEY } from './run-keys.ts';

/** Longer than a step with all its retries. */
const MAX_AGE_MS = 4 * 3_600_000;
/** A hold is renewed after this time. */
const RENEW_MS = MAX_AGE_MS / 8;

interface Hold {
  readonly prefixes: readonly string[];
  /** Prefixes among them that another run held before. */
  readonly without: readonly string[];
  /** When it was taken or renewed: ISO 8601 in UTC. */
  readonly at: string;
}

interface HoldsDocument {
  readonly schema: 'dlx-batch/holds@1';
  readonly runs: Readonly<Record<string, Hold>>;
}

interface HoldStorage extends ResultStorage {
  readonly clock: Clock;
}

/** What other runs hold, by their ids. */
export type OtherHolds = readonly (readonly [runId: string, hold: Hold])[];

/** The prefix of the run that holds a key, and whether it holds all keys with that prefix; undefined if none does. */
export function holderOf(
  others: OtherHolds,
  key: string,
): { readonly runId: string; readonly prefix: string; readonly whole: boolean } | undefined {
  for (const [runId, { prefixes, without }] of others) {
    const prefix = prefixes.find((each) => key.startsWith(each));
    if (prefix === undefined || without.some((each) => key.startsWith(each))) continue;
    return { runId, prefix, whole: !without.some((each) => each.startsWith(prefix)) };
  }
  return undefined;
}

/** The ids of the runs that hold anything with one of these prefixes, or a prefix of one. */
export function runsWith(others: OtherHolds, prefixes: readonly string[]): string[] {
  const overlap = (one: string, other: string) => one.startsWith(other) || other.startsWith(one);
  return others
    .filter(([, hold]) => hold.prefixes.some((each) => prefixes.some((own) => overlap(each, own))))
    .map(([runId]) => runId);
}

/** Prefixes of a list of keys: the keys themselves if they are few, else folders. */
const MAX_PREFIXES = 100;

/** The prefixes that a run of a list of keys holds, with one more key. Where most of them are, their folder takes their place. */
export function withKey(prefixes: readonly string[], key: string): readonly string[] {
  if (prefixes.some((each) => key.startsWith(each))) return prefixes;
  let all = [...prefixes, key];
  while (all.length > MAX_PREFIXES) {
    const folders = [...Map.groupBy(all, folderOf)].sort(([, one], [, other]) => other.length - one.length);
    const [folder] = folders[0]!;
    all = [...all.filter((each) => !each.startsWith(folder)), folder];
  }
  return all;
}

/** The folder of a key or of a folder, with its slash. */
function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/', key.length - 2) + 1);
}

/** What runs other than this one hold now. */
export async function otherHolds(storage: HoldStorage, runId?: string): Promise<OtherHolds> {
  const found = await readJson<HoldsDocument>(storage, HOLDS_KEY);
  return others(found, runId, storage);
}

function others(holds: HoldsDocument | undefined, runId: string | undefined, { clock }: HoldStorage) {
  const oldest = Date.parse(clock.timeOfDay()) - MAX_AGE_MS;
  return Object.entries(holds?.runs ?? {}).filter(([id, { at }]) => id !== runId && Date.parse(at) >= oldest);
}

/** Takes prefixes for a run, or renews its hold of them. @returns what others hold */
export async function hold(
  runId: string,
  prefixes: readonly string[],
  storage: HoldStorage,
): Promise<OtherHolds> {
  let found: OtherHolds = [];
  await update<HoldsDocument>(storage, HOLDS_KEY, (existing) => {
    found = others(existing, runId, storage);
    const own = existing?.runs[runId];
    const at = storage.clock.timeOfDay();
    if (prefixes.length === 0 || (own !== undefined && Date.parse(at) - Date.parse(own.at) < RENEW_MS))
      return undefined;
    const held = found.flatMap(([, hold]) => hold.prefixes).sort(compareUtf8);
    const without = own?.without ?? held.filter((each) => prefixes.some((prefix) => each.startsWith(prefix)));
    const runs = { ...Object.fromEntries(found), [runId]: { prefixes, without, at } };
    return { schema: 'dlx-batch/holds@1', runs };
  });
  return found;
}

/** Ends the hold of a run. */
export async function release(runId: string, storage: HoldStorage): Promise<void> {
  await update<HoldsDocument>(storage, HOLDS_KEY, (existing) =>
    existing?.runs[runId] === undefined
      ? undefined
      : { ...existing, runs: Object.fromEntries(others(existing, runId, storage)) },
  );
}
