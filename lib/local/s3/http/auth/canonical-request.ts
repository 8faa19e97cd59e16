/**
 * The canonical form of a request, which Signature Version 4 hashes, so that both sides sign the same bytes.
 *
 * ```
 * GET                                  method
 * /bucket/a%20b                        path, each byte outside A-Z a-z 0-9 - . _ ~ / encoded once
 * prefix=x%2Fy&versions=               query, encoded the same way including `/`, sorted
 * host:127.0.0.1:9000                  signed headers, lower case, spaces collapsed, sorted
 * x-amz-date:20130524T000000Z
 *
 * host;x-amz-date                      their names
 * UNSIGNED-PAYLOAD                     SHA-256 of the body, or a keyword for how it is sent
 * ```
 */

import { compareUtf8 } from '../../../../batch/storage/key-order.ts';
import type { S3Request } from '../request.ts';

/**
 * Builds the canonical form.
 *
 * @param signedHeaders names in lower case, in the client's order
 * @param payloadHash the last line
 */
export function canonicalRequest(
  request: S3Request,
  signedHeaders: readonly string[],
  payloadHash: string,
): string {
  const headers = signedHeaders.map(
    (name) => `${name}:${collapseSpaces(request.sentHeaders.get(name) ?? '')}\n`,
  );
  return [
    request.method,
    request.rawPath.split('/').map(reencode).join('/'),
    canonicalQuery(request.query),
    headers.join(''),
    signedHeaders.join(';'),
    payloadHash,
  ].join('\n');
}

/** Percent-encodes every UTF-8 byte except A-Z, a-z, 0-9, `-`, `.`, `_` and `~`. */
export function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Clients encode the path that they send differently, but all sign the strict form. */
function reencode(segment: string): string {
  return encodeStrictly(decodeURIComponent(segment));
}

function canonicalQuery(query: S3Request['query']): string {
  return query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encodeStrictly(name), encodeStrictly(value)] as const)
    .sort(([nameA, valueA], [nameB, valueB]) => compareUtf8(nameA, nameB) || compareUtf8(valueA, valueB))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function collapseSpaces(value: string): string {
  return value.replace(/ +/g, ' ');
}
