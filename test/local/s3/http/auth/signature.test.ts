import { describe, expect, test } from 'vitest';
import { type SigningCredentials, verifySignature } from '../../../../../lib/local/s3/http/auth/signature.ts';
import type { S3Request } from '../../../../../lib/local/s3/http/request.ts';
import {
  chunkedExample,
  EXAMPLE_CREDENTIALS,
  EXAMPLE_TIME_MS,
  exampleRequest,
  getExample,
  PRESIGNED_TARGET,
  presignedExample,
  trailerExample,
} from '../../aws-example.ts';

const MINUTE_MS = 60_000;
const HOST = { host: 'examplebucket.s3.amazonaws.com' };

const VALID: [row: string, request: S3Request][] = [
  ['GET Object', getExample()],
  [
    'GET Bucket Lifecycle, a parameter without a value',
    exampleRequest(
      'GET',
      '/?lifecycle',
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
      HOST,
    ),
  ],
  [
    'List Objects, unsorted parameters',
    exampleRequest(
      'GET',
      '/?prefix=J&max-keys=2',
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
      HOST,
    ),
  ],
  [
    'PUT Object, a name with a dollar sign',
    exampleRequest(
      'PUT',
      '/test$file.text',
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
      {
        ...HOST,
        date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      },
    ),
  ],
  ['a presigned URL', presignedExample()],
  ['PUT Object in chunks', chunkedExample()],
  ['PUT Object in chunks with a trailer', trailerExample()],
];

const verify = (
  request: S3Request,
  nowMs = EXAMPLE_TIME_MS,
  credentials: SigningCredentials = EXAMPLE_CREDENTIALS,
) => verifySignature(request, credentials, nowMs);

describe('an example of the reference is verified', () => {
  test.for(VALID)('%s', ([, request]) => {
    expect(verify(request).scope).toBe('20130524/us-east-1/s3/aws4_request');
  });
});

interface Rejection {
  readonly row: string;
  readonly code: string;
  readonly request?: S3Request;
  readonly nowMs?: number;
  readonly credentials?: SigningCredentials;
}

const REJECTED: Rejection[] = [
  { row: 'another method', code: 'SignatureDoesNotMatch', request: { ...getExample(), method: 'HEAD' } },
  { row: 'another path', code: 'SignatureDoesNotMatch', request: { ...getExample(), rawPath: '/other.txt' } },
  {
    row: 'another parameter',
    code: 'SignatureDoesNotMatch',
    request: { ...getExample(), query: [['versionId', 'null']] },
  },
  {
    row: 'another value of a signed header',
    code: 'SignatureDoesNotMatch',
    request: getExample({ range: 'bytes=0-8' }),
  },
  {
    row: 'a missing signed header',
    code: 'SignatureDoesNotMatch',
    request: getExample({ range: undefined }),
  },
  {
    row: 'another secret',
    code: 'SignatureDoesNotMatch',
    credentials: { ...EXAMPLE_CREDENTIALS, secretAccessKey: 'other' },
  },
  {
    row: 'another access key',
    code: 'InvalidAccessKeyId',
    credentials: { ...EXAMPLE_CREDENTIALS, accessKeyId: 'other' },
  },
  {
    row: 'another region',
    code: 'AuthorizationHeaderMalformed',
    credentials: { ...EXAMPLE_CREDENTIALS, region: 'eu-west-1' },
  },
  {
    row: 'an unsigned header of S3',
    code: 'AccessDenied',
    request: getExample({ 'x-amz-acl': 'public-read' }),
  },
  { row: 'no signature', code: 'AccessDenied', request: getExample({ authorization: undefined }) },
  { row: 'no time', code: 'AccessDenied', request: getExample({ 'x-amz-date': undefined }) },
  {
    row: 'no hash of the body',
    code: 'InvalidRequest',
    request: getExample({ 'x-amz-content-sha256': undefined }),
  },
  {
    row: 'Signature Version 2',
    code: 'InvalidRequest',
    request: getExample({ authorization: 'AWS AKIAIOSFODNN7EXAMPLE:abc=' }),
  },
  {
    row: 'an authorization of another scheme',
    code: 'AuthorizationHeaderMalformed',
    request: getExample({ authorization: 'Basic dXNlcjpwYXNz' }),
  },
  {
    row: 'an authorization without its parts',
    code: 'AuthorizationHeaderMalformed',
    request: getExample({ authorization: 'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE' }),
  },
  {
    row: 'a clock that is 16 minutes ahead',
    code: 'RequestTimeTooSkewed',
    nowMs: EXAMPLE_TIME_MS - 16 * MINUTE_MS,
  },
  {
    row: 'a clock that is 16 minutes late',
    code: 'RequestTimeTooSkewed',
    nowMs: EXAMPLE_TIME_MS + 16 * MINUTE_MS,
  },
  {
    row: 'a URL valid for a day, one second after it expired',
    code: 'AccessDenied',
    request: presignedExample(),
    nowMs: EXAMPLE_TIME_MS + 86_401_000,
  },
  {
    row: 'a URL with a changed expiry',
    code: 'SignatureDoesNotMatch',
    request: presignedExample(PRESIGNED_TARGET.replace('Expires=86400', 'Expires=86401')),
  },
  {
    row: 'a URL valid for more than a week',
    code: 'AuthorizationQueryParametersError',
    request: presignedExample(PRESIGNED_TARGET.replace('Expires=86400', 'Expires=604801')),
  },
  {
    row: 'a URL without an expiry',
    code: 'AuthorizationQueryParametersError',
    request: presignedExample(PRESIGNED_TARGET.replace('X-Amz-Expires=86400&', '')),
  },
  {
    row: 'a URL with an added version',
    code: 'SignatureDoesNotMatch',
    request: presignedExample(`${PRESIGNED_TARGET}&versionId=null`),
  },
];

describe('a request is rejected with', () => {
  test.for(REJECTED)('$row: $code', ({ code, request = getExample(), nowMs, credentials }) => {
    expect(() => verify(request, nowMs, credentials)).toThrow(expect.objectContaining({ code }));
  });

  test('a URL is valid up to its last second', () => {
    expect(() => verify(presignedExample(), EXAMPLE_TIME_MS + 86_400_000)).not.toThrow();
  });
});
