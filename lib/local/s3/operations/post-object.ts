/** PostObject: an upload by a form, signed by a policy in it instead of by the request. */

import { checkPolicy, type SizeRange } from '../http/auth/post-policy.ts';
import { type SigningCredentials, verifyPolicySignature } from '../http/auth/signature.ts';
import { readForm } from '../http/body/form-data.ts';
import { S3Error } from '../http/errors.ts';
import { objectHeaders, STORED_HEADERS, versionHeader } from '../http/object-headers.ts';
import { checkKeyLength, type S3Request } from '../http/request.ts';
import { element, responseDocument } from '../http/xml.ts';
import { MeasuredBytes } from '../storage/measured-bytes.ts';
import type { OperationCall, S3Response } from './operation.ts';
import { withWriteGuard } from './put-object.ts';

/** What a form's upload is given: no body that is checked by its headers, since the form is the body. */
export type PostCall = Omit<OperationCall, 'key' | 'body'>;

/** The boundary of a form, where a request brings one to a bucket. */
export function formBoundary({ method, bucket, key, headers }: S3Request): string | undefined {
  if (method !== 'POST' || bucket === undefined || key !== undefined) return undefined;
  const type = headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) return undefined;
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? [];
  return quoted ?? bare;
}

/**
 * Stores the file of a form as a new version, if its policy allows it.
 *
 * @throws S3Error AccessDenied and its like before a byte of the file is read; EntityTooLarge, EntityTooSmall
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
  if (policy === undefined) throw new S3Error('AccessDenied', 'Access Denied: the form has no policy');
  verifyPolicySignature(texts, policy, credentials);
  const key = (texts.get('key') ?? '').replaceAll(/\$\{filename\}/g, () => form.fileName);
  texts.set('key', key).set('bucket', bucketName);
  const range = checkPolicy(policy, texts, Date.now());
  if (key === '') {
    throw new S3Error('InvalidArgument', 'Bucket POST must contain a field named "key".', {
      fields: { ArgumentName: 'key', ArgumentValue: '' },
    });
  }
  checkKeyLength(key);
  rejectUnknownFields(texts);
  const status = responseStatus(texts);
  const bucket = storage.bucket(bucketName);
  const headers = objectHeaders({ ...request, headers: headerFields(form.fields) });
  const measured = new MeasuredBytes(limited(form.file, range), []);
  const version = await withWriteGuard({ ...call, key } as OperationCall, (guard) =>
    storage.files.write(measured, (files) => {
      const { bytes, md5 } = measured.measure();
      const facts = { files, bytes, etag: md5.toString('hex'), checksum: undefined };
      return storage.put(bucketName, key, { ...headers, ...facts }, guard);
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

/** The file, as far as the policy allows it: what is too long or too short is never an object. */
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

/** Header values have one character a byte. */
function headerFields(fields: ReadonlyMap<string, Buffer>): Map<string, string> {
  return new Map([...fields].map(([name, value]) => [name, value.toString('latin1')]));
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

/** A field that is passed over here would do something in the cloud. */
function rejectUnknownFields(fields: ReadonlyMap<string, string>): void {
  const strange = [...fields.keys()].find(
    (name) => !KNOWN_FIELDS.includes(name) && !/^(x-amz-meta-|x-ignore-)/.test(name),
  );
  if (strange === undefined) return;
  throw new S3Error('NotImplemented', `This server does not implement PostObject with the field ${strange}`);
}

function responseStatus(fields: ReadonlyMap<string, string>): number {
  const wanted = fields.get('success_action_status');
  return wanted === '200' || wanted === '201' ? Number(wanted) : 204;
}
