/**
 * The versions of all keys of a bucket, in S3's order: keys by their UTF-8 bytes, the newest version of a key first.
 *
 * In memory is only the place of each version in the journal, 8 bytes; key and version are read from there. A lookup is a
 * binary search, whose first steps always read the same entries: those read last stay in memory.
 *
 * ```
 * places:   [ 512, 88, 1040, 0, ... ]
 *             |    |   |     +--> line of the journal: key c, version 1
 *             |    |   +--> key b, version 9
 *             |    +--> key a, version 1
 *             +--> key a, version 2
 * ```
 */
import { compareUtf8 } from '../../batch/storage/key-order.ts';
import type { StoredVersion } from './catalog.ts';
import { NULL_VERSION_ID, sequenceOfVersionId } from './versions.ts';

/** A version and its key, as the journal has them. */
export interface VersionEntry {
  readonly key: string;
  readonly version: StoredVersion;
}

/** Entries in memory: about 2 MB. */
const MAX_CACHED = 2000;

/** Reads entries by their places, and keeps those read last. */
export class EntryReader {
  readonly #read: (place: number) => VersionEntry;
  readonly #cached = new Map<number, VersionEntry>();

  constructor(read: (place: number) => VersionEntry) {
    this.#read = read;
  }

  read(place: number): VersionEntry {
    const entry = this.#cached.get(place) ?? this.#read(place);
    this.#cached.delete(place);
    this.#cached.set(place, entry);
    if (this.#cached.size > MAX_CACHED) this.#cached.delete(this.#cached.keys().next().value!);
    return entry;
  }
}

/** A version while the journal is replayed. */
interface LoadedVersion {
  readonly key: string;
  readonly sequence: number;
  readonly place: number;
}

/** Ids of versions have no zero byte. */
const nameOf = (key: string, versionId: string) => `${key}\0${versionId}`;

/** Whether an entry is at or after a place in the order. */
type IsPast = (entry: VersionEntry) => boolean;

export class VersionIndex {
  readonly #entries: EntryReader;
  #places: number[] = [];
  /** By key and id, until the journal has been replayed: a search for each of its lines would take seconds. */
  #loading: Map<string, LoadedVersion> | undefined = new Map();

  constructor(entries: EntryReader) {
    this.#entries = entries;
  }

  /** Number of versions. */
  get size(): number {
    return this.#places.length;
  }

  /** Ends the replay. Nothing but `add`, `remove` and `find` may be called before. */
  sort(): void {
    const loaded = [...(this.#loading?.values() ?? [])];
    loaded.sort((a, b) => compareUtf8(a.key, b.key) || b.sequence - a.sequence);
    for (const { place } of loaded) this.#places.push(place);
    this.#loading = undefined;
  }

  add(key: string, { sequence, versionId }: StoredVersion, place: number): void {
    if (this.#loading === undefined) this.#places.splice(this.#first(isAtOrAfter(key, sequence)), 0, place);
    else this.#loading.set(nameOf(key, versionId), { key, sequence, place });
  }

  remove(key: string, { sequence, versionId }: StoredVersion): void {
    if (this.#loading === undefined) this.#places.splice(this.#first(isAtOrAfter(key, sequence)), 1);
    else this.#loading.delete(nameOf(key, versionId));
  }

  find(key: string, versionId: string): StoredVersion | undefined {
    if (this.#loading !== undefined) {
      const loaded = this.#loading.get(nameOf(key, versionId));
      return loaded && this.#entries.read(loaded.place).version;
    }
    const sequence = sequenceOfVersionId(versionId);
    if (sequence === undefined && versionId !== NULL_VERSION_ID) return undefined;
    for (const version of this.newestFirst(key, sequence === undefined ? undefined : sequence + 1)) {
      if (version.versionId === versionId) return version;
      if (sequence !== undefined) return undefined;
    }
    return undefined;
  }

  /** The version that a read without a version id finds; may be a delete marker. */
  current(key: string): StoredVersion | undefined {
    return this.newestFirst(key).next().value;
  }

  /** The versions of a key that are older than a sequence. */
  *newestFirst(key: string, olderThan?: number): Generator<StoredVersion, undefined> {
    for (const { key: found, version } of this.from(this.position(key, olderThan))) {
      if (found !== key) break;
      yield version;
    }
  }

  /** The entries at and after a position. There must be no change before the next one. */
  *from(position: number): Generator<VersionEntry, undefined> {
    for (let at = position; at < this.#places.length; at++) yield this.#entries.read(this.#places[at]!);
  }

  /** The entry at a position, if there is one. */
  at(position: number): VersionEntry | undefined {
    const place = this.#places[position];
    return place === undefined ? undefined : this.#entries.read(place);
  }

  /** The position of the first version of a key that is older than a sequence, or of the next key. */
  position(key: string, olderThan = Number.POSITIVE_INFINITY): number {
    return this.#first(isAtOrAfter(key, olderThan - 1));
  }

  /** The position of the first key after another one. */
  positionAfter(key: string): number {
    return this.#first((entry) => compareUtf8(entry.key, key) > 0);
  }

  /** The position of the first key after all possible keys with a prefix. */
  positionAfterPrefix(prefix: string): number {
    return this.#first(({ key }) => compareUtf8(key, prefix) > 0 && !key.startsWith(prefix));
  }

  #first(isPast: IsPast): number {
    let low = 0;
    let high = this.#places.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isPast(this.#entries.read(this.#places[middle]!))) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function isAtOrAfter(key: string, sequence: number): IsPast {
  return (entry) => {
    const order = compareUtf8(entry.key, key);
    return order > 0 || (order === 0 && entry.version.sequence <= sequence);
  };
}
