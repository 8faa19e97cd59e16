/** PostObject: an upload by a form whose signed policy replaces the request's signature. */

import { checkPolicy, type SizeRange } from '../http/auth/post-policy.ts';
import { type SigningCredentials, verifyPolicySignature } from '../http/auth/signature.ts';
import { readForm } from '../http/body/form-data.ts';
import { invalidArgument, S3Error } from '../http/errors.ts';
import { METADATA_PREFIX, objectHeaders, STORED_HEADERS, versionHeader } from '../http/object-headers.ts';
import { checkHeader, checkKeyLength, type S3Request } from '../http/request.ts';
import { element, responseDocument } from '../http/xml.ts';
import { MeasuredBytes, storedContent } from '../storage/measured-bytes.ts';
import { preconditionFailed } from './conditions.ts';
import type { OperationCall, S3Response } from './operation.ts';
import { withWriteGuard } from './put-object.ts';

/** A form upload has no body with its own headers, since the form is the body. */
export type PostCall = Omit<OperationCall, 'key' | 'body'>;

/** The boundary of a form that is posted to a bucket; `undefined` for other requests. */
export function formBoundary({ method, bucket, key, headers, parameters }: S3Request): string | undefined {
  if (method !== 'POST' || bucket === undefined || key !== undefined) return undefined;
  const type = headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    if (parameters.size > 0) return undefined;
    throw preconditionFailed('Bucket POST must be of the enclosure-type multipart/form-data');
  }
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? [];
  return quoted ?? bare;
}

/**
 * Stores the file of a form as a new version, if its policy allows it.
 *
 * @throws S3Error AccessDenied and similar before a byte of the file is read; EntityTooLarge, EntityTooSmall
 */
export async function postObject(
  call: PostCall,
  incoming: AsyncIterable<Uint8Array>,
  boundary: string,
  credentials: SigningCredentials,
): Promise<S3Response> {
  const { request, storage, bucketName } = call;
  const form = await readForm(incoming, boundary);
  const texts = new Map([...form.fields].map(([name, value]) => [name, value.toString('utf8')]));
  const policy = texts.get('policy');
  if (policy === undefined) throw new S3Error('AccessDenied', 'Access Denied');
  verifyPolicySignature(texts, policy, credentials);
  const key = (texts.get('key') ?? '').replaceAll(/\$\{filename\}/g, () => form.fileName);
  texts.set('key', key).set('bucket', bucketName);
  const range = checkPolicy(policy, texts, Date.now());
  if (key === '') {
    throw invalidArgument('Bucket POST must contain a field named "key".', 'key', '');
  }
  checkKeyLength(key);
  rejectUnknownFields(texts);
  const status = responseStatus(texts);
  const bucket = storage.bucket(bucketName);
  const headers = objectHeaders({ ...request, headers: headerFields(form.fields) });
  const measured = new MeasuredBytes(limited(form.file, range), []);
  const version = await withWriteGuard({ ...call, key } as OperationCall, (guard) =>
    storage.files.write(measured, (files) => {
      const content = storedContent(files, { ...measured.measure(), checksum: undefined });
      return storage.put(bucketName, key, { ...headers, ...content }, guard);
    }),
  );
  call.onCreated(bucket, key, version, 'PostObject');
  const document =
    status === 201
      ? responseDocument('PostResponse', [
          element('Bucket', bucketName),
          element('Key', key),
          element('ETag', `"${version.etag}"`),
        ])
      : undefined;
  return {
    status,
    headers: { etag: `"${version.etag}"`, ...versionHeader(bucket, version.versionId) },
    body: document,
  };
}

/** The file's bytes; throws for a size outside the policy's range, so that no such object is stored. */
async function* limited(
  file: AsyncIterable<Uint8Array>,
  range: SizeRange | undefined,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of file) {
    bytes += piece.length;
    if (range !== undefined && bytes > range.max) {
      throw new S3Error('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size', {
        fields: { ProposedSize: String(bytes), MaxSizeAllowed: String(range.max) },
      });
    }
    yield piece;
  }
  if (range === undefined || bytes >= range.min) return;
  throw new S3Error('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size', {
    fields: { ProposedSize: String(bytes), MinSizeAllowed: String(range.min) },
  });
}

/** The fields that are headers of the object, whose values have one character per byte. @throws S3Error InvalidArgument */
function headerFields(fields: ReadonlyMap<string, Buffer>): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [name, bytes] of fields) {
    if (!STORED_HEADERS.includes(name) && !name.startsWith(METADATA_PREFIX)) continue;
    const value = bytes.toString('latin1');
    checkHeader(name, value);
    headers.set(name, value);
  }
  return headers;
}

const KNOWN_FIELDS = [
  'key',
  'bucket',
  'policy',
  'x-amz-algorithm',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-signature',
  'success_action_status',
  ...STORED_HEADERS,
];

/** An ignored field would have an effect in AWS. */
function rejectUnknownFields(fields: ReadonlyMap<string, string>): void {
  const unknown = [...fields.keys()].find(
    (name) => !KNOWN_FIELDS.includes(name) && !/^(x-amz-meta-|x-ignore-)/.test(name),
  );
  if (unknown === undefined) return;
  throw new S3Error('NotImplemented', `This server does not implement PostObject with the field ${unknown}`);
}

function responseStatus(fields: ReadonlyMap<string, string>): number {
  const requested = fields.get('success_action_status');
  return requested === '200' || requested === '201' ? Number(requested) : 204;
}
