/**
 * AWS's test suite of Signature Version 4, as botocore has it (tests/unit/auth/aws4_testsuite, 7 August 2026): signatures
 * that AWS computed. Left out are paths that are normalised first, as S3 does not, and a header of several lines, which
 * Node rejects.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseRequest } from '../../../lib/local/s3/request.ts';
import { verifySignature } from '../../../lib/local/s3/signature.ts';

interface Row {
  readonly test: string;
  readonly request: readonly [method: string, target: string, headers: readonly string[], body: string];
  /** Names of the signed headers. */
  readonly signed: string;
  readonly signature: string;
}

const ROWS: readonly Row[] = readFileSync(new URL('signatures.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

const CREDENTIALS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const SCOPE = '20150830/us-east-1/service/aws4_request';
const NOW = Date.UTC(2015, 7, 30, 12, 36);

test.each(ROWS)('a signature of AWS is accepted, and no other one: $test', (row) => {
  const [method, target, headers, body] = row.request;
  const verify = (signature: string) => {
    const authorization = `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${SCOPE}, SignedHeaders=${row.signed}, Signature=${signature}`;
    const request = parseRequest(method, target, [...headers, 'Authorization', authorization]);
    const payloadHash = createHash('sha256').update(body).digest('hex');
    return verifySignature(request, CREDENTIALS, NOW, { service: 'service', payloadHash });
  };
  expect(verify(row.signature).role).toBeUndefined();
  expect(() => verify(`${row.signature.slice(0, -1)}x`)).toThrow('signature');
});
