/** Pages of S3's listings. */
import type { ListObjectVersionsCommandOutput, S3 } from '@aws-sdk/client-s3';
import type { VersionPosition } from '../batch/ports.ts';
import { explainErrors } from './store-errors.ts';
import { ForeignAnswerError } from './transient-errors.ts';

/** All versions and delete markers under a prefix, page by page. @param after the position of the first page */
export async function* versionPages(
  s3: S3,
  bucket: string,
  prefix: string,
  after?: VersionPosition,
): AsyncIterable<ListObjectVersionsCommandOutput> {
  let keyMarker = after?.key;
  let versionMarker = after?.versionId;
  do {
    const page = await explainErrors(
      () =>
        s3.listObjectVersions({
          Bucket: bucket,
          Prefix: prefix,
          KeyMarker: keyMarker,
          VersionIdMarker: versionMarker,
          EncodingType: 'url',
        }),
      `listing the versions under s3://${bucket}/${prefix}`,
    );
    checkListing(page);
    yield page;
    keyMarker = page.IsTruncated === true ? decoded(page.NextKeyMarker!) : undefined;
    versionMarker = page.NextVersionIdMarker;
  } while (keyMarker !== undefined);
}

/** An answer without a body would be the listing of an empty bucket. @throws ForeignAnswerError if it is no listing */
export function checkListing({ IsTruncated }: { readonly IsTruncated?: boolean | undefined }): void {
  if (IsTruncated === undefined) throw new ForeignAnswerError('the answer to a listing is none');
}

/** Decodes a key of a listing: listings form-encode keys, as XML cannot contain all characters. */
export function decoded(key: string): string {
  return decodeURIComponent(key.replaceAll('+', ' '));
}
