/** The sweep: every input version that no job has come to an end for, in one pass over two listings. */
import { INBOX_PREFIX, SCHEDULED_PREFIX } from '../names.ts';
import type { Hashing, ObjectStore, VersionPosition } from '../ports.ts';
import { MarkerCursor } from './marker-cursor.ts';
import { MarkerJoin, type WaitingEntry } from './marker-join.ts';
import type { PlannedVersion } from './planned-version.ts';
import type { PlansUnderWay } from './plans-under-way.ts';
import type { SweepCounts } from './steps.ts';
import { lowestMarker, markerPrefix, markersOf } from './version-markers.ts';

/** What a sweep looks at. */
export interface SweepScope {
  /** Prefixes of input keys, in UTF-8 order. */
  readonly prefixes: readonly string[];
  /** Versions under `inbox/` that were written later are left to their event: ISO 8601 in UTC. */
  readonly writtenBefore: string;
  /** What other runs wait for is left to them. */
  readonly underWay?: PlansUnderWay;
}

/** Where a sweep stands; it survives JSON, and another process goes on from it. */
export interface SweepState {
  /** Which of the prefixes is being swept. */
  readonly prefix: number;
  /** The last version that was listed under it. */
  readonly versionsAfter?: VersionPosition;
  readonly markersAfter?: string;
  readonly waiting: readonly WaitingEntry<PlannedVersion>[];
  readonly counts: SweepCounts;
  readonly ended: boolean;
}

export interface SweepMachinery {
  readonly store: ObjectStore;
  readonly inputBucket: string;
  readonly resultsBucket: string;
  readonly hashing: Hashing;
}

/** The prefixes that a run over `prefix` sweeps: all that uploads lie under, or that one. */
export function sweptPrefixes(prefix: string | undefined): string[] {
  return prefix === undefined ? [INBOX_PREFIX, SCHEDULED_PREFIX] : [prefix];
}

/** Whether a prefix lies in what a run may sweep. */
export function isSweepable(prefix: string): boolean {
  return prefix.startsWith(INBOX_PREFIX) || prefix.startsWith(SCHEDULED_PREFIX);
}

/**
 * Sweeps until it ends, or until it is told to stop.
 *
 * @param isOver asked between versions
 * @param plan told of each version that is to be solved
 */
export async function sweep(
  scope: SweepScope,
  from: SweepState,
  { store, inputBucket, resultsBucket, hashing }: SweepMachinery,
  isOver: () => boolean,
  plan: (version: PlannedVersion) => Promise<void> | void,
): Promise<SweepState> {
  const counts = { ...from.counts };
  const settle = async (version: PlannedVersion, done: boolean) => {
    if (done) counts.alreadyDone++;
    else if (version.why === 'missed' && version.lastModified >= scope.writtenBefore) counts.tooYoung++;
    else if (await scope.underWay?.have(markersOf(version, hashing).at(-1)!)) counts.underWay++;
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
      await join.settleBefore(lowestMarker(key));
      // The empty object by which some tools show a folder is no upload.
      if (bytes > 0 || !key.endsWith('/')) {
        counts.found++;
        const why = key.startsWith(SCHEDULED_PREFIX) ? 'scheduled' : 'missed';
        join.add({ entry: { ...version, why }, markers: markersOf(version, hashing) });
      }
      if (isOver()) {
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
