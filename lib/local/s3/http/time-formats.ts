/** Times of objects as S3 shows them: whole seconds, everywhere, so two versions of one second look equally old. */

/** As in the Last-Modified header: `Fri, 24 May 2013 00:00:00 GMT`. @param ms since 1970 */
export function headerTime(ms: number): string {
  return new Date(ms).toUTCString();
}

/** As in listings: `2013-05-24T00:00:00.000Z`. @param ms since 1970 */
export function listingTime(ms: number): string {
  return new Date(Math.floor(ms / 1000) * 1000).toISOString();
}
