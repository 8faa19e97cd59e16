/**
 * The examples of the Amazon S3 API Reference ("Authenticating Requests", with the Authorization header, with query
 * parameters, and in chunks): requests with published signatures, independent of this project's code.
 */

import { parseRequest, type S3Request } from '../../../lib/local/s3/http/request.ts';

export const EXAMPLE_CREDENTIALS = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
/** 20130524T000000Z */
export const EXAMPLE_TIME_MS = Date.UTC(2013, 4, 24);
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const SCOPE = '20130524/us-east-1/s3/aws4_request';

/** A signed request; `changes` replaces headers, and omits those that are `undefined`. */
export function exampleRequest(
  method: string,
  target: string,
  signature: string,
  headers: Record<string, string>,
  changes: Record<string, string | undefined> = {},
): S3Request {
  const signed: Record<string, string> = {
    'x-amz-date': '20130524T000000Z',
    'x-amz-content-sha256': EMPTY_SHA256,
    ...headers,
  };
  const names = Object.keys(signed).sort().join(';');
  const authorization = `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/${SCOPE},SignedHeaders=${names},Signature=${signature}`;
  const all: Record<string, string | undefined> = { ...signed, authorization, ...changes };
  const raw = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  return parseRequest(method, target, raw);
}

/** "GET Object". */
export function getExample(changes: Record<string, string | undefined> = {}): S3Request {
  return exampleRequest(
    'GET',
    '/test.txt',
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    { host: 'examplebucket.s3.amazonaws.com', range: 'bytes=0-9' },
    changes,
  );
}

/** "Example: Using the query parameters", with the parameters in the order of the reference. */
export const PRESIGNED_TARGET =
  '/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404';

export function presignedExample(target = PRESIGNED_TARGET): S3Request {
  return parseRequest('GET', target, ['host', 'examplebucket.s3.amazonaws.com']);
}

const CHUNKED_HEADERS = {
  host: 's3.amazonaws.com',
  'x-amz-storage-class': 'REDUCED_REDUNDANCY',
  'content-encoding': 'aws-chunked',
  'x-amz-decoded-content-length': '66560',
};

/** "Example: PUT Object" in chunks. */
export function chunkedExample(): S3Request {
  return exampleRequest(
    'PUT',
    '/examplebucket/chunkObject.txt',
    '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9',
    {
      ...CHUNKED_HEADERS,
      'content-length': '66824',
      'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    },
  );
}

/** The example with a trailer, "Including Trailing Headers". */
export function trailerExample(): S3Request {
  return exampleRequest(
    'PUT',
    '/examplebucket/chunkObject.txt',
    '106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e',
    {
      ...CHUNKED_HEADERS,
      'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
      'x-amz-trailer': 'x-amz-checksum-crc32c',
    },
  );
}

/** The data of both chunked examples: 65 KiB of the letter a. */
export const CHUNKED_DATA = Buffer.alloc(66_560, 'a');

function chunkedBody(signatures: readonly string[], end: string): Buffer {
  const [first, second, last] = signatures;
  return Buffer.concat([
    Buffer.from(`10000;chunk-signature=${first}\r\n`),
    CHUNKED_DATA.subarray(0, 65_536),
    Buffer.from(`\r\n400;chunk-signature=${second}\r\n`),
    CHUNKED_DATA.subarray(65_536),
    Buffer.from(`\r\n0;chunk-signature=${last}\r\n${end}\r\n`),
  ]);
}

export const CHUNKED_BODY = chunkedBody(
  [
    'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648',
    '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497',
    'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9',
  ],
  '',
);

export const TRAILER_BODY = chunkedBody(
  [
    'b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2',
    '1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7',
    '2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992',
  ],
  'x-amz-checksum-crc32c:sOO8/Q==\r\nx-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n',
);
