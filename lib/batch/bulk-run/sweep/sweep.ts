/** Finds every input version without a finished job, in one pass over two listings. */
import { INBOX_PREFIX, SCHEDULED_PREFIX, UPLOAD_PREFIXES, type UploadPrefixes } from '../../names.ts';
import type { Hashing, ObjectStore, VersionPosition } from '../../ports.ts';
import { compareUtf8 } from '../../storage/key-order.ts';
import type { OtherHolds } from '../holds.ts';
import type { PlannedVersion } from '../planned-version.ts';
import type { BulkRun } from '../steps.ts';
import { MarkerCursor } from './marker-cursor.ts';
import { MarkerJoin, type WaitingEntry } from './marker-join.ts';
import { markerPrefix, markersOf } from './version-markers.ts';

export interface SweepScope {
  /** Prefixes of input keys, in UTF-8 order. */
  readonly prefixes: readonly string[];
  /** ISO 8601 in UTC: versions under `inbox/` written later are skipped, because their event may still arrive. */
  readonly writtenBefore: string;
  /** Versions under this prefix are planned whatever their age. @default `scheduled/` */
  readonly scheduledPrefix?: string;
  /** Keys that other runs hold are left out, without being listed if possible. */
  readonly others?: OtherHolds;
}

/** The place at which another process continues a sweep; plain JSON. */
export interface SweepState {
  /** Index of the current prefix. */
  readonly prefix: number;
  /** The last version listed under it. */
  readonly versionsAfter?: VersionPosition;
  readonly markersAfter?: string;
  readonly waiting: readonly WaitingEntry<PlannedVersion>[];
  readonly ended: boolean;
}

export const BEGINNING: SweepState = { prefix: 0, waiting: [], ended: false };

/** What a sweep finds of a version. */
export type SweepOutcome = 'alreadyDone' | 'tooYoung' | 'planned';

export interface SweepDependencies {
  readonly store: ObjectStore;
  readonly inputBucket: string;
  readonly resultsBucket: string;
  readonly hashing: Hashing;
}

/**
 * Prefixes to sweep, in UTF-8 order.
 *
 * @param run its prefix is the only one. @default all prefixes of uploads; of a retry without rejected uploads, `inbox/`
 */
export function sweptPrefixes(
  { prefix, retry, rejected }: Pick<BulkRun, 'prefix' | 'retry' | 'rejected'>,
  { inbox, scheduled }: UploadPrefixes = UPLOAD_PREFIXES,
): string[] {
  if (prefix !== undefined) return [prefix];
  return retry === true && rejected === undefined ? [inbox] : [inbox, scheduled].sort(compareUtf8);
}

/** Whether a run may sweep the prefix. */
export function isSweepable(prefix: string): boolean {
  return prefix.startsWith(INBOX_PREFIX) || prefix.startsWith(SCHEDULED_PREFIX);
}

/** Sorts after every key with a prefix. */
const LAST_CHARACTER = '\u{10ffff}';

/**
 * Sweeps until the listing ends or the time runs out.
 *
 * @param outOfTime called between versions
 * @param settle called for each version
 */
export async function sweep(
  scope: SweepScope,
  from: SweepState,
  { store, inputBucket, resultsBucket, hashing }: SweepDependencies,
  outOfTime: () => boolean,
  settle: (outcome: SweepOutcome, version: PlannedVersion) => Promise<void> | void,
): Promise<SweepState> {
  const { scheduledPrefix = SCHEDULED_PREFIX, others } = scope;
  const outcomeOf = ({ why, lastModified }: PlannedVersion, done: boolean): SweepOutcome => {
    if (done) return 'alreadyDone';
    return why === 'missed' && lastModified >= scope.writtenBefore ? 'tooYoung' : 'planned';
  };
  let { versionsAfter, markersAfter, waiting } = from;
  for (let index = from.prefix; index < scope.prefixes.length; index++) {
    const prefix = scope.prefixes[index]!;
    const markers = new MarkerCursor(store, resultsBucket, markerPrefix(prefix), markersAfter);
    const join = new MarkerJoin<PlannedVersion>(
      markers,
      (version, done) => settle(outcomeOf(version, done), version),
      waiting,
    );
    for (let isHeld = true; isHeld; ) {
      isHeld = false;
      for await (const version of store.listVersions(inputBucket, prefix, versionsAfter)) {
        versionsAfter = version;
        const { key, bytes, versionId } = version;
        const held = others?.of(key);
        if (held?.whole === true) {
          // The listing goes on after all keys that the other run holds.
          versionsAfter = { key: held.prefix + LAST_CHARACTER, versionId: 'null' };
          isHeld = true;
          break;
        }
        await join.settleBefore(markerPrefix(key));
        // Some tools write an empty object with a final slash as a folder marker.
        if (held === undefined && (bytes > 0 || !key.endsWith('/'))) {
          const why = key.startsWith(scheduledPrefix) ? 'scheduled' : 'missed';
          join.add({ entry: { ...version, why }, markers: markersOf(version, hashing) });
        }
        if (outOfTime()) {
          return {
            prefix: index,
            versionsAfter: { key, versionId },
            markersAfter: markers.passed,
            waiting: join.waiting,
            ended: false,
          };
        }
      }
    }
    await join.settleBefore();
    [versionsAfter, markersAfter, waiting] = [undefined, undefined, []];
  }
  return { prefix: scope.prefixes.length, waiting: [], ended: true };
}
