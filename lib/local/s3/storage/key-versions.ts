/**
 * The versions of all keys of a bucket, in S3's order: keys by their UTF-8 bytes, versions of a key by their sequence.
 *
 * ```
 * pages:   [ a 1, a 2, b 7 ]  [ b 9, c 3 ]  ...     of at most MAX_PAGE_ENTRIES entries
 * first:     a 1                b 9                 in memory; only the first page has entries before its own
 * ```
 *
 * A lookup is a binary search for the page and one in the page. Only the pages used last are in memory (`page-cache.ts`),
 * and of each other page its first position. A version takes 37 bytes; in a map of all versions it took 617.
 */
import { compareUtf8 } from '../../../batch/storage/key-order.ts';
import { type Page, PageCache } from './page-cache.ts';
import type { ScratchFile } from './scratch-file.ts';
import { NULL_VERSION_ID, sequenceOfVersionId } from './versions.ts';

const MAX_PAGE_ENTRIES = 64;

/** What the order and the lookups need of a version. */
export interface Sequenced {
  /** `null`, or an id with the sequence. */
  readonly versionId: string;
  readonly sequence: number;
  readonly deleteMarker: boolean;
}

/** A version of a key, at least one of object and JSON: most lookups pass entries without a look at their versions. */
interface Entry<Version> {
  readonly key: string;
  readonly sequence: number;
  readonly deleteMarker: boolean;
  version?: Version;
  json?: string;
}

/** The pages of `KeyVersions`. @param scratch undefined to keep all in memory */
export function versionPages<Version>(
  scratch: ScratchFile | undefined,
  maxPages: number,
): PageCache<Entry<Version>> {
  return new PageCache<Entry<Version>>(scratch, maxPages, { encode, decode });
}

/** Three lines for each entry: neither JSON nor numbers contain a line feed. */
function encode(entries: readonly Entry<unknown>[]): string {
  let text = '';
  for (const entry of entries) {
    entry.json ??= JSON.stringify(entry.version);
    text += `${JSON.stringify(entry.key)}\n${entry.deleteMarker ? '-' : ''}${entry.sequence}\n${entry.json}\n`;
  }
  return text;
}

function decode<Version>(text: string): Entry<Version>[] {
  const lines = text.split('\n');
  const entries: Entry<Version>[] = [];
  for (let at = 0; at + 2 < lines.length; at += 3) {
    const place = lines[at + 1]!;
    const deleteMarker = place.startsWith('-');
    entries.push({
      key: JSON.parse(lines[at]!) as string,
      sequence: Number(deleteMarker ? place.slice(1) : place),
      deleteMarker,
      json: lines[at + 2]!,
    });
  }
  return entries;
}

function versionOf<Version>(entry: Entry<Version>): Version {
  entry.version ??= JSON.parse(entry.json!) as Version;
  return entry.version;
}

interface KeyPage<Version> extends Page<Entry<Version>> {
  readonly firstKey: string;
  readonly firstSequence: number;
}

/** Whether a position is at or after a place in the order; for each place monotone. */
type IsPast = (key: string, sequence: number) => boolean;

/** The keys of a bucket, to find those of a listing. */
export interface SortedKeys {
  /** The first key at or after `key`. */
  firstFrom(key: string): string | undefined;
  /** The first key after `key`. */
  firstAfter(key: string): string | undefined;
  /** The first key after all possible keys with `prefix`. */
  firstAfterPrefix(prefix: string): string | undefined;
}

export class KeyVersions<Version extends Sequenced> implements SortedKeys {
  readonly #cache: PageCache<Entry<Version>>;
  readonly #pages: KeyPage<Version>[] = [];
  /** The page that was found last: a listing finds many keys in it. */
  #found = 0;

  /** @param cache may be shared with other buckets */
  constructor(cache: PageCache<Entry<Version>>) {
    this.#cache = cache;
  }

  get isEmpty(): boolean {
    return this.#pages.length === 0;
  }

  firstFrom(key: string): string | undefined {
    return this.#first((candidate) => compareUtf8(candidate, key) >= 0)?.key;
  }

  firstAfter(key: string): string | undefined {
    return this.#first((candidate) => compareUtf8(candidate, key) > 0)?.key;
  }

  firstAfterPrefix(prefix: string): string | undefined {
    return this.#first((candidate) => compareUtf8(candidate, prefix) > 0 && !candidate.startsWith(prefix))
      ?.key;
  }

  /** The version that a read without a version id finds; may be a delete marker. */
  current(key: string): Version | undefined {
    return this.#versionBefore(key, Number.POSITIVE_INFINITY);
  }

  /** Whether the current version of a key is an object. */
  hasObject(key: string): boolean {
    return this.#newestBefore(key, Number.POSITIVE_INFINITY)?.deleteMarker === false;
  }

  find(key: string, versionId: string): Version | undefined {
    const sequence = versionId === NULL_VERSION_ID ? undefined : sequenceOfVersionId(versionId);
    // At most one version has no sequence in its id: usually the oldest, or the only one.
    const versions = sequence === undefined ? this.newestFirst(key) : this.newestFirst(key, sequence + 1);
    for (const version of versions) {
      if (version.versionId === versionId) return version;
      if (sequence !== undefined) return undefined;
    }
    return undefined;
  }

  /** The versions of a key that are older than a sequence; may be continued after other changes. */
  *newestFirst(key: string, olderThan = Number.POSITIVE_INFINITY): Generator<Version> {
    let version = this.#versionBefore(key, olderThan);
    while (version !== undefined) {
      yield version;
      version = this.#versionBefore(key, version.sequence);
    }
  }

  /** The versions of a key, oldest first. */
  get(key: string): readonly Version[] {
    return [...this.newestFirst(key)].reverse();
  }

  /** Each key with its versions, oldest first; may be continued after other changes. */
  *[Symbol.iterator](): Generator<[key: string, versions: readonly Version[]]> {
    let key = this.firstFrom('');
    while (key !== undefined) {
      yield [key, this.get(key)];
      key = this.firstAfter(key);
    }
  }

  add(key: string, version: Version): void {
    const { sequence, deleteMarker } = version;
    const entry: Entry<Version> = { key, sequence, deleteMarker, version };
    const isPast = isAtOrAfter(key, sequence);
    const index = this.#pageBefore(isPast);
    const page = this.#pages[index];
    if (page === undefined) {
      this.#insertPage(0, [entry]);
      return;
    }
    const entries = this.#cache.change(page);
    const at = firstPast(entries, isPast);
    if (entries.length < MAX_PAGE_ENTRIES) entries.splice(at, 0, entry);
    // Keys that are added in order fill the pages.
    else if (at === entries.length) this.#insertPage(index + 1, [entry]);
    else {
      const half = entries.splice(MAX_PAGE_ENTRIES / 2);
      if (at <= entries.length) entries.splice(at, 0, entry);
      else half.splice(at - entries.length, 0, entry);
      this.#insertPage(index + 1, half);
    }
  }

  remove(key: string, { sequence }: Pick<Version, 'sequence'>): void {
    const isPast = isAtOrAfter(key, sequence);
    const found = this.#locate(isPast);
    if (found === undefined || found.entry.key !== key || found.entry.sequence !== sequence) return;
    const page = this.#pages[found.page]!;
    const entries = this.#cache.change(page);
    entries.splice(found.at, 1);
    if (entries.length > 0) return;
    this.#cache.remove(page);
    this.#pages.splice(found.page, 1);
  }

  #insertPage(index: number, entries: Entry<Version>[]): void {
    const { key: firstKey, sequence: firstSequence } = entries[0]!;
    const page: KeyPage<Version> = Object.assign(this.#cache.add(entries), { firstKey, firstSequence });
    this.#pages.splice(index, 0, page);
  }

  #versionBefore(key: string, sequence: number): Version | undefined {
    const entry = this.#newestBefore(key, sequence);
    return entry && versionOf(entry);
  }

  #newestBefore(key: string, sequence: number): Entry<Version> | undefined {
    const isPast = isAtOrAfter(key, sequence);
    if (this.isEmpty) return undefined;
    for (let index = this.#pageBefore(isPast); index >= 0; index--) {
      const entries = this.#cache.read(this.#pages[index]!);
      const entry = entries[firstPast(entries, isPast) - 1];
      if (entry !== undefined) return entry.key === key ? entry : undefined;
    }
    return undefined;
  }

  #first(isPast: IsPast): Entry<Version> | undefined {
    return this.#locate(isPast)?.entry;
  }

  /** The first entry past a place. */
  #locate(isPast: IsPast): { page: number; at: number; entry: Entry<Version> } | undefined {
    for (let page = this.#pageBefore(isPast); page < this.#pages.length; page++) {
      const entries = this.#cache.read(this.#pages[page]!);
      const at = firstPast(entries, isPast);
      if (at < entries.length) return { page, at, entry: entries[at]! };
    }
    return undefined;
  }

  /** The page that has the last entry before a place, or that begins at the place. */
  #pageBefore(isPast: IsPast): number {
    const beginsPast = (page: KeyPage<Version>) => isPast(page.firstKey, page.firstSequence);
    const [found, next] = [this.#pages[this.#found], this.#pages[this.#found + 1]];
    const isHere = found !== undefined && !beginsPast(found) && (next === undefined || beginsPast(next));
    if (!isHere) this.#found = Math.max(0, firstIndex(this.#pages, beginsPast) - 1);
    return this.#found;
  }
}

function isAtOrAfter(key: string, sequence: number): IsPast {
  return (candidate, other) => {
    const order = compareUtf8(candidate, key);
    return order > 0 || (order === 0 && other >= sequence);
  };
}

function firstPast(entries: readonly Entry<unknown>[], isPast: IsPast): number {
  return firstIndex(entries, ({ key, sequence }) => isPast(key, sequence));
}

/** The index of the first element of a kind that all later elements have too; the length if there is none. */
function firstIndex<Element>(elements: readonly Element[], isPast: (element: Element) => boolean): number {
  let low = 0;
  let high = elements.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isPast(elements[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
