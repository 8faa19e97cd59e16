/** GetObjectAttributes: the size, the ETag, the checksum and the parts of an object, without its bytes. */

import { invalidArgument } from '../http/errors.ts';
import { versionHeader } from '../http/object-headers.ts';
import { integerParameter } from '../http/parameters.ts';
import { headerTime } from '../http/time-formats.ts';
import { element, responseDocument, type XmlMarkup } from '../http/xml.ts';
import type { StoredVersion } from '../storage/catalog.ts';
import { checksumElement } from '../storage/checksums.ts';
import { findVersion } from './find-version.ts';
import type { OperationCall, S3Response } from './operation.ts';

const MAX_LISTED_PARTS = 1000;

export async function getObjectAttributes(call: OperationCall): Promise<S3Response> {
  const { storage, bucketName, key, request, settings } = call;
  const bucket = storage.bucket(bucketName);
  const version = findVersion(bucket, key, request.parameters.get('versionId'), settings);
  const named = (request.headers.get('x-amz-object-attributes') ?? '').split(',').map((name) => name.trim());
  const unknown = named.find((name) => !Object.hasOwn(ATTRIBUTES, name));
  if (unknown !== undefined) {
    throw invalidArgument('Invalid attribute name specified.', 'x-amz-object-attributes', unknown);
  }
  const attributes = Object.entries(ATTRIBUTES).filter(([name]) => named.includes(name));
  return {
    status: 200,
    headers: {
      'last-modified': headerTime(version.lastModifiedMs),
      ...versionHeader(bucket, version.versionId),
    },
    body: responseDocument(
      'GetObjectAttributesResponse',
      attributes.map(([, write]) => write(version, request.headers)),
    ),
  };
}

type AttributeWriter = (
  version: StoredVersion,
  headers: ReadonlyMap<string, string>,
) => XmlMarkup | undefined;

const ATTRIBUTES: Readonly<Record<string, AttributeWriter>> = {
  ETag: ({ etag }) => element('ETag', etag),
  Checksum: ({ checksum }) =>
    checksum &&
    element('Checksum', [
      element(checksumElement(checksum.algorithm), checksum.value.replace(/-\d+$/, '')),
      element('ChecksumType', checksum.type),
    ]),
  ObjectParts: (version, headers) =>
    version.upload && partsElement(version.upload, version.checksum, headers),
  StorageClass: () => element('StorageClass', 'STANDARD'),
  ObjectSize: ({ bytes }) => element('ObjectSize', bytes),
};

/** Parts are listed if they have checksums. */
function partsElement(
  { partBytes: sizes, partChecksums }: NonNullable<StoredVersion['upload']>,
  checksum: StoredVersion['checksum'],
  headers: ReadonlyMap<string, string>,
): XmlMarkup {
  const count = element('PartsCount', sizes.length);
  if (checksum === undefined || partChecksums === undefined) return element('ObjectParts', [count]);
  const maxParts = Math.min(integerParameter(headers, 'x-amz-max-parts', MAX_LISTED_PARTS), MAX_LISTED_PARTS);
  const marker = integerParameter(headers, 'x-amz-part-number-marker', 0);
  const page = sizes.slice(marker, marker + maxParts);
  return element('ObjectParts', [
    count,
    element('PartNumberMarker', marker),
    element('NextPartNumberMarker', page.length === 0 ? 0 : marker + page.length),
    element('MaxParts', maxParts),
    element('IsTruncated', marker + page.length < sizes.length),
    ...page.map((size, index) =>
      element('Part', [
        element('PartNumber', marker + index + 1),
        element('Size', size),
        element(checksumElement(checksum.algorithm), partChecksums[marker + index]!),
      ]),
    ),
  ]);
}
