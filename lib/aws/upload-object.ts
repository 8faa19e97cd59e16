/** Uploading a puzzle file with its options. */
import type { Readable } from 'node:stream';
import type { S3 } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { OPTION_METADATA_PREFIX } from '../batch/names.ts';
import type { OptionTexts } from '../batch/options.ts';

/**
 * Uploads an object, in parts where it is large.
 *
 * @param options travel as object metadata
 * @param otherMetadata names in lower case, none of which begins as options do
 * @returns the version that was made; undefined where the bucket keeps none
 */
export async function uploadObject(
  s3: S3,
  bucket: string,
  key: string,
  body: Readable | Uint8Array,
  options: OptionTexts,
  otherMetadata: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const metadata = Object.entries(options).map(([name, text]) => [`${OPTION_METADATA_PREFIX}${name}`, text]);
  const upload = new Upload({
    client: s3,
    params: {
      Bucket: bucket,
      Key: key,
      Body: body,
      Metadata: { ...otherMetadata, ...Object.fromEntries(metadata) },
    },
  });
  const { VersionId } = await upload.done();
  return VersionId;
}
