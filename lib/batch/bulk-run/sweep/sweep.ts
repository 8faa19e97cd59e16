/**
 * Finds every input version without a finished job: joins two sorted listings, of versions and of done markers, in one pass,
 * without a request for each object.
 *
 * Versions are listed in the order of their keys; the order of the markers differs in two ways:
 *
 *     keys      a            a!           a/b             <- UTF-8 order
 *     markers   done/a!/v1   done/a/V2    done/a/b/v3     done/a/v4       <- `/` comes after `!`, and V2 < b < v4
 *
 * and keys over 800 bytes are cut and end in a hash there. So versions wait in a list, sorted by their markers, until
 * no later key can have a marker before theirs (`markerPrefix`). A version waits only while the current key begins with
 * its key, or shares its first 797 bytes; so the list has few entries, however many keys there are.
 *
 *     current key a/b: lowest marker done/a/b     list: done/a/V2 | done/a/v4
 *                                                       settled     waits
 */
import { INBOX_PREFIX, SCHEDULED_PREFIX, UPLOAD_PREFIXES, type UploadPrefixes } from '../../names.ts';
import type { Hashing, VersionPosition } from '../../ports.ts';
import { compareUtf8 } from '../../storage/key-order.ts';
import type { ResultStorage } from '../../storage/read-json.ts';
import { holderOf, type OtherHolds } from '../holds.ts';
import type { PlannedVersion } from '../planned-version.ts';
import type { BulkRun } from '../steps.ts';
import { markerCursor } from './marker-cursor.ts';
import { markerPrefix, markersOf } from './version-markers.ts';

interface SweepScope {
  /** Prefixes of input keys, in UTF-8 order. */
  readonly prefixes: readonly string[];
  /** ISO 8601 in UTC: versions under `inbox/` written later are skipped, because their event may still arrive. */
  readonly writtenBefore: string;
  /** Versions under this prefix are planned whatever their age. @default `scheduled/` */
  readonly scheduledPrefix?: string;
  /** Keys that other runs hold are left out, without being listed if possible. */
  readonly others?: OtherHolds;
}

/** A version whose markers are not all checked. */
interface WaitingVersion {
  readonly version: PlannedVersion;
  /** In UTF-8 order; the first is checked next. */
  readonly markers: readonly string[];
}

/** The place at which another process continues a sweep; plain JSON. */
export interface SweepState {
  /** Index of the current prefix. */
  readonly prefix: number;
  /** The last version listed under it. */
  readonly versionsAfter?: VersionPosition;
  readonly markersAfter?: string;
  /** By first marker. */
  readonly waiting: readonly WaitingVersion[];
  readonly ended: boolean;
}

export const BEGINNING: SweepState = { prefix: 0, waiting: [], ended: false };

/** What a sweep finds of a version. */
export type SweepOutcome = 'alreadyDone' | 'tooYoung' | 'planned';

export interface SweepDependencies extends ResultStorage {
  readonly inputBucket: string;
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
  dependencies: SweepDependencies,
  outOfTime: () => boolean,
  settle: (outcome: SweepOutcome, version: PlannedVersion) => Promise<void> | void,
): Promise<SweepState> {
  const { store, inputBucket, hashing } = dependencies;
  const { scheduledPrefix = SCHEDULED_PREFIX, others = [] } = scope;
  const outcomeOf = ({ why, lastModified }: PlannedVersion, done: boolean): SweepOutcome => {
    if (done) return 'alreadyDone';
    return why === 'missed' && lastModified >= scope.writtenBefore ? 'tooYoung' : 'planned';
  };
  let { versionsAfter, markersAfter } = from;
  const waiting = [...from.waiting];
  const wait = (version: WaitingVersion) => {
    waiting.push(version);
    waiting.sort((a, b) => compareUtf8(a.markers[0]!, b.markers[0]!));
  };
  for (let index = from.prefix; index < scope.prefixes.length; index++) {
    const prefix = scope.prefixes[index]!;
    const markers = markerCursor(dependencies, markerPrefix(prefix), markersAfter);
    /** Settles the versions with markers before `limit`. @default all */
    const settleBefore = async (limit?: string) => {
      for (let [first] = waiting; first !== undefined; [first] = waiting) {
        const [marker, ...rest] = first.markers;
        if (limit !== undefined && compareUtf8(marker!, limit) >= 0) return;
        waiting.shift();
        const done = await markers.has(marker!);
        if (!done && rest.length > 0) wait({ ...first, markers: rest });
        else await settle(outcomeOf(first.version, done), first.version);
      }
    };
    for (let isHeld = true; isHeld; ) {
      isHeld = false;
      for await (const version of store.listVersions(inputBucket, prefix, versionsAfter)) {
        versionsAfter = version;
        const { key, bytes, versionId } = version;
        const held = holderOf(others, key);
        if (held?.whole === true) {
          // The listing goes on after all keys that the other run holds.
          versionsAfter = { key: held.prefix + LAST_CHARACTER, versionId: 'null' };
          isHeld = true;
          break;
        }
        await settleBefore(markerPrefix(key));
        // Some tools write an empty object with a final slash as a folder marker.
        if (held === undefined && (bytes > 0 || !key.endsWith('/'))) {
          const why = key.startsWith(scheduledPrefix) ? 'scheduled' : 'missed';
          wait({ version: { ...version, why }, markers: markersOf(version, hashing) });
        }
        if (outOfTime()) {
          versionsAfter = { key, versionId };
          return { prefix: index, versionsAfter, markersAfter: markers.passed, waiting, ended: false };
        }
      }
    }
    await settleBefore();
    [versionsAfter, markersAfter] = [undefined, undefined];
  }
  return { prefix: scope.prefixes.length, waiting: [], ended: true };
}
