/** Lists in pages: that of files, which the server cuts, and that of puzzles. */

/** Where a page is in its list. */
export interface ListPlace {
  /** Items on all pages. */
  readonly found: number;
  /** From 0: the last one if fewer items are left than were asked for. */
  readonly page: number;
  readonly pages: number;
}

/** @param page that is asked for, from 0 @param size items on a page */
export function pageOf<Item>(
  items: readonly Item[],
  page: number,
  size: number,
): ListPlace & { readonly shown: readonly Item[] } {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const last = Math.min(page, pages - 1);
  return { shown: items.slice(last * size, (last + 1) * size), found: items.length, page: last, pages };
}
