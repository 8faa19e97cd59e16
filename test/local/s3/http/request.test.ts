import { describe, expect, test } from 'vitest';
import { S3Error } from '../../../../lib/local/s3/http/errors.ts';
import { parseRequest } from '../../../../lib/local/s3/http/request.ts';

const PRESIGNED = '/bucket/a?X-Amz-Signature=ab';

describe('the parameters of a presigned URL that count as headers', () => {
  test('are headers in lower case', () => {
    const { headers, parameters } = parseRequest('PUT', `${PRESIGNED}&X-Amz-Meta-A=b%20c&partNumber=1`, []);
    expect(headers).toEqual(new Map([['x-amz-meta-a', 'b c']]));
    expect([...parameters]).toEqual([['partNumber', '1']]);
  });

  test.for([
    ['a name with a space', 'X-Amz-Meta-A%20b=c', 'X-Amz-Meta-A b'],
    ['a name outside ASCII', 'X-Amz-Meta-%C3%BC=c', 'X-Amz-Meta-ü'],
    ['a name with a line end', 'X-Amz-Meta-A%0Ab=c', 'X-Amz-Meta-A\nb'],
    ['a value with a line end', 'X-Amz-Meta-A=b%0Ac', 'X-Amz-Meta-A'],
    ['a value outside Latin-1', 'X-Amz-Meta-A=%E2%82%AC', 'X-Amz-Meta-A'],
  ] as const)('are rejected if they cannot be sent as headers: %s', ([, parameter, name]) => {
    const parse = () => parseRequest('PUT', `${PRESIGNED}&${parameter}`, []);
    expect(parse).toThrow(S3Error);
    expect(parse).toThrow(`${name} contains a character that is not allowed in a header`);
  });
});
