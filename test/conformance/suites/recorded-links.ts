/**
 * Errors of links that LocalStack recorded from S3 (test_s3.py, validated snapshots of 23 March 2026). Only code and
 * message are compared.
 */

import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { expect, test } from 'vitest';
import { childText, parseXml } from '../../../lib/local/s3/xml.ts';
import { differences } from '../recorded/differences.ts';
import type { Target } from '../target.ts';

type Fields = Readonly<Record<string, string>>;

/** A link to send, and the recorded error. */
interface Row {
  readonly of: string;
  readonly link: (url: string) => string;
  readonly headers?: Fields;
  readonly answer: { readonly status: number; readonly error: Fields };
}

const MISMATCH: Fields = {
  Code: 'SignatureDoesNotMatch',
  Message:
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
};
const denied = (Message: string) => ({ status: 403, error: { Code: 'AccessDenied', Message } });
const badLink = (Message: string) => ({
  status: 400,
  error: { Code: 'AuthorizationQueryParametersError', Message },
});
const ROWS: readonly Row[] = [
  {
    of: 'test_s3_presigned_url_expired',
    link: (url) => url,
    answer: denied('Request has expired'),
  },
  {
    of: 'test_presigned_url_signature_authentication',
    link: (url) => url.replace(/(X-Amz-Signature=)[^&]*/, '$1invalid'),
    answer: { status: 403, error: MISMATCH },
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
    answer: denied('There were headers present in the request which were not signed'),
  },
  {
    of: 'test_s3_put_presigned_url_same_header_and_qs_parameter',
    link: (url) => url,
    headers: { 'x-amz-expires': '5' },
    answer: denied('There were headers present in the request which were not signed'),
  },
];

async function errorOf(response: Response): Promise<Row['answer']> {
  const root = parseXml(await response.text());
  const error = { Code: childText(root, 'Code') ?? '', Message: childText(root, 'Message') ?? '' };
  return { status: response.status, error };
}

export function recordedLinksSuite(target: () => Target): void {
  test.each(ROWS)('$of', async ({ of, link, headers, answer }) => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const method = headers === undefined ? 'GET' : 'PUT';
    const Command = (method === 'GET' ? GetObjectCommand : PutObjectCommand) as typeof GetObjectCommand;
    const signingDate = new Date(Date.now() - (of.endsWith('_expired') ? 120_000 : 0));
    const signed = await getSignedUrl(client, new Command({ Bucket, Key: `${newPrefix()}a` }), {
      expiresIn: 60,
      signingDate,
    });
    const response = await fetch(link(signed), { method, headers });
    expect(differences(answer, await errorOf(response), new Map())).toEqual([]);
  });
}
