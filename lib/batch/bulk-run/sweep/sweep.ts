/** Finds every input version without a finished job, in one pass over two listings. */
import { INBOX_PREFIX, SCHEDULED_PREFIX, UPLOAD_PREFIXES, type UploadPrefixes } from '../../names.ts';
import type { Hashing, ObjectStore, VersionPosition } from '../../ports.ts';
import { compareUtf8 } from '../../storage/key-order.ts';
import type { PlannedVersion } from '../planned-version.ts';
import type { SweepCounts } from '../steps.ts';
import { MarkerCursor } from './marker-cursor.ts';
import { MarkerJoin, type WaitingEntry } from './marker-join.ts';
import type { PlansUnderWay } from './plans-under-way.ts';
import { markerPrefix, markersOf } from './version-markers.ts';

export interface SweepScope {
  /** Prefixes of input keys, in UTF-8 order. */
  readonly prefixes: readonly string[];
  /** ISO 8601 in UTC: versions under `inbox/` written later are skipped, because their event may still arrive. */
  readonly writtenBefore: string;
  /** Versions under this prefix are planned whatever their age. @default `scheduled/` */
  readonly scheduledPrefix?: string;
  /** Versions for which other runs wait are skipped. */
  readonly underWay?: PlansUnderWay;
}

/** The place at which another process continues a sweep; plain JSON. */
export interface SweepState {
  /** Index of the current prefix. */
  readonly prefix: number;
  /** The last version listed under it. */
  readonly versionsAfter?: VersionPosition;
  readonly markersAfter?: string;
  readonly waiting: readonly WaitingEntry<PlannedVersion>[];
  readonly counts: SweepCounts;
  readonly ended: boolean;
}

export interface SweepDependencies {
  readonly store: ObjectStore;
  readonly inputBucket: string;
  readonly resultsBucket: string;
  readonly hashing: Hashing;
}

/**
 * Prefixes to sweep, in UTF-8 order.
 *
 * @param prefix the only prefix to sweep. @default all prefixes of uploads
 */
export function sweptPrefixes(
  prefix: string | undefined,
  { inbox, scheduled }: UploadPrefixes = UPLOAD_PREFIXES,
): string[] {
  return prefix === undefined ? [inbox, scheduled].sort(compareUtf8) : [prefix];
}

/** Whether a run may sweep the prefix. */
export function isSweepable(prefix: string): boolean {
  return prefix.startsWith(INBOX_PREFIX) || prefix.startsWith(SCHEDULED_PREFIX);
}

/**
 * Sweeps until the listing ends or the time runs out.
 *
 * @param outOfTime called between versions
 * @param plan called for each version to solve
 */
export async function sweep(
  scope: SweepScope,
  from: SweepState,
  { store, inputBucket, resultsBucket, hashing }: SweepDependencies,
  outOfTime: () => boolean,
  plan: (version: PlannedVersion) => Promise<void> | void,
): Promise<SweepState> {
  const { scheduledPrefix = SCHEDULED_PREFIX } = scope;
  const counts = { ...from.counts };
  const settle = async (version: PlannedVersion, done: boolean) => {
    if (done) counts.alreadyDone++;
    else if (version.why === 'missed' && version.lastModified >= scope.writtenBefore) counts.tooYoung++;
    else if (await scope.underWay?.includes(markersOf(version, hashing).at(-1)!)) counts.underWay++;
    else {
      counts.planned++;
      counts.plannedBytes += version.bytes;
      await plan(version);
    }
  };
  let { versionsAfter, markersAfter, waiting } = from;
  for (let index = from.prefix; index < scope.prefixes.length; index++) {
    const prefix = scope.prefixes[index]!;
    const markers = new MarkerCursor(store, resultsBucket, markerPrefix(prefix), markersAfter);
    const join = new MarkerJoin(markers, settle, waiting);
    for await (const version of store.listVersions(inputBucket, prefix, versionsAfter)) {
      versionsAfter = version;
      const { key, bytes } = version;
      await join.settleBefore(markerPrefix(key));
      // Some tools write an empty object with a final slash as a folder marker.
      if (bytes > 0 || !key.endsWith('/')) {
        counts.found++;
        const why = key.startsWith(scheduledPrefix) ? 'scheduled' : 'missed';
        join.add({ entry: { ...version, why }, markers: markersOf(version, hashing) });
      }
      if (outOfTime()) {
        const { key: lastKey, versionId } = version;
        return {
          prefix: index,
          versionsAfter: { key: lastKey, versionId },
          markersAfter: markers.passed,
          waiting: join.waiting,
          counts,
          ended: false,
        };
      }
    }
    await join.settleBefore();
    [versionsAfter, markersAfter, waiting] = [undefined, undefined, []];
  }
  return { prefix: scope.prefixes.length, waiting: [], counts, ended: true };
}
