/**
 * Errors of links and forms that LocalStack recorded from S3 (test_s3.py, validated snapshots of 23 March 2026). Fields
 * whose values vary are `<...>`.
 */

import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { expect, test } from 'vitest';
import { childText, parseXml } from '../../../lib/local/s3/http/xml.ts';
import { differences } from '../recorded/differences.ts';
import type { Target } from '../target.ts';
import { type Form, signedFields } from './forms.ts';

type Fields = Readonly<Record<string, string>>;

/** A link or form to send, and the recorded error. */
interface Row {
  readonly of: string;
  readonly link?: (url: string) => string;
  readonly headers?: Fields;
  readonly form?: Omit<Form, 'key'>;
  readonly answer: { readonly status: number; readonly error: Fields };
}

const MISMATCH: Fields = {
  Code: 'SignatureDoesNotMatch',
  Message:
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  AWSAccessKeyId: '<key>',
  SignatureProvided: '<signature>',
  StringToSign: '<text>',
  StringToSignBytes: '<bytes>',
};
const MISMATCHED_REQUEST: Fields = {
  ...MISMATCH,
  CanonicalRequest: '<request>',
  CanonicalRequestBytes: '<bytes>',
};
const denied = (Message: string, more: Fields = {}) => ({
  status: 403,
  error: { Code: 'AccessDenied', Message, ...more },
});
const badLink = (Message: string) => ({
  status: 400,
  error: { Code: 'AuthorizationQueryParametersError', Message },
});
const missing = (field: string) => ({
  status: 400,
  error: {
    Code: 'InvalidArgument',
    Message: `Bucket POST must contain a field named '${field}'.  If it is specified, please check the order of the fields.`,
    ArgumentName: field,
    ArgumentValue: '',
  },
});
const without =
  (...names: string[]) =>
  (fields: Record<string, string>) => {
    for (const name of names) delete fields[name];
  };

const ROWS: readonly Row[] = [
  {
    of: 'test_s3_presigned_url_expired',
    link: (url) => url,
    answer: denied('Request has expired', {
      Expires: '<time>',
      ServerTime: '<time>',
      'X-Amz-Expires': '60',
    }),
  },
  {
    of: 'test_presigned_url_signature_authentication',
    link: (url) => url.replace(/(X-Amz-Signature=)[^&]*/, '$1invalid'),
    answer: { status: 403, error: MISMATCHED_REQUEST },
  },
  {
    of: 'test_s3_put_presigned_url_missing_sig_param',
    link: (url) => url.replace(/&X-Amz-Signature=[^&]*/, ''),
    answer: badLink(
      'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
    ),
  },
  {
    of: 'test_presigned_double_encoded_credentials',
    link: (url) => url.replace(/X-Amz-Credential=[^&]*/, (found) => found.replaceAll('%', '%25')),
    answer: badLink(
      'Error parsing the X-Amz-Credential parameter; the Credential is mal-formed; expecting "<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/aws4_request".',
    ),
  },
  {
    of: 'test_put_url_metadata_with_sig_s3v4',
    link: (url) => url,
    headers: { 'x-amz-meta-wrong': 'wrong' },
    answer: denied('There were headers present in the request which were not signed', {
      HeadersNotSigned: 'x-amz-meta-wrong',
    }),
  },
  {
    of: 'test_s3_put_presigned_url_same_header_and_qs_parameter',
    link: (url) => url,
    headers: { 'x-amz-expires': '5' },
    answer: denied('There were headers present in the request which were not signed', {
      HeadersNotSigned: 'x-amz-expires',
    }),
  },
  {
    of: 'test_post_request_expires',
    form: { expiresMs: -1000 },
    answer: denied('Invalid according to Policy: Policy expired.'),
  },
  {
    of: 'test_post_request_malformed_policy',
    form: { tamper: (fields) => Object.assign(fields, { policy: 'invalid' }) },
    answer: { status: 403, error: MISMATCH },
  },
  {
    of: 'test_post_request_missing_signature',
    form: { tamper: without('x-amz-signature') },
    answer: missing('X-Amz-Signature'),
  },
  {
    of: 'test_post_request_missing_fields',
    form: { tamper: without('x-amz-algorithm') },
    answer: missing('X-Amz-Algorithm'),
  },
  {
    of: 'test_post_request_missing_fields',
    form: {
      tamper: without('x-amz-algorithm', 'x-amz-credential', 'x-amz-date', 'x-amz-signature', 'policy'),
    },
    answer: denied('Access Denied'),
  },
  {
    of: 'test_post_object_policy_validation_size',
    form: { conditions: [['content-length-range', 5, 10]], body: 'a'.repeat(12) },
    answer: {
      status: 400,
      error: {
        Code: 'EntityTooLarge',
        Message: 'Your proposed upload exceeds the maximum allowed size',
        MaxSizeAllowed: '10',
        ProposedSize: '12',
      },
    },
  },
  {
    of: 'test_post_object_policy_validation_size',
    form: { conditions: [['content-length-range', 5, 10]], body: 'a' },
    answer: {
      status: 400,
      error: {
        Code: 'EntityTooSmall',
        Message: 'Your proposed upload is smaller than the minimum allowed size',
        MinSizeAllowed: '5',
        ProposedSize: '1',
      },
    },
  },
  ...(['eq', 'starts-with'] as const).map((operator) => ({
    of: `test_post_object_policy_conditions_validation_${operator.replace('-', '_')}`,
    form: {
      conditions: [[operator, '$success_action_redirect', 'http://localhost.test/random']],
      fields: { success_action_redirect: 'HTTP://localhost.test/random' },
    },
    answer: denied(
      `Invalid according to Policy: Policy Condition failed: ["${operator}", "$success_action_redirect", "http://localhost.test/random"]`,
    ),
  })),
];

async function errorOf(response: Response): Promise<Row['answer']> {
  const root = parseXml(await response.text());
  const fields = root.children.filter(({ name }) => !['RequestId', 'HostId', 'Resource'].includes(name));
  const error = Object.fromEntries(fields.map(({ name }) => [name, childText(root, name) ?? '']));
  return { status: response.status, error };
}

export function recordedLinksSuite(target: () => Target): void {
  test.each(ROWS)('$of', async ({ of, link, headers, form, answer }) => {
    const { client, endpoint, region, credentials, versionedBucket: Bucket, newPrefix } = target();
    const key = `${newPrefix()}a`;
    let response: Response;
    if (form === undefined) {
      const method = headers === undefined ? 'GET' : 'PUT';
      const Command = (method === 'GET' ? GetObjectCommand : PutObjectCommand) as typeof GetObjectCommand;
      const signingDate = new Date(Date.now() - (of.endsWith('_expired') ? 120_000 : 0));
      const signed = await getSignedUrl(client, new Command({ Bucket, Key: key }), {
        expiresIn: 60,
        signingDate,
      });
      response = await fetch(link!(signed), { method, headers });
    } else {
      const conditions = [{ key }, ...(form.conditions ?? [])];
      const fields = signedFields({ ...form, key, conditions }, Bucket, region, credentials);
      form.tamper?.(fields);
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      body.append('file', new Blob([form.body ?? 'text']), 'a.txt');
      response = await fetch(`${endpoint}/${Bucket}`, { method: 'POST', body });
    }
    expect(differences(answer, await errorOf(response), new Map())).toEqual([]);
  });

  test('test_post_object_with_wrong_content_type', async () => {
    const { endpoint, versionedBucket } = target();
    const response = await fetch(`${endpoint}/${versionedBucket}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'a=b',
    });
    const Condition = 'Bucket POST must be of the enclosure-type multipart/form-data';
    const Message = 'At least one of the pre-conditions you specified did not hold';
    expect(await errorOf(response)).toEqual({
      status: 412,
      error: { Code: 'PreconditionFailed', Message, Condition },
    });
  });
}
