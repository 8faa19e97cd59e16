/**
 * CompleteMultipartUpload: the listed parts become one object, without copying bytes.
 *
 * The ETag of such an object is the MD5 of the MD5s of its parts, a hyphen, and their number.
 */

import { createHash } from 'node:crypto';
import { readBodyText } from '../../http/body/request-body.ts';
import { MAX_DOCUMENT_BYTES, parseDocument } from '../../http/body/request-document.ts';
import { S3Error } from '../../http/errors.ts';
import { ENCRYPTION_HEADER, versionHeader } from '../../http/object-headers.ts';
import { childText, element, responseDocument, type XmlElement } from '../../http/xml.ts';
import type { MultipartUpload, StoredVersion, UploadedPart } from '../../storage/catalog.ts';
import {
  CHECKSUM_ALGORITHMS,
  type Checksum,
  checksumElement,
  checksumHeader,
  combineChecksums,
  defaultChecksumType,
} from '../../storage/checksums.ts';
import type { NewVersion } from '../../storage/storage.ts';
import type { OperationCall, S3Response } from '../operation.ts';
import { withWriteGuard } from '../put-object.ts';
import { MAX_PART_NUMBER, uploadOf } from './multipart-upload.ts';

/** Minimum bytes of every part except the last one, inclusive. */
export const MIN_UPLOADED_PART_BYTES = 5 * 2 ** 20;

/** Joins the parts and ends the upload; if that fails, the upload is unchanged. */
export async function completeMultipartUpload(call: OperationCall): Promise<S3Response> {
  const { storage, bucketName, key } = call;
  const completed = completedVersion(call);
  if (completed !== undefined) return repeatedCompletion(call, completed);
  const upload = uploadOf(call);
  checkType(call, upload);
  const version = await withWriteGuard(
    call,
    async (guard) => {
      const document = await readParts(call);
      // Read again: while the document arrived, parts may have been added, or the upload may have ended.
      const joined = joinParts(call, uploadOf(call), listedParts(document, upload.uploadId));
      return storage.put(bucketName, key, joined, guard, upload.uploadId);
    },
    () => uploadOf(call).keyChanged === true,
  );
  call.onCreated(storage.bucket(bucketName), key, version, 'CompleteMultipartUpload');
  return completion(call, version);
}

function checkType({ request }: OperationCall, { checksum }: MultipartUpload): void {
  const type = request.headers.get('x-amz-checksum-type');
  if (type === undefined || type === checksum?.type) return;
  throw new S3Error(
    'InvalidRequest',
    `The upload was created using the ${checksum?.type ?? 'null'} checksum mode. The complete request must use the same checksum mode.`,
  );
}

/** The version that an earlier request with this upload has made. */
function completedVersion({ storage, bucketName, key, request }: OperationCall): StoredVersion | undefined {
  const uploadId = request.parameters.get('uploadId');
  const { versions } = storage.bucket(bucketName);
  for (const version of versions.newestFirst(key)) if (version.upload?.id === uploadId) return version;
  return undefined;
}

/** The response was lost, and the client sends the request again. */
async function repeatedCompletion(call: OperationCall, version: StoredVersion): Promise<S3Response> {
  const document = await readParts(call);
  if (joinedEtag(listedParts(document)) !== version.etag) uploadOf(call);
  return completion(call, version);
}

function completion(call: OperationCall, version: StoredVersion): S3Response {
  const { bucketName, key } = call;
  const bucket = call.storage.bucket(bucketName);
  const { checksum } = version;
  return {
    status: 200,
    headers: { ...ENCRYPTION_HEADER, ...versionHeader(bucket, version.versionId) },
    body: responseDocument('CompleteMultipartUploadResult', [
      element('Location', `http://${call.request.headers.get('host')}${call.request.rawPath}`),
      element('Bucket', bucketName),
      element('Key', key),
      element('ETag', `"${version.etag}"`),
      checksum && element(checksumElement(checksum.algorithm), checksum.value),
      checksum && element('ChecksumType', checksum.type),
    ]),
  };
}

/** @throws S3Error InvalidRequest without a document, and as `parseDocument` does */
async function readParts({ body }: OperationCall): Promise<XmlElement> {
  const text = await readBodyText(body, MAX_DOCUMENT_BYTES, { checksumCoversObject: true });
  if (text === '') throw noParts();
  return parseDocument(text, 'CompleteMultipartUpload');
}

function noParts(): S3Error {
  return new S3Error('InvalidRequest', 'You must specify at least one part');
}

/** A part listed in the request. */
interface ListedPart {
  readonly number: number;
  readonly etag: string;
  readonly element: XmlElement;
}

function listedParts(document: XmlElement, uploadId = ''): ListedPart[] {
  const elements = document.children.filter((child) => child.name === 'Part');
  if (elements.length === 0 || elements.length > MAX_PART_NUMBER) {
    throw new S3Error(
      'MalformedXML',
      `Expected 1 to ${MAX_PART_NUMBER} Part elements, found ${elements.length}`,
    );
  }
  const parts = elements.map((part) => ({
    number: Number(childText(part, 'PartNumber')),
    etag: (childText(part, 'ETag') ?? '').replace(/^"(.*)"$/, '$1'),
    element: part,
  }));
  const unordered = parts.find((part, index) => index > 0 && !(part.number > parts[index - 1]!.number));
  if (unordered === undefined) return parts;
  throw new S3Error(
    'InvalidPartOrder',
    'The list of parts was not in ascending order. Parts must be ordered by part number.',
    { fields: { UploadId: uploadId } },
  );
}

function joinParts(call: OperationCall, upload: MultipartUpload, listed: readonly ListedPart[]): NewVersion {
  const parts = listed.map((part) => findPart(upload, part));
  const small = parts.findIndex(
    (part, index) => index < parts.length - 1 && part.bytes < MIN_UPLOADED_PART_BYTES,
  );
  if (small >= 0) {
    throw new S3Error('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size', {
      fields: {
        ProposedSize: String(parts[small]!.bytes),
        MinSizeAllowed: String(MIN_UPLOADED_PART_BYTES),
        PartNumber: String(parts[small]!.number),
        ETag: parts[small]!.etag,
      },
    });
  }
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  checkBytes(call, bytes);
  return {
    system: upload.system,
    metadata: upload.metadata,
    files: parts.flatMap((part) => part.files),
    bytes,
    etag: joinedEtag(parts),
    checksum: joinedChecksum(call, upload, parts),
    upload: {
      id: upload.uploadId,
      partBytes: parts.map((part) => part.bytes),
      ...(upload.checksum?.type === 'COMPOSITE' && {
        partChecksums: parts.map((part) => part.checksum?.value ?? ''),
      }),
    },
  };
}

function checkBytes({ request }: OperationCall, bytes: number): void {
  const declared = request.headers.get('x-amz-mp-object-size');
  if (declared === undefined || Number(declared) === bytes) return;
  throw new S3Error(
    'InvalidRequest',
    `The provided 'x-amz-mp-object-size' header value ${declared} does not match what was computed: ${bytes}`,
  );
}

function joinedEtag(parts: readonly { readonly etag: string }[]): string {
  const md5 = createHash('md5');
  for (const part of parts) md5.update(Buffer.from(part.etag, 'hex'));
  return `${md5.digest('hex')}-${parts.length}`;
}

function findPart(upload: MultipartUpload, listed: ListedPart): UploadedPart {
  const part = upload.parts.get(listed.number);
  const named = CHECKSUM_ALGORITHMS.find((name) => childText(listed.element, checksumElement(name)));
  if (upload.checksum !== undefined && named !== undefined && named !== upload.checksum.algorithm) {
    throw new S3Error(
      'BadDigest',
      `The ${named.toLowerCase()} you specified for part ${listed.number} did not match what we received.`,
    );
  }
  const algorithm = upload.checksum?.algorithm;
  const checksum = algorithm && childText(listed.element, checksumElement(algorithm));
  if (algorithm !== undefined && checksum === undefined && upload.checksum?.type === 'COMPOSITE') {
    throw new S3Error(
      'InvalidRequest',
      `The upload was created using a ${algorithm.toLowerCase()} checksum. The complete request must include the checksum for each part. It was missing for part ${listed.number} in the request.`,
    );
  }
  const sameChecksum =
    algorithm === undefined
      ? named === undefined
      : checksum === undefined || checksum === part?.checksum?.value;
  if (part !== undefined && part.etag === listed.etag && sameChecksum) return part;
  throw new S3Error(
    'InvalidPart',
    "One or more of the specified parts could not be found.  The part may not have been uploaded, or the specified entity tag may not match the part's entity tag.",
    { fields: { UploadId: upload.uploadId, PartNumber: String(listed.number), ETag: listed.etag } },
  );
}

function joinedChecksum(
  call: OperationCall,
  upload: MultipartUpload,
  parts: readonly UploadedPart[],
): Checksum | undefined {
  if (upload.checksum === undefined) return undefined;
  const { algorithm, type } = upload.checksum;
  const values = parts.map((part) => ({ value: part.checksum?.value ?? '', bytes: part.bytes }));
  const joined = combineChecksums(algorithm, type, values);
  const { headers } = call.request;
  const named = CHECKSUM_ALGORITHMS.find((name) => headers.has(checksumHeader(name)));
  if (named === undefined) return joined;
  // Without a type, the checksum of a request is of the type that its algorithm has by default.
  const namedType = headers.get('x-amz-checksum-type') ?? defaultChecksumType(named);
  const isSame = named === algorithm && namedType === type;
  if (isSame && headers.get(checksumHeader(named)) === joined.value) return joined;
  throw new S3Error(
    'BadDigest',
    `The ${algorithm.toLowerCase()} you specified did not match the calculated checksum.`,
  );
}
