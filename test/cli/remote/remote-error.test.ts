import { expect, test } from 'vitest';
import { RestartError } from '../../../lib/aws/retries.ts';
import { ChecksumError } from '../../../lib/batch/delivery/result-set.ts';
import { isTemporary, remoteError } from '../../../lib/cli/remote/remote-error.ts';

test.each([
  new Error('Checksum mismatch: expected "a" but received "b" in response header "x".'),
  new ChecksumError('solutions.txt has another checksum than in the manifest'),
  new RestartError('damaged', { cause: new ChecksumError('solutions.txt') }),
])('damaged data are an error of the network, which the same command may not meet again: %s', (error) => {
  expect(isTemporary(remoteError(error, 'downloading a.txt'))).toBe(true);
});
