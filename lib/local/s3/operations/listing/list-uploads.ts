/** ListMultipartUploads: uploads in parts that have neither been completed nor aborted. */

import { invalidArgument } from '../../http/errors.ts';
import { integerParameter } from '../../http/parameters.ts';
import { listingTime } from '../../http/time-formats.ts';
import { element, responseDocument } from '../../http/xml.ts';
import type { MultipartUpload } from '../../storage/catalog.ts';
import type { OperationCall, S3Response } from '../operation.ts';
import {
  commonPrefixOf,
  listedChecksum,
  OWNER,
  parameterElement,
  readListingRequest,
  takePage,
} from './listing.ts';

const MAX_UPLOADS = 1000;

type Entry = { readonly upload: MultipartUpload } | { readonly commonPrefix: string };

/** A page of uploads, by key and start. */
export async function listMultipartUploads(call: OperationCall): Promise<S3Response> {
  const request = readListingRequest(call);
  const { bucket, parameters, scope, writeKey } = request;
  const keyMarker = parameters.get('key-marker') ?? '';
  const idMarker = keyMarker === '' ? '' : (parameters.get('upload-id-marker') ?? '');
  const maxUploads = Math.min(integerParameter(parameters, 'max-uploads', MAX_UPLOADS), MAX_UPLOADS);
  const uploads = [...call.storage.uploads.values()]
    .filter((upload) => upload.bucket === bucket.name && upload.key.startsWith(scope.prefix))
    .sort(byKeyAndStart);
  if (idMarker !== '' && !uploads.some(({ key, uploadId }) => key === keyMarker && uploadId === idMarker)) {
    throw invalidArgument('Invalid uploadId marker', 'upload-id-marker', idMarker);
  }
  const start = uploads.findIndex((upload) => isAfter(upload, uploads, keyMarker, idMarker));
  const entries = groupByPrefix(start < 0 ? [] : uploads.slice(start), scope, keyMarker);
  const { page, truncated } = takePage(entries, maxUploads);
  const last = page.at(-1);
  // S3 names no marker after a common prefix.
  const next = last && 'upload' in last ? last.upload : undefined;
  return {
    status: 200,
    body: responseDocument('ListMultipartUploadsResult', [
      element('Bucket', bucket.name),
      // Unlike the other listings.
      parameterElement('Prefix', scope.prefix || undefined, writeKey),
      parameterElement('Delimiter', scope.delimiter || undefined, writeKey),
      writeKey('KeyMarker', keyMarker),
      element('UploadIdMarker', idMarker),
      writeKey('NextKeyMarker', next?.key ?? ''),
      element('NextUploadIdMarker', next?.uploadId ?? ''),
      element('MaxUploads', maxUploads),
      element('IsTruncated', truncated),
      parameterElement('EncodingType', parameters.get('encoding-type')),
      ...page.map((entry) =>
        'upload' in entry
          ? element('Upload', [
              writeKey('Key', entry.upload.key),
              element('UploadId', entry.upload.uploadId),
              OWNER,
              element('StorageClass', 'STANDARD'),
              element('Initiated', listingTime(entry.upload.startedMs ?? 0)),
              ...listedChecksum(entry.upload),
            ])
          : element('CommonPrefixes', [writeKey('Prefix', entry.commonPrefix)]),
      ),
    ]),
  };
}

function byKeyAndStart(a: MultipartUpload, b: MultipartUpload): number {
  return Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)) || (a.startedMs ?? 0) - (b.startedMs ?? 0);
}

/** Without an upload id, the marker's own uploads are not listed. */
function isAfter(
  upload: MultipartUpload,
  sorted: readonly MultipartUpload[],
  keyMarker: string,
  idMarker: string,
): boolean {
  if (keyMarker === '') return true;
  const order = Buffer.compare(Buffer.from(upload.key), Buffer.from(keyMarker));
  if (order !== 0 || idMarker === '') return order > 0;
  const marker = sorted.findIndex(({ key, uploadId }) => key === keyMarker && uploadId === idMarker);
  return marker >= 0 && sorted.indexOf(upload) > marker;
}

function* groupByPrefix(
  uploads: readonly MultipartUpload[],
  scope: Parameters<typeof commonPrefixOf>[1],
  keyMarker: string,
): Generator<Entry> {
  let previous = keyMarker.startsWith(scope.prefix) ? commonPrefixOf(keyMarker, scope) : undefined;
  for (const upload of uploads) {
    const commonPrefix = commonPrefixOf(upload.key, scope);
    if (commonPrefix === undefined) yield { upload };
    else if (commonPrefix !== previous) {
      previous = commonPrefix;
      yield { commonPrefix };
    }
  }
}
