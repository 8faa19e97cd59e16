/**
 * Listings: keys in order, those that share a prefix up to a delimiter rolled into one, page by page.
 *
 * ```
 * keys a/1 a/2 b c/1, delimiter "/":   prefix a/ | key b | prefix c/
 * ```
 *
 * A rolled prefix costs one search, not one step for each key under it.
 */

import { encodeStrictly } from '../../http/auth/canonical-request.ts';
import { S3Error } from '../../http/errors.ts';
import { element, type XmlMarkup } from '../../http/xml.ts';
import type { Bucket } from '../../storage/catalog.ts';

/** Most entries on one page, inclusive, and the number where the request does not say. */
export const MAX_PAGE_ENTRIES = 1000;

/** A key, or a prefix under which there are several. */
export type ListingEntry = { readonly key: string } | { readonly commonPrefix: string };

/** What is to be listed. */
export interface ListingScope {
  /** Empty for all keys. */
  readonly prefix: string;
  /** Empty for no rolling up. */
  readonly delimiter: string;
}

/** Where a listing goes on: behind a key, or behind all keys with a prefix. */
export type ListingPosition = { readonly afterKey: string } | { readonly afterPrefix: string };

/**
 * The entries of a listing in UTF-8 order, found as they are asked for.
 *
 * @param counts says whether a key is there for this listing: not, say, where its current version is a delete
 *   marker; a prefix is listed only for the keys that count
 */
export function* listEntries(
  keys: Bucket['keys'],
  scope: ListingScope,
  position: ListingPosition | undefined,
  counts: (key: string) => boolean,
): Generator<ListingEntry> {
  const first = keys.indexFrom(scope.prefix);
  let index = position === undefined ? first : Math.max(first, indexAfterPosition(keys, position));
  while (index < keys.length) {
    const key = keys.at(index);
    if (!key.startsWith(scope.prefix)) return;
    const commonPrefix = counts(key) ? commonPrefixOf(key, scope) : undefined;
    if (commonPrefix !== undefined) {
      yield { commonPrefix };
      index = keys.indexAfterPrefix(commonPrefix);
      continue;
    }
    if (counts(key)) yield { key };
    index++;
  }
}

/** The prefix up to and with the first delimiter behind the scope's own prefix; `undefined` where there is none. */
export function commonPrefixOf(key: string, scope: ListingScope): string | undefined {
  if (scope.delimiter === '') return undefined;
  const at = key.indexOf(scope.delimiter, scope.prefix.length);
  return at < 0 ? undefined : key.slice(0, at + scope.delimiter.length);
}

function indexAfterPosition(keys: Bucket['keys'], position: ListingPosition): number {
  if ('afterKey' in position) return keys.indexAfter(position.afterKey);
  return keys.indexAfterPrefix(position.afterPrefix);
}

/** Writes an element that holds a key, encoded if the request asks for that. */
export type KeyElementWriter = (name: string, key: string) => XmlMarkup;

/**
 * How keys are written: as they are, or with `encoding-type=url` in form encoding, where a space is `+` and `/`
 * stays.
 *
 * @throws S3Error InvalidArgument for another encoding type
 */
export function keyElementWriter(encodingType: string | undefined): KeyElementWriter {
  if (encodingType === undefined) return element;
  if (encodingType === 'url') return (name, key) => element(name, formEncode(key));
  throw new S3Error('InvalidArgument', 'Invalid Encoding Method specified in Request', {
    fields: { ArgumentName: 'encoding-type', ArgumentValue: encodingType },
  });
}

function formEncode(key: string): string {
  return encodeStrictly(key)
    .replaceAll('%2F', '/')
    .replaceAll('%20', '+')
    .replaceAll('%2A', '*')
    .replaceAll('~', '%7E');
}
