/** Implements the storage port with Amazon S3. */
import type { Readable } from 'node:stream';
import type { GetObjectCommandOutput, HeadObjectCommandOutput, S3 } from '@aws-sdk/client-s3';
import type {
  FileWriter,
  ObjectInfo,
  ObjectStore,
  ObjectVersion,
  PutCondition,
  StoredObject,
  VersionPosition,
} from '../batch/ports.ts';
import { objectJoins } from './object-joins.ts';
import { resumingBody } from './resuming-body.ts';
import { s3Client } from './s3-client.ts';
import { checkListing, decoded, versionPages } from './s3-listings.ts';
import { explainErrors, statusOf, storeError } from './store-errors.ts';
import { TIMEOUTS, type Timeouts } from './timeouts.ts';
import { ForeignAnswerError } from './transient-errors.ts';
import { UploadWriter } from './upload-writer.ts';
import { watchedBody } from './watched-body.ts';

/**
 * An object store on S3.
 *
 * @param s3 a client; by default one from the environment (region, credentials, `AWS_ENDPOINT_URL_S3`)
 * @param timeouts the client's timeouts
 */
export function s3Store(s3: S3 = s3Client(), timeouts: Timeouts = TIMEOUTS): ObjectStore {
  return {
    async head(bucket, key, versionId) {
      const head = await missingAsUndefined(
        () => headObject(s3, { Bucket: bucket, Key: key, VersionId: versionId }),
        `reading s3://${bucket}/${key}`,
      );
      return head === undefined ? undefined : objectInfo(head);
    },

    async get(bucket, key, versionId) {
      const source = { Bucket: bucket, Key: key, VersionId: versionId };
      const got = await missingAsUndefined(() => s3.getObject(source), `reading s3://${bucket}/${key}`);
      if (got === undefined) return undefined;
      return storedObject(s3, timeouts, source, got);
    },

    async range(bucket, key, versionId, from, to) {
      const source = { Bucket: bucket, Key: key, VersionId: versionId };
      const got = await missingAsUndefined(
        () => s3.getObject({ ...source, Range: `bytes=${from}-${to - 1}` }),
        `reading s3://${bucket}/${key}`,
      );
      return got && storedObject(s3, timeouts, source, got, from).body;
    },

    async put(bucket, key, body, contentType) {
      await explainErrors(
        () => s3.putObject({ Bucket: bucket, Key: key, Body: body, ContentType: contentType }),
        `writing s3://${bucket}/${key}`,
      );
    },

    putIf: (bucket, key, body, contentType, condition) =>
      putIf(s3, { Bucket: bucket, Key: key, Body: body, ContentType: contentType }, condition),

    writer: (bucket, key, contentType, isOnly): FileWriter =>
      new UploadWriter(s3, bucket, key, contentType, isOnly),

    ...objectJoins(s3),

    async delete(bucket, key) {
      await explainErrors(
        () => s3.deleteObject({ Bucket: bucket, Key: key }),
        `deleting s3://${bucket}/${key}`,
      );
    },

    async *list(bucket, prefix, after) {
      let token: string | undefined;
      do {
        const page = await explainErrors(
          () =>
            s3.listObjectsV2({
              Bucket: bucket,
              Prefix: prefix,
              StartAfter: after,
              ContinuationToken: token,
              EncodingType: 'url',
            }),
          `listing s3://${bucket}/${prefix}`,
        );
        checkListing(page);
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield decoded(Key);
        token = page.NextContinuationToken;
      } while (token !== undefined);
    },

    listVersions: (bucket, prefix, after) => listVersions(s3, bucket, prefix, after),
  };
}

async function* listVersions(
  s3: S3,
  bucket: string,
  prefix: string,
  after: VersionPosition | undefined,
): AsyncIterable<ObjectVersion> {
  for await (const { Versions = [] } of versionPages(s3, bucket, prefix, after)) {
    for (const { Key, VersionId = 'null', Size, ETag, LastModified, IsLatest } of Versions) {
      yield {
        key: decoded(Key!),
        versionId: VersionId,
        bytes: Size ?? 0,
        etag: (ETag ?? '').replaceAll('"', ''),
        lastModified: LastModified!.toISOString(),
        latest: IsLatest === true,
      };
    }
  }
}

async function putIf(
  s3: S3,
  request: { Bucket: string; Key: string; Body: Uint8Array; ContentType: string },
  condition: PutCondition,
): Promise<boolean> {
  const header = 'ifAbsent' in condition ? { IfNoneMatch: '*' } : { IfMatch: condition.ifMatch };
  try {
    await s3.putObject({ ...request, ...header });
    return true;
  } catch (error) {
    const status = statusOf(error);
    if (status === 412 || status === 409 || (status === 404 && 'ifMatch' in condition)) return false;
    throw storeError(error, `writing s3://${request.Bucket}/${request.Key}`);
  }
}

/**
 * An object whose body resumes after a broken connection or a stall: in the version that the caller named, otherwise
 * under its ETag. Naming the version in S3's response would need `s3:GetObjectVersion`.
 *
 * @param got the response to the first request
 * @param from offset of its body in the object, in bytes
 */
function storedObject(
  s3: S3,
  { responseMs }: Timeouts,
  source: { readonly Bucket: string; readonly Key: string; readonly VersionId: string | undefined },
  got: GetObjectCommandOutput,
  from = 0,
): StoredObject {
  const info = objectInfo(got);
  const end = from + info.size;
  const watched = ({ Body }: GetObjectCommandOutput) => watchedBody(Body as Readable, responseMs);
  const body = resumingBody(watched(got), info.size, async (fromByte) => {
    const Range = `bytes=${from + fromByte}-${end - 1}`;
    const rest = await explainErrors(
      () => s3.getObject({ ...source, IfMatch: got.ETag, Range }),
      `reading s3://${source.Bucket}/${source.Key}`,
    );
    return watched(rest);
  });
  return { ...info, body };
}

/** The headers of an object. An error response to HEAD has no body, so its reason is read from one to GET. */
async function headObject(
  s3: S3,
  source: { readonly Bucket: string; readonly Key: string; readonly VersionId: string | undefined },
): Promise<HeadObjectCommandOutput> {
  try {
    return await s3.headObject(source);
  } catch (error) {
    if (![400, 403].includes(statusOf(error) ?? 0)) throw error;
    const got = await s3.getObject({ ...source, Range: 'bytes=0-0' });
    (got.Body as Readable | undefined)?.destroy();
    throw error;
  }
}

/** @throws ForeignAnswerError if the answer has no ETag, as all of S3 have */
function objectInfo(output: HeadObjectCommandOutput | GetObjectCommandOutput): ObjectInfo {
  if (output.ETag === undefined) throw new ForeignAnswerError('the answer to a read has no ETag');
  return {
    size: output.ContentLength ?? 0,
    etag: output.ETag,
    versionId: output.VersionId,
    metadata: output.Metadata ?? {},
  };
}

async function missingAsUndefined<Output>(
  request: () => Promise<Output>,
  action: string,
): Promise<Output | undefined> {
  try {
    return await request();
  } catch (error) {
    // A missing bucket is not a missing object: its name is wrong.
    if (statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket') return undefined;
    // The version was deleted, or the id is invalid.
    if (error instanceof Error && error.name === 'NoSuchVersion') return undefined;
    throw storeError(error, action);
  }
}
