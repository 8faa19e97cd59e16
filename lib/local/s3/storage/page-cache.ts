/**
 * Pages of entries, of which those used last are in memory and the others in a scratch file. So memory does not grow with
 * the number of entries.
 */
import { isDiskFull } from '../../disk-full.ts';
import type { ScratchFile, Slot } from './scratch-file.ts';

/** Some entries; only `PageCache` reads and changes its fields. */
export interface Page<Entry> {
  /** Undefined while the page is only in the file. */
  entries?: Entry[];
  /** Its place in the file; undefined if it is not there, or has changed since. */
  slot?: Slot;
}

/** The text of entries. */
export interface PageCodec<Entry> {
  encode(entries: readonly Entry[]): string;
  decode(text: string): Entry[];
}

export class PageCache<Entry> {
  readonly #file: ScratchFile | undefined;
  readonly #maxPages: number;
  readonly #codec: PageCodec<Entry>;
  /** The pages in memory, the one used last at the end. */
  readonly #loaded = new Set<Page<Entry>>();
  #last: Page<Entry> | undefined;

  /**
   * @param file undefined to keep all pages in memory
   * @param maxPages in memory, inclusive, at least 2; more only while the disk is full
   */
  constructor(file: ScratchFile | undefined, maxPages: number, codec: PageCodec<Entry>) {
    this.#file = file;
    this.#maxPages = maxPages;
    this.#codec = codec;
  }

  /** Number of pages in memory. */
  get loadedPages(): number {
    return this.#loaded.size;
  }

  add(entries: Entry[]): Page<Entry> {
    const page: Page<Entry> = { entries };
    this.#use(page);
    return page;
  }

  /** The entries of a page, not to be changed; valid until the next call. */
  read(page: Page<Entry>): readonly Entry[] {
    page.entries ??= this.#codec.decode(this.#file!.read(page.slot!));
    this.#use(page);
    return page.entries;
  }

  /** The entries of a page, to be changed before the next call. */
  change(page: Page<Entry>): Entry[] {
    const entries = this.read(page) as Entry[];
    this.#free(page);
    return entries;
  }

  remove(page: Page<Entry>): void {
    this.#free(page);
    this.#loaded.delete(page);
    if (this.#last === page) this.#last = undefined;
  }

  #free(page: Page<Entry>): void {
    if (page.slot !== undefined) this.#file!.free(page.slot);
    page.slot = undefined;
  }

  #use(page: Page<Entry>): void {
    if (page === this.#last) return;
    this.#last = page;
    this.#loaded.delete(page);
    this.#loaded.add(page);
    if (this.#file === undefined) return;
    for (const oldest of this.#loaded) {
      if (this.#loaded.size <= this.#maxPages || !this.#unload(oldest, this.#file)) return;
    }
  }

  /** @returns whether the page is no longer in memory */
  #unload(page: Page<Entry>, file: ScratchFile): boolean {
    try {
      page.slot ??= file.write(this.#codec.encode(page.entries!));
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      // The next call tries again.
      return false;
    }
    page.entries = undefined;
    this.#loaded.delete(page);
    return true;
  }
}
