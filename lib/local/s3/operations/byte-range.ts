/** Byte ranges in the syntax of RFC 9110, as S3 reads them. */

import { invalidArgument, S3Error } from '../http/errors.ts';

/** Bytes from `start` to `end`, exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a `Range` header: `bytes=0-9`, `bytes=10-` or `bytes=-10`.
 *
 * @returns `undefined` without a header and for one that is ignored: another unit, several ranges, invalid syntax
 * @throws S3Error InvalidRange if the range has no byte of the object
 */
export function parseRange(header: string | undefined, totalBytes: number): ByteRange | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (match === null) return undefined;
  const [, first, last] = match;
  if (first === '' && last === '') return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(totalBytes - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? totalBytes : Math.min(Number(last) + 1, totalBytes);
  if (start < end) return { start, end };
  throw notSatisfiable(header ?? '', totalBytes);
}

/**
 * Reads the range of a part copy, which must be `bytes=FIRST-LAST` within the source.
 *
 * @throws S3Error InvalidArgument, InvalidRequest: S3 returns 416 only for reads
 */
export function parseCopyRange(header: string, totalBytes: number): ByteRange {
  const match = /^bytes=(\d+)-(\d+)$/.exec(header);
  if (match === null || Number(match[2]) < Number(match[1])) {
    throw invalidCopyRange(
      header,
      'The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy',
    );
  }
  const range = { start: Number(match[1]), end: Number(match[2]) + 1 };
  if (range.start >= totalBytes) {
    throw new S3Error('InvalidRequest', 'The specified copy range is invalid for the source object size');
  }
  if (range.end <= totalBytes) return range;
  throw invalidCopyRange(header, `Range specified is not valid for source object of size: ${totalBytes}`);
}

function invalidCopyRange(header: string, message: string): S3Error {
  return invalidArgument(message, 'x-amz-copy-source-range', header);
}

function notSatisfiable(range: string, totalBytes: number): S3Error {
  return new S3Error('InvalidRange', 'The requested range is not satisfiable', {
    fields: { RangeRequested: range, ActualObjectSize: String(totalBytes) },
    headers: { 'content-range': `bytes */${totalBytes}` },
  });
}
