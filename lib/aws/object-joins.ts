/**
 * Joins objects in S3: multipart uploads whose parts are copies, or are sent.
 *
 * The SDK sends each part with a CRC32. Several SDKs' users report `InvalidPart` for uploads that declared no algorithm at
 * their creation, so the upload declares it, and its completion has the checksum of each part.
 */
import type { CompletedPart, S3 } from '@aws-sdk/client-s3';
import type { ObjectStore } from '../batch/ports.ts';
import { explainErrors } from './store-errors.ts';

/** S3 computes it for copied parts too, and for the object from those of its parts. */
const CHECKSUM = { ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' } as const;

/** The methods of the storage port that join objects. */
export function objectJoins(s3: S3): Pick<ObjectStore, 'beginJoin' | 'joinPart' | 'completeJoin'> {
  return {
    async beginJoin(bucket, key, contentType) {
      const { UploadId } = await explainErrors(
        () => s3.createMultipartUpload({ Bucket: bucket, Key: key, ContentType: contentType, ...CHECKSUM }),
        `joining s3://${bucket}/${key}`,
      );
      return UploadId!;
    },

    async joinPart({ bucket, key, joinId }, part, source) {
      const target = { Bucket: bucket, Key: key, UploadId: joinId, PartNumber: part };
      await explainErrors(async () => {
        if (source instanceof Uint8Array) {
          const { ChecksumAlgorithm } = CHECKSUM;
          return s3.uploadPart({ ...target, Body: source, ChecksumAlgorithm });
        }
        return s3.uploadPartCopy({
          ...target,
          CopySource: `${source.bucket}/${source.key.split('/').map(encodeURIComponent).join('/')}`,
          CopySourceRange: `bytes=${source.from}-${source.to - 1}`,
        });
      }, `joining s3://${bucket}/${key}`);
    },

    async completeJoin({ bucket, key, joinId }, partCount) {
      const target = { Bucket: bucket, Key: key, UploadId: joinId };
      const parts: CompletedPart[] = [];
      let marker: string | undefined;
      do {
        const page = await explainErrors(
          () => s3.listParts({ ...target, PartNumberMarker: marker }),
          `listing the parts of s3://${bucket}/${key}`,
        );
        for (const { PartNumber, ETag, ChecksumCRC32 } of page.Parts ?? []) {
          if (PartNumber !== undefined && ETag !== undefined && PartNumber <= partCount) {
            parts.push({ PartNumber, ETag, ChecksumCRC32 });
          }
        }
        marker = page.IsTruncated === true ? page.NextPartNumberMarker : undefined;
      } while (marker !== undefined);
      if (parts.length !== partCount) {
        throw new Error(`s3://${bucket}/${key} has ${parts.length} parts; expected ${partCount}`);
      }
      await explainErrors(
        () => s3.completeMultipartUpload({ ...target, MultipartUpload: { Parts: parts } }),
        `joining s3://${bucket}/${key}`,
      );
    },
  };
}
