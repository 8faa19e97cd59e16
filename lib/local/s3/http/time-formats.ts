/** Modification times in S3's formats, always in whole seconds, so two versions of one second have equal times. */

/** Format of the Last-Modified header: `Fri, 24 May 2013 00:00:00 GMT`. @param ms since 1970 */
export function headerTime(ms: number): string {
  return new Date(ms).toUTCString();
}

/** Format of listings: `2013-05-24T00:00:00.000Z`. @param ms since 1970 */
export function listingTime(ms: number): string {
  return new Date(Math.floor(ms / 1000) * 1000).toISOString();
}
